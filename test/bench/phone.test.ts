// The telephone of benches and tests speaks SIP only: an attack that sends RTP to every port must not count its
// answers.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { Phone } from '../../bench/rig/phone/phone.ts';
import { headerValue, message } from '../../bench/rig/phone/sip-text.ts';

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
