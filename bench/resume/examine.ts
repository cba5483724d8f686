// Examines conversations whose engines were killed in the database: one end each, nothing said twice, one recording.
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import { decodeWav } from '../../media/wav.ts';
import { eventually } from '../rig/eventually.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';

interface Examined {
  calls: number;
  endedOnce: number;
  open: number;
  saidTwice: number;
  recordings: number;
  wholeRecordings: number;
  violations: string[];
}

const RECORDED_SLACK_SECONDS = 2;
/** Recordings that are opened; the others are like them. */
const OPENED = 100;

export async function examineConversations(db: Db, service: Service): Promise<Examined> {
  const openCalls = () => db.selectFrom('calls').select('id').where('endedAt', 'is', null).execute();
  await eventually(async () => (await openCalls()).length === 0, 'every call has ended').catch(() => undefined);
  const open = (await openCalls()).length;
  const calls = await db.selectFrom('calls').selectAll().orderBy('id').execute();
  const ends = await db.selectFrom('events').select('subjectId').where('type', '=', 'call.ended').execute();
  const endsOf = new Map<string, number>();
  for (const { subjectId } of ends) endsOf.set(subjectId, (endsOf.get(subjectId) ?? 0) + 1);
  const violations: string[] = [];
  let [endedOnce, saidTwice, recordings, wholeRecordings] = [0, 0, 0, 0];
  const rest = await new Rest(service).login();
  for (const call of calls) {
    const count = endsOf.get(call.id) ?? 0;
    if (count === 1) endedOnce++;
    else violations.push(`${call.id} has ${count} events call.ended`);
    const twice = repeated(JSON.parse(call.transcript ?? '[]') as TranscriptEntry[]);
    saidTwice += twice.length;
    const told = twice.length === 0 ? '' : ` in ${call.transcript}`;
    for (const text of twice) violations.push(`${call.id} heard twice: ${text}${told}`);
    if (call.recordingPath === null || recordings >= OPENED) continue;
    recordings++;
    const seconds = await recordedSeconds(rest, call.id);
    if (Math.abs(seconds - (call.durationSeconds ?? 0)) <= RECORDED_SLACK_SECONDS) wholeRecordings++;
    else violations.push(`${call.id}: ${seconds.toFixed(1)} s of ${call.durationSeconds} were recorded`);
  }
  if (open > 0) violations.push(`${open} calls are open`);
  return { calls: calls.length, endedOnce, open, saidTwice, recordings, wholeRecordings, violations };
}

/** Answers are numbered, so the same words twice are the same answer. */
function repeated(transcript: readonly TranscriptEntry[]): string[] {
  const answers = transcript.flatMap(({ speaker, text }) =>
    speaker === 'agent' ? (/Answer \d+ of \S+/.exec(text) ?? []) : [],
  );
  return answers.filter((text, at) => answers.indexOf(text) !== at);
}

async function recordedSeconds(rest: Rest, callId: string): Promise<number> {
  const { status, body } = await rest.bytes(`/calls/${callId}/audio`);
  if (status !== 200) return 0;
  const wav = decodeWav(body);
  return (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
}
