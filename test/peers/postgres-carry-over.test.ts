// `npm run admin -- migrate-to`: an installation moves from SQLite to PostgreSQL and back, and answers the same.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startApi, type TestApi } from '../../bench/rig/api/api.ts';
import { makeWorld } from '../../bench/rig/api/world.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../bench/rig/database/postgres-server.ts';
import { callRow } from '../../bench/rig/rows/call-row.ts';
import { tryLease } from '../../db/database.ts';
import { openPostgres } from '../../db/postgres/open.ts';

const skip = postgresPrograms === null ? 'PostgreSQL is not installed' : false;
/** More than one batch. */
const CALLS = 1_200;
const PATHS = [
  '/calls?limit=100&page=7',
  '/calls?status=COMPLETED',
  '/campaigns',
  '/stats/overview',
  '/webhooks',
  '/account',
];

let server: PostgresServer;
let answers: unknown[];
let token = '';
const dataDir = mkdtempSync(join(tmpdir(), 'voice-carry-over-'));
const JWT_SECRET = 'a secret of at least thirty-two bytes';
const keys = () => ({
  DATABASE_URL: server.url,
  SEALING_KEY: readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(),
  JWT_SECRET,
});

const answersOf = (api: TestApi): Promise<unknown[]> =>
  Promise.all(
    PATHS.map(async (path) => {
      const { status, json } = await api.ask('GET', path, undefined, { authorization: `Bearer ${token}` });
      return [path, status, json];
    }),
  );

function admin(environment: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', 'api/admin-cli/main.ts', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...environment },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

before(async () => {
  if (skip) return;
  server = await startPostgres({ durable: false });
  const api = await startApi({ dataDir, environment: { JWT_SECRET } });
  const world = await makeWorld(api, api.tenant);
  token = api.tenant.token;
  for (let i = 0; i < CALLS; i++) {
    const startedAt = api.clock.now - i * 60_000;
    const row = callRow({
      accountId: api.tenant.accountId,
      businessId: world.businessId ?? '',
      campaignId: world.campaignId ?? '',
      agentId: world.agentId ?? '',
      status: i % 3 === 0 ? 'FAILED' : 'COMPLETED',
      createdAt: startedAt,
      startedAt,
      endedAt: startedAt + 30_000,
      durationSeconds: 30,
      callerName: i === 0 ? 'Zoë "quoted" \\ 𝄞\n' : null,
    });
    await api.context.db.insertInto('calls').values(row).execute();
  }
  answers = await answersOf(api);
  await api.close();
});
after(async () => {
  if (!skip) await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a running service is not carried over', { skip }, async () => {
  const lock = await tryLease({ database: join(dataDir, 'voice.db'), dataDir }, 'engine');
  const refused = admin({}, 'migrate-to', server.url);
  lock?.release();
  assert.deepEqual([refused.code, refused.err], [1, 'the service is running: stop it first\n']);
});

test('one that was stopped in between is refused by the service and goes on when it is run again', {
  skip,
}, async () => {
  assert.equal(admin({}, 'migrate-to', server.url).code, 0);
  const db = openPostgres(server.url);
  // As if it had been killed after a half of the calls.
  await sql`alter table calls disable trigger user`.execute(db);
  await sql`delete from calls where id > (select id from calls order by id offset 600 limit 1)`.execute(db);
  await sql`delete from trunks`.execute(db);
  await sql`create table carry_over (since bigint)`.execute(db);
  await db.destroy();
  const early = admin(keys(), 'numbers', 'add', '--file', '/dev/null');
  assert.equal(early.code, 2);
  assert.match(early.err, /^DATABASE_URL: rows are still missing/);
  const again = admin({}, 'migrate-to', server.url);
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /rows carried over and compared\. Start the service with\n {2}DATABASE_URL=postgres:/);
});

test('on PostgreSQL the installation answers as it did, and counts on', { skip }, async () => {
  const api = await startApi({ dataDir, environment: keys() });
  assert.deepEqual(await answersOf(api), answers);
  const [, , page] = (await answersOf(api))[0] as [string, number, { total?: number }];
  assert.ok(page);
  const events = await sql<{ next: number }>`select nextval(pg_get_serial_sequence('events', 'seq')) as next,
    (select coalesce(max(seq), 0) from events) as last`.execute(api.context.db);
  const [row] = events.rows as Array<{ next: number; last: number }>;
  assert.ok(row !== undefined && row.next === row.last + 1);
  await api.close();
});

test('a target with an installation, and a wrong one, are refused', { skip }, () => {
  const full = admin({}, 'migrate-to', server.url);
  assert.deepEqual([full.code, full.err], [1, 'the target is not empty: give a database without an installation\n']);
  const wrong = admin({}, 'migrate-to', 'mysql://localhost');
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /"mysql:\/\/localhost" is neither postgres:\/\/… nor sqlite/);
});

test('back on SQLite it answers as it did', { skip }, async () => {
  assert.match(admin(keys(), 'migrate-to', 'sqlite').err, /voice\.db already exists: move it away first/);
  for (const end of ['', '-wal', '-shm']) {
    try {
      renameSync(join(dataDir, `voice.db${end}`), join(dataDir, `before.db${end}`));
    } catch {
      // The log was cut at the end.
    }
  }
  const back = admin(keys(), 'migrate-to', 'sqlite');
  assert.equal(back.code, 0, back.err);
  const api = await startApi({ dataDir, environment: { JWT_SECRET } });
  assert.deepEqual(await answersOf(api), answers);
  await api.close();
});
