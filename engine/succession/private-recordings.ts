// Silences what is private in recordings of calls that ended without their conductor: after a crash, or on the disk of
// an engine that came back later.
import type { Logger } from 'pino';
import { feedTranscript } from '../../db/queries/calls/feed.ts';
import type { TranscriptEntry } from '../../db/resources.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { Db } from '../../db/schema.ts';
import { privateParts, silencePrivate } from '../call/private-audio.ts';
import { redactionOf } from '../call/setup.ts';

/** False: it could not be silenced, and is removed. */
export async function silenceCutOff(
  callId: string,
  path: string,
  { read, log }: { read: Db; log: Pick<Logger, 'error'> },
): Promise<boolean> {
  const call = await read
    .selectFrom('calls')
    .innerJoin('businesses', 'businesses.id', 'calls.businessId')
    .innerJoin('agents', 'agents.id', 'calls.agentId')
    .select(['calls.fromNumber', 'calls.toNumber', 'calls.callerName', 'calls.direction', 'calls.transcript'])
    .select(['calls.endedAt', 'businesses.redaction', 'agents.language', 'agents.additionalLanguages'])
    .where('calls.id', '=', callId)
    .executeTakeFirst();
  if (call === undefined || call.redaction === null) return true;
  const setup = {
    business: { redaction: call.redaction },
    agent: { language: call.language, additionalLanguages: call.additionalLanguages },
  } as CallSetup;
  const rules = redactionOf({ call, setup, medium: { kind: call.direction } }, 'audio');
  if (rules === null) return true;
  const ended = call.endedAt === null ? null : (JSON.parse(call.transcript) as TranscriptEntry[]);
  const transcript = ended ?? (await feedTranscript(read, callId));
  return silencePrivate(path, privateParts(transcript, rules, [Number.POSITIVE_INFINITY]), log);
}
