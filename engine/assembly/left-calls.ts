// Calls whose process has ended: they go on here, or are hung up and closed.
import { isMovable } from '../call/going-on/moved.ts';
import { answersAnyhow, knock } from '../cluster/ask-engine.ts';
import type { Places } from '../cluster/places.ts';
import { MovedCalls } from '../succession/by-database.ts';
import { rehearseTakeOver, type Setups, takeOverCalls } from '../succession/by-journal.ts';
import { closeCall, closeLeftCalls, LostCalls } from '../succession/close.ts';
import { FailureDetector, type FailureDetectorOptions } from '../succession/failure-detector.ts';
import type { RunningCalls } from '../switchboard/running-calls.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';
import type { Line } from './line.ts';
import type { Media } from './media.ts';
import type { Recordings } from './recordings.ts';
import type { Storage } from './storage.ts';

interface SuccessionParts {
  telephony: Line['telephony'];
  switchboard: Switchboard;
  running: RunningCalls;
  places: Places;
  recordingState: Recordings['state'];
}

export function connectSuccession(storage: Storage, media: Media, parts: SuccessionParts) {
  const { config, clock, log, outage, read, writer, secretKey, engineId, home, isShared, skewMs } = storage;
  const { journal } = media;
  const { admission } = media.load;
  const { telephony, switchboard, running, places, recordingState } = parts;
  const { recordingsDir } = config;
  const now = (): number => clock.nowMs();

  const taking =
    journal === null ? null : { journal, read, writer, telephony, switchboard, engineId, isShared, clock, log };
  let rehearsed: Promise<Setups> | undefined;
  if (taking !== null) telephony.expectCalls?.(true);
  const closing = { read, writer, telephony, engineId, recordingsDir, recordingState, now, log };
  const movedCalls = new MovedCalls({
    ...{ read, writer, telephony, switchboard, admission, places, engineId, home, recordingsDir, clock, skewMs, log },
    sealingKey: secretKey,
    isOn: journal !== null,
    close: (orphan) => closeCall(orphan, closing),
  });
  // With one engine there is nobody else who could go on.
  const claiming = isShared ? { claim: movedCalls.claim.bind(movedCalls) } : {};
  const closeLeft = (): Promise<number> => closeLeftCalls({ ...closing, ...claiming });
  if (isShared)
    journal?.share({
      skewMs,
      isMovable,
      write: (callId, sealed) =>
        writer.run('writeContinuation', { callId, engineId, sealed, writtenAt: now() + skewMs() }),
      remove: (callId) => writer.run('deleteContinuation', { callId }),
    });

  return {
    /** Goes on with the calls of the engine that had this folder before. */
    takeOver: async (): Promise<void> => {
      if (taking !== null) await takeOverCalls(taking, await rehearsed);
      telephony.expectCalls?.(false);
    },
    /** Before that engine leaves them. */
    rehearse: async (): Promise<void> => {
      if (taking !== null) rehearsed = rehearseTakeOver(taking);
      await rehearsed;
    },
    /** Goes on with calls of engines that were lost with their machines. */
    takeMoved: () => movedCalls.look(),
    /** Closes the calls that engines which have ended left open. */
    closeLeft,
    lostCalls: new LostCalls(closing, (callId) => running.has(callId) || movedCalls.has(callId)),
    /** Finds out which other engines have died. */
    failureDetector: ({ sipUri, soundSince }: { sipUri: string } & Pick<FailureDetectorOptions, 'soundSince'>) =>
      new FailureDetector({
        ...{ read, writer, engineId, clock, log, outage, skewMs, soundSince },
        answers: (engine) => answersAnyhow(engine, { sealingKey: secretKey, nowMs: now, telephony, sipUri }),
        knock,
        closeCalls: closeLeft,
      }),
  };
}
