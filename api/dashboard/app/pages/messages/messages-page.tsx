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
      title="Messages"
      lead="Text messages that your agents answer. Open one to read along, or to take it over."
      actions={
        <Button right="work" onClick={() => setTrying(true)}>
          Try an agent by text
        </Button>
      }
    >
      <div class="filters">
        <Filter
          name="kind"
          label="Kind"
          choices={[
            ['sms', 'Text messages'],
            ['web', 'Web sites'],
            ['chat', 'Trials'],
          ]}
        />
        <Filter
          name="answeredBy"
          label="Answered by"
          choices={[
            ['agent', 'The agent'],
            ['person', 'Your team'],
          ]}
        />
      </div>
      <List
        of={conversations}
        label="Conversations"
        empty={
          <Empty
            title={kind === undefined && answeredBy === undefined ? 'No messages yet' : 'No conversation fits'}
            action={
              <Button right="work" look="primary" onClick={() => setTrying(true)}>
                Try an agent by text
              </Button>
            }
          >
            A text to one of your numbers at Twilio, Telnyx or Plivo appears here with the agent’s answer, and what
            visitors of your web site write.
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'With', cell: (one) => <a href={link(`/messages/${one.id}`)}>{otherSide(one)}</a> },
          { title: 'Last message', cell: (one) => <LastMessage of={one} /> },
          { title: 'Answered by', cell: (one) => <State of={one} /> },
          { title: 'Campaign', cell: ({ campaignId }) => campaigns.get(campaignId) ?? <code>{campaignId}</code> },
          { title: 'When', cell: ({ lastMessageAt }) => <Time at={lastMessageAt} ago /> },
        ]}
      />
      {isTrying && <TryDialog onClose={() => setTrying(false)} />}
    </Page>
  );
}

function LastMessage({ of: { lastMessage } }: { of: Conversation }) {
  if (lastMessage === null) return <span class="soft">None</span>;
  return (
    <span class="message-preview">
      <span class="soft">{AUTHORS[lastMessage.author]}:</span> {lastMessage.text}
    </span>
  );
}

function State({ of: { answeredBy, note, isWaiting } }: { of: Conversation }) {
  if (answeredBy === 'person') return <Badge tone="good">Your team</Badge>;
  if (isWaiting) return <Badge tone="live">Agent is answering</Badge>;
  return (
    <span title={note === null ? undefined : NOTES[note]}>
      <Badge tone={note === null ? 'neutral' : 'warn'}>{note === null ? 'Agent' : 'Look at it'}</Badge>
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
    <Dialog title="Try an agent by text" onClose={onClose}>
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
                label="Campaign"
                hint="You write as a person would. Nothing leaves by a carrier."
                value={campaignId}
                onChange={setChosen}
                choices={data.map(({ id, name }) => ({ value: id, text: name }))}
              />
              <div class="row">
                <Button look="primary" disabled={campaignId === ''}>
                  Begin
                </Button>
                <Button onClick={onClose}>Cancel</Button>
              </div>
            </form>
          );
        }}
      </Answer>
    </Dialog>
  );
}
