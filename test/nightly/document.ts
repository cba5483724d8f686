// The OpenAPI document against the API that it describes, by a tester of others: schemathesis sends what each operation
// allows and what it does not, as an ADMIN and as a tenant, and holds every answer against the document. Weekly; not
// part of `npm test`.
//
//   python3 -m venv st && st/bin/pip install schemathesis==4.32.5
//   export SCHEMATHESIS=st/bin/st
//   node supervise.mjs run test/nightly/document.ts [--report FOLDER] [--check NAME] [--no-exceptions] [OPERATION…]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startProcess } from '../../bench/rig/api/api-process.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { fill, HOOKS, offerNumbers, openReceiver, type World } from './document-world.ts';

const VERSION = '4.32.5';
const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };
const TENANT = { email: 'tenant@example.com', password: 'correct horse battery' };
const SEED = 20_261_129;

/** Operations that are left out, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  logout: 'ends the session of the run',
  streamCall: 'its answer has no end',
  changePassword: 'ends all sessions but one, and the run has one',
  endOtherSessions: 'the same',
};

const because = (reason: string, ids: readonly string[]): Record<string, string> =>
  Object.fromEntries(ids.map((id) => [id, reason]));

/**
 * Operations without the check that what fits the document is taken, each with its reason. The hooks put in records
 * that the account has, and words of a list.
 */
const MAY_BE_REFUSED: Readonly<Record<string, string>> = {
  ...because(
    'fields depend on each other: an end and its start, a kind and what it has, one thing in place of another',
    [
      ...['createAgent', 'updateAgent', 'createAlertRule', 'updateAlertRule', 'createTool', 'updateTool'],
      ...['createCampaign', 'updateCampaign', 'addDocument', 'setReminders', 'controlCall', 'addTestCase'],
      ...['updateTestCase', 'createCarrier', 'updateCarrier', 'addInventory', 'createPrice', 'importTrunkPrices'],
      ...['updateModelSettings', 'testModelSettings', 'createTrunk', 'updateTrunk'],
    ],
  ),
  ...because('a text of the right length may be no number, and nobody that is there', [
    ...['createBusiness', 'updateBusiness', 'beginConversation', 'importTranscript', 'connectCalendar'],
    ...['testAlertRule', 'testNotice'],
  ]),
  ...because('a number that was bought may have left the campaign, which wishes for no results', [
    'placeCall',
    'startRerun',
  ]),
  ...because('ten wrong passwords lock the account', ['login']),
};

/** Operations without the check that what does not fit is refused, each with its reason. */
const MAY_BE_TAKEN: Readonly<Record<string, string>> = {
  uploadPortDocument: 'a header that nobody knows is passed over, and the form beside it is right',
};

const { values, positionals } = parseArgs({
  options: { report: { type: 'string' }, check: { type: 'string' }, 'no-exceptions': { type: 'boolean' } },
  allowPositionals: true,
});
const { SCHEMATHESIS } = process.env;
const tester = SCHEMATHESIS === undefined ? 'st' : resolve(SCHEMATHESIS);
const found = spawnSync(tester, ['--version'], { encoding: 'utf8' });
if (!`${found.stdout}`.includes(VERSION)) {
  console.error(
    `SCHEMATHESIS must name schemathesis ${VERSION}; "${tester}" is ${found.stdout?.trim() || 'not there'}`,
  );
  process.exit(2);
}

const dataDir = temporaryFolder('voice-document');
const api = await startProcess(
  dataDir,
  {
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    REGISTRATION: 'open',
    RATE_LIMIT_PER_MINUTE: '100000000',
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: 'error',
  },
  { stdout: 'ignore' },
);

const receiver = await openReceiver();

async function post(path: string, body: unknown): Promise<{ data: { token: string } }> {
  const answer = await fetch(`${api.address}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data: { token: string } };
}

/** The link of the mail, which is a file here. */
async function verify(): Promise<void> {
  const outbox = join(dataDir, 'outbox');
  const mails = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'));
  const text = mails.join('\n').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  await post('/auth/verify-email', { token: /verify-email\?token=(\S+)/.exec(text)?.[1] });
}

async function signIn(user: typeof ADMIN): Promise<string> {
  return (await post('/auth/login', user)).data.token;
}

/** Settings that the command line has no options for. */
function configuration(): string {
  const off = (check: string, ids: Readonly<Record<string, string>>): string[] =>
    Object.keys(values['no-exceptions'] ? {} : ids).map(
      (id) => `[[operations]]\ninclude-operation-id = "${id}"\nchecks.${check}.enabled = false\n`,
    );
  return `hooks = "hooks"

[checks]
# No engine runs, and no carrier is there: an operation whose document has 503 may answer it, and no other.
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]
positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "404", "409", "429", "503"]

${[...off('positive_data_acceptance', MAY_BE_REFUSED), ...off('negative_data_rejection', MAY_BE_TAKEN)].join('\n')}`;
}

/** True when the tester found nothing. */
async function testAs(name: 'admin' | 'tenant', token: string, world: World): Promise<boolean> {
  const folder = resolve(values.report ?? mkdtempSync(join(tmpdir(), 'document-')));
  const config = join(folder, 'schemathesis.toml');
  writeFileSync(config, configuration());
  writeFileSync(join(folder, 'hooks.py'), HOOKS);
  const args = [
    ...[
      '--config-file',
      config,
      'run',
      `${api.address}/openapi.json`,
      '--phases',
      'examples,coverage',
      '--seed',
      String(SEED),
    ],
    // Given here, it would be on for each operation.
    ...(values.check === undefined ? [] : ['--checks', values.check]),
    ...['--header', `Authorization: Bearer ${token}`, '--request-timeout', '10', '--warnings', 'off'],
    ...['--continue-on-failure', '--no-color', '--output-truncate', 'true'],
    ...positionals.flatMap((id) => ['--include-operation-id', id]),
    ...Object.keys(LEFT_OUT).flatMap((id) => ['--exclude-operation-id', id]),
    ...['--report', 'json', '--report-json-path', join(folder, `${name}.json`)],
  ];
  const startedAt = performance.now();
  const child = spawn(tester, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder, WORLD: JSON.stringify(world) },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  writeFileSync(join(folder, `${name}.txt`), output);
  console.log(`${name}: ${code === 0 ? 'no failure' : `failures, see ${join(folder, `${name}.txt`)}`}, ${seconds} s`);
  if (code !== 0) console.log(output.slice(output.indexOf('= FAILURES')));
  // Whatever is asked without a session is 401, which the document allows.
  const headers = { authorization: `Bearer ${token}` };
  const isSignedIn = (await fetch(`${api.address}/api/v1/auth/me`, { headers })).ok;
  if (!isSignedIn) console.log(`${name}: the session ended before the run`);
  return code === 0 && isSignedIn;
}

try {
  await post('/auth/register', TENANT);
  await verify();
  for (const [name, reason] of Object.entries({ ...LEFT_OUT, ...MAY_BE_REFUSED, ...MAY_BE_TAKEN }))
    console.log(`off: ${name}: ${reason}`);
  const admin = await signIn(ADMIN);
  await offerNumbers(api.address, admin);
  // Both before the first run, which takes and deletes what it finds.
  const worlds = {
    admin: await fill(api.address, admin, 'admin', receiver),
    tenant: await fill(api.address, await signIn(TENANT), 'tenant', receiver),
  };
  const results = [
    await testAs('admin', admin, worlds.admin),
    await testAs('tenant', await signIn(TENANT), worlds.tenant),
  ];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await api.stop();
  receiver.close();
}
