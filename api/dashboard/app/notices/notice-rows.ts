// Whom a business tells of its calls, as rows of a form, and back to a body.
import type { NoticeRule, UpdateBusinessBody } from '../api-types.ts';

export interface NoticeRow extends NoticeRule {
  /** Of a system; empty: as it is. */
  secret: string;
}

export const freshNotice = (): NoticeRow => ({
  on: 'call_ended',
  filter: 'all',
  by: 'mail',
  to: '',
  secret: '',
  isSigned: false,
  detail: 'full',
  when: 'at_once',
  at: '18:00',
  quiet: null,
});

export const noticeRows = (rules: readonly NoticeRule[]): NoticeRow[] => rules.map((rule) => ({ ...rule, secret: '' }));

export const noticesOf = (rows: readonly NoticeRow[]): NonNullable<UpdateBusinessBody['notify']> =>
  rows.map(({ isSigned: _, secret, ...row }) => ({
    ...row,
    to: row.to.trim(),
    filter: row.on === 'call_ended' ? row.filter : 'all',
    quiet: row.when === 'at_once' ? row.quiet : null,
    ...(row.by === 'webhook' && secret !== '' ? { secret } : {}),
  }));
