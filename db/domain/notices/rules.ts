// Rules of whom a business tells what happened on its calls, as stored, and which event of a call each rule is about.
import { createHash } from 'node:crypto';

export const NOTICE_KINDS = [
  'call_ended',
  'call_missed',
  'appointment',
  'callback',
  'results',
  'agent_failed',
  'calendar',
] as const;
/** Of an alert rule, whose recipients are told in the same way. */
export const ALERT_KIND = 'alert';
export type BusinessNoticeKind = (typeof NOTICE_KINDS)[number];
export type NoticeKind = BusinessNoticeKind | typeof ALERT_KIND;

export const NOTICE_CHANNELS = ['mail', 'sms', 'slack', 'teams', 'webhook'] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** Shown as it is; of the others, by which anybody could write there, a mask is. */
export const isOpenAddress = (by: NoticeChannel): boolean => by === 'mail' || by === 'sms';

export const NOTICE_TIMES = ['at_once', 'hourly', 'daily'] as const;
export const NOTICE_FILTERS = ['all', 'not_transferred'] as const;
export const NOTICE_DETAILS = ['full', 'link'] as const;
export const NOTICE_RULES_MAX = 10;

/** Times of day are those of the business's zone. */
export interface NoticeRule<Kind extends NoticeKind = NoticeKind> {
  on: Kind;
  /** Of call_ended alone. */
  filter: (typeof NOTICE_FILTERS)[number];
  by: NoticeChannel;
  /** An address of e-mail, or E.164; of the others the mask of an address that is sealed beside the rules. */
  to: string;
  /** A webhook with a secret. */
  isSigned: boolean;
  /** `link`: nothing that names a caller, and none of their words. */
  detail: (typeof NOTICE_DETAILS)[number];
  when: (typeof NOTICE_TIMES)[number];
  /** HH:MM of a daily digest. */
  at: string;
  /** HH:MM to HH:MM, in which nothing is sent at once. */
  quiet: { from: string; to: string } | null;
}

/** Addresses that nobody sees again, by their masks. */
export type NoticeAddresses = Readonly<Record<string, { url: string; secretDigest: string | null }>>;

export const noticeRules = <Kind extends NoticeKind = NoticeKind>(column: string): NoticeRule<Kind>[] =>
  JSON.parse(column) as NoticeRule<Kind>[];

/** The recipient in rows, without the address: the rule that is found by it has that. */
export const noticeTarget = ({ by, to }: Pick<NoticeRule, 'by' | 'to'>): string =>
  createHash('sha256').update(`${by}\n${to.toLowerCase()}`).digest('base64url').slice(0, 22);

interface EndedCall {
  direction: 'inbound' | 'outbound';
  isAnswered: boolean;
  outcome: string | null;
  /** A call back was promised on it. */
  hasCallback: boolean;
}

/** Whether the rule is about a call that ended so. */
export function isAboutCall({ on, filter }: NoticeRule, call: EndedCall): boolean {
  const { isAnswered, hasCallback } = call;
  switch (on) {
    case 'call_ended':
      return isAnswered && (filter === 'all' || call.outcome !== 'transferred');
    case 'call_missed':
      return !isAnswered && call.direction === 'inbound';
    case 'agent_failed':
      return call.outcome === 'agent_failed';
    case 'callback':
      return hasCallback;
    case 'appointment':
    case 'results':
    case 'calendar':
    case 'alert':
      return false;
  }
}
