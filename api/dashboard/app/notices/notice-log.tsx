// The last messages about the calls of a business, and how each went.
import type { NoticeMessage, Pagination } from '../api-types.ts';
import { formatNumber } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Card, Empty, type Tone } from '../ui/layout.tsx';
import { List } from '../ui/list.tsx';
import { Time } from '../ui/time.tsx';
import type { Loaded } from '../use-api.ts';
import { NOTICE_NAMES } from './notices-card.tsx';
import { CHANNEL_NAMES } from './recipient-fields.tsx';

const STATUSES: Record<NoticeMessage['status'], readonly [text: string, tone: Tone]> = {
  waiting: ['Waiting', 'warn'],
  sent: ['Sent', 'good'],
  failed: ['Failed', 'bad'],
  dropped: ['Not sent: nothing left to tell', 'neutral'],
};

export function NoticeLog({ messages }: { messages: Loaded<{ data: NoticeMessage[]; pagination: Pagination }> }) {
  return (
    <Card
      title="Last messages"
      actions={
        <Button isSmall onClick={messages.reload}>
          Reload
        </Button>
      }
    >
      <List
        of={messages}
        label="Messages"
        empty={<Empty title="No message yet">They are listed for 30 days.</Empty>}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Written', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: 'About', cell: (message) => <About of={message} /> },
          { title: 'To', cell: ({ by, to }) => `${CHANNEL_NAMES[by]}, ${to}` },
          { title: 'Result', cell: (message) => <Result of={message} /> },
        ]}
      />
    </Card>
  );
}

function About({ of: { on, notices, isTest } }: { of: NoticeMessage }) {
  if (isTest) return <Badge>Example</Badge>;
  return <>{notices > 1 ? `${formatNumber(notices)} calls` : on.map((kind) => NOTICE_NAMES[kind]).join(', ')}</>;
}

function Result({ of: { status, error, nextAttemptAt } }: { of: NoticeMessage }) {
  const [text, tone] = STATUSES[status];
  return (
    <span class="stack tight">
      <span>
        <Badge tone={tone}>{text}</Badge>
      </span>
      {error !== null && status !== 'sent' && <span class="small soft">{error}</span>}
      {nextAttemptAt !== null && (
        <span class="small soft">
          Again <Time at={nextAttemptAt} />
        </span>
      )}
    </span>
  );
}
