// Messages that wait for the names in their SDP: how many, how long, and what becomes of one that cannot be handled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '../../../../../bench/rig/clock.ts';
import { SdpNames } from '../../../../../engine/sip/stack/transaction/sdp-names.ts';
import type { SipMessage } from '../../../../../engine/sip/stack/wire/message.ts';

const offer = (host: string): SipMessage => ({
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:+15559990000@10.0.0.1',
  headers: [{ name: 'content-type', value: 'application/sdp' }],
  body: Buffer.from(`v=0\r\nc=IN IP4 ${host}\r\nm=audio 4000 RTP/AVP 0\r\n`),
});

/** A name server that never answers, unless the test says otherwise. */
function scene(addresses: (host: string) => Promise<string[]> = () => new Promise(() => undefined)) {
  const clock = new VirtualClock(1_000_000);
  const asked: string[] = [];
  const failed: unknown[] = [];
  const names = new SdpNames({
    clock,
    names: {
      addresses: (host) => {
        asked.push(host);
        return addresses(host);
      },
      services: async () => [],
    },
    isKnown: () => true,
    unknown: () => undefined,
    failed: (error) => failed.push(error),
  });
  const run = async (ms: number): Promise<void> => {
    await setImmediate();
    clock.advance(ms);
    await setImmediate();
  };
  return { names, asked, failed, run };
}

test('a flood of one call with ever other names that nobody answers waits with 16 messages, for 2 s in all', async () => {
  const { names, asked, run } = scene();
  const gone: SipMessage[] = [];
  for (let n = 0; n < 1_000; n++) names.resolve(offer(`n${n}.example`), 'one', '10.0.0.9', (each) => gone.push(each));
  assert.equal(asked.length, 16);
  await run(2_000);
  assert.equal(gone.length, 16);
  names.resolve(offer('10.0.0.77'), 'one', '10.0.0.9', (each) => gone.push(each));
  assert.equal(gone.length, 17, 'nothing waits any more');
});

test('of many calls 256 messages wait, and further ones go on with their names', async () => {
  const { names, asked, run } = scene();
  let gone = 0;
  for (let n = 0; n < 400; n++) names.resolve(offer(`n${n}.example`), `call-${n}`, '10.0.0.9', () => gone++);
  assert.deepEqual([asked.length, gone], [256, 144]);
  await run(2_000);
  assert.equal(gone, 400);
});

test('one name is asked for once, however many calls wait for it', async () => {
  const { names, asked, run } = scene(async () => ['10.0.0.77']);
  const gone: SipMessage[] = [];
  for (const callId of ['a', 'b', 'c'])
    names.resolve(offer('sbc.example'), callId, '10.0.0.9', (each) => gone.push(each));
  await run(0);
  assert.deepEqual(asked, ['sbc.example']);
  assert.deepEqual(
    gone.map(({ body }) => /c=IN IP4 (\S+)/.exec(body.toString())?.[1]),
    ['10.0.0.77', '10.0.0.77', '10.0.0.77'],
  );
});

test('a message that cannot be handled ends neither the process nor the line of its call', async () => {
  const { names, failed, run } = scene(async () => ['10.0.0.77']);
  const gone: string[] = [];
  names.resolve(offer('sbc.example'), 'one', '10.0.0.9', () => {
    throw new Error('broken');
  });
  names.resolve(offer('sbc.example'), 'one', '10.0.0.9', () => gone.push('second'));
  await run(0);
  await run(0);
  assert.deepEqual(gone, ['second']);
  assert.match(String(failed[0]), /broken/);
});

test('a name that is longer than names are is neither asked for nor logged', () => {
  const { names, asked } = scene();
  let gone = 0;
  names.resolve(offer('a'.repeat(60_000)), 'one', '10.0.0.9', () => gone++);
  assert.deepEqual([asked.length, gone], [0, 1]);
});
