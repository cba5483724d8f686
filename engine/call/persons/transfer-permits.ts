// The conditions for calling a transfer target: a destination that the account may call, minutes, and for a call of our
// own a place in the engine and on the trunk, like any other call.

import { openCallsOfTrunks } from '../../../db/queries/trunks/trunk-states.ts';
import { destinationObstacle } from '../../../db/rules/destinations.ts';
import { minutesAreUsedUp } from '../../../db/rules/minutes.ts';
import { spendStop } from '../../../db/rules/spend.ts';
import type { Db } from '../../../db/schema.ts';
import type { Clock } from '../../clock.ts';

interface TransferLeg {
  accountId: string;
  /** To the person, in the order to try them. */
  trunkIds: readonly string[];
  /** E.164, or `sip:USERNAME` for a softphone. */
  target: string;
}

/** The trunk of the leg; null: a softphone needs none. */
export const trunkOfLeg = ({ trunkIds, target }: Pick<TransferLeg, 'trunkIds' | 'target'>): string | null =>
  target.startsWith('sip:') ? null : (trunkIds[0] ?? null);

/** A database that is away keeps nobody waiting: the books follow once it is back. */
const BOOKED_MS = 2_000;

export interface TransferPermits {
  /** Why the target may not be called, by the peer (REFER) or by us; null if it may. */
  obstacle(call: TransferLeg): Promise<string | null>;
  /**
   * For a call of our own: judges it, waits for its turn on the trunk (calls per second), takes the place of one more
   * call and books it. Those of an account one after the other, so that each is judged by what those before it may
   * spend. Returns a function that releases the place, or the reason why there is none; then nothing is booked.
   * @throws where it cannot be booked; then no place is taken
   */
  place(call: TransferLeg, book: () => Promise<unknown>): Promise<(() => void) | string>;
  /** The place of a leg that another process has dialled, whether there is room or not. */
  adoptPlace(trunkId: string | null): () => void;
}

interface Options {
  read: Db;
  /** The engine's places, as for any call. */
  places: { take(): boolean; adopt(): void; leave(): void };
  /** The number of calls that a trunk may carry; null if the trunk no longer exists. */
  maxCallsOf(trunkId: string): number | null;
  /** Takes the trunk's next turn: how long until then, ms. */
  paceOf(trunkId: string): number;
  clock: Pick<Clock, 'nowMs' | 'after'>;
}

export function createTransferPermits({ read, places, maxCallsOf, paceOf, clock }: Options): TransferPermits {
  /** Transfer calls by trunk: they have no row among the calls. */
  const legs = new Map<string, number>();
  /** One of the engine's is taken. */
  const placed = (trunkId: string | null): (() => void) => {
    if (trunkId !== null) legs.set(trunkId, (legs.get(trunkId) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      places.leave();
      if (trunkId !== null) legs.set(trunkId, (legs.get(trunkId) ?? 1) - 1);
    };
  };
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
  const obstacle: TransferPermits['obstacle'] = async ({ accountId, trunkIds, target }) => {
    // A softphone of the same account: it costs nothing and connects nowhere else.
    if (target.startsWith('sip:')) return null;
    const nowMs = clock.nowMs();
    if (await minutesAreUsedUp(read, accountId, nowMs)) return 'the monthly minutes are used up';
    const stop = await spendStop(read, accountId, nowMs);
    if (stop !== null) return `the ${stop.by}'s ${stop.limitMinutes} outbound minutes of this ${stop.window} are spent`;
    return destinationObstacle(read, { accountId, trunkId: trunkIds[0] ?? null, toNumber: target });
  };
  const roomOn = async (trunkId: string): Promise<string | null> => {
    const open = (await openCallsOfTrunks(read, [trunkId])).get(trunkId) ?? 0;
    const max = maxCallsOf(trunkId) ?? 0;
    return open + (legs.get(trunkId) ?? 0) < max ? null : `all ${max} calls that the trunk can hold are in use`;
  };
  const place: TransferPermits['place'] = async (call, book) => {
    const trunkId = trunkOfLeg(call);
    const reason = (await obstacle(call)) ?? (trunkId === null ? null : await roomOn(trunkId));
    if (reason !== null) return reason;
    if (!places.take()) return 'all places of the engine are in use';
    const leave = placed(trunkId);
    try {
      const delayMs = trunkId === null ? 0 : paceOf(trunkId);
      if (delayMs > 0) await wait(delayMs);
      await Promise.race([book(), wait(BOOKED_MS)]);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  };
  /** By account: the newest leg to be judged. */
  const judged = new Map<string, Promise<unknown>>();
  return {
    obstacle,
    place(call, book) {
      const { accountId } = call;
      const next = (judged.get(accountId) ?? Promise.resolve()).then(() => place(call, book));
      const settled = next.catch(() => undefined);
      judged.set(accountId, settled);
      void settled.then(() => judged.get(accountId) === settled && judged.delete(accountId));
      return next;
    },
    adoptPlace(trunkId) {
      places.adopt();
      return placed(trunkId);
    },
  };
}
