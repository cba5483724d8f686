// The calls of purchases and releases to the carrier: every call has a deadline, and a carrier that misses it counts as
// down. Refusals of the carrier become error answers.
import { setTimeout as delay } from 'node:timers/promises';
import { unreachable } from '../../db/domain/unexpected.ts';
import type { ApiContext } from '../context.ts';
import { type ApiError, notFound, refused, retryLater } from '../frame/errors.ts';
import { CarrierError, type CarrierNumber } from './carrier.ts';

const CARRIER_TIMEOUT_MS = 4_000;
const RETRY_AFTER_SECONDS = 5;
const SEARCH_AGAIN_SECONDS = 20;
const NOT_RESERVED =
  'Phone number is free, but not reserved for this account: GET /phone-numbers/search offers and reserves it first';

export const numberTaken = (): ApiError => refused('NUMBER_TAKEN', 'Phone number is not available: search again');

export const carrierDown = (): ApiError =>
  retryLater('CARRIER_DOWN', 'The carrier is unavailable', RETRY_AFTER_SECONDS);

/** Renews the reservation; see `Carrier.hold`. @throws {CarrierError} */
export function holdNumber(
  { carrier, now }: ApiContext,
  accountId: string,
  phoneNumber: string,
  again: boolean,
): Promise<CarrierNumber> {
  return inTime(carrier.hold(accountId, phoneNumber, { nowMs: now(), again }));
}

/** Orders a held number; see `Carrier.order`. @throws {CarrierError} */
export function orderNumber(
  { carrier }: ApiContext,
  accountId: string,
  phoneNumber: string,
  reference: string,
): Promise<void> {
  return inTime(carrier.order(accountId, phoneNumber, reference));
}

/** Gives a number back; see `Carrier.release`. @throws {CarrierError} */
export function giveBackNumber({ carrier }: ApiContext, accountId: string, phoneNumber: string): Promise<void> {
  return inTime(carrier.release(accountId, phoneNumber));
}

/** Whether a number is still there; see `Carrier.has`. @throws {CarrierError} */
export function hasNumber({ carrier }: ApiContext, phoneNumber: string): Promise<boolean> {
  return inTime(carrier.has(phoneNumber));
}

/** The error answer to a carrier's refusal; any other error unchanged. */
export function carrierAnswer(error: unknown): unknown {
  if (!(error instanceof CarrierError)) return error;
  switch (error.code) {
    case 'CARRIER_NUMBER_UNKNOWN':
      return notFound('Phone number');
    case 'CARRIER_NUMBER_FREE':
      return refused('NUMBER_NOT_RESERVED', NOT_RESERVED);
    case 'CARRIER_NUMBER_TAKEN':
      return numberTaken();
    case 'CARRIER_REFUSED':
      return refused('NUMBER_NOT_SOLD', 'The carrier does not sell this number: choose another');
    case 'CARRIER_BUSY':
      return retryLater(
        'CARRIER_SEARCHES_BUSY',
        'Carriers were asked for numbers too often: try again',
        SEARCH_AGAIN_SECONDS,
      );
    case 'CARRIER_UNAVAILABLE':
    case 'CARRIER_KEY_REFUSED':
    case 'CARRIER_PORT_REFUSED':
      return carrierDown();
    default:
      return unreachable(error.code);
  }
}

/** The answer within the deadline. @throws {CarrierError} */
export async function inTime<T>(asked: Promise<T>, withinMs = CARRIER_TIMEOUT_MS): Promise<T> {
  const timer = new AbortController();
  // An answer or a refusal after the deadline is dropped.
  asked.catch(() => {});
  try {
    return await Promise.race([
      asked,
      delay(withinMs, undefined, { signal: timer.signal, ref: false }).then(() => {
        throw new CarrierError('CARRIER_UNAVAILABLE', 'the carrier did not answer in time');
      }),
    ]);
  } finally {
    timer.abort();
  }
}
