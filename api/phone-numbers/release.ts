// Giving a number back for good. It is noted before the carrier is asked, so that a process that dies, or an answer
// that is lost, leaves no number here that is gone there: the carrier is asked later whether it is still ours.
//
//   asked (row) ─► carrier gives it up ─► releasing, then released   (one transaction)
//      │ refused: the account keeps it
//      │ nothing heard of it for 30 s ─► has the carrier still got it? yes: kept; no: released here too
import {
  getPhoneNumber,
  noteReleaseAsked,
  noteReleaseRefused,
  releasePhoneNumber,
  unansweredReleases,
} from '../../db/queries/numbers/phone-numbers.ts';
import { CarrierError } from '../carriers/carrier.ts';
import { carrierAnswer, giveBackNumber, hasNumber } from '../carriers/carrier-calls.ts';
import type { ApiContext } from '../context.ts';
import { type ApiError, notFound, refused } from '../frame/errors.ts';

/** Longer than a request waits for the carrier, and than a carrier works on one whose answer was lost. */
const UNANSWERED_MS = 30_000;
const AT_ONCE = 20;

const missing = () => notFound('Phone number');

/** @throws {ApiError} 404; 409, 503 where the carrier does not take it, and the account keeps the number */
export async function releaseNumber(context: ApiContext, accountId: string, id: string) {
  const { db, now } = context;
  const number = await getPhoneNumber(db, accountId, id);
  if (number === null) throw missing();
  const askedAtMs = now();
  await noteReleaseAsked(db, accountId, id, askedAtMs);
  try {
    await giveBackNumber(context, accountId, number.phoneNumber);
  } catch (error) {
    if (isRefusal(error)) await noteReleaseRefused(db, accountId, id, askedAtMs);
    throw refusedBack(error) ?? carrierAnswer(error);
  }
  const released = await db.transaction().execute((trx) => releasePhoneNumber(trx, accountId, id, now()));
  if (released === null) throw missing();
  return released;
}

/** The carrier has done nothing; any other error leaves it open whether it has. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CarrierError && (!error.mayBeDone || error.code !== 'CARRIER_UNAVAILABLE');

/** Its words are the installation's, not its accounts'. */
const refusedBack = (error: unknown): ApiError | null =>
  error instanceof CarrierError && error.code === 'CARRIER_REFUSED'
    ? refused('CARRIER_REFUSED', 'The carrier does not take the number back')
    : null;

/** One round: releases without an answer end as the carrier has them. */
export async function settleReleases(context: ApiContext): Promise<void> {
  const { db, now, log } = context;
  for (const { id, accountId, phoneNumber, releaseAskedAt } of await unansweredReleases(
    db,
    now() - UNANSWERED_MS,
    AT_ONCE,
  )) {
    try {
      if (await hasNumber(context, phoneNumber)) await noteReleaseRefused(db, accountId, id, releaseAskedAt);
      else await db.transaction().execute((trx) => releasePhoneNumber(trx, accountId, id, now()));
      log.info({ phoneNumberId: id }, 'a release without an answer is settled');
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      log.warn({ phoneNumberId: id, code: error.code, err: error }, 'a release without an answer is not settled yet');
      await noteReleaseAsked(db, accountId, id, now());
    }
  }
}
