// The telephone of benches and tests. It speaks SIP only: a flood of RTP to each port must not get answers from it. It
// talks in each of its calls, as callees of a campaign do.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { PhoneAudio } from '../../engine/test-runs/caller/phone/audio.ts';
import { answers, Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import { headerValue, message, response } from '../../engine/test-runs/caller/phone/sip-text.ts';

test('a phone answers a request outside of a call, and no datagram that is no SIP', async (t) => {
  const phone = await Phone.start();
  const sender = createSocket('udp4');
  t.after(() => {
    sender.close();
    phone.stop();
  });
  sender.bind(0, '127.0.0.1');
  await once(sender, 'listening');
  const heard: string[] = [];
  sender.on('message', (data) => heard.push(headerValue(String(data), 'CSeq')));
  const rtp = Buffer.alloc(172, 0xff);
  rtp.writeUInt32BE(0x80000001, 0);
  sender.send(rtp, phone.port, phone.host);
  const lines = [
    `OPTIONS sip:x@127.0.0.1:${phone.port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${sender.address().port};branch=z9hG4bK1`,
    'From: <sip:y@127.0.0.1>;tag=y',
    'To: <sip:x@127.0.0.1>',
    'Call-ID: 1',
    'CSeq: 1 OPTIONS',
  ];
  sender.send(message(lines), phone.port, phone.host);
  await once(sender, 'message');
  assert.deepEqual(heard, ['1 OPTIONS']);
  assert.deepEqual(phone.requests, ['OPTIONS']);
});

/** A port that counts the packets which it gets, and tells their sequence numbers. */
async function ear(t: { after(work: () => void): void }) {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const sequences: number[] = [];
  let wake = (): void => {};
  socket.on('message', (packet) => {
    sequences.push(packet.readUInt16BE(2));
    wake();
  });
  return {
    remote: { address: '127.0.0.1', port: socket.address().port },
    sequences,
    async until(count: number): Promise<void> {
      while (sequences.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

test('a phone talks in several calls at once, each a stream of its own, until that call ends', async (t) => {
  const audio = await PhoneAudio.open('127.0.0.1', false);
  t.after(() => audio.close());
  const [first, second] = [await ear(t), await ear(t)];
  const [one, two] = [{}, {}];
  audio.talkTo(first.remote, one);
  await first.until(3);
  audio.talkTo(second.remote, two);
  await Promise.all([second.until(3), first.until(6)]);
  assert.deepEqual(first.sequences.slice(0, 6), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(second.sequences.slice(0, 3), [1, 2, 3]);
  audio.hush(one);
  const heard = first.sequences.length;
  await second.until(second.sequences.length + 5);
  assert.ok(first.sequences.length <= heard + 1, 'but for the packet under way, the ended call hears nothing');
  audio.talkTo(first.remote, two);
  await first.until(heard + 3);
  assert.ok((first.sequences.at(-1) ?? 0) > 7, 'a call that moves goes on with its stream');
});

test('a callee that hangs up says so again until it is heard: an engine may be starting anew', async (t) => {
  const phone = await Phone.start({ script: answers({ hangUpAfterMs: 1 }) });
  const caller = createSocket('udp4');
  t.after(() => {
    caller.close();
    phone.stop();
  });
  caller.bind(0, '127.0.0.1');
  await once(caller, 'listening');
  const port = caller.address().port;
  const lines = [
    `INVITE sip:x@127.0.0.1:${phone.port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK2`,
    'From: <sip:y@127.0.0.1>;tag=y',
    'To: <sip:x@127.0.0.1>',
    'Call-ID: 2',
    'CSeq: 1 INVITE',
    `Contact: <sip:y@127.0.0.1:${port}>`,
  ];
  const byes: string[] = [];
  const twice = new Promise<void>((resolve) => {
    caller.on('message', (data) => {
      const text = String(data);
      if (!text.startsWith('BYE ')) return;
      byes.push(text);
      if (byes.length === 2) resolve();
    });
  });
  caller.send(message(lines), phone.port, phone.host);
  await twice;
  assert.equal(byes[0], byes[1], 'the same request');
  assert.equal(phone.calls[0]?.state, 'ended');
  const answered = new Promise<void>((resolve) => {
    const call = phone.calls[0];
    void call?.got('200').then(resolve);
  });
  caller.send(response(byes[0] ?? '', 200), phone.port, phone.host);
  await answered;
});
