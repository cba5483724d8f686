// Silences what is private in recordings of calls that ended without their conductor: after a crash, or on the disk of
// an engine that came back later.
import type { Logger } from 'pino';
import { endedTranscript } from '../../db/queries/calls/ended/redaction.ts';
import { feedTranscript } from '../../db/queries/calls/running/feed.ts';
import type { Db } from '../../db/schema.ts';
import { privateParts, silencePrivate } from '../call/private-audio.ts';
import { storedRedaction } from '../call/stored-redaction.ts';

/** False: it could not be silenced, and is removed. */
export async function silenceCutOff(
  callId: string,
  path: string,
  { read, log }: { read: Db; log: Pick<Logger, 'error'> },
): Promise<boolean> {
  const rules = await storedRedaction(read, callId, 'audio');
  if (rules === null) return true;
  const transcript = (await endedTranscript(read, callId)) ?? (await feedTranscript(read, callId));
  return silencePrivate(path, privateParts(transcript, rules, [Number.POSITIVE_INFINITY]), log);
}
