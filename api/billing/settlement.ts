// Finishes abandoned entries, left pending because a provider was down, a client did not retry, or a process died. Runs
// every few seconds; a round ends early while the provider does not answer.
import {
  attendCharge,
  type ChargeRow,
  listUnattendedCharges,
  settleCharge,
  updateCharge,
} from '../../db/queries/numbers/charges.ts';
import type { ApiContext } from '../context.ts';
import { settlePurchase } from '../phone-numbers/purchase.ts';
import { PaymentError, type Payments, startBudget } from './billing.ts';
import { isPaid, takeBack } from './collect.ts';

/** Settlement's lock on an entry, against requests and other rounds. */
const ATTENDED_MS = 20_000;
const PAGE = 32;
/** Entries settled in parallel. */
const PARALLEL = 4;
/** After this many entries in a row without an answer the provider counts as down; the next round tries again. */
const FAILURES_MAX = 4;

/** One round over all abandoned entries. Returns how many entries were settled. */
export async function settleCharges(context: ApiContext): Promise<number> {
  const { payments } = context.billing;
  let settled = 0;
  let failures = 0;
  let afterId = '';
  for (;;) {
    const page = await listUnattendedCharges(context.db, { nowMs: context.now(), afterId, limit: PAGE });
    if (page.length === 0) return settled;
    if (payments === null) {
      context.log.warn({ pending: page.length }, 'charges of a payment provider are pending, but BILLING is none');
      return settled;
    }
    afterId = page.at(-1)?.id ?? afterId;
    const waiting = [...page];
    const work = async () => {
      for (let entry = waiting.shift(); entry && failures < FAILURES_MAX; entry = waiting.shift()) {
        if (await settleOne(context, payments, entry)) {
          settled++;
          failures = 0;
        } else failures++;
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    if (failures >= FAILURES_MAX) return settled;
  }
}

/** False when the provider could not tell the state. */
async function settleOne(context: ApiContext, payments: Payments, { id, accountId }: ChargeRow): Promise<boolean> {
  const nowMs = context.now();
  const entry = await attendCharge(context.db, accountId, id, { nowMs, untilMs: nowMs + ATTENDED_MS });
  if (entry === null) return true;
  try {
    if (entry.isPurchase === 1) await settlePurchase(context, payments, entry);
    else await settleRecurring(context, payments, entry);
    context.log.info({ chargeId: id }, 'charge settled');
    return true;
  } catch (error) {
    if (!(error instanceof PaymentError))
      context.log.error({ err: error, chargeId: id }, 'could not settle the charge');
    await updateCharge(context.db, accountId, id, { attendedUntil: 0 });
    return false;
  }
}

/** A monthly charge or overage: paid or failed; the next daily run retries a failed one as a new entry. */
async function settleRecurring(context: ApiContext, payments: Payments, entry: ChargeRow): Promise<void> {
  const budget = startBudget();
  const status = (await isPaid(payments, entry, budget)) ? 'paid' : await takeBack(context, payments, entry, budget);
  await settleCharge(context.db, entry.accountId, entry.id, status, { nowMs: context.now() });
}
