// The last messages about the calls of a business, and how each went.
import type { NoticeMessage, Pagination } from '../api-types.ts';
import { formatNumber } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Card, Empty, type Tone } from '../ui/layout.tsx';
import { List } from '../ui/list.tsx';
import { Time } from '../ui/time.tsx';
import type { Loaded } from '../use-api.ts';
import { t, words } from '../words/words.ts';
import { CHANNEL_NAMES, NOTICE_NAMES } from './notice-words.ts';

const STATUSES: Record<NoticeMessage['status'], readonly [text: string, tone: Tone]> = {
  waiting: [words('Waiting'), 'warn'],
  sent: [words('Sent'), 'good'],
  failed: [words('Failed'), 'bad'],
  dropped: [words('Not sent: nothing left to tell'), 'neutral'],
};

export function NoticeLog({ messages }: { messages: Loaded<{ data: NoticeMessage[]; pagination: Pagination }> }) {
  return (
    <Card
      title={t('Last messages')}
      actions={
        <Button isSmall onClick={messages.reload}>
          {t('Reload')}
        </Button>
      }
    >
      <List
        of={messages}
        label={t('Messages')}
        empty={<Empty title={t('No message yet')}>{t('They are listed for 30 days.')}</Empty>}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Written'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: t('About'), cell: (message) => <About of={message} /> },
          { title: t('Recipient'), cell: ({ by, to }) => `${t(CHANNEL_NAMES[by])}, ${to}` },
          { title: t('Result'), cell: (message) => <Result of={message} /> },
        ]}
      />
    </Card>
  );
}

function About({ of: { on, notices, isTest } }: { of: NoticeMessage }) {
  if (isTest) return <Badge>{t('Example')}</Badge>;
  return (
    <>
      {notices > 1
        ? t('{count} calls', { count: formatNumber(notices) })
        : on.map((kind) => t(NOTICE_NAMES[kind])).join(', ')}
    </>
  );
}

function Result({ of: { status, error, nextAttemptAt } }: { of: NoticeMessage }) {
  const [text, tone] = STATUSES[status];
  return (
    <span class="stack tight">
      <span>
        <Badge tone={tone}>{t(text)}</Badge>
      </span>
      {error !== null && status !== 'sent' && <span class="small soft">{error}</span>}
      {nextAttemptAt !== null && (
        <span class="small soft">
          {t('Again')} <Time at={nextAttemptAt} />
        </span>
      )}
    </span>
  );
}
