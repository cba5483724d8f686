// The client packages as they are published: packed, installed in an empty folder without the network, and used against
// a running service.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { messageBody } from '../../../api/delivery/message.ts';
import { sampleData } from '../../../api/delivery/samples.ts';
import { createSecret, digestSecret, signedHeaders } from '../../../api/delivery/signature.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { useService } from '../../support/use-service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { service } = useService();

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'));
  execFileSync(process.execPath, ['supervise.mjs', 'run', 'api/clients/build.ts', folder], { cwd: ROOT });
});
after(() => rmSync(folder, { recursive: true }));

/** The oldest Node of this machine that the packages are for. */
const node = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;

/** An empty folder with one of the packages installed. */
function installed(name: string): string {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(folder, name) });
  const into = join(folder, `user-of-${name}`);
  mkdirSync(into);
  writeFileSync(join(into, 'package.json'), '{ "type": "module" }');
  const tarball = join(folder, String(packed).trim());
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: into, stdio: 'ignore' });
  return into;
}

async function run(command: string, args: string[], cwd: string) {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, URL: service.apiUrl, TOKEN: await service.login() },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

const PROGRAM = `
import { ApiError, createClient, verifyWebhook, WebhookError } from 'voice-calling-client';

const client = createClient({ url: process.env.URL ?? '', token: process.env.TOKEN });
const names: string[] = [];
for await (const agent of client.agents.list()) names.push(agent.name);
console.log(names.length > 0 ? 'agents' : 'none');
const [campaign] = await client.campaigns.list({ status: 'RUNNING' }).all(1);
if (campaign === undefined) throw new Error('no campaign');
const { call } = await client.calls.placeWeb({ campaignId: campaign.id });
console.log((await client.call(call.id).end()).status);
for await (const event of client.call(call.id).events()) if (event.type === 'ended') console.log(event.status);
await client.calls.get('call_0').catch((fault: unknown) => {
  if (fault instanceof ApiError && fault.code === 'NOT_FOUND') console.log('missing');
});
await verifyWebhook('{}', new Headers(), 'whsec_x').catch((fault: unknown) => {
  console.log(fault instanceof WebhookError ? 'refused' : fault);
});
`;

test('the TypeScript package is typed, and runs on plain Node against the service', async () => {
  const into = installed('typescript');
  writeFileSync(join(into, 'program.ts'), PROGRAM);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
  const strict = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck', 'false'];
  // The example of the page for programmers is checked beside it.
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  writeFileSync(join(into, 'page.ts'), /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '');
  const compiled = await run(process.execPath, [tsc, ...types, ...strict, 'program.ts', 'page.ts'], into);
  assert.equal(compiled.code, 0, compiled.output);
  const { code, output } = await run(node, ['program.js'], into);
  assert.equal(code, 0, output);
  assert.deepEqual(output.trim().split('\n'), ['agents', 'FAILED', 'FAILED', 'missing', 'refused']);
});

test('the command line is one program: it signs in, lists, shows, and bears a reader that leaves', async () => {
  const into = installed('command-line');
  const bin = join(into, 'node_modules/.bin/voicectl');
  const login = await run('sh', ['-c', `echo "$TOKEN" | ${bin} login --url "$URL"`], into);
  assert.match(login.output, /Signed in to .* as admin@example\.com \(ADMIN\)/);
  const rest = await new Rest(service).login();
  const [campaign] = await rest.must('GET', '/campaigns');
  const { call } = await rest.must('POST', '/calls/web', { campaignId: campaign?.id });
  await rest.must('POST', `/calls/${call.id}/end`);
  const listed = await run(bin, ['calls', 'list', '--campaign', campaign?.name ?? ''], into);
  assert.match(listed.output, new RegExp(`${call.id}.*FAILED`));
  const followed = await run(bin, ['calls', 'tail', call.id, '--json'], into);
  assert.match(followed.output, /"status":"FAILED".*"type":"ended"/);
  const piped = await run(
    'sh',
    ['-c', `${bin} calls list --json | head -c 1; ${bin} calls show call_0; echo $?`],
    into,
  );
  assert.match(piped.output, /^\[Call not found\n2\n$/);
});

test('bash completes its commands, options and values', {
  skip: !existsSync('/bin/bash') && 'no bash here',
}, async () => {
  const main = join(folder, 'command-line/dist/main.js');
  const script = `
eval "$(${process.execPath} ${main} completion bash)"
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _voicectl; echo "\${COMPREPLY[*]}"; }
try voicectl ca
try voicectl calls sh
try voicectl calls list --st
try voicectl calls list --status F
`;
  const { output } = await run('bash', ['-c', script], folder);
  assert.deepEqual(output.trim().split('\n'), ['call calls', 'show', '--status', 'FAILED']);
});

const slackExample = fileURLToPath(new URL('../../../docs/examples/slack/app.mjs', import.meta.url));

test('the Slack app tells of calls, places them, and takes nothing that is not signed', async (t) => {
  const into = join(folder, 'user-of-typescript');
  cpSync(slackExample, join(into, 'app.mjs'));
  const told: string[] = [];
  const slack = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    told.push(JSON.parse(text).text);
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(slack, 'listening');
  t.after(() => slack.close());
  const [secret, signingSecret] = [createSecret(), 'slack-secret'];
  const app = spawn(node, ['app.mjs'], {
    cwd: into,
    env: {
      ...{ PORT: '0', VOICE_URL: service.apiUrl, VOICE_TOKEN: await service.login(), VOICE_CAMPAIGN: 'Nothing' },
      ...{ VOICE_WEBHOOK_SECRET: secret, SLACK_SIGNING_SECRET: signingSecret },
      SLACK_WEBHOOK_URL: `http://127.0.0.1:${(slack.address() as AddressInfo).port}/`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => app.kill());
  const [line] = (await once(app.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${/listening on (\d+)/.exec(String(line))?.[1]}`;
  const post = (path: string, body: string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body });

  const nowMs = Date.now();
  const data = JSON.stringify({ ...sampleData('call.ended', nowMs), callerName: 'Zoë <!channel>' });
  const body = messageBody({ id: 'evt_1', type: 'call.ended', createdAtMs: nowMs, data });
  const headers = signedHeaders(digestSecret(secret), 'evt_1', body, nowMs);
  assert.equal((await post('/voice', `${body} `, headers)).status, 401);
  for (const _ of [1, 2]) assert.equal((await post('/voice', body, headers)).status, 204);
  await eventually(() => told.length > 0);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /Call to \*Zoë &lt;!channel&gt;\* \(\d+ s\): /);

  const timestamp = String(Math.floor(nowMs / 1_000));
  const command = 'command=%2Fcall&text=%2B1+(202)+555-0143';
  const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${command}`).digest('hex')}`;
  const signed = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
  assert.equal((await post('/slack', `${command}9`, signed)).status, 401);
  const answered = (await (await post('/slack', command, signed)).json()) as { text: string };
  assert.equal(answered.text, 'There is no campaign Nothing');
  assert.equal((await fetch(url)).status, 404);
});
