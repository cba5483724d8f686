// After a crash: goes on with the calls that the engine of this folder had, by its journal. What cannot go on is left
// to close.ts, which hangs up and closes.

import type { Resumption } from '../../db/domain/calls/timeline.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { readDialog } from '../../db/queries/calls/running/dialogs.ts';
import { feedTranscript } from '../../db/queries/calls/running/feed.ts';
import { type CallSetup, readOpenCall } from '../../db/rules/routing.ts';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import {
  ageOf,
  BRIDGED_VERSION,
  CONTINUATION_VERSION,
  type Continuation,
  callIdOf,
  recordKeyOf,
  type TakenCall,
} from '../call/going-on/continuation.ts';
import { RINGING_VERSION, type RingingContinuation } from '../call/going-on/ringing.ts';
import { personIdOf } from '../call/going-on/transfer-continuation.ts';
import type { TimingsState } from '../call/timings.ts';
import type { Clock } from '../clock.ts';
import type { Journal, Pulses } from '../journal/journal.ts';
import type { CallPulse } from '../shard/protocol.ts';
import { LONGEST_GAP_MS } from '../silence.ts';
import type { Leg, LegState, StoredDialog, Telephony } from '../sip/telephony.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';
import { examineDeath, isCrashLoop, unlessPoison } from './crash-loop.ts';
import { type GoOnDeps, goOn } from './go-on.ts';
import { takeTransfer } from './taken-transfer.ts';

/** As often as code runs until it is compiled. */
const REHEARSALS = 60;

type Described = Continuation | RingingContinuation;

/** By call: what was read of it ahead of time. */
export type Setups = ReadonlyMap<string, CallSetup>;

export interface TakeOverDeps extends GoOnDeps {
  journal: Pick<Journal, 'files' | 'begin' | 'beginEmpty' | 'changed'>;
  telephony: Pick<Telephony, 'resume' | 'resumeRinging' | 'endStored'>;
  switchboard: Pick<Switchboard, 'resume' | 'rehearse'>;
  /** Other engines may work on the same database. */
  isShared: boolean;
}

/**
 * While another engine still has the calls: goes on with each as if it were this one's, on no line, so that all that
 * this takes is loaded and compiled by the time when their callers wait for it; and reads the settings of each.
 */
export async function rehearseTakeOver(deps: TakeOverDeps): Promise<Setups> {
  const { journal, read, writer, switchboard, engineId, clock } = deps;
  const setups = new Map<string, CallSetup>();
  const resumption = { atMs: 0, gapMs: 0, cause: 'upgrade' } as const;
  const last = lastPulses(journal.files.readPulse() as Pulses | null);
  const began: Rehearsed[] = [];
  for (const callId of [...callsOf(journal), 'call_none']) {
    const from = readContinuation(journal.files.readCall(callId));
    const open = await readOpenCall(read, callId);
    if (open !== null) setups.set(callId, open.setup);
    if (open !== null && from?.version === CONTINUATION_VERSION)
      began.push({ from, pulse: last.get(callId) ?? null, setup: open.setup });
    await feedTranscript(read, callId);
    await readDialog(read, { callId, leg: 'peer' });
    // It is not this engine's call: nothing changes.
    await writer.runDurably('takeOrphans', { calls: [{ callId, from: engineId }], to: engineId });
    await writer.runDurably('takeOverCall', { callId, from: engineId, to: engineId, resumption, nowMs: clock.nowMs() });
  }
  for (let nth = 0; nth < REHEARSALS && began.length > 0; nth++) {
    const { from, pulse, setup } = began[nth % began.length] as Rehearsed;
    const transcript = Promise.resolve([]);
    switchboard.rehearse(
      { from, leg: from.leg && nobody(from.leg), transcript, pulse, record: null, resumption },
      setup,
    );
    // Timers and packets of the threads beside it come first.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return setups;
}

interface Rehearsed {
  from: Continuation;
  pulse: TakenCall['pulse'];
  setup: CallSetup;
}

/** A leg on no line. */
const nobody = (state: LegState): Leg => ({
  sipCallId: state.sipCallId,
  direction: 'inbound',
  state,
  onEvent: () => undefined,
  hangUp: () => undefined,
  refer: () => undefined,
  sendInfoDigits: () => undefined,
});

/** Returns the number of calls that go on. The telephony is up, and nobody else has the calls. */
export async function takeOverCalls(deps: TakeOverDeps, setups: Setups = new Map()): Promise<number> {
  const { journal, log } = deps;
  const { files } = journal;
  const pulses = files.readPulse() as Pulses | null;
  const death = examineDeath(pulses, files.takeSuspect());
  journal.begin(death.deaths, pulses?.shards ?? []);
  const giveUp = isCrashLoop(death);
  if (giveUp) log.error('the engine has died again and again with its calls: they are ended');
  const last = lastPulses(pulses);
  const cause = pulses?.handedOver ? 'upgrade' : 'crash';
  /** Null where nobody goes on with the call. */
  const orNull = async <T>(callId: string, work: () => Promise<T | null> | T | null): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      log.warn({ callId, error: messageOf(error) }, 'could not go on with a call');
      return null;
    }
  };
  const left = giveUp ? [] : callsOf(journal);
  const examined = await Promise.all(
    left.map((callId) =>
      orNull(callId, () => {
        const from = unlessPoison(readContinuation(files.readCall(callId)), death, log);
        return from && examine(from, last.get(callId) ?? null, setups, deps);
      }),
    ),
  );
  const owned = await own(
    examined.filter((each) => each !== null),
    deps,
  );
  const begun = await Promise.all(
    owned.map((each) => orNull(each.from.call.id, () => take(each, { last, cause }, deps))),
  );
  const goingOn = new Set(begun.filter((callId) => callId !== null));
  for (const callId of callsOf(journal)) if (!goingOn.has(callId)) forget(callId, journal);
  if (goingOn.size === 0) journal.beginEmpty();
  return goingOn.size;
}

/** Ids of the calls of which something is in the journal. */
const callsOf = ({ files }: TakeOverDeps['journal']): string[] => [...new Set(files.calls().map(callIdOf))];

function forget(callId: string, { files }: TakeOverDeps['journal']): void {
  for (const key of [callId, recordKeyOf(callId)]) files.forget(key);
}

/** A call with which this engine can go on. */
interface Examined {
  from: Described;
  pulse: TakenCall['pulse'];
  setup: CallSetup;
}

async function examine(
  from: Described,
  pulse: Examined['pulse'],
  setups: Setups,
  deps: TakeOverDeps,
): Promise<Examined | null> {
  const { read, telephony, clock } = deps;
  const { id: callId } = from.call;
  const gapMs = gapOf({ from, pulse }, clock);
  if (gapMs < 0 || gapMs > LONGEST_GAP_MS) return null;
  if (from.leg !== null && telephony.resume === undefined) return null;
  const setup = setups.get(callId) ?? (await readOpenCall(read, callId))?.setup;
  if (setup === undefined) return null;
  if (from.version !== RINGING_VERSION) return { from, pulse, setup };
  return telephony.resumeRinging !== undefined && (await stillRings(from, deps)) ? { from, pulse, setup } : null;
}

const gapOf = ({ from, pulse }: Pick<Examined, 'from' | 'pulse'>, clock: Clock): number =>
  Math.round(pulse === null ? ageOf(from, clock.nowMs()) : sharedClockMs() - pulse.atMs);

/** Where several engines share the database, another one may have some of them by now. */
async function own(calls: Examined[], { writer, engineId, isShared }: TakeOverDeps): Promise<Examined[]> {
  if (!isShared || calls.length === 0) return calls;
  const orphans = calls.map(({ from }) => ({ callId: from.call.id, from: from.engineId }));
  const taken = new Set(await writer.runDurably('takeOrphans', { calls: orphans, to: engineId }));
  return calls.filter(({ from }) => taken.has(from.call.id));
}

/** @returns the call's id; null if its leg cannot be taken */
async function take(
  { from, pulse, setup }: Examined,
  { last, cause }: { last: ReturnType<typeof lastPulses>; cause: Resumption['cause'] },
  deps: TakeOverDeps,
): Promise<string | null> {
  const { telephony, journal, clock, engineId, isShared } = deps;
  const { id: callId } = from.call;
  const elapsedMs = ageOf(from, clock.nowMs());
  const of = { setup, owner: isShared ? engineId : from.engineId, gapMs: gapOf({ from, pulse }, clock), cause };
  if (from.version === RINGING_VERSION) {
    const leg = telephony.resumeRinging?.(from.leg, elapsedMs, storesDialog(callId, deps));
    if (leg === undefined) return null;
    void goOn({ ...of, left: { from, leg } }, deps);
  } else {
    const personPulse = last.get(from.transfer?.person?.audioId ?? personIdOf(callId)) ?? null;
    const transfer = await takeTransfer(from, personPulse, deps);
    const leg = (from.leg && telephony.resume?.(from.leg, elapsedMs)) ?? null;
    const record = journal.files.readCall(recordKeyOf(callId)) as TimingsState | null;
    void goOn({ ...of, left: { from, leg, pulse, record, transfer } }, deps);
  }
  return callId;
}

/**
 * False where the journal is behind: each INVITE is stored before it leaves, and its answer after that. A call whose
 * answer has been acknowledged would ring for ever.
 */
async function stillRings({ call, leg }: RingingContinuation, { read }: TakeOverDeps): Promise<boolean> {
  const stored = (await readDialog(read, { callId: call.id, leg: 'peer' })) as StoredDialog | null;
  return stored !== null && stored.state === 'inviting' && stored.inviteVia === leg.dialog.inviteVia;
}

/** As the conductor stores the dialog of each INVITE before that leaves. */
function storesDialog(callId: string, { writer, journal, clock }: TakeOverDeps) {
  return async (dialog: StoredDialog): Promise<void> => {
    await writer.runDurably('storeDialog', { callId, leg: 'peer', dialog, nowMs: clock.nowMs() });
    journal.changed(callId);
  };
}

/** Null for what another release has written. */
function readContinuation(read: unknown): Described | null {
  const from = read as Described | null;
  const known: unknown[] = [CONTINUATION_VERSION, BRIDGED_VERSION, RINGING_VERSION];
  return known.includes(from?.version) ? from : null;
}

/** By call. */
function lastPulses(read: unknown): Map<string, CallPulse & { atMs: number }> {
  const { shards } = (read as Pulses | null) ?? { shards: [] };
  return new Map(shards.flatMap(({ atMs, calls }) => calls.map((call) => [call.callId, { ...call, atMs }] as const)));
}
