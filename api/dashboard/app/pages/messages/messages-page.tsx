// Conversations in writing, the newest first, and the way to try an agent by text.
import { useState } from 'preact/hooks';
import type { Conversation } from '../../api-types.ts';
import { useCampaignNames } from '../../calls/use-names.ts';
import { call } from '../../client.ts';
import { go, link, route } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Filter } from '../../ui/filters.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { AUTHORS, NOTES, otherSide } from './words.ts';

const REFRESH_MS = 3_000;
const KINDS = ['sms', 'web', 'chat'] as const;
const ANSWERED_BY = ['agent', 'person'] as const;

export default function MessagesPage() {
  const { query } = route.value;
  const kind = KINDS.find((each) => each === query.get('kind'));
  const answeredBy = ANSWERED_BY.find((each) => each === query.get('answeredBy'));
  const filter = { ...(kind === undefined ? {} : { kind }), ...(answeredBy === undefined ? {} : { answeredBy }) };
  const conversations = useApi(
    'listConversations',
    { query: { page: currentPage(), limit: 20, ...filter } },
    { everyMs: REFRESH_MS },
  );
  const campaigns = useCampaignNames();
  const [isTrying, setTrying] = useState(false);
  return (
    <Page
      title={t('Messages')}
      lead={t('Text messages that your agents answer. Open one to read along, or to take it over.')}
      actions={
        <Button right="work" onClick={() => setTrying(true)}>
          {t('Try an agent by text')}
        </Button>
      }
    >
      <div class="filters">
        <Filter
          name="kind"
          label={t('Kind')}
          choices={[
            ['sms', t('Text messages')],
            ['web', t('Web sites')],
            ['chat', t('Trials')],
          ]}
        />
        <Filter
          name="answeredBy"
          label={t('Answered by')}
          choices={[
            ['agent', t('The agent')],
            ['person', t('Your team')],
          ]}
        />
      </div>
      <List
        of={conversations}
        label={t('Conversations')}
        empty={
          <Empty
            title={kind === undefined && answeredBy === undefined ? t('No messages yet') : t('No conversation fits')}
            action={
              <Button right="work" look="primary" onClick={() => setTrying(true)}>
                {t('Try an agent by text')}
              </Button>
            }
          >
            {t(
              'A text to one of your numbers at Twilio, Telnyx or Plivo appears here with the agent’s answer, and what visitors of your web site write.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('With'), cell: (one) => <a href={link(`/messages/${one.id}`)}>{otherSide(one)}</a> },
          { title: t('Last message'), cell: (one) => <LastMessage of={one} /> },
          { title: t('Answered by'), cell: (one) => <State of={one} /> },
          { title: t('Campaign'), cell: ({ campaignId }) => campaigns.get(campaignId) ?? <code>{campaignId}</code> },
          { title: t('When'), cell: ({ lastMessageAt }) => <Time at={lastMessageAt} ago /> },
        ]}
      />
      {isTrying && <TryDialog onClose={() => setTrying(false)} />}
    </Page>
  );
}

function LastMessage({ of: { lastMessage } }: { of: Conversation }) {
  if (lastMessage === null) return <span class="soft">{t('None')}</span>;
  return (
    <span class="message-preview">
      <span class="soft">{t(AUTHORS[lastMessage.author])}:</span> {lastMessage.text}
    </span>
  );
}

function State({ of: { answeredBy, note, isWaiting } }: { of: Conversation }) {
  if (answeredBy === 'person') return <Badge tone="good">{t('Your team')}</Badge>;
  if (isWaiting) return <Badge tone="live">{t('Agent is answering')}</Badge>;
  return (
    <span title={note === null ? undefined : t(NOTES[note])}>
      <Badge tone={note === null ? 'neutral' : 'warn'}>{note === null ? t('Agent') : t('Look at it')}</Badge>
    </span>
  );
}

function TryDialog({ onClose }: { onClose: () => void }) {
  const campaigns = useAll('listCampaigns');
  const [chosen, setChosen] = useState<string | null>(null);
  const begin = (campaignId: string) =>
    attempt(async () => {
      const { data } = await call('beginConversation', { body: { campaignId } });
      go(link(`/messages/${data.id}`));
    });
  return (
    <Dialog title={t('Try an agent by text')} onClose={onClose}>
      <Answer of={campaigns}>
        {(data) => {
          const campaignId = chosen ?? data[0]?.id ?? '';
          return (
            <form
              class="stack"
              onSubmit={(event) => {
                event.preventDefault();
                void begin(campaignId);
              }}
            >
              <Select
                label={t('Campaign')}
                hint={t('You write as a person would. Nothing leaves by a carrier.')}
                value={campaignId}
                onChange={setChosen}
                choices={data.map(({ id, name }) => ({ value: id, text: name }))}
              />
              <div class="row">
                <Button look="primary" disabled={campaignId === ''}>
                  {t('Begin')}
                </Button>
                <Button onClick={onClose}>{t('Cancel')}</Button>
              </div>
            </form>
          );
        }}
      </Answer>
    </Dialog>
  );
}
