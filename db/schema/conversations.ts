// Conversations in writing, with their messages, and the persons who want none.

/** `chat`: a user tries an agent; `web`: a visitor writes in the widget of a web site. Neither has a carrier. */
export const CONVERSATION_KINDS = ['sms', 'chat', 'web'] as const;
type ConversationKind = (typeof CONVERSATION_KINDS)[number];
export const ANSWERED_BY = ['agent', 'person'] as const;
/** Why the agent says nothing. */
export const CONVERSATION_NOTES = ['loop', 'limit', 'opted_out', 'not_allowed', 'agent_failed', 'call_back'] as const;
export type ConversationNote = (typeof CONVERSATION_NOTES)[number];

export interface ConversationTable {
  id: string;
  accountId: string;
  kind: ConversationKind;
  businessId: string;
  campaignId: string;
  agentId: string;
  phoneNumberId: string | null;
  /** E.164; empty where there is no carrier, as the person's. */
  ownNumber: string;
  personNumber: string;
  answeredBy: (typeof ANSWERED_BY)[number];
  /** The user who took it over. */
  takenBy: string | null;
  note: ConversationNote | null;
  /** Two machines that answer each other are left to one another until then. */
  silentUntil: number | null;
  /** When the agent is to answer; null: nothing waits for it. */
  dueAt: number | null;
  claimedBy: string | null;
  claimUntil: number | null;
  /** Engines that have tried to answer since the last answer. */
  attempts: number;
  /** The agent's memory of it (`DialogueState`), sealed; null: it has none. */
  sealed: string | null;
  lastMessageAt: number;
  createdAt: number;
}

export const AUTHORS = ['person', 'agent', 'user', 'service'] as const;
type Author = (typeof AUTHORS)[number];
export const MESSAGE_STATUSES = [
  'received',
  'read',
  'waiting',
  'sending',
  'sent',
  'delivered',
  'failed',
  'said',
] as const;
type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export interface MessageTable {
  id: string;
  accountId: string;
  conversationId: string;
  author: Author;
  userId: string | null;
  /** As it is kept: what redaction takes out is out of it. */
  text: string;
  /** As it was written, sealed, until the agent has read it or the carrier has it; null: as `text`. */
  sealed: string | null;
  /** That a carrier charges for. */
  segments: number;
  /** `read`: the agent has answered it; `said`: where there is no carrier. */
  status: MessageStatus;
  carrierId: string | null;
  /** The carrier's id. */
  reference: string | null;
  error: string | null;
  attempts: number;
  dueAt: number | null;
  createdAt: number;
  /** Sent, or given up. */
  doneAt: number | null;
}

export type AppointmentTextKind = 'confirmation' | 'change' | 'cancellation' | 'reminder';

/** A text about an appointment, of which there is one of each kind for each of its states. */
export interface AppointmentTextTable {
  appointmentId: string;
  kind: AppointmentTextKind;
  /** The appointment's. */
  sequence: number;
  accountId: string;
  businessId: string;
  /** Null: it was sent, or is not to be sent. */
  dueAt: number | null;
  /** The message that was made of it. */
  messageId: string | null;
  createdAt: number;
}

export interface TextOptOutTable {
  accountId: string;
  ownNumber: string;
  personNumber: string;
  createdAt: number;
}

/** Ids of things that were made at a carrier so that it tells us of texts. */
export interface TextParts {
  /** Telnyx: of its messaging profile; Plivo: of its application and its pool of numbers. */
  profile?: string;
  application?: string;
  /** Base64, by which Telnyx signs. */
  publicKey?: string;
}
