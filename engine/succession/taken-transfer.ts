// The transfer of a call that another process had: it goes on, or nobody is left on a line.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import { readPersonDialogs } from '../../db/queries/calls/running/dialogs.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { ageOf, type Continuation } from '../call/going-on/continuation.ts';
import { isWhole, PERSON_LEG, type TakenTransfer } from '../call/going-on/transfer-continuation.ts';
import type { Clock } from '../clock.ts';
import type { StoredDialog, Telephony } from '../sip/telephony.ts';

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
    void storedPersons(callId, deps).then(
      (stored) => endPersons(callId, stored, deps),
      (error: unknown) => deps.log.warn({ callId, error: messageOf(error) }, 'could not read the dialog of a person'),
    );
    return null;
  }
  const { transfer = null } = from;
  const stored = await storedPersons(callId, deps);
  const own = stored.find(({ leg }) => leg === PERSON_LEG)?.dialog ?? null;
  if (transfer === null || !isWhole(transfer, own)) {
    await endPersons(callId, stored, deps);
    return null;
  }
  // Others who rang at once were let go; perhaps they have not heard of it.
  const { callId: kept } = transfer.person?.leg?.dialog ?? transfer.person?.ringing?.dialog ?? { callId: '' };
  for (const { dialog } of stored) if (dialog.callId !== kept && kept !== '') endDialog(callId, dialog, deps);
  return { from: transfer, pulse, elapsedMs: ageOf(from, deps.clock.nowMs()) };
}

interface StoredPerson {
  leg: string;
  dialog: StoredDialog;
}

const storedPersons = async (callId: string, { read }: Pick<Deps, 'read'>): Promise<StoredPerson[]> =>
  (await readPersonDialogs(read, callId)) as StoredPerson[];

async function endPersons(callId: string, stored: readonly StoredPerson[], deps: Deps): Promise<void> {
  if (stored.length === 0) return;
  for (const { dialog } of stored) endDialog(callId, dialog, deps);
  await deps.writer.runDurably('closeTransferLegs', { callId, endedAtMs: deps.clock.nowMs() });
}

/** Nobody waits for the answer. Of a transfer that ended before, it is that there is no such call. */
function endDialog(callId: string, dialog: StoredDialog, { telephony, log }: Deps): void {
  telephony.endStored(dialog).catch((error: unknown) => {
    log.warn({ callId, error: messageOf(error) }, 'a person whose leg was ended did not answer');
  });
}
