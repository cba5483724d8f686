// A call that kills its engine would kill each next one that goes on with it: the poison message of queueing systems.
// An engine that ends with an error names the call that it came from; one that dies soon after it went on with its
// calls is taken to have died of the call that it was busy with. A call that is suspected twice is ended, and after
// some deaths in a row all are.
import type { Logger } from 'pino';
import type { Continuation } from '../call/going-on/continuation.ts';
import type { RingingContinuation } from '../call/going-on/ringing.ts';
import type { Pulses } from '../journal/journal.ts';

/** A process that dies so soon after it went on with the calls died of them. */
const SOON_MS = 8_000;
/** After this number of such deaths in a row nobody goes on any more. */
const MOST_DEATHS = 4;
const MOST_SUSPICIONS = 2;

interface Death {
  /** The call of which the process may have died; null: none is suspected. */
  suspect: string | null;
  /** Such deaths in a row. */
  deaths: number;
}

/** `named`: the call that the process named as the source of its error, if it could. */
export function examineDeath(pulses: Pulses | null, named: unknown): Death {
  const diedAtMs = Math.max(0, ...(pulses?.shards ?? []).map(({ atMs }) => atMs));
  const isLoop = pulses !== null && !pulses.handedOver && pulses.beganAtMs > 0 && diedAtMs - pulses.beganAtMs < SOON_MS;
  const busyWith = isLoop ? pulses.active : null;
  return {
    suspect: typeof named === 'string' ? named : busyWith,
    deaths: isLoop ? pulses.deaths + 1 : 0,
  };
}

export const isCrashLoop = ({ deaths }: Death): boolean => deaths >= MOST_DEATHS;

/** With the suspicion of this death, if it is the call's; null for a call that has been suspected too often. */
export function unlessPoison<Described extends Continuation | RingingContinuation>(
  from: Described | null,
  { suspect }: Death,
  log: Logger,
): Described | null {
  if (from === null || from.call.id !== suspect) return from;
  const suspicions = from.suspicions + 1;
  if (suspicions < MOST_SUSPICIONS) return { ...from, suspicions };
  log.error({ callId: from.call.id }, 'the call has killed its engine twice: it is ended');
  return null;
}
