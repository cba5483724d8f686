// Cleans up after a crash: calls that the previous engine left open are hung up through their stored dialogs, their
// recordings repaired, and each closed once as FAILED. A dialled attempt counts as made and is never repeated.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import { listOrphanedCalls, type OpenCallRow } from '../../db/queries/calls/running/orphans.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { writeCrashEnd } from '../call/end.ts';
import type { StoredDialog, Telephony } from '../sip/telephony.ts';
import { repairedRecording } from './left-recordings.ts';

const BATCH = 200;

interface ClosingDeps {
  read: Db;
  writer: Writer;
  telephony: Telephony;
  engineId: string;
  recordingsDir: string;
  /** Of recordings on this disk (db/domain/calls/recording-state.ts); null without an object store. */
  recordingState?: string | null;
  now(): number;
  log: Logger;
  /** Of these calls some may go on, here or elsewhere: returns the others. Absent: none do. */
  claim?(orphans: readonly OpenCallRow[]): Promise<OpenCallRow[]>;
}

/**
 * Closes the calls of engines that have ended, but for those that `claim` keeps, and returns their number. Does not
 * wait for the peers' answers to BYE.
 */
export async function closeLeftCalls(deps: ClosingDeps): Promise<number> {
  let closed = 0;
  for (;;) {
    const orphans = await listOrphanedCalls(deps.read, { engineId: deps.engineId, limit: BATCH });
    const lost = deps.claim ? await deps.claim(orphans) : orphans;
    if (lost.length === 0) return closed;
    await Promise.all(lost.map((orphan) => closeCall(orphan, deps)));
    closed += lost.length;
  }
}

/**
 * Finds this engine's open calls without a conductor: the write of their end failed, or a fault lost them. A call
 * found twice in a row is closed as after a crash. Call `look` periodically.
 */
export class LostCalls {
  readonly #deps: ClosingDeps;
  readonly #isConducted: (callId: string) => boolean;
  #suspected = new Set<string>();

  constructor(deps: ClosingDeps, isConducted: (callId: string) => boolean) {
    this.#deps = deps;
    this.#isConducted = isConducted;
  }

  async look(): Promise<void> {
    const { read, engineId, log } = this.#deps;
    const open = await listOrphanedCalls(read, { engineId, own: true, limit: BATCH });
    const lost = open.filter(({ call }) => !this.#isConducted(call.id));
    const certain = lost.filter(({ call }) => this.#suspected.has(call.id));
    this.#suspected = new Set(lost.map(({ call }) => call.id));
    for (const orphan of certain) {
      log.error({ callId: orphan.call.id }, 'an open call has no conductor: closing it');
      await closeCall(orphan, this.#deps);
    }
  }
}

/** Hangs up and closes; not if another engine has the call by now. */
export async function closeCall({ call, dialogs }: OpenCallRow, deps: ClosingDeps): Promise<void> {
  const { telephony, writer, log, now, engineId } = deps;
  // Its own engine may have started again and gone on with it since the list was read.
  if (call.engineId !== null && call.engineId !== engineId) {
    if (!(await writer.runDurably('takeOrphan', { callId: call.id, from: call.engineId, to: engineId }))) return;
  }
  for (const { dialog } of dialogs) {
    telephony.endStored(JSON.parse(dialog) as StoredDialog).catch((error: unknown) => {
      log.warn({ callId: call.id, error: messageOf(error) }, 'the peer of a lost call did not answer');
    });
  }
  // The file of a call on another engine's disk is repaired and stored by that engine.
  const { recordingState = null } = deps;
  const isElsewhere = call.recordingState !== null && call.recordingState !== recordingState;
  const recording = isElsewhere ? null : await repairedRecording(call, deps);
  const isClosed = await writeCrashEnd(
    deps,
    call,
    isElsewhere ? {} : { recordingPath: recording?.path ?? null, recordingState },
    call.answeredAt !== null && recording ? call.answeredAt + recording.durationMs : now(),
  );
  if (!isClosed) return;
  log.warn({ callId: call.id, recordedMs: recording?.durationMs ?? 0 }, 'call closed after a crash');
}
