// Makes a simulation of a call: the caller's own voice, cut at their turns, each sentence to be said once the agent has
// asked what it asked then. What the rules of the business take out of a transcript is silent here.
import type { SpeechSpan } from '../../db/domain/calls/timeline.ts';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { isRedacted, type RedactionRules, redact } from '../../db/domain/redaction/find.ts';
import { rulesOf } from '../../db/domain/redaction/policy.ts';
import type { SimulationDefinition } from '../../db/domain/tests/definitions.ts';
import { getAgent } from '../../db/queries/businesses/agents.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { findTimeline } from '../../db/queries/calls/ended/timelines.ts';
import { clipBytes, insertClips } from '../../db/queries/test-runs/clips.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import type { TestClipTable } from '../../db/schema/test-suites.ts';
import { findRecording } from '../calls/recording/audio.ts';
import { callRow } from '../calls/service.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound, refused, retryLater } from '../frame/errors.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';
import { type CallerSound, CLIP_MS_MAX, openCallerSound } from './caller-sound.ts';
import { addCases, removeCase } from './cases.ts';
import type { CaseRecord, KeepAsTest } from './schema.ts';

/** A sentence begins before its first loud sample, and ends after its last one. */
const MARGIN_MS = 120;
/** Words are noted a little after their sound began. */
const EARLY_MS = 400;
const CUES_MAX = 60;
/** Of a case, together: a simulation is given no longer. Later turns are left out. */
const CASE_MS_MAX = 5 * MINUTE_MS;
/** Of an account's cases, together: an hour and a half of 8 kHz. */
const ACCOUNT_BYTES_MAX = 100_000_000;

/** Each reads a recording, and has minutes of sound in memory. */
const places = new PlacesPerAccount({
  what: 'calls being made into tests',
  total: 2,
  perAccount: 1,
  full: () => retryLater('TESTS_BUSY', 'Too many calls are being made into tests', 5),
});

interface Turn {
  text: string;
  /** The agent's last words before it. */
  answers: string;
  fromMs: number;
  toMs: number;
}

/** @throws {ApiError} 404, 409, 422, 429, 503 */
export const keepAsTest = (
  context: ApiContext,
  accountId: string,
  callId: string,
  wish: KeepAsTest,
): Promise<CaseRecord> => places.hold(accountId, () => keep(context, accountId, callId, wish));

async function keep(
  context: ApiContext,
  accountId: string,
  callId: string,
  { suiteId, name, checks = [] }: KeepAsTest,
): Promise<CaseRecord> {
  const call = await callRow(context.read, accountId, callId);
  const transcript = JSON.parse(call.transcript) as TranscriptEntry[];
  const timeline = await findTimeline(context.read, accountId, callId);
  if (call.endedAt === null || timeline?.speech == null) throw notFound('Recording');
  const sound = await soundOf(context, accountId, call);
  const turns = turnsOf(transcript, timeline.speech.caller);
  if (sound === null || turns.length === 0)
    throw invalid([{ field: 'id', message: 'is a call without a turn of the caller that was recorded' }]);
  const rules = await rulesFor(context, accountId, call);
  const { script, clips } = await scriptOf(turns, sound, rules);
  const definition = { caller: { script }, checks };
  const caseName = name ?? `Call of ${new Date(call.createdAt).toISOString().slice(0, 16)}`;
  const kind = 'simulation' as const;
  const [added] = await addCases(context, accountId, suiteId, [{ kind, name: caseName, definition }], callId);
  if (added === undefined) throw notFound('Test suite');
  const of = { caseId: added.id, accountId, suiteId, callId, sampleRateHz: sound.sampleRateHz };
  await keepClips(context, of, clips).catch(async (error: unknown) => {
    await removeCase(context, accountId, added.id);
    throw error;
  });
  return added;
}

/** Each turn as a sentence to be said, and its sound. `rules`: null: nothing is taken out. */
async function scriptOf(turns: readonly Turn[], sound: CallerSound, rules: RedactionRules | null) {
  const script: NonNullable<SimulationDefinition['caller']['script']> = [];
  const clips: Int16Array[] = [];
  for (const [clip, turn] of turns.entries()) {
    const kept = rules === null ? turn.text : redact(turn.text, rules);
    const samples = await sound.cut(turn);
    // Nobody knows which part of the sentence it was: all of it is silent.
    const isSilent = rules !== null && isRedacted(kept, rules);
    clips.push(isSilent ? new Int16Array(samples.length) : samples);
    const heard = rules === null ? turn.answers : redact(turn.answers, rules);
    script.push({ say: kept, clip, ...(heard === '' ? {} : { heard }) });
  }
  return { script, clips };
}

type ClipsOf = Omit<TestClipTable, 'position' | 'audio'>;

/** @throws {ApiError} 404 where the call was erased meanwhile: then nobody would find its audio again; 409 */
async function keepClips({ db }: ApiContext, of: ClipsOf, clips: readonly Int16Array[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await callRow(trx, of.accountId, of.callId)).erasedAt !== null) throw notFound('Recording');
    const bytes = clips.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if ((await clipBytes(trx, of.accountId)) + bytes > ACCOUNT_BYTES_MAX)
      throw refused('QUOTA_EXCEEDED', 'The voices of callers in the tests of an account have 100 MB at most, together');
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
  const turns = said
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
  let ms = 0;
  return turns.filter(({ fromMs, toMs }) => {
    ms += Math.min(toMs - fromMs, CLIP_MS_MAX);
    return ms <= CASE_MS_MAX;
  });
}

async function soundOf(context: ApiContext, accountId: string, call: CallTable): Promise<CallerSound | null> {
  const recording = await findRecording(context, accountId, call.id);
  if (recording.contentType !== 'audio/wav')
    throw invalid([{ field: 'id', message: 'is a call whose recording is MP3: only WAV can be cut' }]);
  return openCallerSound(context, recording);
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
