// What becomes of the transfer of a call that another process had: it goes on, or nobody is left on a line.
import type { Logger } from 'pino';
import { messageOf } from '../db/domain/unexpected.ts';
import { readDialog } from '../db/queries/calls/life.ts';
import type { Db } from '../db/schema.ts';
import type { Writer } from '../db/writer.ts';
import { ageOf, type Continuation } from './call/continuation.ts';
import { isWhole, type TakenTransfer } from './call/transfer-continuation.ts';
import type { Clock } from './clock.ts';
import type { StoredDialog, Telephony } from './sip/telephony.ts';

interface Deps {
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  telephony: Pick<Telephony, 'endStored'>;
  clock: Clock;
  log: Logger;
}

/** Null if there is none, or none that could go on. The call is this engine's by now. */
export async function takeTransfer(
  from: Continuation,
  pulse: TakenTransfer['pulse'],
  deps: Deps,
): Promise<TakenTransfer | null> {
  const { id: callId } = from.call;
  const isUnderWay = from.state.phase === 'answered' && from.state.answered.transfer.state !== 'none';
  if (!isUnderWay) {
    // The journal may be behind by a moment in which the person was dialled.
    void storedPerson(callId, deps).then(
      (stored) => endPerson(callId, stored, deps),
      (error: unknown) => deps.log.warn({ callId, error: messageOf(error) }, 'could not read the dialog of a person'),
    );
    return null;
  }
  const { transfer = null } = from;
  const stored = await storedPerson(callId, deps);
  if (transfer !== null && isWhole(transfer, stored)) {
    return { from: transfer, pulse, elapsedMs: ageOf(from, deps.clock.nowMs()) };
  }
  await endPerson(callId, stored, deps);
  return null;
}

const storedPerson = async (callId: string, { read }: Pick<Deps, 'read'>): Promise<StoredDialog | null> =>
  (await readDialog(read, { callId, leg: 'human' })) as StoredDialog | null;

async function endPerson(
  callId: string,
  stored: StoredDialog | null,
  { writer, telephony, clock, log }: Deps,
): Promise<void> {
  if (stored === null) return;
  // Nobody waits for the answer. Of a transfer that ended before, it is that there is no such call.
  telephony.endStored(stored).catch((error: unknown) => {
    log.warn({ callId, error: messageOf(error) }, 'a person whose leg was ended did not answer');
  });
  await writer.runDurably('closeTransferLeg', { callId, endedAtMs: clock.nowMs() });
}
