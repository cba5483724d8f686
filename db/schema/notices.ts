// Notices to the owners of a business about its calls, and the messages in which they were told.
import type { NoticeChannel, NoticeKind } from '../domain/notices/rules.ts';
import type { Flag, Json } from './columns.ts';

/** One thing for one recipient, until its message is done. Ids only: the words are read when the message is sent. */
export interface NoticeTable {
  id: string;
  accountId: string;
  /** The business whose rule it is, or the alert rule. */
  businessId: string;
  /** Digest of the recipient (domain/notices/rules.ts). */
  target: string;
  kind: NoticeKind;
  /** The call, or another thing (domain/notices/subjects.ts). */
  subjectId: string;
  callId: string | null;
  dueAt: number;
  /** The message that tells of it; null while it waits. */
  messageId: string | null;
  createdAt: number;
}

/** A message to one recipient about one or several notices; kept as the log of what was sent. */
export interface NoticeMessageTable {
  id: string;
  accountId: string;
  businessId: string;
  target: string;
  channel: NoticeChannel;
  /** As it may be shown. */
  recipient: string;
  kinds: Json; // NoticeKind[]
  notices: number;
  status: 'waiting' | 'sent' | 'failed' | 'dropped';
  attempts: number;
  /** Of a message that is no mail; a mail waits in the outbox of mails. */
  nextAttemptAt: number | null;
  /** The last failure; also of one that was sent in the end. */
  error: string | null;
  isTest: Flag;
  createdAt: number;
  doneAt: number | null;
}
