// 10,000 seeded mutations (SIP_MUTATIONS for another number) of the RFC 4475 messages and of ordinary calls: nothing
// throws, nothing is left behind, and the parser's work, counted in steps, stays linear.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readEssentials } from '../../../engine/sip/stack/wire/essentials.ts';
import { MAX_MESSAGE_BYTES, parseMessage, writeMessage } from '../../../engine/sip/stack/wire/message.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { inviteLines, SipLab, sdpOf } from '../../support/sip/sip-lab.ts';

const MUTATIONS = Number(process.env.SIP_MUTATIONS ?? 10_000);
/** Steps allowed per byte: start line, header split, list split, value, URI and parameters each pass over it once. */
const stepsPerByte = 12;
const folder = new URL('../../fixtures/rfc4475/', import.meta.url);

const fragments = [
  '\r\n',
  ',',
  ';',
  '"',
  '<',
  '>',
  '\\',
  ':',
  '=',
  '@',
  ' ',
  '\t',
  '\0',
  '%',
  'z9hG4bK',
  'sip:',
  ';tag=',
  'SIP/2.0',
  '\xff',
  'Via: ',
  'Content-Length: 99999',
];

function corpus(): Buffer[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.dat'));
  const peer = new SipLab().peer('10.0.0.9');
  const body = sdpOf('10.0.0.9');
  const invite = [...inviteLines(peer, 'sip:+15559990000@10.0.0.1'), `Content-Length: ${body.length}`, '', body].join(
    '\r\n',
  );
  return [...files.map((name) => readFileSync(new URL(name, folder))), Buffer.from(invite), Buffer.from(invite)];
}

function mutate(original: Buffer, random: () => number): Buffer {
  let text = original.toString('latin1');
  const times = 1 + Math.floor(random() * 4);
  for (let i = 0; i < times; i++) {
    const at = Math.floor(random() * text.length);
    const length = Math.floor(random() * 40);
    const kind = Math.floor(random() * 6);
    const fragment = fragments[Math.floor(random() * fragments.length)] ?? '';
    if (kind === 0) text = text.slice(0, at) + text.slice(at + length);
    else if (kind === 1) text = text.slice(0, at) + fragment + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + fragment + text.slice(at + fragment.length);
    else if (kind === 3)
      text = text.slice(0, at) + text.slice(at, at + length).repeat(1 + Math.floor(random() * 50)) + text.slice(at);
    else if (kind === 4)
      text = text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
    else text = text.slice(0, at);
  }
  return Buffer.from(text.slice(0, MAX_MESSAGE_BYTES), 'latin1');
}

test('mutations by the thousand: nothing thrown, no error logged, linear work, no transaction or dialog left', async (t) => {
  const random = seededRandom(20_240_611);
  const messages = corpus();
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1');
  endpoint.onInvite((leg) => {
    leg.onEvent(() => {});
    if (random() < 0.5) leg.answer({ address: '10.0.0.1', port: 20_000 });
    else leg.reject(486);
  });
  const sender = lab.network.bind({ address: '10.0.0.9', port: 5060 }, () => {});
  let worst = 0;
  for (let i = 0; i < MUTATIONS; i++) {
    const bytes = mutate(messages[Math.floor(random() * messages.length)] ?? Buffer.alloc(0), random);
    const parsed = parseMessage(bytes);
    if (parsed) {
      readEssentials(parsed.message, parsed.work);
      writeMessage(parsed.message);
      worst = Math.max(worst, parsed.work.steps / Math.max(bytes.length, 1));
    }
    sender.send(bytes, { address: '10.0.0.1', port: 5060 }, () => {});
    if (i % 100 === 0) await lab.run(10);
  }
  await lab.run(300_000, 1_000);
  t.diagnostic(`${MUTATIONS} messages, ${worst.toFixed(1)} steps a byte at worst`);
  assert.ok(worst <= stepsPerByte, `${worst} steps a byte`);
  assert.deepEqual(lab.errors.slice(0, 3), []);
  const { transactions, dialogs, connections } = endpoint.counts;
  assert.deepEqual({ transactions, dialogs, connections }, { transactions: 0, dialogs: 0, connections: 0 });
});

function steps(text: string): number {
  const parsed = parseMessage(Buffer.from(text, 'latin1'));
  if (!parsed) return 0;
  readEssentials(parsed.message, parsed.work);
  return parsed.work.steps;
}

test('adversarial inputs cost twice the steps for twice the length', () => {
  const head =
    'OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKx\r\nTo: <sip:a@b>\r\nCall-ID: x\r\nCSeq: 1 OPTIONS\r\n';
  const shapes: Array<(n: number) => string> = [
    (n) => `${head}From: "${'\\"'.repeat(n)}" <sip:a@b>\r\n\r\n`,
    (n) => `${head}From: ${'<'.repeat(n)}\r\n\r\n`,
    (n) => `${head}From: <sip:a@b>${';x=y'.repeat(n)}\r\n\r\n`,
    (n) => `${head}Contact: ${'<sip:a@b>,'.repeat(n)}\r\n\r\n`,
    (n) => `${head}X: a\r\n${' b\r\n'.repeat(n)}\r\n`,
    (n) => `${head}Via: ${'SIP/2.0/UDP h,'.repeat(n)}\r\n\r\n`,
    (n) => `${head}From: ${' '.repeat(n)}<sip:a@b>\r\n\r\n`,
    (n) => `${'\r\n'.repeat(n)}${head}\r\n`,
  ];
  for (const [index, shape] of shapes.entries()) {
    const small = steps(shape(500));
    const large = steps(shape(1_000));
    assert.ok(large > 0 && large <= small * 2 + 200, `shape ${index}: ${small} then ${large}`);
  }
});
