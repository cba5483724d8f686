// `notify` of a business as columns: rules filled in, and the addresses that are secrets sealed beside them.
import { createHash } from 'node:crypto';
import { isEmail } from '../../db/domain/email-address.ts';
import { isOpenAddress, type NoticeAddresses, type NoticeRule, noticeRules } from '../../db/domain/notices/rules.ts';
import { asE164 } from '../../db/domain/numbers/phone.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import { seal, unseal } from '../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../context.ts';
import { digestSecret } from '../delivery/signature.ts';
import type { Auth } from '../frame/app.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { urlFault } from '../frame/url-fault.ts';
import { requireScope } from '../plugins/auth.ts';
import type { NoticeRuleInput } from './schema.ts';

type Columns = Pick<BusinessTable, 'notify' | 'notifySealed'>;

const DAILY_AT = '18:00';
const MASK = /^https?:\/\/[^/?#]+\/…[\w-]{8}$/;

/** The host, and a digest by which the address is known again. */
const maskOf = (url: string): string =>
  `${new URL(url).origin}/…${createHash('sha256').update(url).digest('base64url').slice(0, 8)}`;

const sealedFor = (id: string): string => `${id} notify`;

/** The addresses behind the masks of a business's rules. */
export function noticeAddresses(
  { secretKey }: Pick<ApiContext, 'secretKey'>,
  id: string,
  { notifySealed }: Pick<Columns, 'notifySealed'>,
): NoticeAddresses {
  if (notifySealed === null) return {};
  return JSON.parse(unseal(secretKey, sealedFor(id), notifySealed)) as NoticeAddresses;
}

/** As a business's body has it, or of an alert. */
type WantedRule = Omit<NoticeRuleInput, 'on'> & Pick<NoticeRule, 'on'>;

/**
 * The columns that a body sets; `list`: the field that has them; `current`: as they are.
 * @throws {ApiError} 422 naming every field at fault
 */
export function noticeColumns(
  context: ApiContext,
  id: string,
  rules: readonly WantedRule[] | undefined,
  current: Columns,
  list = 'notify',
): Partial<Columns> {
  if (rules === undefined) return {};
  const before = noticeAddresses(context, id, current);
  const addresses: Record<string, NoticeAddresses[string]> = {};
  const faults: FieldError[] = [];
  const stored = rules.map((rule, index): NoticeRule => {
    const fault = (field: string, message: string | null): void => {
      if (message !== null) faults.push({ field: `${list}[${index}].${field}`, message });
    };
    const { on, filter = 'all', by, secret, detail = 'full', when = 'at_once', at = DAILY_AT, quiet = null } = rule;
    const to = rule.to.trim();
    if (filter !== 'all' && on !== 'call_ended') fault('filter', 'is of call_ended alone');
    if (secret != null && by !== 'webhook') fault('secret', 'is of a webhook alone');
    if (quiet !== null && quiet.from === quiet.to) fault('quiet.to', 'must differ from quiet.from');
    const plain = { on, filter, by, detail, when, at, quiet };
    if (by === 'mail') {
      fault('to', emailFault(to));
      return { ...plain, to, isSigned: false };
    }
    if (by === 'sms') {
      // It is kept as a text for as long as those are: it names nobody.
      fault('to', asE164(to) === null ? 'must be a number with its country code, such as +14155550123' : null);
      return { ...plain, detail: 'link', to: asE164(to) ?? to, isSigned: false };
    }
    const kept = before[to];
    const url = kept?.url ?? to;
    fault('to', kept === undefined ? addressFault(context, to) : null);
    if (faults.length > 0) return { ...plain, to, isSigned: false };
    const mask = maskOf(url);
    const former = kept ?? before[mask];
    const secretDigest = secret === undefined ? (former?.secretDigest ?? null) : secret && digestSecret(secret);
    addresses[mask] = { url, secretDigest };
    return { ...plain, to: mask, isSigned: secretDigest !== null };
  });
  const keys = stored.map(({ on, filter, by, to }) => JSON.stringify([on, filter, by, to.toLowerCase()]));
  for (const [index, key] of keys.entries()) {
    const earlier = keys.indexOf(key);
    if (earlier < index) faults.push({ field: `${list}[${index}]`, message: `tells the same as ${list}[${earlier}]` });
  }
  if (faults.length > 0) throw invalid(faults);
  const isSame = JSON.stringify(sorted(addresses)) === JSON.stringify(sorted(before));
  const sealed =
    Object.keys(addresses).length === 0 ? null : seal(context.secretKey, sealedFor(id), JSON.stringify(addresses));
  return { notify: JSON.stringify(stored), ...(isSame ? {} : { notifySealed: sealed }) };
}

/**
 * Somebody who is told by text is a person whom the token must be allowed to reach; those of `current` are.
 * @throws {ApiError} 403
 */
export function checkMayTell(
  auth: Auth,
  wanted: ReadonlyArray<Pick<NoticeRuleInput, 'by' | 'to'>> | undefined,
  current: string,
): void {
  const told = new Set(noticeRules(current).flatMap(({ by, to }) => (by === 'sms' ? [to] : [])));
  const isTold = (to: string): boolean => told.has(asE164(to.trim()) ?? to);
  if (wanted?.some(({ by, to }) => by === 'sms' && !isTold(to))) requireScope(auth, 'call');
}

const sorted = (addresses: NoticeAddresses) => Object.entries(addresses).sort(([a], [b]) => (a < b ? -1 : 1));

const emailFault = (to: string): string | null => (isEmail(to) ? null : 'must be one address of e-mail');

function addressFault(context: ApiContext, to: string): string | null {
  if (MASK.test(to)) return 'is shown without its secret part, and is not one that this business has: give it whole';
  if (to.includes('{{')) return 'must have no placeholders';
  return urlFault(context, to);
}

/** The rules of a former version whose addresses are known still, and whether some are not. */
export function restorableRules(
  context: ApiContext,
  business: Pick<BusinessTable, 'id' | 'notifySealed'>,
  rules: readonly NoticeRule[],
): { rules: NoticeRule[]; isShort: boolean } {
  const known = noticeAddresses(context, business.id, business);
  const kept = rules.filter(({ by, to }) => isOpenAddress(by) || to in known);
  return { rules: kept, isShort: kept.length < rules.length };
}

/** Of a recipient, for lists: `o…r@example.com`. */
export function shownRecipient({ by, to }: Pick<NoticeRule, 'by' | 'to'>): string {
  if (by === 'sms') return `${to.slice(0, 3)}…${to.slice(-2)}`;
  if (by !== 'mail') return to;
  const at = to.lastIndexOf('@');
  return `${to.slice(0, 1)}…${at > 1 ? to.slice(at - 1) : to.slice(at)}`;
}
