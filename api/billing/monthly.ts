// The daily run: a number costs its price for each calendar month after its purchase; minutes beyond the plan are
// charged when their month is over. A failed charge sends a mail; after a week the number is taken out of service.
// Every charge has a purpose that can be paid once, so a run can be repeated at any time.
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { mailReaders } from '../../db/queries/accounts/users.ts';
import {
  addCharge,
  type ChargeRow,
  disableOverage,
  listChargesOf,
  listOverageAccounts,
  listUnpaidCharges,
  settleCharge,
  updateCharge,
} from '../../db/queries/numbers/charges.ts';
import { listBillableNumbers, suspendPhoneNumber } from '../../db/queries/numbers/phone-numbers.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import type { AccountLetters } from '../mail/account-letters.ts';
import { filled, type Letter } from '../mail/letters.ts';
import { postAccountLetter } from '../mail/post-account-letter.ts';
import { PaymentError, providerDown, startBudget } from './billing.ts';
import { collect } from './collect.ts';
import { isMonthOver, monthsAfter, recentMonths } from './months.ts';
import { overageAmount } from './prices.ts';

const PAGE = 200;
/** At most a year of months, even for a number that was not charged for years. */
const MONTHS_MAX = 12;
/** Overage is charged within three months or not at all. */
const OVERAGE_MONTHS = 3;
const ATTENDED_MS = 20_000;
const GRACE_MS = 7 * DAY_MS;
/** After this many failures in a row the provider counts as down, and the run ends. */
const UNANSWERED_MAX = 3;

interface BillingRun {
  /** Entries written and paid (or only recorded, without a provider). */
  charged: number;
  failed: number;
  /** Numbers taken out of service. */
  suspended: number;
  /** False when the payment provider did not answer: run it again. */
  complete: boolean;
}

/** Charges everything due on the day of `atMs`; paid items are not charged again. */
export async function runBilling(context: ApiContext, atMs: number): Promise<BillingRun> {
  const run: BillingRun & { unanswered: number } = {
    charged: 0,
    failed: 0,
    suspended: 0,
    complete: true,
    unanswered: 0,
  };
  await chargeNumbers(context, atMs, run);
  await chargeOverage(context, atMs, run);
  await context.mail.wake();
  const { unanswered: _unanswered, ...summary } = run;
  context.log.info({ at: new Date(atMs).toISOString(), ...summary }, 'billing run');
  return summary;
}

type Run = BillingRun & { unanswered: number };

async function chargeNumbers(context: ApiContext, atMs: number, run: Run): Promise<void> {
  let afterId = '';
  for (;;) {
    const page = await listBillableNumbers(context.db, { afterId, limit: PAGE });
    if (page.length === 0) return;
    for (const number of page) {
      afterId = number.id;
      for (const month of monthsAfter(number.createdAt, atMs, number.timezone, MONTHS_MAX)) {
        if (run.unanswered >= UNANSWERED_MAX) return;
        const due = {
          accountId: number.accountId,
          kind: 'number' as const,
          phoneNumber: number.phoneNumber,
          phoneNumberId: number.id,
          amount: number.monthlyCost,
          purpose: `number:${number.id}:${month}`,
        };
        const failingSince = await chargeOnce(context, due, atMs, run);
        if (failingSince === null || atMs - failingSince < GRACE_MS) continue;
        await context.db.transaction().execute(async (tx) => {
          await suspendPhoneNumber(tx, number.accountId, number.id, context.now());
          const { phoneNumber } = number;
          await tell(context, tx, number.accountId, ({ suspended }) => filled(suspended, { number: phoneNumber }));
        });
        run.suspended++;
        break;
      }
    }
  }
}

async function chargeOverage(context: ApiContext, atMs: number, run: Run): Promise<void> {
  for (const month of recentMonths(atMs, OVERAGE_MONTHS)) {
    let afterId = '';
    for (;;) {
      const page = await listOverageAccounts(context.db, { month, afterId, limit: PAGE });
      if (page.length === 0) break;
      for (const account of page) {
        afterId = account.id;
        if (run.unanswered >= UNANSWERED_MAX) return;
        const amount = overageAmount(account.plan, account.seconds);
        if (amount === 0 || !isMonthOver(month, atMs, account.timezone)) continue;
        const due = {
          accountId: account.id,
          kind: 'overage' as const,
          phoneNumber: null,
          phoneNumberId: null,
          amount,
          purpose: `overage:${account.id}:${month}`,
        };
        const failingSince = await chargeOnce(context, due, atMs, run);
        if (failingSince === null || atMs - failingSince < GRACE_MS) continue;
        await context.db.transaction().execute(async (tx) => {
          await disableOverage(tx, account.id);
          await tell(context, tx, account.id, ({ overageOff }) => filled(overageOff, { month }));
        });
      }
    }
  }
}

interface Due {
  accountId: string;
  kind: ChargeRow['kind'];
  phoneNumber: string | null;
  phoneNumberId: string | null;
  amount: number;
  purpose: string;
}

/**
 * Repeats the unpaid charges of a number. False if one stays unpaid.
 * @throws {ApiError} 503 if the payment provider does not answer
 */
export async function payArrears(context: ApiContext, accountId: string, phoneNumberId: string): Promise<boolean> {
  const run: Run = { charged: 0, failed: 0, suspended: 0, complete: true, unanswered: 0 };
  for (const { kind, phoneNumber, amount, purpose } of await listUnpaidCharges(context.db, accountId, phoneNumberId)) {
    const due = { accountId, kind, phoneNumber, phoneNumberId, amount, purpose };
    await chargeOnce(context, due, context.now(), run);
    if (!run.complete) throw providerDown();
    if (run.failed > 0) break;
  }
  return (await listUnpaidCharges(context.db, accountId, phoneNumberId)).length === 0;
}

/** Charges a due item unless it is already paid; returns the time since which it has been failing, or null. */
async function chargeOnce(context: ApiContext, due: Due, atMs: number, run: Run): Promise<number | null> {
  const { payments, leastAmount } = context.billing;
  const earlier = await listChargesOf(context.db, due.accountId, due.purpose);
  if (earlier.some((charge) => charge.status !== 'failed' && charge.status !== 'refunded')) return null;
  const failedBefore = earlier.find((charge) => charge.failingSince !== null)?.failingSince ?? null;
  const charged = payments !== null && due.amount >= leastAmount;
  const nowMs = context.now();
  const entry = await addCharge(context.db, due.accountId, {
    ...due,
    status: charged ? 'pending' : 'recorded',
    idempotencyKey: null,
    failingSince: failedBefore,
    campaignId: null,
    isPurchase: false,
    attendedUntil: nowMs + ATTENDED_MS,
    nowMs,
  });
  if (entry === null) return null;
  if (!charged) {
    run.charged++;
    return null;
  }
  try {
    const outcome = await collect(context, payments, entry, startBudget());
    if (outcome === 'faulty') throw new PaymentError('PAYMENT_FAULT', 'the payment could not be created');
    run.unanswered = 0;
    if (outcome === 'paid') {
      await settleCharge(context.db, due.accountId, entry.id, 'paid', { nowMs: context.now() });
      run.charged++;
      return null;
    }
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    run.unanswered++;
    run.complete = false;
    await updateCharge(context.db, due.accountId, entry.id, { attendedUntil: 0 });
    return null;
  }
  const failingSince = failedBefore ?? atMs;
  await context.db.transaction().execute(async (tx) => {
    await settleCharge(tx, due.accountId, entry.id, 'failed', { nowMs: context.now(), failingSince });
    if (failedBefore === null) await tellOfFailure(context, tx, due);
  });
  run.failed++;
  return failingSince;
}

function tellOfFailure(context: ApiContext, tx: Db, { accountId, amount, phoneNumber }: Due): Promise<void> {
  return tell(context, tx, accountId, ({ declined, minutesItem, numberItem }) => {
    const item = phoneNumber === null ? minutesItem : numberItem.replace('{{number}}', phoneNumber);
    return filled(declined, { amount: amount.toFixed(2), item, url: context.publicUrl() });
  });
}

async function tell(
  context: ApiContext,
  tx: Db,
  accountId: string,
  written: (letters: AccountLetters) => Letter,
): Promise<void> {
  await postAccountLetter(context, tx, await mailReaders(tx, accountId), written);
}
