// After a crash: goes on with the calls that the engine of this folder had, by its journal. What cannot go on is left
// to recovery.ts, which hangs up and closes.
import type { Logger } from 'pino';
import { messageOf } from '../db/domain/unexpected.ts';
import { feedTranscript } from '../db/queries/calls/feed.ts';
import { type CallSetup, readOpenCall } from '../db/rules/routing.ts';
import type { Db } from '../db/schema.ts';
import type { Resumption } from '../db/shared/call-timeline.ts';
import { sharedClockMs } from '../db/shared/shared-clock.ts';
import type { Writer } from '../db/writer.ts';
import { CONTINUATION_VERSION, type Continuation, type TakenCall } from './call/continuation.ts';
import type { Clock } from './clock.ts';
import type { Journal, Pulses } from './journal/journal.ts';
import type { CallPulse } from './shard/protocol.ts';
import type { Telephony } from './sip/telephony.ts';
import type { Switchboard } from './switchboard.ts';

/** A caller who has heard nothing for so long has hung up, or does now. */
const LONGEST_GAP_MS = 30_000;
/** A process that dies so soon after it went on with the calls died of them. */
const SOON_MS = 8_000;
/** So many of them in a row, and nobody goes on any more. */
const MOST_DEATHS = 4;

/** By call: what was read of it ahead of time. */
export type Setups = ReadonlyMap<string, CallSetup>;

export interface TakeOverDeps {
  journal: Pick<Journal, 'files' | 'begin' | 'beginEmpty'>;
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  telephony: Pick<Telephony, 'resume'>;
  switchboard: Pick<Switchboard, 'resume'>;
  engineId: string;
  /** Other engines may work on the same database. */
  isShared: boolean;
  clock: Clock;
  log: Logger;
}

/**
 * While another engine still has the calls: loads and compiles what going on with them takes, so that their callers do
 * not wait for it, and reads the settings of each.
 */
export async function rehearseTakeOver({ journal, read, writer, engineId, clock }: TakeOverDeps): Promise<Setups> {
  const setups = new Map<string, CallSetup>();
  const resumption = { atMs: 0, gapMs: 0, cause: 'upgrade' } as const;
  lastPulses(journal.files.readPulse() as Pulses | null);
  for (const callId of [...journal.files.calls(), 'call_none']) {
    readContinuation(journal.files.readCall(callId));
    const open = await readOpenCall(read, callId);
    if (open !== null) setups.set(callId, open.setup);
    await feedTranscript(read, callId);
    // It is not this engine's call: nothing changes.
    await writer.runDurably('takeOverCall', { callId, from: engineId, to: engineId, resumption, nowMs: clock.nowMs() });
  }
  return setups;
}

/** Returns the number of calls that go on. The telephony is up, and nobody else has the calls. */
export async function takeOverCalls(deps: TakeOverDeps, setups: Setups = new Map()): Promise<number> {
  const { journal, log } = deps;
  const { files } = journal;
  const pulses = files.readPulse() as Pulses | null;
  const death = examineDeath(pulses, files.takeSuspect());
  journal.begin(death.deaths);
  const giveUp = death.deaths >= MOST_DEATHS;
  if (giveUp) log.error('the engine has died again and again with its calls: they are ended');
  const last = lastPulses(pulses);
  const cause = pulses?.handedOver ? 'upgrade' : 'crash';
  let count = 0;
  await Promise.all(
    files.calls().map(async (callId) => {
      try {
        const from = giveUp ? null : innocent(readContinuation(files.readCall(callId)), death.suspect, log);
        if (from !== null && (await takeOver(from, { pulse: last.get(callId) ?? null, cause, setups }, deps))) count++;
        else files.forget(callId);
      } catch (error) {
        log.warn({ callId, error: messageOf(error) }, 'could not go on with a call');
        files.forget(callId);
      }
    }),
  );
  if (count === 0) journal.beginEmpty();
  return count;
}

/**
 * Whom to suspect of the process's death: the call that an error came from, as the process said with its last breath;
 * where it died soon after it went on with the calls, the one that it was busy with.
 */
function examineDeath(pulses: Pulses | null, lastBreath: unknown): { suspect: string | null; deaths: number } {
  const diedAtMs = Math.max(0, ...(pulses?.shards ?? []).map(({ atMs }) => atMs));
  const isLoop = pulses !== null && !pulses.handedOver && pulses.beganAtMs > 0 && diedAtMs - pulses.beganAtMs < SOON_MS;
  const busyWith = isLoop ? pulses.active : null;
  return {
    suspect: typeof lastBreath === 'string' ? lastBreath : busyWith,
    deaths: isLoop ? pulses.deaths + 1 : 0,
  };
}

/** Null for a call that has killed its engine twice. */
function innocent(from: Continuation | null, suspect: string | null, log: Logger): Continuation | null {
  if (from === null || from.call.id !== suspect) return from;
  const suspicions = from.suspicions + 1;
  if (suspicions < 2) return { ...from, suspicions };
  log.error({ callId: from.call.id }, 'the call has killed its engine twice: it is ended');
  return null;
}

async function takeOver(
  from: Continuation,
  { pulse, cause, setups }: { pulse: TakenCall['pulse']; cause: Resumption['cause']; setups: Setups },
  deps: TakeOverDeps,
): Promise<boolean> {
  const { read, writer, telephony, switchboard, engineId, clock, log, isShared } = deps;
  const { id: callId } = from.call;
  const gapMs = Math.round(pulse === null ? clock.nowMs() - from.writtenAtMs : sharedClockMs() - pulse.atMs);
  if (gapMs < 0 || gapMs > LONGEST_GAP_MS) return false;
  if (from.leg !== null && telephony.resume === undefined) return false;
  const setup = setups.get(callId) ?? (await readOpenCall(read, callId))?.setup;
  if (setup === undefined) return false;
  const atMs = Math.round(sharedClockMs() - from.beganAtMs);
  const resumption = { atMs, gapMs, cause };
  const nowMs = clock.nowMs();
  const taking = writer.runDurably('takeOverCall', { callId, from: from.engineId, to: engineId, resumption, nowMs });
  // Where several engines share the database, another one may have the call by now.
  if (isShared && !(await taking)) return false;
  const leg = (from.leg && telephony.resume?.(from.leg, clock.nowMs() - from.writtenAtMs)) ?? null;
  const transcript = taking.then(() => feedTranscript(read, callId));
  switchboard.resume({ from, leg, transcript, pulse, resumption }, setup);
  log.info({ callId, gapMs, cause }, 'the call goes on');
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
