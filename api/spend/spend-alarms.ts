// Tells people that a limit of spend is reached: a mail to the ADMINs and to the account's users, and a webhook event,
// once for each limit and window. The event's row is what makes it once, also with several processes.
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { spendLimitName } from '../../db/domain/spend.ts';
import { addEvent } from '../../db/outbox.ts';
import { adminAddresses, mailReaders } from '../../db/queries/accounts/users.ts';
import { isoTime } from '../../db/records/resources.ts';
import { type ReachedLimit, reachedSpendLimits } from '../../db/rules/spend.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import type { AccountLetters } from '../mail/account-letters.ts';
import { filled, filledText, type Letter } from '../mail/letters.ts';
import { postAccountLetter } from '../mail/post-account-letter.ts';

export interface SpendLimitResource {
  accountId: string;
  scope: 'account' | 'installation';
  level: ReachedLimit['level'];
  window: ReachedLimit['window'];
  minutes: number;
  limitMinutes: number;
  startsAt: string;
  resetsAt: string;
}

/** Looks once, and tells what has not been told. */
export async function tellOfSpend(context: ApiContext): Promise<void> {
  const nowMs = context.now();
  const reached = await reachedSpendLimits(context.read, nowMs);
  for (const limit of reached) {
    const isNew = await context.db.transaction().execute((tx) => tellOnce(context, tx, limit, nowMs));
    if (!isNew) continue;
    const { accountId, level, window, minutes, limitMinutes } = limit;
    context.log.warn({ accountId, level, window, minutes, limitMinutes }, 'a limit of spend is reached');
    await context.mail.wake();
  }
}

async function tellOnce(context: ApiContext, tx: Db, limit: ReachedLimit, nowMs: number): Promise<boolean> {
  const admins = await adminAddresses(tx);
  // The installation has no webhooks of its own: its ADMINs' accounts have.
  const told = limit.accountId === null ? admins.map(({ accountId }) => accountId) : [limit.accountId];
  const { level, window, minutes, limitMinutes } = limit;
  let isNew = false;
  for (const accountId of new Set(told)) {
    const scope = limit.accountId === null ? 'installation' : 'account';
    const data: SpendLimitResource = {
      accountId,
      scope,
      level,
      window,
      minutes,
      limitMinutes,
      startsAt: isoTime(limit.startsAtMs),
      resetsAt: isoTime(limit.endsAtMs),
    };
    const dedupe = `${scope}:${level}:${window}:${data.startsAt}`;
    const id = await addEvent(tx, {
      accountId,
      type: 'account.spend_limit',
      subjectId: accountId,
      dedupe,
      data,
      nowMs,
    });
    isNew ||= id !== null;
  }
  if (!isNew) return false;
  const own = limit.accountId === null ? [] : await mailReaders(tx, limit.accountId);
  const readers = new Map([...admins, ...own].map((reader) => [reader.email, reader]));
  const lifetimeMs = limit.endsAtMs - nowMs + MAIL_OUTLIVES_MS;
  await postAccountLetter(context, tx, [...readers.values()], (letters) => letterOf(limit, letters), lifetimeMs);
  return true;
}

/** News of an hour that is long over only frightens. */
const MAIL_OUTLIVES_MS = 6 * HOUR_MS;

function letterOf(limit: ReachedLimit, letters: AccountLetters): Letter {
  const { accountId, accountName, level, window, minutes, limitMinutes, endsAtMs } = limit;
  const where = accountId === null ? 'PATCH /admin/settings' : `PATCH /admin/accounts/${accountId}`;
  const { everybody, oneAccount, advice, spendStop, spendAlarm } = letters;
  return filled(level === 'stop' ? spendStop : spendAlarm, {
    window: letters[window],
    spender: accountId === null ? everybody : filledText(oneAccount, { account: accountName ?? '', id: accountId }),
    minutes: String(minutes),
    limit: String(limitMinutes),
    until: isoTime(endsAtMs),
    advice: filledText(advice, { name: spendLimitName(level, window), where }),
  });
}
