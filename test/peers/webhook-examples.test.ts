import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { messageBody } from '../../api/delivery/message.ts';
import { sampleData } from '../../api/delivery/samples.ts';
import { createSecret, digestSecret, signedHeaders } from '../../api/delivery/signature.ts';

const example = (name: string) => fileURLToPath(new URL(`../../docs/examples/webhooks/${name}`, import.meta.url));

function delivery(secret: string, nowMs = Date.now()) {
  const data = JSON.stringify({ ...sampleData('call.ended', nowMs), callerName: 'Zoë “Ünïcode” 電話' });
  const body = messageBody({ id: 'evt_example', type: 'call.ended', createdAtMs: nowMs, data });
  return { body, headers: signedHeaders(digestSecret(secret), 'evt_example', body, nowMs) };
}

interface Receiver {
  output(): string;
  printed(text: string): Promise<void>;
  post(message: ReturnType<typeof delivery>): Promise<number>;
}

async function start(
  t: { after(fn: () => void): void },
  [command = '', ...args]: string[],
  secret: string,
): Promise<Receiver> {
  const child = spawn(command, args, {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const printed = async (text: string) => {
    while (!output.includes(text)) await once(child.stdout, 'data');
  };
  await printed('\n');
  const url = `http://127.0.0.1:${/listening on (\d+)/.exec(output)?.[1]}/`;
  return {
    output: () => output,
    printed,
    post: async ({ body, headers }) => (await fetch(url, { method: 'POST', headers, body })).status,
  };
}

/** Signed with a secret that the receiver cannot have yet. */
function creationProbe(nowMs = Date.now()) {
  const body = messageBody({ id: 'evt_probe', type: 'webhook.probe', createdAtMs: nowMs, data: '{}' });
  return { body, headers: signedHeaders(digestSecret(createSecret()), 'evt_probe', body, nowMs) };
}

async function provesReceiver(t: { after(fn: () => void): void }, ...command: string[]): Promise<void> {
  const newborn = await start(t, command, '');
  assert.equal(await newborn.post(creationProbe()), 204, 'the webhook can be created');
  assert.equal(await newborn.post(delivery('')), 401, 'nothing else is taken without a secret');
  const secret = createSecret();
  const { post, printed, output } = await start(t, command, secret);
  assert.equal(await post(creationProbe()), 401, 'a probe of another secret');
  const good = delivery(secret);
  assert.equal(await post(good), 204);
  assert.equal(await post(good), 204, 'a repeated delivery is answered, too');
  assert.equal(await post(delivery(createSecret())), 401, 'another secret');
  assert.equal(await post({ ...good, body: good.body.replace('call.ended', 'call.begun') }), 401, 'another body');
  assert.equal(await post(delivery(secret, Date.now() - 600_000)), 401, 'an old time stamp');
  await printed('evt_example');
  assert.equal(output().split('evt_example').length - 1, 1, 'handled once');
}

test('the Node receiver of the docs verifies and takes each event once', (t) =>
  provesReceiver(t, process.execPath, example('node.mjs')));

const python = spawnSync('python3', ['--version']).status === 0;
test('the Python receiver of the docs does, too', { skip: !python && 'no python3 here' }, (t) =>
  provesReceiver(t, 'python3', example('python.py')),
);

const openssl = spawnSync('openssl', ['version']).status === 0;
test('the shell example of the docs verifies with openssl', { skip: !openssl && 'no openssl here' }, () => {
  const secret = createSecret();
  const verify = ({ body, headers }: ReturnType<typeof delivery>) =>
    spawnSync(
      'sh',
      [example('verify.sh'), headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']],
      { input: body, env: { ...process.env, WEBHOOK_SECRET: secret } },
    ).status;
  const good = delivery(secret);
  assert.equal(verify(good), 0);
  assert.equal(verify(delivery(createSecret())), 1);
  assert.equal(verify({ ...good, body: `${good.body} ` }), 1);
  assert.equal(verify(delivery(secret, Date.now() - 600_000)), 1);
});
