// Makes a simulation of a call: the caller's own voice, cut at their turns, each sentence to be said once the agent has
// asked what it asked then. What the rules of the business take out of a transcript is silent here.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SpeechSpan } from '../../db/domain/calls/timeline.ts';
import { isRedacted, type RedactionRules, redact } from '../../db/domain/redaction/find.ts';
import { rulesOf } from '../../db/domain/redaction/policy.ts';
import type { SimulationDefinition } from '../../db/domain/tests/definitions.ts';
import { getAgent } from '../../db/queries/businesses/agents.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { findTimeline } from '../../db/queries/calls/ended/timelines.ts';
import { insertClips } from '../../db/queries/test-runs/clips.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import type { TestClipTable } from '../../db/schema/test-suites.ts';
import { decodeWav } from '../../media/wav.ts';
import { findRecording } from '../calls/recording/audio.ts';
import { callRow } from '../calls/service.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound } from '../frame/errors.ts';
import { addCases, removeCase } from './cases.ts';
import type { CaseRecord, KeepAsTest } from './schema.ts';

/** A sentence begins before its first loud sample, and ends after its last one. */
const MARGIN_MS = 120;
/** Words are noted a little after their sound began. */
const EARLY_MS = 400;
const CUES_MAX = 60;

interface Turn {
  text: string;
  /** The agent's last words before it. */
  answers: string;
  fromMs: number;
  toMs: number;
}

/** @throws {ApiError} 404, 409, 422 */
export async function keepAsTest(
  context: ApiContext,
  accountId: string,
  callId: string,
  { suiteId, name, checks = [] }: KeepAsTest,
): Promise<CaseRecord> {
  const call = await callRow(context.read, accountId, callId);
  const transcript = JSON.parse(call.transcript) as TranscriptEntry[];
  const timeline = await findTimeline(context.read, accountId, callId);
  if (call.endedAt === null || timeline?.speech == null) throw notFound('Recording');
  const { sampleRateHz, channelsSamples } = await recordingOf(context, accountId, call);
  const [caller] = channelsSamples;
  const turns = turnsOf(transcript, timeline.speech.caller);
  if (caller === undefined || channelsSamples.length < 2 || turns.length === 0)
    throw invalid([{ field: 'id', message: 'is a call without a turn of the caller that was recorded' }]);
  const rules = await rulesFor(context, accountId, call);
  const { script, clips } = scriptOf(turns, { samples: caller, sampleRateHz }, rules);
  const definition = { caller: { script }, checks };
  const caseName = name ?? `Call of ${new Date(call.createdAt).toISOString().slice(0, 16)}`;
  const kind = 'simulation' as const;
  const [added] = await addCases(context, accountId, suiteId, [{ kind, name: caseName, definition }], callId);
  if (added === undefined) throw notFound('Test suite');
  const of = { caseId: added.id, accountId, suiteId, callId, sampleRateHz };
  await keepClips(context, of, clips).catch(async (error: unknown) => {
    await removeCase(context, accountId, added.id);
    throw error;
  });
  return added;
}

/** Each turn as a sentence to be said, and its sound. `rules`: null: nothing is taken out. */
function scriptOf(
  turns: readonly Turn[],
  { samples, sampleRateHz }: { samples: Int16Array; sampleRateHz: number },
  rules: RedactionRules | null,
) {
  const script: NonNullable<SimulationDefinition['caller']['script']> = [];
  const clips: Int16Array[] = [];
  const sampleAt = (ms: number): number => Math.round((ms * sampleRateHz) / 1_000);
  for (const [clip, { text, answers, fromMs, toMs }] of turns.entries()) {
    const kept = rules === null ? text : redact(text, rules);
    const sound = samples.slice(sampleAt(fromMs), sampleAt(toMs));
    // Nobody knows which part of the sentence it was: all of it is silent.
    const isSilent = rules !== null && isRedacted(kept, rules);
    clips.push(isSilent ? new Int16Array(sound.length) : sound);
    const heard = rules === null ? answers : redact(answers, rules);
    script.push({ say: kept, clip, ...(heard === '' ? {} : { heard }) });
  }
  return { script, clips };
}

type ClipsOf = Omit<TestClipTable, 'position' | 'audio'>;

/** @throws {ApiError} 404 where the call was erased meanwhile: then nobody would find its audio again */
async function keepClips({ db }: ApiContext, of: ClipsOf, clips: readonly Int16Array[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await callRow(trx, of.accountId, of.callId)).erasedAt !== null) throw notFound('Recording');
    await insertClips(
      trx,
      clips.map((samples, position) => ({ ...of, position, audio: bytesOf(samples) })),
    );
  });
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

/** The caller's turns with the sound that belongs to each: from its words to the next words of anybody. */
function turnsOf(transcript: readonly TranscriptEntry[], speech: readonly SpeechSpan[]): Turn[] {
  const said = transcript.filter(({ speaker, line }) => speaker !== 'person' && line === undefined);
  return said
    .flatMap((entry, index): Turn[] => {
      if (entry.speaker !== 'caller') return [];
      const beganMs = entry.timestamp - EARLY_MS;
      const nextMs = (said[index + 1]?.timestamp ?? Number.POSITIVE_INFINITY) - EARLY_MS;
      const spans = speech.filter(([fromMs]) => fromMs >= beganMs && fromMs < Math.max(nextMs, beganMs + 1));
      const [first, last] = [spans[0], spans.at(-1)];
      if (first === undefined || last === undefined) return [];
      const before = said.slice(0, index).findLast(({ speaker }) => speaker === 'agent');
      return [
        {
          text: entry.text,
          answers: before?.text ?? '',
          fromMs: Math.max(0, first[0] - MARGIN_MS),
          toMs: last[1] + MARGIN_MS,
        },
      ];
    })
    .slice(0, CUES_MAX);
}

async function recordingOf(context: ApiContext, accountId: string, call: CallTable) {
  const recording = await findRecording(context, accountId, call.id);
  if (recording.contentType !== 'audio/wav')
    throw invalid([{ field: 'id', message: 'is a call whose recording is MP3: only WAV can be cut' }]);
  const local = join(context.config.recordingsDir, basename(call.recordingPath ?? ''));
  const own = await readFile(local).catch(() => null);
  if (own !== null) return decodeWav(own);
  const chunks: Buffer[] = [];
  for await (const chunk of await recording.open(null, new AbortController().signal)) chunks.push(chunk as Buffer);
  return decodeWav(Buffer.concat(chunks));
}

/** Null: the business takes nothing out. */
async function rulesFor({ read }: ApiContext, accountId: string, call: CallTable): Promise<RedactionRules | null> {
  const business = await getBusiness(read, accountId, call.businessId);
  if (business === undefined) return null;
  const agent = await getAgent(read, accountId, call.agentId);
  const { language = 'en-US', additionalLanguages = '[]' } = agent ?? {};
  const ownNumber = call.direction === 'outbound' ? call.fromNumber : call.toNumber;
  const of = { business, agent: { language, additionalLanguages }, ownNumber, otherName: call.callerName };
  return rulesOf(of, 'test');
}
