// Kills the engine, the API or both with -9 at seeded moments under load, then checks what is left against what was
// promised: see `violations`.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, openRaw } from '../db/sqlite.ts';
import { decodeWav } from '../media/wav.ts';
import { type Receiver, startReceiver, TEST_AUTHORITY } from '../test/support/receiver.ts';
import { Client, FarSide, type Load, runLoad, seeded } from './kill-load.ts';
import { KillableProcess } from './kill-service.ts';
import { INSTANT, pause } from './scenario.ts';
import { ADMIN } from './service.ts';

export interface KillOptions {
  kills: number;
  seed: number;
  /** How long a kill waits for the previous victim to recover; after that it comes anyway. */
  patienceMs: number;
  log(line: string): void;
}

export interface KillReport {
  kills: Record<'engine' | 'api' | 'both', number>;
  load: Load;
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

export async function runKills({ kills, seed, patienceMs, log }: KillOptions): Promise<KillReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'voice-kill-'));
  const random = seeded(seed);
  const farSide = await FarSide.start(seeded(seed + 1));
  const receiver = await startReceiver();
  const environment = {
    ...INSTANT,
    DATA_DIR: dataDir,
    API_PORT: '0',
    SIP_PORT: '0',
    MEDIA_WS_PORT: '0',
    RTP_PORT_MIN: '0',
    RTP_PORT_MAX: '0',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT_PER_MINUTE: '1000000',
    MAX_CALLS: '100',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_PRIVATE: '1',
    NODE_EXTRA_CA_CERTS: TEST_AUTHORITY,
  };
  const engine = new KillableProcess('engine', environment);
  const api = new KillableProcess('api', environment);
  try {
    engine.start();
    api.start();
    const [sipUri, apiUrl] = await Promise.all([engine.ready(), api.ready()]);
    const client = new Client(apiUrl);
    await prepare(client, farSide, receiver);
    const number = await demoNumber(client);
    let over = false;
    const target = { apiUrl, sipAddress: sipUri.replace(/^sip:/, ''), client, ...number };
    const loading = runLoad(target, seeded(seed + 2), () => over);
    const counts = await killAtRandom({ engine, api }, { kills, patienceMs, log }, random);
    await Promise.all([engine.ready(), api.ready()]);
    await pause(1_000);
    over = true;
    const load = await loading;
    await settle(dataDir, farSide, log);
    const report = await examine(dataDir, load, farSide, receiver);
    return { kills: counts, load, ...report };
  } catch (error) {
    log(`engine:\n${engine.output().slice(-3_000)}\napi:\n${api.output().slice(-3_000)}`);
    throw error;
  } finally {
    await engine.stop();
    await api.stop();
    await farSide.stop();
    await receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function prepare(client: Client, farSide: FarSide, receiver: Receiver): Promise<void> {
  await client.login();
  await client.ask('POST', '/admin/trunks', {
    name: 'far side',
    host: '127.0.0.1',
    port: farSide.port,
    maxConcurrentCalls: 90,
    callsPerSecond: 50,
  });
  const events = ['call.started', 'call.received', 'call.ended', 'call.failed', 'call.voicemail'];
  await client.ask('POST', '/webhooks', { url: receiver.url('/hook'), events });
}

async function demoNumber(client: Client): Promise<{ campaignId: string; phoneNumberId: string }> {
  const { data } = await client.ask<Array<{ id: string; campaignId: string | null }>>('GET', '/phone-numbers');
  const number = data.find(({ campaignId }) => campaignId !== null);
  if (!number?.campaignId) throw new Error('there is no demo number');
  return { phoneNumberId: number.id, campaignId: number.campaignId };
}

async function killAtRandom(
  { engine, api }: { engine: KillableProcess; api: KillableProcess },
  { kills, patienceMs, log }: Omit<KillOptions, 'seed'>,
  random: () => number,
): Promise<KillReport['kills']> {
  const counts = { engine: 0, api: 0, both: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const draw = random();
    const victim = draw < 0.45 ? 'engine' : draw < 0.8 ? 'api' : 'both';
    // Mostly while it is running, occasionally while it starts.
    const ready = Promise.all([engine.ready(), api.ready()]);
    if (random() < 0.8) await Promise.race([ready, pause(patienceMs)]);
    ready.catch(() => undefined);
    await pause(random() * 2_500);
    counts[victim]++;
    if (victim !== 'api') engine.kill();
    if (victim !== 'engine') api.kill();
    if ((kill + 1) % 10 === 0) log(`${kill + 1} of ${kills} kills`);
    await pause(20);
  }
  return counts;
}

/** Waits until nothing is open or in flight. The examination reports what does not settle. */
async function settle(dataDir: string, farSide: FarSide, log: (line: string) => void): Promise<void> {
  const db = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  const until = performance.now() + SETTLE_TIMEOUT_MS;
  let left = '';
  while (performance.now() < until) {
    const open = await db.selectFrom('calls').select('id').where('endedAt', 'is', null).execute();
    const queued = await db.selectFrom('webhookQueue').select('eventSeq').execute();
    left = `${open.length} calls open, ${queued.length} deliveries waiting, ${farSide.open()} legs up`;
    if (open.length + queued.length + farSide.open() === 0) break;
    left = `not settled: ${left}`;
    await pause(250);
  }
  log(left);
  await db.destroy();
}

async function examine(
  dataDir: string,
  load: Load,
  farSide: FarSide,
  receiver: Receiver,
): Promise<Omit<KillReport, 'kills' | 'load'>> {
  const path = join(dataDir, 'voice.db');
  const db = openDatabase(path, { readonly: true });
  const violations: string[] = [];
  const calls = await db.selectFrom('calls').selectAll().execute();
  const events = await db.selectFrom('events').select(['id', 'type', 'subjectId']).execute();
  const statuses: Record<string, number> = {};
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
  for (const call of calls) {
    statuses[call.status] = (statuses[call.status] ?? 0) + 1;
    if (call.endedAt === null || !['COMPLETED', 'FAILED', 'VOICEMAIL'].includes(call.status)) {
      violations.push(`${call.id} has not ended: ${call.status}`);
    }
    if (ended.get(call.id)?.length !== 1) violations.push(`${call.id}: ${ended.get(call.id)?.length ?? 0} call.ended`);
    if (endedReceived.get(call.id)?.size !== 1) {
      violations.push(`${call.id}: ${endedReceived.get(call.id)?.size ?? 0} call.ended ids received`);
    }
  }
  const known = new Set(calls.map(({ id }) => id));
  for (const id of load.accepted) if (!known.has(id)) violations.push(`${id} was accepted and is gone`);
  for (const { id, type } of events) if (!receivedIds.has(id)) violations.push(`${type} ${id} was never received`);
  const written = new Set(events.map(({ id }) => id));
  for (const id of receivedIds) if (!written.has(id)) violations.push(`${id} was received and is not in the outbox`);
  for (const [called, legs] of farSide.legs) {
    if (legs.length > 1) violations.push(`${called} was dialled ${legs.length} times`);
  }
  if (farSide.open() > 0) violations.push(`${farSide.open()} callees are left on a dead line`);
  await db.destroy();
  const raw = openRaw(path);
  const integrity = raw.pragma('integrity_check', { simple: true });
  raw.close();
  if (integrity !== 'ok') violations.push(`integrity_check: ${integrity}`);
  const recordings = examineRecordings(join(dataDir, 'recordings'), violations);
  return {
    calls: statuses,
    events: events.length,
    received: receivedIds.size,
    duplicates: receiver.received.length - receivedIds.size,
    invites: [...farSide.legs.values()].flat().length,
    recordings,
    violations,
  };
}

function examineRecordings(folder: string, violations: string[]): number {
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
