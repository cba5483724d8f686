// Who goes on with a call whose engine was lost with its machine. Each living engine answers for itself, by what it
// knows of the others; the row of the call decides between two that answer alike.
import { createHash } from 'node:crypto';
import { LONGEST_GAP_MS, TURN_MS, TURNS_MS } from '../silence.ts';

export interface Heir {
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

/** This engine is to go on with the call; another one may; or nobody will. */
export function fateOf(left: CallLeft, heirs: readonly Heir[], ownId: string): 'take' | 'wait' | 'close' {
  if (left.silentMs > LONGEST_GAP_MS || left.knownMs > TURNS_MS) return 'close';
  const able = heirs.filter(({ room }) => room > 0);
  if (able.length === 0) return 'close';
  const turn = inTurn(left.callId, able).findIndex(({ engineId }) => engineId === ownId);
  return turn >= 0 && left.knownMs >= turn * TURN_MS ? 'take' : 'wait';
}

/** The same order for all who ask, another one for each call; who has more room comes first more often. */
function inTurn(callId: string, heirs: readonly Heir[]): Heir[] {
  const score = ({ engineId, room }: Heir): number => -Math.log(fraction(`${callId} ${engineId}`)) / room;
  return heirs
    .map((heir) => ({ heir, score: score(heir) }))
    .sort((a, b) => a.score - b.score)
    .map(({ heir }) => heir);
}

/** Above 0, below 1. */
const fraction = (text: string): number => (createHash('sha256').update(text).digest().readUInt32BE(0) + 0.5) / 2 ** 32;
