// After a crash: goes on with the calls that the engine of this folder had, by its journal. What cannot go on is left
// to recovery.ts, which hangs up and closes.
import type { Logger } from 'pino';
import { messageOf } from '../db/domain/unexpected.ts';
import { feedTranscript } from '../db/queries/calls/feed.ts';
import { readOpenCall } from '../db/rules/routing.ts';
import type { Db } from '../db/schema.ts';
import { sharedClockMs } from '../db/shared/shared-clock.ts';
import type { Writer } from '../db/writer.ts';
import { CONTINUATION_VERSION, type Continuation, type TakenCall } from './call/continuation.ts';
import type { Clock } from './clock.ts';
import type { Pulses } from './journal/journal.ts';
import type { JournalFiles } from './journal/journal-files.ts';
import type { CallPulse } from './shard/protocol.ts';
import type { Telephony } from './sip/telephony.ts';
import type { Switchboard } from './switchboard.ts';

/** A caller who has heard nothing for so long has hung up, or does now. */
const LONGEST_GAP_MS = 30_000;

export interface TakeOverDeps {
  files: JournalFiles;
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  telephony: Pick<Telephony, 'resume'>;
  switchboard: Pick<Switchboard, 'resume'>;
  engineId: string;
  clock: Clock;
  log: Logger;
}

/** Returns the number of calls that go on. The telephony is up, and nobody else has the calls. */
export async function takeOverCalls(deps: TakeOverDeps): Promise<number> {
  const { files, log } = deps;
  const pulses = lastPulses(files.readPulse());
  let count = 0;
  await Promise.all(
    files.calls().map(async (callId) => {
      try {
        const from = readContinuation(files.readCall(callId));
        if (from !== null && (await takeOver(from, pulses.get(callId) ?? null, deps))) count++;
        else files.forget(callId);
      } catch (error) {
        log.warn({ callId, error: messageOf(error) }, 'could not go on with a call');
        files.forget(callId);
      }
    }),
  );
  return count;
}

async function takeOver(from: Continuation, pulse: TakenCall['pulse'], deps: TakeOverDeps): Promise<boolean> {
  const { read, writer, telephony, switchboard, engineId, clock, log } = deps;
  const { id: callId } = from.call;
  const gapMs = Math.round(pulse === null ? clock.nowMs() - from.writtenAtMs : sharedClockMs() - pulse.atMs);
  if (gapMs < 0 || gapMs > LONGEST_GAP_MS || telephony.resume === undefined) return false;
  const open = await readOpenCall(read, callId);
  if (open === null) return false;
  const transcript = await feedTranscript(read, callId);
  const atMs = Math.round(sharedClockMs() - from.beganAtMs);
  const resumption = { atMs, gapMs, cause: 'crash' } as const;
  const taking = { callId, from: from.engineId, to: engineId, resumption, nowMs: clock.nowMs() };
  if (!(await writer.runDurably('takeOverCall', taking))) return false;
  const leg = telephony.resume(from.leg, clock.nowMs() - from.writtenAtMs);
  switchboard.resume({ from, leg, transcript, pulse, resumption }, open.setup);
  log.warn({ callId, gapMs }, 'the call goes on after a crash');
  return true;
}

/** Null for what another release has written. */
function readContinuation(read: unknown): Continuation | null {
  const from = read as Continuation | null;
  return from?.version === CONTINUATION_VERSION ? from : null;
}

/** By call. */
function lastPulses(read: unknown): Map<string, CallPulse & { atMs: number }> {
  const { shards } = (read as Pulses | null) ?? { shards: [] };
  return new Map(shards.flatMap(({ atMs, calls }) => calls.map((call) => [call.callId, { ...call, atMs }] as const)));
}
