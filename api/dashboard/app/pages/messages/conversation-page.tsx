// One conversation in writing: its messages as they come, and who answers. Your team writes, and the agent is quiet.
import { useEffect, useRef } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { Conversation, ConversationMessage } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import type { PageProps } from '../../page-props.ts';
import { go, link, personLink } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields/field.tsx';
import { Card, Notice, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { AUTHORS, NOTES, otherSide, statusWords } from './words.ts';

const back = () => ({ href: link('/messages'), text: t('Messages') });
const REFRESH_MS = 1_500;
/** The newest; older ones are read by the API. */
const SHOWN = 100;

export default function ConversationPage({ params }: PageProps) {
  const of = { params: { id: params.id ?? '' } };
  const record = useApi('getConversation', of, { everyMs: REFRESH_MS });
  const messages = useApi('listMessages', { ...of, query: { limit: SHOWN } }, { everyMs: REFRESH_MS });
  if (record.answer === null) {
    return (
      <Page title={t('Conversation')} back={back()}>
        <Answer of={record}>{() => null}</Answer>
      </Page>
    );
  }
  const reload = () => {
    record.reload();
    messages.reload();
  };
  return <ConversationView conversation={record.answer.data} messages={messages.answer?.data ?? []} reload={reload} />;
}

const LEADS: Partial<Record<Conversation['kind'], string>> = {
  chat: words('You write as a person would; the agent answers.'),
  web: words('Somebody writes in the widget of your web site.'),
};

interface ViewProps {
  conversation: Conversation;
  messages: readonly ConversationMessage[];
  reload: () => void;
}

function ConversationView({ conversation, messages, reload }: ViewProps) {
  const { kind, note, ownNumber, personNumber } = conversation;
  return (
    <Page
      title={otherSide(conversation)}
      back={back()}
      lead={LEADS[kind] === undefined ? t('Texts to {ownNumber}', { ownNumber: ownNumber ?? '' }) : t(LEADS[kind])}
      actions={
        <>
          {kind === 'sms' && personNumber !== null && (
            <ButtonLink href={personLink(personNumber)}>{t('About this person')}</ButtonLink>
          )}
          <Actions conversation={conversation} reload={reload} />
        </>
      }
    >
      {note !== null && <Notice tone="warn">{t(NOTES[note])}</Notice>}
      <Card>
        <Thread messages={messages} isAnswering={conversation.isWaiting} />
        <Reply conversation={conversation} reload={reload} />
      </Card>
    </Page>
  );
}

function Thread({ messages, isAnswering }: { messages: readonly ConversationMessage[]; isAnswering: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const newest = messages[0]?.id;
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [newest, isAnswering]);
  if (messages.length === 0) return <p class="soft">{t('Nothing is written yet.')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ol class="thread" ref={list} aria-label={t('Messages')} aria-live="polite" tabIndex={0}>
      {messages.toReversed().map((message) => (
        <li key={message.id} class={`${message.author} ${message.status}`}>
          <span class="bubble">{message.text}</span>
          <span class="small soft">
            {t(AUTHORS[message.author])} · <Time at={message.createdAt} ago />
            {statusWords(message) !== null && ` · ${statusWords(message)}`}
          </span>
        </li>
      ))}
      {isAnswering && (
        <li class="agent">
          <span class="small soft">{t('The agent is writing …')}</span>
        </li>
      )}
    </ol>
  );
}

function Reply({ conversation: { id, kind, answeredBy }, reload }: Pick<ViewProps, 'conversation' | 'reload'>) {
  const form = useForm({ text: '' }, async ({ values, reset }) => {
    await call('writeMessage', { params: { id }, body: { text: values.text } });
    reset({ text: '' });
    reload();
  });
  const isTaking = kind !== 'chat' && answeredBy === 'agent';
  return (
    <SubmitForm
      right="work"
      form={form}
      shown={['text']}
      send={isTaking ? t('Send and take over') : t('Send')}
      disabled={form.values.text.trim() === ''}
      {...(isTaking ? { beside: <span class="small soft">{t('The agent is quiet from then on.')}</span> } : {})}
    >
      <TextArea label={t('Your message')} limits={LIMITS.WriteMessageBody.text} {...form.field('text')} />
    </SubmitForm>
  );
}

function Actions({ conversation: { id, kind, answeredBy }, reload }: Pick<ViewProps, 'conversation' | 'reload'>) {
  const answerBy = (next: 'agent' | 'person', done: string) =>
    attempt(async () => {
      await call('updateConversation', { params: { id }, body: { answeredBy: next } });
      reload();
    }, done);
  const erase = () =>
    confirm({
      title: t('Erase this conversation?'),
      text: t('Its messages are gone, and what the agent remembers of it. Appointments that were booked in it stay.'),
      action: t('Erase'),
      perform: async () => {
        await call('eraseConversation', { params: { id } });
        say(t('Erased the conversation'));
        go(link('/messages'));
      },
    });
  return (
    <>
      {kind !== 'chat' && answeredBy === 'agent' && (
        <Button right="work" look="primary" onClick={() => void answerBy('person', t('You answer now'))}>
          {t('Take over')}
        </Button>
      )}
      {answeredBy === 'person' && (
        <Button right="work" look="primary" onClick={() => void answerBy('agent', t('The agent answers again'))}>
          {t('Give back to the agent')}
        </Button>
      )}
      <Button look="danger" onClick={erase}>
        {t('Erase')}
      </Button>
    </>
  );
}
