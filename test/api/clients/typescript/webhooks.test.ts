// Webhooks that the service signs, and others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyWebhook, WebhookError } from '../../../../api/clients/typescript/webhooks.ts';
import { messageBody } from '../../../../api/delivery/message.ts';
import { sampleData } from '../../../../api/delivery/samples.ts';
import { createSecret, digestSecret, signedHeaders } from '../../../../api/delivery/signature.ts';

const NOW = Date.UTC(2026, 4, 1);
const at = { nowMs: NOW };

function delivery(secret: string, nowMs = NOW) {
  const data = JSON.stringify({ ...sampleData('call.ended', nowMs), callerName: 'Zoë 電話' });
  const body = messageBody({ id: 'evt_1', type: 'call.ended', createdAtMs: nowMs, data });
  return { body, headers: signedHeaders(digestSecret(secret), 'evt_1', body, nowMs) };
}

test('what the service signed is taken, as text or bytes, with headers of fetch or of Node', async () => {
  const secret = createSecret();
  const { body, headers } = delivery(secret);
  const event = await verifyWebhook(body, headers, secret, at);
  assert.ok(event.type === 'call.ended');
  assert.equal(event.data.callerName, 'Zoë 電話');
  await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, at);
});

test('while a secret is rotated the old one and the new one are taken', async () => {
  const [before, after] = [createSecret(), createSecret()];
  for (const secret of [before, after]) {
    const { body, headers } = delivery(secret);
    await verifyWebhook(body, headers, [before, undefined, after], at);
  }
});

test('one of several signatures is enough, and others are passed over', async () => {
  const secret = createSecret();
  const { body, headers } = delivery(secret);
  const several = { ...headers, 'webhook-signature': `v1a,xx v1,AAAA v1,=== ${headers['webhook-signature']}` };
  await verifyWebhook(body, several, secret, at);
});

test('another secret, body, id or time is refused, and so is a missing header', async () => {
  const secret = createSecret();
  const { body, headers } = delivery(secret);
  const refused: Array<[string, Parameters<typeof verifyWebhook>]> = [
    ['another secret', [body, headers, createSecret(), at]],
    ['no secret', [body, headers, '', at]],
    ['no secrets', [body, headers, [undefined], at]],
    ['another body', [`${body} `, headers, secret, at]],
    ['another id', [body, { ...headers, 'webhook-id': 'evt_2' }, secret, at]],
    ['an old time', [body, headers, secret, { nowMs: NOW + 301_000 }]],
    ['a time to come', [body, headers, secret, { nowMs: NOW - 301_000 }]],
    ['no time', [body, { ...headers, 'webhook-timestamp': 'NaN' }, secret, at]],
    ['no signature', [body, { ...headers, 'webhook-signature': '' }, secret, at]],
    ['no headers', [body, {}, secret, at]],
    ['two headers', [body, { ...headers, 'webhook-id': ['evt_1', 'evt_2'] }, secret, at]],
  ];
  for (const [name, given] of refused) await assert.rejects(verifyWebhook(...given), WebhookError, name);
});
