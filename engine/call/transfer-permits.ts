// The conditions for calling a transfer target: a destination that the account may call, minutes, and for a call of our
// own a place in the engine and on the trunk, like any other call.

import { openCallsOfTrunks } from '../../db/queries/trunks/trunk-states.ts';
import { destinationObstacle } from '../../db/rules/destinations.ts';
import { minutesAreUsedUp } from '../../db/rules/minutes.ts';
import { spendStop } from '../../db/rules/spend.ts';
import type { Db } from '../../db/schema.ts';

export interface TransferPermits {
  /** Why the target may not be called, by the peer (REFER) or by us; null if it may. */
  obstacle(call: { accountId: string; trunkIds: readonly string[]; target: string }): Promise<string | null>;
  /** Takes the place of one more call; returns a function that releases it, or the reason why there is none. */
  takePlace(trunkId: string | null): Promise<(() => void) | string>;
  /** The place of a leg that another process has dialled, whether there is room or not. */
  adoptPlace(trunkId: string | null): () => void;
}

interface Options {
  read: Db;
  /** The engine's places, as for any call. */
  places: { take(): boolean; adopt(): void; leave(): void };
  /** The number of calls that a trunk may carry; null if the trunk no longer exists. */
  maxCallsOf(trunkId: string): number | null;
  nowMs(): number;
}

export function createTransferPermits({ read, places, maxCallsOf, nowMs }: Options): TransferPermits {
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
  return {
    async obstacle({ accountId, trunkIds, target }) {
      // A softphone of the same account: it costs nothing and connects nowhere else.
      if (target.startsWith('sip:')) return null;
      if (await minutesAreUsedUp(read, accountId, nowMs())) return 'the monthly minutes are used up';
      const stop = await spendStop(read, accountId, nowMs());
      if (stop !== null)
        return `the ${stop.by}'s ${stop.limitMinutes} outbound minutes of this ${stop.window} are spent`;
      return destinationObstacle(read, { accountId, trunkId: trunkIds[0] ?? null, toNumber: target });
    },
    async takePlace(trunkId) {
      if (trunkId !== null) {
        const open = (await openCallsOfTrunks(read, [trunkId])).get(trunkId) ?? 0;
        const max = maxCallsOf(trunkId) ?? 0;
        if (open + (legs.get(trunkId) ?? 0) >= max) return `all ${max} calls that the trunk can hold are in use`;
      }
      if (!places.take()) return 'all places of the engine are in use';
      return placed(trunkId);
    },
    adoptPlace(trunkId) {
      places.adopt();
      return placed(trunkId);
    },
  };
}
