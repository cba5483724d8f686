// All that there is of one person, by their number: campaigns, calls, messages, appointments, and whether they may be
// called.

import type { Appointment, Conversation, DoNotCallEntry, FoundContact } from '../../api-types.ts';
import { AppointmentTime } from '../../appointments/appointment-time.tsx';
import { CallTable } from '../../calls/call-table.tsx';
import { useCampaignNames } from '../../calls/use-names.ts';
import { call } from '../../client.ts';
import { askToAllow, SOURCES } from '../../do-not-call/entries.ts';
import { formatDateTime } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { link } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Badge, Card, Notice, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

const RENEWED_EVERY_MS = 10_000;
/** Of each list the newest. */
const SHOWN = 10;

export default function PersonPage({ params }: PageProps) {
  const number = params.number ?? '';
  const renewed = { everyMs: RENEWED_EVERY_MS };
  const calls = useApi('listCalls', { query: { number, limit: SHOWN } }, renewed);
  const conversations = useApi('listConversations', { query: { personNumber: number, limit: SHOWN } }, renewed);
  const appointments = useApi('listAppointments', { query: { phone: number, limit: SHOWN } }, renewed);
  const listed = useApi('listDoNotCall', { query: { phoneNumber: number, limit: 1 } });
  const contacts = useApi('searchContacts', { query: { search: number } });
  const campaigns = useCampaignNames();
  const entry = listed.answer?.data[0];
  const known = contacts.answer?.data.filter(({ phoneNumber }) => phoneNumber === number) ?? [];
  const name =
    known.find((each) => each.name !== null)?.name ??
    calls.answer?.data.find(({ callerName }) => callerName !== null)?.callerName ??
    appointments.answer?.data.find((each) => each.name !== null)?.name;
  return (
    <Page
      title={name ?? number}
      {...(name === undefined || name === null ? {} : { lead: number })}
      actions={
        listed.answer !== null &&
        entry === undefined && (
          <>
            <Button right="work" onClick={() => askToBar(number, listed.reload)}>
              {t('Do not call')}
            </Button>
            <ButtonLink look="primary" href={link('/calls/new', { to: number })}>
              {t('Place a call')}
            </ButtonLink>
          </>
        )
      }
    >
      {entry !== undefined && <Barred entry={entry} onAllowed={listed.reload} />}
      {known.length > 0 && <Campaigns of={known} />}
      <Card
        title={t('Calls')}
        actions={
          (calls.answer?.pagination.total ?? 0) > SHOWN && <a href={link('/calls', { number })}>{t('All calls')}</a>
        }
      >
        <Answer of={calls}>
          {({ data }) =>
            data.length === 0 ? (
              <p class="soft">{t('None yet.')}</p>
            ) : (
              <CallTable label={t('Calls')} calls={data} campaigns={campaigns} />
            )
          }
        </Answer>
      </Card>
      <Card title={t('Appointments')}>
        <Answer of={appointments}>{({ data }) => <Appointments of={data} />}</Answer>
      </Card>
      <Card title={t('Messages')}>
        <Answer of={conversations}>{({ data }) => <Conversations of={data} />}</Answer>
      </Card>
    </Page>
  );
}

const askToBar = (phoneNumber: string, onBarred: () => void) =>
  confirm({
    title: t('Not call {phoneNumber} any more?', { phoneNumber }),
    text: t('Neither a campaign nor a request may call it, until it is taken off the list again.'),
    action: t('Do not call'),
    perform: async () => {
      await call('addDoNotCall', { body: { phoneNumber, reason: null } });
      onBarred();
      say(t('{phoneNumber} is not called any more', { phoneNumber }));
    },
  });

function Barred({ entry, onAllowed }: { entry: DoNotCallEntry; onAllowed: () => void }) {
  return (
    <Notice tone="warn">
      <div class="row spread">
        <span>
          {t('Not called since {time}.', { time: formatDateTime(entry.createdAt) })} {t(SOURCES[entry.source])}
          {entry.reason !== null && `: ${entry.reason}`}
        </span>
        <Button right="change" isSmall onClick={() => askToAllow(entry, onAllowed)}>
          {t('Allow calls again')}
        </Button>
      </div>
    </Notice>
  );
}

const Campaigns = ({ of }: { of: readonly FoundContact[] }) => (
  <Card title={t('Contact of')}>
    <div class="row">
      {of.map(({ id, campaignId, campaignName }) => (
        <a key={id} href={link(`/campaigns/${campaignId}`, { tab: 'contacts' })}>
          {campaignName}
        </a>
      ))}
    </div>
  </Card>
);

function Appointments({ of }: { of: readonly Appointment[] }) {
  const businesses = useAll('listBusinesses').answer;
  if (of.length === 0) return <p class="soft">{t('None yet.')}</p>;
  return (
    <Table
      label={t('Appointments')}
      rows={of}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('When'),
          cell: ({ startsAt, endsAt, businessId }) => (
            <AppointmentTime
              startsAt={startsAt}
              endsAt={endsAt}
              zone={businesses?.find(({ id }) => id === businessId)?.timezone ?? null}
            />
          ),
        },
        { title: t('What for'), cell: ({ service }) => service ?? <span class="soft">–</span> },
        {
          title: t('Status'),
          cell: ({ status }) => (
            <Badge tone={status === 'booked' ? 'good' : 'neutral'}>
              {status === 'booked' ? t('Booked') : t('Cancelled')}
            </Badge>
          ),
        },
        {
          title: t('Booked'),
          cell: ({ callId, conversationId }) =>
            callId !== null ? (
              <a href={link(`/calls/${callId}`)}>{t('On a call')}</a>
            ) : conversationId !== null ? (
              <a href={link(`/messages/${conversationId}`)}>{t('In writing')}</a>
            ) : (
              ''
            ),
        },
      ]}
    />
  );
}

function Conversations({ of }: { of: readonly Conversation[] }) {
  if (of.length === 0) return <p class="soft">{t('None yet.')}</p>;
  return (
    <Table
      label={t('Conversations')}
      rows={of}
      keyOf={({ id }) => id}
      columns={[
        { title: t('To'), cell: ({ id, ownNumber }) => <a href={link(`/messages/${id}`)}>{ownNumber}</a> },
        {
          title: t('Last message'),
          cell: ({ lastMessage }) => (
            <span class="message-preview">{lastMessage?.text ?? <span class="soft">{t('None')}</span>}</span>
          ),
        },
        { title: t('When'), cell: ({ lastMessageAt }) => <Time at={lastMessageAt} ago /> },
      ]}
    />
  );
}
