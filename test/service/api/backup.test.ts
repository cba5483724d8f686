// A backup of an installation in use, restored into another DATA_DIR: whoever could sign in still can, with two
// factors, and what was sealed or recorded is there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unsealTotpSecret } from '../../../api/auth/totp.ts';
import { startApi, type TestApi } from '../../../bench/rig/api/api.ts';
import { bearer, logIn, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { listTrunkConfigs } from '../../../db/queries/trunks/trunks.ts';
import { sealingKeyFault } from '../../../db/sealing-key.ts';
import { seedCall } from '../../support/api/resources.ts';

const folder = temporaryFolder('voice-backup');
const dataDir = join(folder, 'old');
const archive = join(folder, 'voice.tar.gz');
const audio = randomBytes(5_000);
let api: TestApi;
let email = '';
let callId = '';

const admin = (dataDir: string, ...args: string[]) => run({ DATA_DIR: dataDir }, ...args);

function run(variables: object, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...variables };
    execFile(process.execPath, ['--no-warnings', 'api/admin-cli/main.ts', ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

before(async () => {
  api = await startApi({ dataDir, nowMs: Date.now() });
  const session = await signedIn(api);
  email = session.email;
  await api.ask('POST', '/auth/2fa/setup', undefined, bearer(session.token));
  await api.context.db.updateTable('users').set({ totpEnabledAt: 1 }).where('email', '=', email).execute();
  const trunk = { name: 'Provider', host: 'sip.example.com', username: 'u', password: 'sip secret' };
  assert.equal((await api.admin.ask('POST', '/admin/trunks', trunk)).status, 201);
  writeFileSync(join(api.context.config.recordingsDir, 'one.wav'), audio);
  const path = join(api.context.config.recordingsDir, 'one.wav');
  callId = (await seedCall(api, api.tenant, { recordingPath: path, recordingFormat: 'wav' })).id;
  const made = await admin(dataDir, 'backup', archive, '--recordings');
  assert.deepEqual([made.code, made.err], [0, '']);
});
after(() => api.close());

test('a backup is one file, leaves nothing beside it, and overwrites nothing', async () => {
  assert.equal(existsSync(`${archive}.part`), false);
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('.')),
    [],
  );
  const again = await admin(dataDir, 'backup', archive);
  assert.deepEqual([again.code, again.err], [1, `${archive} already exists\n`]);
});

test('a restored installation has its people, its sealed values and its recordings', async () => {
  const target = join(folder, 'new');
  const done = await admin(target, 'restore', archive);
  assert.deepEqual([done.code, done.err], [0, '']);
  const restored = await startApi({ dataDir: target, nowMs: Date.now() });
  try {
    const login = await logIn(restored, email);
    assert.deepEqual([login.status, login.json.data.requires2FA], [200, true]);
    const { secretKey, read } = restored.context;
    const user = await read.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
    assert.match(unsealTotpSecret(secretKey, user.id, user.totpSecret ?? ''), /^[A-Z2-7]{16,}$/);
    assert.equal((await listTrunkConfigs(read, secretKey))[0]?.password, 'sip secret');
    const tenant = bearer(api.tenant.token);
    const recording = await restored.app.inject({ url: `/api/v1/calls/${callId}/audio`, headers: tenant });
    assert.equal(recording.statusCode, 200);
    assert.deepEqual(recording.rawPayload, audio);
  } finally {
    await restored.close();
  }
});

test('without --recordings they are left out; a used DATA_DIR is refused and not touched', async () => {
  const plain = join(folder, 'plain.tar');
  assert.equal((await admin(dataDir, 'backup', plain)).code, 0);
  const target = join(folder, 'plain');
  assert.equal((await admin(target, 'restore', plain)).code, 0);
  assert.deepEqual(readdirSync(join(target, 'recordings')), []);
  const before = readFileSync(join(target, 'secret.key'), 'utf8');
  const again = await admin(target, 'restore', archive);
  assert.equal(again.code, 1);
  assert.match(again.err, /^DATA_DIR is not empty, nothing was changed: .* is there\./);
  assert.equal(readFileSync(join(target, 'secret.key'), 'utf8'), before);
});

test('what is no backup is refused, and leaves the folder empty', async () => {
  const file = join(folder, 'no.tar');
  writeFileSync(file, randomBytes(2_048));
  for (const path of [file, join(folder, 'nothing.tar')]) {
    const target = join(folder, 'empty');
    const refused = await admin(target, 'restore', path);
    assert.equal(refused.code, 1, refused.out);
    assert.match(refused.err, /is not a file|cannot restore/);
    assert.deepEqual(readdirSync(target), ['recordings']);
  }
});

test('a database beside a missing key, or another one, stops the start naming DATA_DIR', async () => {
  const target = join(folder, 'copied');
  cpSync(dataDir, target, { recursive: true });
  const at = { dataDir: target, database: join(target, 'voice.db'), sealingKey: null };
  const fault = async () => (await sealingKeyFault(at))?.message;
  assert.equal(await fault(), undefined);
  rmSync(join(target, 'secret.key'));
  assert.match((await fault()) ?? '', /secret\.key is missing, and voice\.db needs it/);
  writeFileSync(join(target, 'secret.key'), randomBytes(32).toString('base64url'));
  assert.match((await fault()) ?? '', /secret\.key is not the key of voice\.db/);
  const started = await admin(target, 'token', 'create', '--email', email);
  assert.equal(started.code, 2);
  assert.match(started.err, /^DATA_DIR: \S+secret\.key is not the key of voice\.db/);
});

test('files and folders that are links are in a backup; one without its key, or with a link to nothing, is none', async () => {
  const [mounted, linked] = [join(folder, 'mounted'), join(folder, 'linked')];
  cpSync(dataDir, linked, { recursive: true });
  mkdirSync(mounted);
  for (const name of ['secret.key', 'recordings']) {
    renameSync(join(linked, name), join(mounted, name));
    symlinkSync(join(mounted, name), join(linked, name));
  }
  // A folder that leads to itself ends nothing.
  symlinkSync(join(mounted, 'recordings'), join(mounted, 'recordings', 'again'));
  const file = join(folder, 'linked.tar');
  const made = await admin(linked, 'backup', file, '--recordings');
  assert.deepEqual([made.code, made.err], [0, '']);
  const target = join(folder, 'from-links');
  assert.equal((await admin(target, 'restore', file)).code, 0);
  for (const name of ['secret.key', join('recordings', 'one.wav')]) {
    assert.ok(lstatSync(join(target, name)).isFile(), name);
    assert.deepEqual(readFileSync(join(target, name)), readFileSync(join(mounted, name)));
  }
  const second = join(folder, 'second.tar');
  symlinkSync(join(mounted, 'nothing.wav'), join(mounted, 'recordings', 'two.wav'));
  const gone = await admin(linked, 'backup', second, '--recordings');
  assert.equal(gone.code, 1, gone.err);
  assert.match(gone.err, /two\.wav is a link to nothing: nothing was backed up/);
  assert.equal(existsSync(second), false);
});

test('an installation whose key is a variable is backed up and restored with it, and not without', async () => {
  const [at, target] = [join(folder, 'variable'), join(folder, 'from-variable')];
  cpSync(dataDir, at, { recursive: true });
  const SEALING_KEY = readFileSync(join(at, 'secret.key'), 'utf8').trim();
  rmSync(join(at, 'secret.key'));
  const file = join(folder, 'variable.tar');
  assert.notEqual((await admin(at, 'backup', file)).code, 0);
  assert.equal(existsSync(file), false);
  assert.equal((await run({ DATA_DIR: at, SEALING_KEY }, 'backup', file)).err, '');
  assert.notEqual((await admin(target, 'restore', file)).code, 0);
  assert.equal((await run({ DATA_DIR: target, SEALING_KEY }, 'restore', file)).err, '');
});
