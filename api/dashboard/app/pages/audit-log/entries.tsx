// The entries of an audit log with their filters, for the page of the account and for that of the installation.
import type { Operations } from '../../api-operations.ts';
import type { AuditEntry } from '../../api-types.ts';
import { endOfDay, startOfDay } from '../../calls/local-days.ts';
import { link, route } from '../../router.ts';
import { chipsOf, DayFilters, dayChips, Filter, FilterChips } from '../../ui/filters.tsx';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { type Column, currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { ACTION_CHOICES, inWords, pageOf, resourceChoices, resourceText } from './entry-words.ts';

type Names = ReadonlyMap<string, string>;

const VALUES = ['actor', 'action', 'resource', 'resourceId'] as const;
const ALL = [...VALUES, 'from', 'to'] as const;
/** Actors that are no user. */
const NOBODYS: ReadonlyArray<[actor: string, text: string]> = [
  ['cli', words('Command line')],
  ['unknown', words('Unknown')],
];
const nobodys = (): Array<[string, string]> => NOBODYS.map(([actor, text]) => [actor, t(text)]);

export function Entries({
  operation,
  users,
  accounts,
  canOpen,
}: {
  operation: 'listAuditLog' | 'listInstallationAuditLog';
  /** Addresses of mail by id, of the users that the reader may know. */
  users: Names;
  /** Names by id; a log of one account has none. */
  accounts: Names | null;
  /** Whether the reader has a page of what this entry is about. */
  canOpen: (entry: AuditEntry) => boolean;
}) {
  const entries = useApi(operation, { query: queryOf() });
  const others = new Map(nobodys());
  const nameOf = (actor: string) => users.get(actor) ?? others.get(actor) ?? actor;
  const columns: Array<Column<AuditEntry>> = [
    { title: t('When'), cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: t('Who'), cell: ({ actor, tokenId }) => <Actor name={nameOf(actor)} tokenId={tokenId} /> },
    { title: t('Action'), cell: ({ action }) => <Named of={[action]} /> },
    { title: t('Record'), cell: (entry) => <Subject entry={entry} page={canOpen(entry) ? pageOf(entry) : null} /> },
    { title: t('Fields'), cell: ({ fields }) => (fields.length === 0 ? NOTHING : <Named of={fields} />) },
    { title: t('IP address'), cell: ({ address }) => address ?? NOTHING },
  ];
  if (accounts !== null) {
    const accountOf = (id: string | null) => (id === null ? NOTHING : (accounts.get(id) ?? id));
    columns.splice(2, 0, { title: t('Account'), cell: ({ accountId }) => accountOf(accountId) });
  }
  return (
    <>
      <Filters users={users} />
      <List
        of={entries}
        label={t('Audit log')}
        empty={
          <Empty title={isFiltered() ? t('Nothing fits these filters') : t('Nothing is noted yet')}>
            {t(
              'Each change of agents, businesses, campaigns, numbers and people is noted here, each sign-in, and each recording that somebody has heard. Entries stay for 400 days.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={columns}
      />
    </>
  );
}

const NOTHING = <span class="soft">–</span>;
/** Operations and fields have no other names than in the interface. */
const Named = ({ of }: { of: readonly string[] }) => <span lang="en">{of.map(inWords).join(', ')}</span>;
const isFiltered = (): boolean => ALL.some((name) => route.value.query.has(name));

function queryOf(): Operations['listAuditLog']['query'] {
  const { query } = route.value;
  const values = Object.fromEntries(VALUES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
  const days = { startDate: startOfDay(query.get('from')), endDate: endOfDay(query.get('to')) };
  return { ...values, ...days, page: currentPage(), limit: 50 } as Operations['listAuditLog']['query'];
}

function Filters({ users }: { users: Names }) {
  const filters = [
    { name: 'actor', label: t('Who'), choices: [...users, ...nobodys()] },
    { name: 'resource', label: t('Record'), choices: resourceChoices() },
    { name: 'action', label: t('Action'), choices: ACTION_CHOICES, lang: 'en' as const },
  ];
  const record = route.value.query.get('resourceId') ?? '';
  const recordChips = record === '' ? [] : [{ name: 'resourceId', label: t('Record'), text: record }];
  return (
    <search class="stack tight">
      <div class="filters">
        {filters.map((each) => (
          <Filter key={each.name} {...each} />
        ))}
        <DayFilters />
      </div>
      <FilterChips chips={[...chipsOf(filters), ...recordChips, ...dayChips()]} />
    </search>
  );
}

function Actor({ name, tokenId }: { name: string; tokenId: string | null }) {
  return (
    <div>
      {name}
      {tokenId !== null && <div class="small soft">{t('by an API key')}</div>}
    </div>
  );
}

function Subject({ entry: { resource, resourceId }, page }: { entry: AuditEntry; page: string | null }) {
  const { path, query } = route.value;
  const text = resourceText(resource);
  return (
    <div>
      {page === null ? text : <a href={link(page)}>{text}</a>}
      {resourceId !== null && (
        <div class="small">
          <a
            href={link(path, { ...Object.fromEntries(query), resource, resourceId, page: undefined })}
            aria-label={t('Only entries of {name}', { name: `${text} ${resourceId}` })}
          >
            {resourceId}
          </a>
        </div>
      )}
    </div>
  );
}
