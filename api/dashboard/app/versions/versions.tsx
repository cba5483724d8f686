// The versions of an agent, a business or a tool: who changed what, and the way back.

import type { Operations } from '../api-operations.ts';
import type { Version } from '../api-types.ts';
import { call } from '../client.ts';
import { link } from '../router.ts';
import { TestStatus } from '../tests/test-status.tsx';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Badge } from '../ui/layout.tsx';
import { List } from '../ui/list.tsx';
import { currentPage } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { useAll } from '../use-all.ts';
import { type Loaded, useApi } from '../use-api.ts';
import { t } from '../words/words.ts';
import { CanaryState } from './canary.tsx';
import { Change } from './change.tsx';
import { LedCalls } from './version-calls.tsx';
import { type RecordOf, type Subject, Waiting } from './waiting.tsx';

const SUBJECTS = {
  agent: { list: 'listAgentVersions', restore: 'restoreAgentVersion', draft: 'getAgentDraft' },
  business: { list: 'listBusinessVersions', restore: 'restoreBusinessVersion', draft: 'getBusinessDraft' },
  tool: { list: 'listToolVersions', restore: 'restoreToolVersion', draft: 'getToolDraft' },
} as const;

const TestRuns = ({ of }: { of: NonNullable<Version['testRuns']> }) => (
  <div class="stack tight">
    {of.map(({ id, suiteName, status }) => (
      <a class="row" key={id} href={link(`/tests/runs/${id}`)}>
        {suiteName} <TestStatus status={status} />
      </a>
    ))}
  </div>
);

interface VersionsProps<S extends Subject> {
  of: S;
  id: string;
  onRestored: (record: RecordOf<S>) => void;
}

export function Versions<S extends Subject>({ of, id, onRestored }: VersionsProps<S>) {
  const { list, restore, draft } = SUBJECTS[of];
  const versions = useApi<'listAgentVersions' | 'listBusinessVersions' | 'listToolVersions'>(list, {
    params: { id },
    query: { page: currentPage(), limit: 20, calls: of !== 'tool', tests: of !== 'tool' },
  });
  const drafts = useApi<'getAgentDraft' | 'getBusinessDraft' | 'getToolDraft'>(draft, { params: { id } });
  const reload = () => {
    versions.reload();
    drafts.reload();
  };
  const users = useAll('listUsers');
  const nameOf = (actor: string | null) =>
    actor === null ? '' : (users.answer?.find((user) => user.id === actor)?.email ?? actor);
  const bringBack = (number: number) =>
    confirm({
      title: t('Bring back version {number}?', { number }),
      text: t(
        'It becomes what it was then, from the next call on, or as a draft where changes wait. What is there now stays in this list.',
      ),
      action: t('Bring it back'),
      perform: async () => {
        const { data, warnings } = await call(restore, { params: { id, number: String(number) } });
        onRestored(data as RecordOf<S>);
        reload();
        say([t('Version {number} is back', { number }), ...(warnings ?? [])].join('. '));
      },
    });
  const onChanged = (record: RecordOf<S>) => {
    onRestored(record);
    reload();
  };
  const waiting = drafts.answer?.data.map(({ draftVersion }) => draftVersion).join() ?? '';
  return (
    <>
      {of !== 'tool' && <CanaryState of={of} id={id} version={waiting} />}
      <Waiting of={of} id={id} drafts={drafts} onChanged={onChanged} />
      <VersionList of={of} versions={versions} nameOf={nameOf} onBringBack={bringBack} />
    </>
  );
}

interface VersionListProps {
  of: Subject;
  versions: Loaded<Operations['listAgentVersions']['answer']>;
  nameOf: (actor: string | null) => string;
  onBringBack: (number: number) => void;
}

function VersionList({ of, versions, nameOf, onBringBack }: VersionListProps) {
  const list = versions.answer?.data ?? [];
  // The record shows its draft, else what is published: that one cannot be brought back.
  const shown = (list.find(({ isDraft }) => isDraft) ?? list.find(({ isCurrent }) => isCurrent))?.number;
  return (
    <List
      of={versions}
      label={t('Versions')}
      keyOf={({ number }) => String(number)}
      columns={[
        {
          title: t('Version'),
          cell: ({ number, isCurrent, isDraft }) => (
            <span class="row">
              {number} {isCurrent && <Badge tone="good">{t('Now')}</Badge>}{' '}
              {isDraft && <Badge tone="warn">{t('Draft')}</Badge>}
            </span>
          ),
        },
        { title: t('When'), cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: t('Who'), cell: ({ actor }) => nameOf(actor) },
        {
          title: t('What changed'),
          cell: ({ changes, restoredFrom, against }) => (
            <div class="changes">
              {restoredFrom !== null && (
                <span class="soft">{t('Version {restoredFrom} brought back', { restoredFrom })}</span>
              )}
              {changes.map((change) => (
                <Change key={change.field} {...change} />
              ))}
              {against === null && <span class="soft">{t('The first that is kept')}</span>}
            </div>
          ),
        },
        ...(of === 'tool'
          ? []
          : [
              {
                title: t('Calls'),
                cell: ({ calls }: Version) => calls && <LedCalls calls={calls} />,
              },
              {
                title: t('Tests'),
                cell: ({ testRuns = [] }: Version) => <TestRuns of={testRuns} />,
              },
            ]),
        {
          title: '',
          cell: ({ number, isDraft }) =>
            !isDraft &&
            number !== shown && (
              <Button
                right="change"
                isSmall
                label={t('Bring back version {number}', { number })}
                onClick={() => onBringBack(number)}
              >
                {t('Bring back')}
              </Button>
            ),
        },
      ]}
    />
  );
}
