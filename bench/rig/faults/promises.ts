// Examines the service's promises about its calls under any fault: after everything has settled, in the database, at
// the far side of the trunk, at the webhook receiver and through the API.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../db/database.ts';
import { fanOutPosition, hasEventsAfter } from '../../../db/queries/webhooks/events.ts';
import type { Db } from '../../../db/schema.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import { decodeWav } from '../../../media/wav.ts';
import { pause } from '../conversation/scenario.ts';
import type { Receiver } from '../service/receiver.ts';
import type { Rest } from '../service/rest.ts';
import type { FarSide, Load } from './fault-load.ts';

interface Witnesses {
  dataDir: string;
  client: Rest;
  load: Load;
  farSide: FarSide;
  receiver: Receiver;
  /** The disk did not accept audio for some time: recordings may be missing, but existing ones must open. */
  losesAudio: boolean;
  /** Most seconds by which the service may have seen the end of a call later than its caller. */
  latenessSeconds: number;
}

export interface Examination {
  calls: Record<string, number>;
  events: number;
  received: number;
  duplicates: number;
  invites: number;
  recordings: number;
  /** Empty if all promises were kept. */
  violations: string[];
}

/** A call accepted while the engine is down expires after 30 s. */
const SETTLE_TIMEOUT_MS = 90_000;
const TERMINAL: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'VOICEMAIL']);
/** For rounding up, and for a late answer on a busy machine. */
const DURATION_SLACK_SECONDS = 2;
/**
 * A recorder writes a second at a time: a dying thread loses the last one, which is all of a short call.
 */
const RECORDED_FROM_SECONDS = 2;
const LOST_RECORDING_MS = 5_000;

/** Waits until nothing is open or in flight. `examine` reports anything that does not settle. */
export async function settle(
  { dataDir, farSide }: Pick<Witnesses, 'dataDir' | 'farSide'>,
  log: (line: string) => void,
): Promise<void> {
  const db = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  const until = performance.now() + SETTLE_TIMEOUT_MS;
  let left = '';
  while (performance.now() < until) {
    const open = await db.selectFrom('calls').select('id').where('endedAt', 'is', null).execute();
    const queued = await db.selectFrom('webhookQueue').select('eventSeq').execute();
    const places = await placesTaken(db);
    // An event that nobody has taken from the outbox yet waits in no queue.
    const isTaken = !(await hasEventsAfter(db, await fanOutPosition(db)));
    left = [
      `${open.length} calls open`,
      `${places} places taken`,
      isTaken ? 'outbox empty' : 'events in the outbox',
      `${queued.length} deliveries waiting`,
      `${farSide.open()} legs up`,
    ].join(', ');
    if (open.length + places + queued.length + farSide.open() === 0 && isTaken) break;
    left = `not settled: ${left}`;
    await pause(250);
  }
  log(left);
  await db.destroy();
}

export async function examine(witnesses: Witnesses): Promise<Examination> {
  const path = join(witnesses.dataDir, 'voice.db');
  const db = openDatabase(path, { readonly: true });
  const violations: string[] = [];
  const calls = await examineCalls(db, witnesses, violations);
  const events = await examineEvents(db, witnesses, violations);
  examineFarSide(witnesses, violations);
  await examineWhatIsLeft(db, violations);
  await examineMinutes(db, violations);
  await examineAudio(db, witnesses, violations);
  await db.destroy();
  const raw = openRaw(path, { readonly: true });
  const integrity = raw.pragma('integrity_check', { simple: true });
  raw.close();
  if (integrity !== 'ok') violations.push(`integrity_check: ${integrity}`);
  const recordings = examineFiles(join(witnesses.dataDir, 'recordings'), violations);
  return { calls, ...events, invites: [...witnesses.farSide.legs.values()].flat().length, recordings, violations };
}

/** Every call has one end and its caller's duration, and no accepted call is lost. */
async function examineCalls(
  db: Db,
  { load, latenessSeconds }: Witnesses,
  violations: string[],
): Promise<Record<string, number>> {
  const calls = await db.selectFrom('calls').selectAll().execute();
  const statuses: Record<string, number> = {};
  for (const call of calls) {
    statuses[call.status] = (statuses[call.status] ?? 0) + 1;
    if (call.endedAt === null || !TERMINAL.has(call.status)) {
      violations.push(`${call.id} has not ended: ${call.status}`);
    }
    const talked = load.talkedSeconds.get(call.fromNumber);
    if (talked === undefined || call.status !== 'COMPLETED') continue;
    const { id, durationSeconds } = call;
    const isTooShort = durationSeconds < talked - DURATION_SLACK_SECONDS;
    const gone = load.goneSeconds.get(call.fromNumber) ?? talked;
    const isTooLong = durationSeconds > gone + DURATION_SLACK_SECONDS + latenessSeconds;
    if (isTooShort || isTooLong) violations.push(`${id} lasted ${talked.toFixed(1)} s and counts ${durationSeconds} s`);
  }
  const known = new Set(calls.map(({ id }) => id));
  for (const id of load.accepted) if (!known.has(id)) violations.push(`${id} was accepted and is gone`);
  return statuses;
}

/** Every call has exactly one `call.ended`, with one id, and every event is delivered. */
async function examineEvents(
  db: Db,
  { receiver }: Witnesses,
  violations: string[],
): Promise<Pick<Examination, 'events' | 'received' | 'duplicates'>> {
  const calls = await db.selectFrom('calls').select('id').execute();
  const events = await db.selectFrom('events').select(['id', 'type', 'subjectId']).execute();
  const ended = new Map<string, string[]>();
  for (const event of events) {
    if (event.type === 'call.ended') ended.set(event.subjectId, [...(ended.get(event.subjectId) ?? []), event.id]);
  }
  const receivedIds = new Set(receiver.received.map(({ id }) => id));
  const endedReceived = new Map<string, Set<string>>();
  for (const { id, type, body } of receiver.received) {
    if (type !== 'call.ended') continue;
    const callId = (JSON.parse(body) as { data: { id: string } }).data.id;
    endedReceived.set(callId, (endedReceived.get(callId) ?? new Set()).add(id));
  }
  for (const { id } of calls) {
    if (ended.get(id)?.length !== 1) violations.push(`${id}: ${ended.get(id)?.length ?? 0} call.ended`);
    if (endedReceived.get(id)?.size !== 1) {
      violations.push(`${id}: ${endedReceived.get(id)?.size ?? 0} call.ended ids received`);
    }
  }
  for (const { id, type } of events) if (!receivedIds.has(id)) violations.push(`${type} ${id} was never received`);
  const written = new Set(events.map(({ id }) => id));
  for (const id of receivedIds) if (!written.has(id)) violations.push(`${id} was received and is not in the outbox`);
  return {
    events: events.length,
    received: receivedIds.size,
    duplicates: receiver.received.length - receivedIds.size,
  };
}

function examineFarSide({ farSide }: Witnesses, violations: string[]): void {
  for (const [called, legs] of farSide.legs) {
    if (legs.length > 1) violations.push(`${called} was dialled ${legs.length} times`);
  }
  if (farSide.open() > 0) violations.push(`${farSide.open()} callees are left on a dead line`);
}

async function placesTaken(db: Db): Promise<number> {
  const engines = await db.selectFrom('engines').select('activeCalls').where('state', '=', 'up').execute();
  return engines.reduce((sum, { activeCalls }) => sum + activeCalls, 0);
}

/** No capacity, contact, attempt or dialog is left to an ended call. */
async function examineWhatIsLeft(db: Db, violations: string[]): Promise<void> {
  const places = await placesTaken(db);
  if (places > 0) violations.push(`${places} places are taken`);
  for (const contact of await db.selectFrom('contacts').select('id').where('status', '=', 'CALLING').execute()) {
    violations.push(`contact ${contact.id} is still being called`);
  }
  const attempts = await db.selectFrom('dialAttempts').select('callId').where('endedAt', 'is', null).execute();
  for (const { callId } of attempts) violations.push(`the attempt of ${callId} has not ended`);
  const dialogs = await db
    .selectFrom('callDialogs')
    .leftJoin('calls', 'calls.id', 'callDialogs.callId')
    .select(['callId', 'leg', 'direction', 'status', 'endReason'])
    .execute();
  for (const { callId, leg, direction, status, endReason } of dialogs) {
    const call = status === null ? 'which was never written' : `${direction}, ${status}, ${endReason}`;
    violations.push(`the dialog of ${leg} in ${callId} (${call}) is still stored`);
  }
}

async function examineMinutes(db: Db, violations: string[]): Promise<void> {
  const calls = await db.selectFrom('calls').select(['accountId', 'durationSeconds']).execute();
  const usage = await db.selectFrom('accountUsage').select(['accountId', 'seconds']).execute();
  const left = new Map<string, number>();
  for (const { accountId, durationSeconds } of calls) {
    left.set(accountId, (left.get(accountId) ?? 0) + durationSeconds);
  }
  for (const { accountId, seconds } of usage) left.set(accountId, (left.get(accountId) ?? 0) - seconds);
  for (const [accountId, seconds] of left) {
    if (seconds !== 0) violations.push(`${accountId}: calls and counted minutes differ by ${seconds} s`);
  }
}

/** The service is given a moment to see that a lost thread took a recording with it: then its call names none. */
async function recordingFault(db: Db, client: Rest, callId: string): Promise<string | null> {
  for (const until = performance.now() + LOST_RECORDING_MS; ; await pause(250)) {
    const { status, body } = await client.bytes(`/calls/${callId}/audio`);
    if (status === 200 && body.length > 44) return null;
    const call = await db.selectFrom('calls').select('recordingPath').where('id', '=', callId).executeTakeFirst();
    if (call?.recordingPath === null) return null;
    if (performance.now() > until) return `${status}, ${body.length} bytes`;
  }
}

/** Every recording named by a call is served, and every completed call of a caller has one, unless it was short. */
async function examineAudio(db: Db, { client, load, losesAudio }: Witnesses, violations: string[]): Promise<void> {
  const calls = await db.selectFrom('calls').select(['id', 'status', 'fromNumber', 'recordingPath']).execute();
  for (const { id, status, fromNumber, recordingPath } of calls) {
    if (recordingPath === null) {
      const talked = load.talkedSeconds.get(fromNumber) ?? 0;
      if (!losesAudio && status === 'COMPLETED' && talked >= RECORDED_FROM_SECONDS)
        violations.push(`${id} has no recording`);
      continue;
    }
    const fault = await recordingFault(db, client, id);
    if (fault !== null) violations.push(`the recording of ${id} is not served: ${fault}`);
  }
}

function examineFiles(folder: string, violations: string[]): number {
  const files = readdirSync(folder).filter((name) => /\.(wav|mp3)$/.test(name));
  for (const name of files) {
    const bytes = readFileSync(join(folder, name));
    try {
      if (name.endsWith('.wav')) decodeWav(bytes);
      else if (bytes[0] !== 0xff && bytes.toString('latin1', 0, 3) !== 'ID3') throw new Error('no MP3 frame');
    } catch (error) {
      violations.push(`recording ${name} does not open: ${error instanceof Error ? error.message : error}`);
    }
  }
  return files.length;
}
