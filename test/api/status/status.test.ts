// `GET /admin/status`: each thing that goes wrong is there, with what to do about it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { StatusProbes } from '../../../api/status/probes.ts';
import { fileOnly } from '../../../bench/rig/database/postgres.ts';
import { countTurn } from '../../../db/queries/calls/running/turn-minutes.ts';
import { addFileDeletions, endFileDeletion } from '../../../db/queries/files/deletions.ts';
import { holdDeletions } from '../../../db/rules/clock-doubt.ts';
import { newId } from '../../../db/shared/id.ts';
import { addTrunk, engineIs, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();
/** The disk of DATA_DIR, in percent free; null: it hangs. */
let freePercent: number | null;
let monotonicMs: number;
/** Why the object store cannot be used. */
let storeError: string | null;
let logged: string[];

const newProbes = (withStore = false) =>
  new StatusProbes({
    dataDir: '/nowhere',
    read: api.context.read,
    now: () => api.clock.now,
    monotonicMs: () => monotonicMs,
    statDisk: () =>
      freePercent === null ? new Promise(() => {}) : Promise.resolve({ bsize: 1e9, blocks: 100, bavail: freePercent }),
    ...(withStore
      ? {
          files: { kind: 's3' as const, check: async () => (storeError === null ? undefined : fail(storeError)) },
          log: { warn: note, info: note },
        }
      : {}),
  });

const fail = (message: string): never => {
  throw new Error(message);
};
const note = (...told: unknown[]) => {
  logged.push(JSON.stringify(told));
};

beforeEach(async () => {
  freePercent = 50;
  monotonicMs = 0;
  storeError = null;
  logged = [];
  api.context.probes = newProbes();
});

/** Real time passes: both clocks go on. */
function pass(ms: number): void {
  api.clock.advance(ms);
  monotonicMs += ms;
}

async function status() {
  await api.context.probes.sample();
  await new Promise((resolve) => setImmediate(resolve));
  const answer = await api.admin.ask('GET', '/admin/status');
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

/** The checks that are not ok, as `name [subject] state: message`. */
async function faults(): Promise<string[]> {
  const { checks } = await status();
  for (const { state, message, remedy } of checks) {
    assert.equal(state === 'ok', message === null);
    assert.equal(state === 'ok', remedy === null, 'whatever is wrong has a remedy');
  }
  return checks
    .filter(({ state }) => state !== 'ok')
    .map(({ name, subject, state, message }) => `${name}${subject ? ` [${subject}]` : ''} ${state}: ${message}`);
}

const up = (models: object = {}) =>
  engineIs(api, {
    heartbeatAt: api.clock.now,
    models: JSON.stringify({ llm: 'openai', stt: 'soundswallower', tts: 'openai', ...models }),
  });

test('how many calls there are and may be is said while the engine runs', async () => {
  await engineIs(api, { heartbeatAt: api.clock.now, maxCalls: 20, activeCalls: 7 });
  assert.deepEqual((await status()).calls, { now: 7, max: 20, limit: null });
  await engineIs(api, { heartbeatAt: api.clock.now, state: 'stopped' });
  assert.equal((await status()).calls, null);
});

test('why so many calls may be is said in figures and in words', async () => {
  const limit = {
    reason: 'measured',
    carries: 5,
    cores: 2,
    stt: { engine: 'soundswallower', factor: 0.3021, source: 'measured' },
    tts: { engine: 'openai', factor: 0, source: 'elsewhere' },
  };
  await engineIs(api, { maxCalls: 5, models: JSON.stringify({ callLimit: limit }) });
  assert.deepEqual((await status()).calls?.limit, {
    ...limit,
    message:
      '5 calls at a time from 2 cores; soundswallower takes 0.302 s of a core for a second of audio (measured); ' +
      'openai runs elsewhere and costs nearly nothing here',
  });
});

test('what the servers of the dialogue model refuse is said, by engine', async () => {
  await up();
  assert.deepEqual((await status()).learned, []);
  const found = { server: 'models.example.com/v1', model: 'small', refused: ['tools', 'temperature'] };
  await engineIs(api, {
    hostname: 'one',
    heartbeatAt: api.clock.now,
    models: JSON.stringify({ llm: 'openai', learned: [{ ...found, atMs: api.clock.now }] }),
  });
  assert.deepEqual((await status()).learned, [{ engine: 'one', ...found, at: new Date(api.clock.now).toISOString() }]);
});

test('all is well: every check is ok, for an ADMIN alone', async () => {
  await up();
  await addTrunk(api, { healthState: 'up' });
  const { state, mails, checks } = await status();
  assert.equal(state, 'ok', JSON.stringify(checks));
  assert.equal(mails, 'file', 'no mail server is set, which is no fault and is said');
  assert.deepEqual(
    checks.map(({ name, subject }) => subject ?? name),
    [
      ...['engine', 'database', 'disk', 'clock', 'Trunk'],
      ...['dialogue: openai', 'recogniser: soundswallower', 'voice: openai', 'turns', 'webhooks', 'mails'],
    ],
  );
  assert.equal((await api.tenant.ask('GET', '/admin/status')).status, 403);
});

test('an engine that is gone, or whose sign of life is old', async () => {
  assert.deepEqual(await faults(), ['engine failing: The engine has not started yet']);
  await up();
  pass(6_000);
  assert.deepEqual(await faults(), ['engine failing: The engine does not answer']);
  assert.equal((await status()).state, 'failing');
});

test('an engine that was lost with its machine stays named until another one has its home', async (t) => {
  const { config } = api.context;
  api.context.config = { ...config, database: 'postgres://several/machines' };
  t.after(() => {
    api.context.config = config;
  });
  const heartbeatAt = api.clock.now - 5 * 60_000;
  await engineIs(api, { id: 'eng_lost', home: 'b', hostname: 'second', state: 'dead', maxCalls: 40, heartbeatAt });
  await engineIs(api, { id: 'eng_up', home: 'a', hostname: 'first' });
  const lost = (await status()).checks.find(({ subject }) => subject === 'second');
  assert.equal(lost?.state, 'warning');
  assert.match(lost?.message ?? '', /lost 5 minutes ago and has not come back: 40 places are missing/);
  await engineIs(api, { id: 'eng_again', home: 'b', hostname: 'second', startedAt: api.clock.now + 1 });
  assert.equal((await status()).checks.find(({ subject }) => subject === 'second')?.state, 'ok');
});

test('a trunk that is down is failing, and a warning where its backup carries the calls', async () => {
  await up();
  const down = await addTrunk(api, { healthState: 'down', lastError: 'timeout' });
  assert.deepEqual(await faults(), ['trunk [Trunk] failing: it does not answer: timeout']);
  const backup = await addTrunk(api, { healthState: 'up' });
  const { db } = api.context;
  await db.updateTable('trunks').set({ backupTrunkId: backup }).where('id', '=', down).execute();
  assert.deepEqual(await faults(), ['trunk [Trunk] warning: it does not answer: timeout; calls leave by its backup']);
  await db.updateTable('trunkStates').set({ registrationState: 'failed', lastError: '403 Forbidden' }).execute();
  assert.equal((await faults())[0], 'trunk [Trunk] failing: its registration is refused: 403 Forbidden');
});

test('a model that refuses us, or that another had to stand in for; forgotten five minutes later', async () => {
  const atMs = api.clock.now;
  const models = {
    faults: [
      { model: 'llm', source: 'server', message: 'OPENAI_BASE_URL: it lacks /v1', atMs },
      { model: 'llm', source: 'call', message: 'LLM_REFUSED: 404 from 127.0.0.1/chat/completions', atMs },
      { model: 'tts', source: 'call', message: 'the built-in engine stood in on a call', atMs },
    ],
  };
  await up(models);
  assert.deepEqual(await faults(), [
    'model [dialogue: openai] failing: LLM_REFUSED: 404 from 127.0.0.1/chat/completions',
    'model [voice: openai] warning: the built-in engine stood in on a call',
  ]);
  pass(5 * 60_000);
  await up(models);
  assert.deepEqual(await faults(), ['model [dialogue: openai] warning: OPENAI_BASE_URL: it lacks /v1']);
});

test('a speech-to-speech model whose session was lost on a call is a warning: the cascade went on', async () => {
  const message = 'its session was lost on a call, which went on without it';
  const fault = { model: 'speech-to-speech', source: 'call', message, atMs: api.clock.now };
  await up({ 'speech-to-speech': 'openai-realtime', faults: [fault] });
  assert.deepEqual(await faults(), [`model [speech-to-speech model: openai-realtime] warning: ${message}`]);
});

test('an object store: its failure, recordings and deletions that wait for it, and the disk that fills meanwhile', async () => {
  await up();
  api.context.probes = newProbes(true);
  assert.deepEqual(await faults(), []);
  assert.ok((await status()).checks.some(({ name, state }) => name === 'files' && state === 'ok'));
  const call = await seedCall(api, api.tenant, {
    recordingPath: '/data/recordings/x.wav',
    recordingState: 'engine:one',
    endedAt: api.clock.now,
  });
  await addFileDeletions(api.context.db, ['port-documents/doc_1.pdf'], { nowMs: api.clock.now });
  assert.deepEqual(await faults(), []);
  pass(11 * 60_000);
  await up();
  assert.deepEqual(await faults(), [
    'files warning: 1 recording waits on the disk; 1 file to delete is still in the object store',
  ]);
  storeError = 'object store: 403 InvalidAccessKeyId: S3_ACCESS_KEY_ID is not known there';
  pass(61_000);
  await up();
  await faults();
  assert.deepEqual(await faults(), [`files failing: ${storeError}; 1 recording waits on the disk`]);
  assert.equal(logged.length, 1, 'said once');
  freePercent = 19;
  assert.match((await faults())[0] ?? '', /disk warning: 19 %/);
  freePercent = 20;
  storeError = null;
  await api.context.db.updateTable('calls').set({ recordingState: 'stored' }).where('id', '=', call.id).execute();
  await endFileDeletion(api.context.db, 'port-documents/doc_1.pdf');
  await faults();
  assert.deepEqual(await faults(), []);
  assert.equal(logged.length, 2);
});

test('a disk that is nearly full, full, or does not answer', async () => {
  await up();
  freePercent = 9;
  assert.deepEqual(await faults(), ['disk warning: 9 % of the disk of DATA_DIR are free (9.0 GB)']);
  freePercent = 2;
  assert.deepEqual(await faults(), ['disk failing: 2 % of the disk of DATA_DIR are free (2.0 GB)']);
  freePercent = null;
  pass(3 * 60_000);
  await up();
  assert.deepEqual(await faults(), ['disk failing: the disk of DATA_DIR has not answered for 3 minutes']);
});

test('a clock by which nothing was deleted for days is a warning until something is again', async () => {
  await up();
  await holdDeletions(api.context.db, 'sweep', api.clock.now + 60_000);
  assert.match(
    (await faults()).join(),
    /^clock warning: by the clock nothing old was deleted for days: nothing is until 20/,
  );
  pass(60_000);
  await up();
  assert.deepEqual(await faults(), []);
});

test('a clock that was set is a warning for an hour', async () => {
  await up();
  assert.deepEqual(await faults(), []);
  api.clock.advance(86_400_000);
  await up();
  freePercent = 50;
  await status();
  assert.match((await faults()).join(), /^clock warning: the clock was set by \+86400 s at 2026-11-19T12:00/);
  pass(61 * 60_000);
  await up();
  assert.deepEqual(await faults(), []);
});

test('webhooks that fail or wait, and mails that cannot be sent', async () => {
  await up();
  const { db } = api.context;
  const webhook = {
    accountId: api.tenant.accountId,
    url: 'https://example.com/hook',
    events: '["call.ended"]',
    isActive: 1 as const,
    secretDigest: '',
    lastTriggeredAt: null,
    failureCount: 3,
    failingSince: api.clock.now,
    disabledReason: null,
    createdAt: api.clock.now,
    deletedAt: null,
  };
  await db
    .insertInto('webhooks')
    .values({ ...webhook, id: newId('whk') })
    .execute();
  await db
    .insertInto('webhooks')
    .values({ ...webhook, id: newId('whk'), isActive: 0, disabledReason: 'failing' })
    .execute();
  await db
    .insertInto('mails')
    .values({ id: newId('mail'), box: '', attempts: 2, nextAttemptAt: 0, expiresAt: 9e12, createdAt: api.clock.now })
    .execute();
  pass(61_000);
  await up();
  assert.deepEqual(await faults(), [
    'webhooks warning: webhooks: 1 fails now, 1 switched off after 5 days of failure',
    'mails warning: 1 mail could not be sent yet',
  ]);
});

test('a database that a newer release has migrated', { skip: fileOnly }, async () => {
  await up();
  const { sql } = await import('kysely');
  const known = await sql<{ userVersion: number }>`pragma user_version`.execute(api.context.db);
  const version = known.rows[0]?.userVersion ?? 0;
  await sql.raw(`pragma user_version = ${version + 1}`).execute(api.context.db);
  assert.deepEqual(await faults(), [
    `database failing: voice.db has schema ${version + 1}, this program has ${version}`,
  ]);
});

test('a running campaign whose contacts wait for a number is named, until one is active', async () => {
  await up();
  const tenant = api.tenant;
  const { campaign, number } = await setUpCampaign(api, tenant);
  const contacts = [{ phoneNumber: '+14155552671' }];
  assert.equal((await tenant.ask('POST', `/campaigns/${campaign.id}/contacts`, { contacts })).status, 201);
  assert.equal((await tenant.ask('POST', `/campaigns/${campaign.id}/start`)).status, 200);
  assert.deepEqual(await faults(), []);
  await tenant.ask('PATCH', `/phone-numbers/${number.id}`, { isActive: false });
  assert.deepEqual(await faults(), [
    `campaign [${campaign.name}] warning: it is running and none of its numbers is active: its contacts wait`,
  ]);
  await tenant.ask('PATCH', `/phone-numbers/${number.id}`, { isActive: true });
  assert.deepEqual(await faults(), []);
});

test('turns in which the model failed, of all accounts: one in ten is more than an accident', async () => {
  await up();
  const turn = (isFailed: boolean, isUnheard = false) =>
    countTurn(api.context.db, { accountId: api.tenant.accountId, isFailed, isUnheard, nowMs: api.clock.now });
  for (let turns = 0; turns < 19; turns++) await turn(false);
  assert.deepEqual(await faults(), []);
  await turn(true);
  assert.deepEqual(await faults(), [
    'turns warning: the dialogue model failed in 1 of the 20 turns of the last hour (5 %)',
  ]);
  for (let turns = 0; turns < 2; turns++) await turn(true);
  assert.deepEqual(await faults(), [
    'turns failing: the dialogue model failed in 3 of the 22 turns of the last hour (14 %)',
  ]);
  await turn(true, true);
  assert.deepEqual(await faults(), [
    'turns failing: the dialogue model failed in 3, the recogniser failed in 1 of the 23 turns of the last hour (17 %)',
  ]);
  pass(60 * 60_000);
  await up();
  assert.deepEqual(await faults(), []);
});

test('an engine whose machine has another time than the database is named', async () => {
  await engineIs(api, { heartbeatAt: api.clock.now, hostname: 'machine-2', clockSkewMs: -3_600_000 });
  assert.deepEqual(await faults(), [
    "clock [machine-2] failing: the clock of this engine is 3600.0 s ahead of the database's",
  ]);
  await engineIs(api, { heartbeatAt: api.clock.now, hostname: 'machine-2', clockSkewMs: 900 });
  assert.deepEqual(await faults(), []);
});
