// The contacts of a campaign.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Campaign, Contact } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatNumber } from '../../format.ts';
import { link, personLink, route, setQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Badge, Empty, Notice } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentPage, Pages, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { CONTACT_STATUSES, CONTACT_TONES, CONTACT_WORDS } from './campaign-status.ts';
import { ContactDialog } from './contact-dialog.tsx';
import { CsvUpload } from './csv-upload.tsx';

const RENEWED_EVERY_MS = 5_000;
const CALLED_SHOWN = 20;

/** How often what changes by calls is asked for; a paused campaign's calls go on to their ends. */
const everyOf = ({ status }: Campaign): number | undefined =>
  status === 'RUNNING' || status === 'PAUSED' ? RENEWED_EVERY_MS : undefined;

export function ContactsTab({ campaign, onChange }: { campaign: Campaign; onChange: () => void }) {
  const [open, setOpen] = useState<'none' | 'one' | 'file'>('none');
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { query } = route.value;
  const everyMs = everyOf(campaign);
  const status = CONTACT_STATUSES.find((each) => each === query.get('status'));
  const contacts = useApi(
    'listCampaignContacts',
    {
      params: { id: campaign.id },
      query: { page: currentPage(), limit: 50, ...(status === undefined ? {} : { status }) },
    },
    everyMs === undefined ? {} : { everyMs },
  );
  // The last call may have ended the campaign, and with it the renewal.
  const statusBefore = useRef(campaign.status);
  useEffect(() => {
    if (statusBefore.current !== campaign.status) contacts.reload();
    statusBefore.current = campaign.status;
  }, [campaign.status, contacts.reload]);
  const reload = () => {
    contacts.reload();
    onChange();
  };
  const isEditable = campaign.deletedAt === null;
  const actions = isEditable && (
    <div class="row">
      <Button right="work" look={campaign._count.contacts === 0 ? 'primary' : 'normal'} onClick={() => setOpen('file')}>
        {t('Upload a CSV file')}
      </Button>
      <Button right="work" onClick={() => setOpen('one')}>
        {t('Add a contact')}
      </Button>
    </div>
  );
  const remove = (contact: Contact) =>
    confirm({
      title: t('Remove {name}?', { name: contact.name ?? contact.phoneNumber }),
      text: t('{phoneNumber} is not called by this campaign any more. Calls that were made stay.', {
        phoneNumber: contact.phoneNumber,
      }),
      action: t('Remove the contact'),
      perform: async () => {
        await call('removeContact', { params: { id: campaign.id, contactId: contact.id } });
        reload();
        say(t('Removed {name}', { name: contact.name ?? contact.phoneNumber }));
      },
    });
  return (
    <>
      {open === 'file' && <CsvUpload campaign={campaign} onSent={reload} onClose={() => setOpen('none')} />}
      {open === 'one' && (
        <ContactDialog
          campaignId={campaign.id}
          onAdded={(given) => {
            setWarnings(given);
            reload();
          }}
          onClose={() => setOpen('none')}
        />
      )}
      {warnings.map((warning) => (
        <Notice tone="warn" key={warning}>
          {warning}
        </Notice>
      ))}
      <div class="row spread align-end">
        <div class="filters">
          <Select
            label={t('Status')}
            value={status ?? ''}
            onChange={(value) => setQuery({ status: value, page: undefined })}
            choices={[
              { value: '', text: t('All') },
              ...CONTACT_STATUSES.map((value) => ({ value, text: t(CONTACT_WORDS[value]) })),
            ]}
          />
        </div>
        {open !== 'file' && actions}
      </div>
      {everyMs !== undefined && status === undefined && <CalledNow campaign={campaign} everyMs={everyMs} />}
      <Answer of={contacts}>
        {({ data, pagination }) =>
          pagination.total === 0 ? (
            <Empty title={status === undefined ? t('No contacts yet') : t('No contact has this status')}>
              {status === undefined
                ? t(
                    'Whom shall it call? A table of yours, saved as CSV, is enough: a column with the phone number, and any others that are said.',
                  )
                : t('Choose another status.')}
            </Empty>
          ) : (
            <>
              <ContactTable label={t('Contacts')} contacts={data} onRemove={isEditable ? remove : null} />
              <Pages of={pagination} />
            </>
          )
        }
      </Answer>
    </>
  );
}

function ContactTable({
  label,
  contacts,
  onRemove,
}: {
  label: string;
  contacts: readonly Contact[];
  onRemove: ((contact: Contact) => void) | null;
}) {
  return (
    <Table
      label={label}
      rows={contacts}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('Contact'),
          cell: ({ phoneNumber, name, email }) => (
            <div>
              <a href={personLink(phoneNumber)}>{name ?? phoneNumber}</a>
              <div class="small soft">{[name === null ? null : phoneNumber, email].filter(Boolean).join(', ')}</div>
            </div>
          ),
        },
        {
          title: t('Status'),
          cell: ({ status: own }) => <Badge tone={CONTACT_TONES[own]}>{t(CONTACT_WORDS[own])}</Badge>,
        },
        {
          title: t('Attempts'),
          isNumber: true,
          cell: ({ attempts, lastCallId }) => (
            <div>
              {formatNumber(attempts)}
              {lastCallId !== null && (
                <div class="small">
                  <a href={link(`/calls/${lastCallId}`)}>{t('Last call')}</a>
                </div>
              )}
            </div>
          ),
        },
        {
          title: t('Next attempt'),
          cell: ({ status: own, nextAttemptAt }) =>
            own === 'PENDING' ? <Time at={nextAttemptAt} none={t('As soon as it may')} /> : <span class="soft">–</span>,
        },
        { title: t('Variables'), cell: ({ variables }) => <Texts texts={variables} /> },
        {
          title: '',
          cell: (contact) =>
            onRemove !== null && (
              <Button
                right="work"
                isSmall
                look="plain"
                label={t('Remove {name}', { name: contact.name ?? contact.phoneNumber })}
                onClick={() => onRemove(contact)}
              >
                {t('Remove')}
              </Button>
            ),
        },
      ]}
    />
  );
}

/** The list is newest first, so those who are called at the moment may be on its last page. */
function CalledNow({ campaign, everyMs }: { campaign: Campaign; everyMs: number }) {
  const calling = useApi(
    'listCampaignContacts',
    { params: { id: campaign.id }, query: { status: 'CALLING', limit: CALLED_SHOWN } },
    { everyMs },
  ).answer;
  if (calling === null || calling.pagination.total === 0) return null;
  return (
    <section class="stack tight">
      <h2>{t('Called now: {total}', { total: formatNumber(calling.pagination.total) })}</h2>
      <ContactTable label={t('Contacts who are called now')} contacts={calling.data} onRemove={null} />
    </section>
  );
}

function Texts({ texts }: { texts: Record<string, string> }) {
  const entries = Object.entries(texts);
  if (entries.length === 0) return <span class="soft">–</span>;
  return (
    <div class="small texts">
      {entries.map(([name, value]) => (
        <div key={name}>
          <span class="soft">{name}</span> {value}
        </div>
      ))}
    </div>
  );
}
