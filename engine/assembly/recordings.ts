// A recording's way after its call: encoded, put into the object store where there is one.
import { onDisk } from '../../db/domain/calls/recording-state.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { openFiles } from '../../db/shared/files/open-files.ts';
import { AfterCallQueue } from '../after-call/after-call-queue.ts';
import { RecordingUploads } from '../after-call/recording-uploads.ts';
import { silenceCutOff } from '../succession/private-recordings.ts';
import type { Media } from './media.ts';
import type { Storage } from './storage.ts';

export type Recordings = Awaited<ReturnType<typeof openRecordings>>;

/** `isRunning`: whether the call is still going on at this engine. */
export async function openRecordings(
  { config, clock, log, outage, read, writer, home, isShared }: Storage,
  { dialogue }: Media,
  isRunning: (callId: string) => boolean,
) {
  const { recordingsDir } = config;
  const files = await openFiles(config);
  // Other engines, and APIs on other machines, must not take its files for missing.
  const state = files.kind === 's3' || isShared ? onDisk(home) : null;
  const afterCall = new AfterCallQueue({
    read,
    writer,
    get model() {
      return dialogue.model;
    },
    recordingsDir,
    recordingState: state,
    onSettled: () => uploads?.wake(),
    clock,
    log,
  });
  const uploads =
    state === null
      ? null
      : new RecordingUploads({
          silence: (callId, path) => silenceCutOff(callId, path, { read, log }),
          read,
          writer,
          files,
          recordingsDir,
          state,
          isBusy: (callId) => isRunning(callId) || afterCall.isSettling(callId),
          clock,
          log,
          outage,
        });
  return {
    state,
    afterCall,
    waiting: () => uploads?.waiting ?? null,
    /** Takes up what earlier engines of this folder have left. */
    resume(): void {
      afterCall
        .resume(clock.nowMs())
        .catch((error: unknown) =>
          log.error({ error: messageOf(error) }, 'could not resume the encoding of earlier recordings'),
        )
        // First it must know which recordings become an MP3.
        .finally(() => uploads?.start());
      if (uploads === null) return;
      files.check().catch((error: unknown) => {
        log.warn({ error: messageOf(error) }, 'the object store cannot be used: recordings wait on the disk');
      });
    },
    async stop(): Promise<void> {
      await uploads?.stop();
      await files.close();
      await afterCall.stop();
      await uploads?.idle();
    },
  };
}
