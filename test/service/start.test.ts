// The startup contract: what a new user sees when starting the service, correctly or not.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Rest } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { nightly } from '../support/nightly.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function start(environment: Record<string, string>): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const dataDir = temporaryFolder('voice-start');
  return new Promise((resolve) => {
    const child = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir, API_PORT: '0', SIP_PORT: '0', MEDIA_WS_PORT: '0', ...environment },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code, stdout, stderr });
    });
  });
}

/** The lines that a person reads: stderr without npm's own. */
function linesOf(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('npm '));
}

for (const [variable, value] of [
  ['SIP_PORT', '99999'],
  ['API_PORT', 'http'],
  ['APP_ENV', 'prod'],
  ['MAX_CALLS', '0'],
  ['SIP_INBOUND_ALLOW', '10.0.0.0/99'],
  ['JWT_SECRET', 'short'],
  ['DATABASE_URL', 'mysql://localhost/voice'],
  ['SEALING_KEY', 'short'],
] as const) {
  // The ranges of all variables are the loop's (test/db/variables.test.ts); each here is a start of npm.
  const skip = variable !== 'SIP_PORT' && variable !== 'JWT_SECRET' && nightly;
  test(`${variable}=${value} is one line that names the variable, exit 2`, { skip }, async () => {
    const { code, stderr } = await start({ [variable]: value });
    assert.equal(code, 2);
    const lines = linesOf(stderr);
    assert.equal(lines.length, 1, stderr);
    assert.match(lines[0] ?? '', new RegExp(variable));
  });
}

test('a port in use is one line that names variable and port, exit 2', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await Promise.all(
    ['API_PORT', 'METRICS_PORT', 'SIP_PORT', 'MEDIA_WS_PORT'].map(async (variable) => {
      const { code, stderr } = await start({ [variable]: String(port) });
      const line = `${variable}: port ${port} on 127.0.0.1 is in use by another program`;
      assert.deepEqual([code, linesOf(stderr)], [2, [line]]);
    }),
  );
  other.close();
});

test('two variables with one port are one line that names both, exit 2', async () => {
  const { code, stderr } = await start({ API_PORT: '18080', METRICS_PORT: '18080' });
  assert.deepEqual([code, linesOf(stderr)], [2, ['METRICS_PORT: 18080 is the port of API_PORT already']]);
});

test('a database of a newer release is one line that says so, exit 2', async () => {
  const dataDir = temporaryFolder('voice-newer');
  const newer = new Database(join(dataDir, 'voice.db'));
  newer.pragma('user_version = 9999');
  newer.close();
  const { code, stderr } = await start({ DATA_DIR: dataDir });
  assert.equal(code, 2);
  const lines = linesOf(stderr);
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0] ?? '', /^DATA_DIR: .*voice\.db has schema 9999, this release knows \d+: start a newer release/);
});

test('PostgreSQL without the secrets that several machines share, and one that is not there', async () => {
  const at = { DATABASE_URL: 'postgres://voice:hidden@127.0.0.1:1/voice' };
  const bare = await start(at);
  assert.equal(bare.code, 2);
  assert.deepEqual(linesOf(bare.stderr), ['SEALING_KEY: is required with DATABASE_URL: openssl rand -base64 32']);
  const secret = Buffer.alloc(32, 1).toString('base64');
  const away = await start({ ...at, SEALING_KEY: secret, JWT_SECRET: secret });
  assert.equal(away.code, 1);
  assert.match(away.stderr, /no connection to PostgreSQL at 127\.0\.0\.1:1 \(DATABASE_URL\): .*ECONNREFUSED/);
  assert.doesNotMatch(away.stdout + away.stderr, /hidden/);
});

test('a second service on one DATA_DIR is one line that says so, exit 2, and the first goes on', async () => {
  const dataDir = temporaryFolder('voice-twice');
  const first = await startService({}, dataDir);
  try {
    const { code, stderr } = await start({ DATA_DIR: dataDir });
    assert.equal(code, 2);
    assert.deepEqual(linesOf(stderr), [
      'DATA_DIR: another engine runs on this database: stop it first, or give this one a database of its own',
    ]);
    assert.equal((await fetch(`${first.apiUrl}/readyz`)).status, 200);
  } finally {
    await first.stop();
  }
});

test('a start that fails is not tried again: the reason is on stderr, exit 1', async () => {
  const { code, stdout, stderr } = await start({ LLM: 'module:/nowhere/model.ts' });
  assert.equal(code, 1);
  assert.match(linesOf(stderr).join('\n'), /^the engine could not start: Cannot find module '\/nowhere\/model\.ts'.*$/);
  assert.match(stdout, /"level":"fatal".*Cannot find module/);
});

test('a first start makes an admin, prints the password once, and is ready; the second start does not', async () => {
  const dataDir = temporaryFolder('voice-first');
  const home = temporaryFolder('voice-home');
  const environment = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', HOME: home, XDG_CACHE_HOME: home };
  const first = await startService(environment, dataDir);
  const plain = first
    .output()
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('{'));
  assert.equal(plain.length, 2, `the ready line and the password: ${plain.join(' | ')}`);
  assert.equal((await fetch(`${first.apiUrl}/healthz`)).status, 200);
  assert.equal((await fetch(`${first.apiUrl}/readyz`)).status, 200);
  assert.equal(await first.stop(), 0);
  const second = await startService(environment, dataDir);
  const again = second
    .output()
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('{'));
  assert.equal(again.length, 1, again.join(' | '));
  assert.equal(await second.stop(), 0);
  assert.deepEqual(readdirSync(home), [], 'nothing is kept outside DATA_DIR, no counter of uses, no device id');
});

/** A trial that waited for a core is made again, later each time: on a busy machine for minutes. */
const MEASURED_WITHIN_S = 300;

test('what the machine carries is measured after the start and is the number of calls', {
  skip: nightly,
}, async (t) => {
  const service = await startService({ MAX_CALLS: '' });
  t.after(() => service.stop());
  const rest = new Rest(service);
  const measured = async () => {
    const { calls } = (await rest.request('GET', '/admin/status')).body.data;
    return calls?.limit?.tts.source === 'measured' && { max: calls.max, limit: calls.limit };
  };
  const { max, limit } = await rest.eventually('the measured cost of the voice', measured, MEASURED_WITHIN_S);
  assert.equal(max, limit.carries);
  assert.match(limit.message, /^\d+ calls? at a time from \d+ cores?; soundswallower takes .* \(measured\)/);
});
