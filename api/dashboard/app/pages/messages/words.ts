// Conversations in words for people: who is on the other side, and why an agent says nothing.
import type { Conversation, ConversationMessage } from '../../api-types.ts';

const KINDS = { chat: 'Trial in the browser', web: 'Visitor of a web site' } as const;

export const otherSide = ({ kind, personNumber }: Conversation): string =>
  kind === 'sms' ? (personNumber ?? 'Erased') : KINDS[kind];

export const NOTES: Readonly<Record<NonNullable<Conversation['note']>, string>> = {
  loop: 'The agent has answered 20 times within an hour and is silent for a while: a machine may be writing.',
  limit: 'The account has reached its limit of texts or of spending: nothing was sent.',
  opted_out: 'This person wrote STOP: nothing is sent to them.',
  not_allowed: 'No texts may be sent to this number.',
  agent_failed: 'The agent has failed to answer. Answer yourself.',
  call_back: 'The agent has promised that somebody calls back.',
};

export const AUTHORS: Readonly<Record<ConversationMessage['author'], string>> = {
  person: 'Person',
  agent: 'Agent',
  user: 'Your team',
  service: 'Service',
};

/** Null: there is nothing to say about it. */
export function statusWords({ status, error }: ConversationMessage): string | null {
  switch (status) {
    case 'waiting':
    case 'sending':
      return error === null ? 'being sent' : `not sent yet: ${error}`;
    case 'failed':
      return `not sent: ${error ?? 'it failed'}`;
    case 'delivered':
      return 'delivered';
    default:
      return null;
  }
}
