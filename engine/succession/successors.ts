// The engine that goes on with a call whose own was lost with its machine, by weighted rendezvous hashing: D. G. Thaler
// and C. V. Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM Transactions on Networking 6(1),
// 1998; the weights after C. Schindelhauer and G. Schomaker, "Weighted distributed hash tables", SPAA 2005. All engines
// come to the same order for a call without a word between them, and each has calls in proportion to its room. Where
// they do not know the same engines, two may think that it is their turn: the row of the call decides.
import { createHash } from 'node:crypto';
import { LONGEST_GAP_MS, TURN_MS, TURNS_MS } from '../silence.ts';

export interface Successor {
  engineId: string;
  /** Calls that it can take. */
  room: number;
}

export interface CallLeft {
  callId: string;
  /** Since its engine was last heard of. */
  silentMs: number;
  /** Since this engine has known that it has none. */
  knownMs: number;
}

/** This engine is to go on with the call; another one may, or has a place soon; or nobody will, and why. */
export type Fate = 'take' | 'wait' | { close: string };

export function fateOf(left: CallLeft, successors: readonly Successor[], ownId: string): Fate {
  if (left.silentMs > LONGEST_GAP_MS) return { close: 'its caller has heard nothing for too long' };
  const able = successors.filter(({ room }) => room > 0);
  if (left.knownMs > TURNS_MS) return { close: able.length === 0 ? 'no engine had a place' : 'no engine took it' };
  const turn = inTurn(left.callId, able).findIndex(({ engineId }) => engineId === ownId);
  return turn >= 0 && left.knownMs >= turn * TURN_MS ? 'take' : 'wait';
}

/** The same order for all who ask, another one for each call; who has more room comes first more often. */
function inTurn(callId: string, successors: readonly Successor[]): Successor[] {
  const score = ({ engineId, room }: Successor): number => -Math.log(fraction(`${callId} ${engineId}`)) / room;
  return successors
    .map((successor) => ({ successor, score: score(successor) }))
    .sort((a, b) => a.score - b.score)
    .map(({ successor }) => successor);
}

/** Above 0, below 1. */
const fraction = (text: string): number => (createHash('sha256').update(text).digest().readUInt32BE(0) + 0.5) / 2 ** 32;
