import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { messageBody } from '../../../api/delivery/message.ts';
import { sampleData } from '../../../api/delivery/samples.ts';
import { createSecret, digestSecret, signedHeaders } from '../../../api/delivery/signature.ts';

const example = (name: string) => fileURLToPath(new URL(`../../../docs/examples/webhooks/${name}`, import.meta.url));

function delivery(secret: string, nowMs = Date.now()) {
  const data = JSON.stringify({ ...sampleData('call.ended', nowMs), callerName: 'Zoë “Ünïcode” 電話' });
  const body = messageBody({ id: 'evt_example', type: 'call.ended', createdAtMs: nowMs, data });
  return { body, headers: signedHeaders(digestSecret(secret), 'evt_example', body, nowMs) };
}

async function provesReceiver(t: { after(fn: () => void): void }, command: string, args: string[]): Promise<void> {
  const secret = createSecret();
  const child = spawn(command, args, {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  while (!output.includes('\n')) await once(child.stdout, 'data');
  const url = `http://127.0.0.1:${/listening on (\d+)/.exec(output)?.[1]}/`;
  const post = async ({ body, headers }: ReturnType<typeof delivery>) =>
    (await fetch(url, { method: 'POST', headers, body })).status;
  const good = delivery(secret);
  assert.equal(await post(good), 204);
  assert.equal(await post(good), 204, 'a repeated delivery is answered, too');
  assert.equal(await post(delivery(createSecret())), 401, 'another secret');
  assert.equal(await post({ ...good, body: good.body.replace('call.ended', 'call.begun') }), 401, 'another body');
  assert.equal(await post(delivery(secret, Date.now() - 600_000)), 401, 'an old time stamp');
  while (!output.includes('evt_example')) await once(child.stdout, 'data');
  assert.equal(output.split('evt_example').length - 1, 1, 'handled once');
}

test('the Node receiver of the docs verifies and takes each event once', (t) =>
  provesReceiver(t, process.execPath, [example('node.mjs')]));

const python = spawnSync('python3', ['--version']).status === 0;
test('the Python receiver of the docs does, too', { skip: !python && 'no python3 here' }, (t) =>
  provesReceiver(t, 'python3', [example('python.py')]),
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
