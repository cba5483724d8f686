// A call of an engine that was lost with its machine, as that engine has described it in the database. Here it gets
// another port and a new stream, and its times are put on this machine's clocks.
import { basename, join } from 'node:path';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import type { Leg, LegState, LocalAudio } from '../../sip/telephony.ts';
import { CallAudio } from '../call-audio.ts';
import type { ConductorDeps, ConductorOptions } from '../context.ts';
import { LanguageChoices } from '../languages/language-choices.ts';
import type { TimingsState } from '../timings.ts';
import {
  BRIDGED_VERSION,
  CONTINUATION_VERSION,
  type Continuation,
  isBridged,
  reopening,
  type TakenCall,
} from './continuation.ts';
import type { PersonContinuation, TakenTransfer, TransferContinuation } from './transfer-continuation.ts';

/** A call that engines die of must not go through all of them. */
const MOVES_MAX = 2;

/** As the database has it (engine/journal/shared-journal.ts). */
export interface SharedCall {
  call: Continuation;
  /** Null if it has grown too long. */
  record: TimingsState | null;
  rest: {
    /** Ms that the database's clock was ahead of the engine's. */
    skewMs: number;
    pulse: TakenCall['pulse'];
  };
}

/**
 * Whether its peers could send their audio elsewhere: telephones, the caller's and the person's who talks to them, are
 * asked to; a browser joins again by itself.
 */
export function isMovable(described: object): boolean {
  const { version, leg, state, medium, resumptions, writtenAtSharedMs, transfer } = described as Partial<Continuation>;
  if (state?.phase !== 'answered') return false;
  const isWithPerson = version === BRIDGED_VERSION;
  if (isWithPerson ? !transfer?.person?.leg : version !== CONTINUATION_VERSION) return false;
  if (!leg && medium?.kind !== 'web') return false;
  // Of an earlier release, whose times cannot be told.
  if (writtenAtSharedMs === undefined) return false;
  return (resumptions ?? []).filter(({ cause }) => cause === 'moved').length < MOVES_MAX;
}

/** The person who talks to the caller; null: nobody does. */
export const personOf = (from: Continuation): MovedPerson | null => {
  const person = isBridged(from) ? from.transfer?.person : null;
  return person?.leg ? { ...person, leg: person.leg } : null;
};

export type MovedPerson = PersonContinuation & { leg: LegState };

/**
 * The transfer as it goes on here: with the person's leg, or one that the caller's side performs. Null where nobody can
 * go on with it: the telephone that was called rings for a machine that is gone.
 */
export function movedTransfer(
  { transfer = null }: Continuation,
  person: { was: MovedPerson; leg: Leg; state: LegState; port: number } | null,
  elapsedMs: number,
): TakenTransfer | null {
  if (transfer === null) return null;
  if (person === null) {
    return transfer.state.phase === 'referring' ? { from: transfer, elapsedMs, pulse: null } : null;
  }
  const { was, leg, state, port } = person;
  return { from: { ...transfer, person: { ...was, leg: state, port } }, leg, elapsedMs, pulse: null };
}

interface HereOptions {
  /** By the database's clock, and by this machine's. */
  databaseNowMs: number;
  nowMs: number;
  recordingsDir: string;
}

/** The call by this machine's clocks. Its audio has no port yet, and its stream will be another one. */
export function movedHere(
  { call, rest }: SharedCall,
  { databaseNowMs, nowMs, recordingsDir }: HereOptions,
): Pick<TakenCall, 'from' | 'pulse'> {
  const ageMs = Math.max(0, databaseNowMs - (call.writtenAtMs + rest.skewMs));
  const writtenAtSharedMs = sharedClockMs() - ageMs;
  const aheadMs = writtenAtSharedMs - (call.writtenAtSharedMs ?? 0);
  const { recordingPath, beganAtMs } = call;
  return {
    from: {
      ...call,
      writtenAtMs: nowMs - ageMs,
      writtenAtSharedMs,
      beganAtMs: beganAtMs + aheadMs,
      port: 0,
      // The recording so far is on the other machine's disk: in this file it is silence.
      recordingPath: recordingPath && join(recordingsDir, basename(recordingPath)),
      ...(call.transfer ? { transfer: aheadBy(call.transfer, aheadMs) } : {}),
    },
    pulse: rest.pulse && { ...rest.pulse, atMs: rest.pulse.atMs + aheadMs, stream: null, hasHeard: false },
  };
}

function aheadBy(transfer: TransferContinuation, aheadMs: number): TransferContinuation {
  const { person } = transfer;
  if (person?.beganAtMs == null) return transfer;
  return { ...transfer, person: { ...person, beganAtMs: person.beganAtMs + aheadMs } };
}

export interface MovedAudio extends LocalAudio {
  close(): void;
}

/** Binds a port for the call. `Conductor.resume` goes on with it. @throws if there is none */
export function openMovedAudio(
  deps: ConductorDeps,
  options: ConductorOptions,
  of: Pick<TakenCall, 'from' | 'pulse'>,
): Promise<MovedAudio> {
  const choices = new LanguageChoices(options.setup, () => deps.voices?.() ?? []);
  const audio = new CallAudio(deps, options, choices);
  return new Promise((resolve, reject) => {
    audio.open(
      of.from.recordingPath,
      (event) => {
        if (event.type === 'opened') resolve({ ...audio.at(event), close: () => audio.send({ type: 'close' }) });
        else if (event.type === 'open-failed') reject(new Error(event.message));
      },
      reopening(of),
      of.from.languages,
    );
  });
}
