// `npm run admin` as an operator runs it: a process, its output, its exit code.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { startApi, type TestApi } from '../../../bench/rig/api/api.ts';
import { bearer, logIn } from '../../../bench/rig/api/sign-in.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';

const dataDir = temporaryFolder('voice-cli');
let api: TestApi;
before(async () => {
  api = await startApi({ dataDir, nowMs: Date.now() });
});
after(() => api.close());

function admin(args: string[], input = ''): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--no-warnings', 'api/admin-cli/main.ts', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

test('a user that was created signs in at once, in an account of their own', async () => {
  const created = await admin(
    ['user', 'create', '--email', 'Ops@Example.com', '--admin', '--password-stdin'],
    'twelve letters\n',
  );
  assert.deepEqual([created.code, created.err], [0, '']);
  assert.doesNotMatch(created.out, /twelve letters/);
  const session = await logIn(api, 'ops@example.com', 'twelve letters');
  assert.deepEqual([session.status, session.json.data.user.role], [200, 'ADMIN']);
  const twice = await admin(['user', 'create', '--email', 'ops@example.com']);
  assert.deepEqual([twice.code, twice.err], [1, 'An account with this email already exists\n']);
});

test('a reset password ends sessions and personal tokens, and a token works as its user', async () => {
  const created = await admin(['user', 'create', '--email', 'machine@example.com']);
  const password = /^password (\S+)$/m.exec(created.out)?.[1] ?? '';
  const session = await logIn(api, 'machine@example.com', password);
  assert.equal(session.status, 200);
  const old = (await admin(['token', 'create', '--email', 'machine@example.com'])).out.trim();
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(old))).status, 200);
  const reset = await admin(['user', 'reset-password', '--email', 'machine@example.com']);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(old))).status, 401);
  const next = /^password (\S+)$/m.exec(reset.out)?.[1] ?? '';
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(session.json.data.token))).status, 401);
  api.clock.advance(60_000);
  assert.equal((await logIn(api, 'machine@example.com', next)).status, 200);
  const token = (await admin(['token', 'create', '--email', 'machine@example.com'])).out.trim();
  const me = await api.ask('GET', '/auth/me', undefined, bearer(token));
  assert.equal(me.json.data.email, 'machine@example.com');
});

test('a trunk and its numbers are there for the API', async () => {
  const trunk = await admin(
    [
      'trunk',
      'add',
      '--name',
      'Provider',
      '--host',
      'sip.example.com',
      '--username',
      'u',
      '--password-stdin',
      '--register',
    ],
    'sip secret',
  );
  const id = /trk_\w+/.exec(trunk.out)?.[0] ?? '';
  const shown = await api.admin.ask('GET', `/admin/trunks/${id}`);
  assert.deepEqual([shown.json.data.host, shown.json.data.register], ['sip.example.com', true]);
  assert.equal(shown.text.includes('sip secret'), false);
  const added = await admin(['numbers', 'add', '--from', '+12025550120', '--to', '+12025550124', '--trunk', id]);
  assert.equal(added.out, 'added 5 numbers\n');
  assert.equal((await api.admin.ask('GET', '/admin/inventory')).json.pagination.total, 5);
  const wrong = await admin(['numbers', 'add', '+1202555']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /numbers\[0\]\.phoneNumber/);
});

test('the operator limits what a user may do, at once', async () => {
  const { email, token } = api.tenant;
  const limit = (access: string) => admin(['user', 'access', '--email', email, '--access', access]);
  const change = async () => (await api.ask('PATCH', '/account', {}, { authorization: `Bearer ${token}` })).status;
  assert.equal((await limit('viewer')).code, 0);
  assert.equal(await change(), 403);
  assert.equal((await limit('owner')).code, 2);
  assert.match((await limit('admin')).out, / is admin of acc_/);
  assert.equal(await change(), 200);
});

test('help is everywhere, and wrong arguments are exit 2 with the usage', async () => {
  assert.match((await admin(['--help'])).out, /user reset-password/);
  await Promise.all(
    [['user', 'create'], ['trunk', 'add'], ['billing', 'run'], ['backup'], ['restore']].map(async (command) => {
      const help = await admin([...command, '--help']);
      assert.deepEqual([help.code, help.err], [0, '']);
      assert.ok(help.out.startsWith(`usage: npm run admin -- ${command.join(' ')}`));
    }),
  );
  await Promise.all(
    [['user', 'create', '--nonsense'], ['nonsense'], ['billing', 'run', '--at', 'x']].map(async (args) => {
      const wrong = await admin(args);
      assert.equal(wrong.code, 2, args.join(' '));
      assert.match(wrong.err, /usage: npm run admin/);
    }),
  );
});

test('a plan of ears and a voice writes nothing, not even the folder of the data', () => {
  const folder = temporaryFolder('voice-plan');
  const main = resolve('api/admin-cli/main.ts');
  const args = ['--no-warnings', main, 'setup', '--language', 'de', '--plan'];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  assert.deepEqual([status, /To be fetched: \d+ MB\n$/.test(stdout)], [0, true]);
  assert.deepEqual(readdirSync(folder), []);
});

test('ears and a voice for a language are shown before anything is fetched, and need the running engine', async () => {
  const plan = await admin(['setup', '--language', 'de-AT', '--plan']);
  assert.deepEqual([plan.code, plan.err], [0, '']);
  assert.match(
    plan.out,
    /^This machine: \d+ cores?, \d+ MB of memory\nears: sherpa:kroko-de, 55 MB, .*licence: CC BY-SA/,
  );
  assert.match(plan.out, /voice: sherpa:piper-thorsten-de, 67 MB/);
  assert.match(plan.out, /Calls at once: \d+, estimated.*\nTo be fetched: 122 MB\n$/);
  const unasked = await admin(['setup', '--language', 'de']);
  assert.deepEqual([unasked.code, unasked.err.split('\n')[0]], [2, 'nobody can be asked here: add --yes']);
  const strange = await admin(['setup', '--language', 'xx', '--yes']);
  assert.deepEqual([strange.code, strange.err.includes('The catalogue has nothing for "xx"')], [1, true]);
  const down = await admin(['setup', '--language', 'de', '--yes']);
  assert.deepEqual([down.code, /engine/i.test(down.err)], [1, true]);
});
