// Changes of a running call between its answer and its end, and the events that tell of them.
import type { LanguageChange } from '../../../domain/calls/timeline.ts';
import type { TransferAccept, TransferMode } from '../../../domain/numbers/transfer-destinations.ts';
import type { Db } from '../../../schema.ts';
import { addCallEvent, type EventRedaction } from '../life.ts';

/** Stores a tenant's own system's answer about a running call. `variables`: all of the call's, as JSON. */
export async function changeCall(
  db: Db,
  { callId, ...changes }: { callId: string; variables: string; agentId?: string },
): Promise<void> {
  await db.updateTable('calls').set(changes).where('id', '=', callId).where('endedAt', 'is', null).execute();
}

/** `call.language_changed` of a running call, once for each change. */
export async function markLanguage(
  db: Db,
  { change, ...of }: { callId: string; change: LanguageChange; nowMs: number } & EventRedaction,
): Promise<void> {
  await addCallEvent(db, of, 'call.language_changed', { change }, String(change.atMs));
}

/** The data of `call.transferred` beside the call's own, of a transfer to one of the destinations. */
export interface TransferTold {
  /** Its name. */
  destination: string;
  mode: TransferMode;
  /** How the person took the call: by key, by a word, or without being asked. */
  accepted: TransferAccept;
  /** From the caller's being put on hold to the person, ms. */
  waitedMs: number;
}

/** `call.transferred` of a running call. */
export async function markTransferred(
  db: Db,
  args: { callId: string; nowMs: number; transfer?: TransferTold } & EventRedaction,
): Promise<void> {
  await db
    .updateTable('calls')
    .set({ outcome: 'transferred' })
    .where('id', '=', args.callId)
    .where('endedAt', 'is', null)
    .execute();
  await addCallEvent(db, args, 'call.transferred', args.transfer);
}
