// Conversations in words for people: who is on the other side, and why an agent says nothing.
import type { Conversation, ConversationMessage } from '../../api-types.ts';
import { t, words } from '../../words/words.ts';

const KINDS = { chat: words('Trial in the browser'), web: words('Visitor of a web site') } as const;

export const otherSide = ({ kind, personNumber }: Conversation): string =>
  kind === 'sms' ? (personNumber ?? t('Erased')) : t(KINDS[kind]);

export const NOTES: Readonly<Record<NonNullable<Conversation['note']>, string>> = {
  loop: words('The agent has answered 20 times within an hour and is silent for a while: a machine may be writing.'),
  limit: words('The account has reached its limit of texts or of spending: nothing was sent.'),
  opted_out: words('This person wrote STOP: nothing is sent to them.'),
  not_allowed: words('No texts may be sent to this number.'),
  agent_failed: words('The agent has failed to answer. Answer yourself.'),
  call_back: words('The agent has promised that somebody calls back.'),
};

export const AUTHORS: Readonly<Record<ConversationMessage['author'], string>> = {
  person: words('Person'),
  agent: words('Agent'),
  user: words('Your team'),
  service: words('System'),
};

/** Null: there is nothing to say about it. */
export function statusWords({ status, error }: ConversationMessage): string | null {
  switch (status) {
    case 'waiting':
    case 'sending':
      return error === null ? t('being sent') : t('not sent yet: {error}', { error });
    case 'failed':
      return t('not sent: {error}', { error: error ?? t('it failed') });
    case 'delivered':
      return t('delivered');
    default:
      return null;
  }
}
