// Conversations in writing as clients send and read them.

import { type Static, Type } from 'typebox';
import { TEXT_CHARACTERS_MAX } from '../../db/domain/texts/segments.ts';
import {
  ANSWERED_BY,
  AUTHORS,
  CONVERSATION_KINDS,
  CONVERSATION_NOTES,
  MESSAGE_STATUSES,
} from '../../db/schema/conversations.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { NOT_BLANK } from '../frame/patterns.ts';

const strict = { additionalProperties: false } as const;

export const MessageRecord = Type.Object(
  {
    id: Type.String(),
    conversationId: Type.String(),
    author: oneOf(AUTHORS, {
      description: '`person`: who writes to you; `user`: one of yours; `service`: an answer to STOP, a reminder',
    }),
    userId: nullable(Type.String({ description: 'Of the user who wrote it' })),
    from: nullable(Type.String({ description: 'E.164; null where there is no carrier' })),
    to: nullable(Type.String()),
    text: Type.String(),
    segments: Type.Integer({ description: 'Parts that a carrier charges for' }),
    status: oneOf(MESSAGE_STATUSES, {
      description:
        '`received`: nobody has read it yet; `read`; `waiting` and `sending`: for the carrier; `sent`: the carrier has it; ' +
        '`delivered`; `failed`: see `error`; `said`: where there is no carrier',
    }),
    error: nullable(Type.String()),
    createdAt: Timestamp,
    doneAt: nullable(Timestamp),
  },
  { title: 'ConversationMessage' },
);
export type MessageRecord = Static<typeof MessageRecord>;

export const ConversationRecord = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(CONVERSATION_KINDS, {
      description:
        '`chat`: a user tries an agent; `web`: a visitor writes in the widget of a web site. Neither has a carrier',
    }),
    businessId: Type.String(),
    campaignId: Type.String(),
    agentId: Type.String(),
    phoneNumberId: nullable(Type.String()),
    ownNumber: nullable(Type.String({ description: 'Your number, E.164; null where there is no carrier' })),
    personNumber: nullable(Type.String()),
    answeredBy: oneOf(ANSWERED_BY, { description: '`person`: a user has taken it over, and the agent is quiet' }),
    takenBy: nullable(Type.String({ description: 'That user' })),
    note: nullable(
      oneOf(CONVERSATION_NOTES, {
        description:
          'Why the agent does not answer: `loop` (too many answers in an hour), `limit` (of the account), `opted_out`, ' +
          '`not_allowed` (no texts to that number), `agent_failed`; or `call_back`: it has promised that somebody calls',
      }),
    ),
    isWaiting: Type.Boolean({ description: 'The agent is about to answer' }),
    lastMessage: nullable(MessageRecord),
    lastMessageAt: Timestamp,
    createdAt: Timestamp,
  },
  { title: 'Conversation' },
);
export type ConversationRecord = Static<typeof ConversationRecord>;

export const ConversationQuery = Type.Object({
  ...pageQuery,
  kind: Type.Optional(oneOf(CONVERSATION_KINDS)),
  answeredBy: Type.Optional(oneOf(ANSWERED_BY)),
  businessId: Type.Optional(Type.String({ minLength: 1 })),
  personNumber: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
});
export type ConversationQuery = Static<typeof ConversationQuery>;

export const ConversationCreate = Type.Object(
  {
    campaignId: Type.String({ minLength: 1, description: 'Whose agent answers' }),
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'E.164: a person to write to; absent: a chat, to try it',
      }),
    ),
  },
  strict,
);
export type ConversationCreate = Static<typeof ConversationCreate>;

export const ConversationPatch = Type.Object({ answeredBy: Type.Optional(oneOf(ANSWERED_BY)) }, strict);
export type ConversationPatch = Static<typeof ConversationPatch>;

export const MessageCreate = Type.Object(
  {
    text: Type.String({
      ...{ minLength: 1, maxLength: TEXT_CHARACTERS_MAX, pattern: NOT_BLANK },
      description: 'In a chat what the person writes; else what you write to the person, by which you take it over',
    }),
  },
  strict,
);
export type MessageCreate = Static<typeof MessageCreate>;
