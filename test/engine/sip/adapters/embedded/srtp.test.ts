// Trunks with SRTP, on a virtual clock: no call with them is in clear text, neither from its start nor from its middle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { InboundLeg } from '../../../../../engine/sip/telephony.ts';
import { SipLab, sdpOf, trunkConfig } from '../../../../support/sip/sip-lab.ts';

const audio = { address: '10.0.0.1', port: 20_000 };
const keySalt = Buffer.alloc(30, 7).toString('base64');
const crypto = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${keySalt}`;
const clear = sdpOf('10.0.0.9');
const secured = `${clear.replace('RTP/AVP', 'RTP/SAVP')}${crypto}\r\n`;

interface Sending {
  method?: string;
  id: string;
  cseq?: number;
  toTag?: string;
  body?: string;
  scheme?: 'sip' | 'sips';
}

/** A trunk's connection by TLS, and one by TCP: each request gives the final status. */
async function scene(srtp: boolean) {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', { tls: { port: 5061, files: { certPem: '', keyPem: '' } } });
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    leg.answer(audio);
  });
  endpoint.setTrunks([trunkConfig('t', '10.0.0.9', { transport: 'tls', srtp })]);
  await lab.run(50);
  const connect = (port: number, transport: string) => {
    let heard = '';
    const stream = lab.network.connect('10.0.0.9', { address: '10.0.0.1', port });
    stream.handle({
      connected() {},
      closed() {},
      data: (bytes) => {
        heard += bytes.toString('latin1');
      },
    });
    return async ({ method = 'INVITE', id, cseq = 1, toTag, body = '', scheme = 'sip' }: Sending) => {
      heard = '';
      const lines = [
        `${method} ${scheme}:+15559990000@10.0.0.1 SIP/2.0`,
        `Via: SIP/2.0/${transport} 10.0.0.9:5061;branch=z9hG4bK${method}${id}${cseq}`,
        'From: <sip:+15551230001@10.0.0.9>;tag=peer',
        `To: <${scheme}:+15559990000@10.0.0.1>${toTag === undefined ? '' : `;tag=${toTag}`}`,
        `Call-ID: ${id}`,
        `CSeq: ${cseq} ${method}`,
        'Contact: <sip:10.0.0.9:5061;transport=tls>',
        ...(body === '' ? [] : ['Content-Type: application/sdp']),
        `Content-Length: ${body.length}`,
      ];
      stream.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`));
      await lab.run(50);
      const final = /^SIP\/2\.0 ([2-6]\d\d) [\s\S]*?^To: [^\r]*;tag=(\w+)/m.exec(
        heard.replace(/SIP\/2\.0 100[\s\S]*?\r\n\r\n/, ''),
      );
      return { status: Number(final?.[1]), toTag: final?.[2] ?? '', heard };
    };
  };
  return { lab, endpoint, legs, overTls: connect(5061, 'TLS'), overTcp: connect(5060, 'TCP') };
}

test('with srtp a call in clear text is 488, over TLS and beside it, with an offer and without', async () => {
  const it = await scene(true);
  assert.equal((await it.overTls({ id: 'a', body: clear })).status, 488);
  assert.equal((await it.overTcp({ id: 'b', body: clear })).status, 488);
  assert.equal((await it.overTcp({ id: 'c', body: secured })).status, 488);
  assert.equal((await it.overTcp({ id: 'd' })).status, 488);
  assert.equal(it.legs.length, 0);
  const call = await it.overTls({ id: 'e', body: secured });
  assert.equal(call.status, 200);
  assert.match(call.heard, /RTP\/SAVP/);
  const late = await it.overTls({ id: 'f' });
  assert.equal(late.status, 200);
  assert.match(late.heard, /RTP\/SAVP/);
});

test('an INVITE whose only key line has an MKI is 488', async () => {
  const it = await scene(false);
  assert.equal((await it.overTls({ id: 'a', body: secured.replace(keySalt, `${keySalt}|2^31|1:1`) })).status, 488);
  assert.equal(it.legs.length, 0);
});

test('a running SRTP call is not taken to clear text by re-INVITE or UPDATE, and goes on', async () => {
  for (const srtp of [true, false]) {
    const it = await scene(srtp);
    const { status, toTag } = await it.overTls({ id: 'a', body: secured });
    assert.equal(status, 200);
    await it.overTls({ method: 'ACK', id: 'a', toTag });
    assert.equal((await it.overTls({ id: 'a', cseq: 2, toTag, body: clear })).status, 488);
    await it.overTls({ method: 'ACK', id: 'a', cseq: 2, toTag });
    assert.equal((await it.overTls({ method: 'UPDATE', id: 'a', cseq: 3, toTag, body: clear })).status, 488);
    assert.equal((await it.overTls({ method: 'UPDATE', id: 'a', cseq: 4, toTag, body: secured })).status, 200);
    assert.deepEqual(
      it.legs[0]?.events.map(({ type }) => type).filter((type) => type !== 'dialog-stored'),
      ['answered'],
    );
  }
});

test('a call to a sips address has a sips Contact of ours, from its first answer on', async () => {
  const it = await scene(true);
  const call = await it.overTls({ id: 'a', scheme: 'sips', body: secured });
  assert.equal(call.status, 200);
  assert.match(call.heard, /^Contact: <sips:10\.0\.0\.1:5061>\r$/m);
  const again = await it.overTls({ method: 'UPDATE', id: 'a', cseq: 2, toTag: call.toTag, scheme: 'sips' });
  assert.equal(again.status, 200);
  assert.match(again.heard, /^Contact: <sips:10\.0\.0\.1:5061>\r$/m);
  const plain = await it.overTls({ id: 'b', body: secured });
  assert.match(plain.heard, /^Contact: <sip:10\.0\.0\.1:5061;transport=tls>\r$/m);
});
