// The part of a peer's SDP that FreeSWITCH is given, and the part of FreeSWITCH's that the peer is given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseAudio, narrow, showTo, widen } from '../../../../../engine/sip/adapters/drachtio/media/narrow-sdp.ts';
import type { AudioCodec } from '../../../../../engine/sip/telephony.ts';

const lines = (...each: string[]): string => `${each.join('\r\n')}\r\n`;
const HEAD = ['v=0', 'o=- 1 1 IN IP4 10.0.0.7', 's=-', 'c=IN IP4 10.0.0.7', 't=0 0'];
const OFFER = lines(
  ...HEAD,
  'm=audio 4000 RTP/AVP 0 111 9 101 110',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 useinbandfec=1',
  'a=rtpmap:9 G722/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=rtpmap:110 telephone-event/48000',
  'a=sendonly',
  'm=video 4002 RTP/AVP 96',
);
const SECURED = lines(
  ...HEAD,
  'm=audio 4000 RTP/AVP 8',
  'm=audio 4004 RTP/SAVP 8 101',
  'a=rtpmap:101 telephone-event/8000',
  'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA',
);
const ALL: AudioCodec[] = ['PCMU', 'PCMA', 'G722', 'OPUS'];

function choose(
  offer: string,
  more: Partial<Parameters<typeof chooseAudio>[1]> = {},
  running: AudioCodec | null = null,
) {
  return chooseAudio(offer, { codecs: ALL, demandSrtp: false, prefersWideband: true, ...more }, 'offer', running);
}

test('one codec is left of an offer, with the events of its clock, and the rest of its line', () => {
  const choice = choose(OFFER) ?? assert.fail();
  assert.deepEqual(
    [choice.codec, choice.events, choice.direction],
    ['OPUS', { format: '110', clockHz: 48_000 }, 'recvonly'],
  );
  const left = ['m=audio 4000 RTP/AVP 111 110', 'a=rtpmap:111 opus/48000/2', 'a=fmtp:111 useinbandfec=1'];
  assert.equal(narrow(OFFER, choice), lines(...HEAD, ...left, 'a=rtpmap:110 telephone-event/48000', 'a=sendonly'));
});

test('the first codec where wideband is not preferred; in a running call the bandwidth stays', () => {
  assert.equal(choose(OFFER, { prefersWideband: false })?.codec, 'PCMU');
  assert.equal(choose(OFFER, {}, 'PCMA')?.codec, 'PCMU');
  assert.equal(choose(OFFER, { prefersWideband: false }, 'G722')?.codec, 'OPUS');
  assert.equal(choose(OFFER, { codecs: ['PCMA'] }), null);
});

test('a line with more formats than RTP has payload types is not looked through', () => {
  const many = OFFER.replace('RTP/AVP 0', `RTP/AVP 0 ${Array.from({ length: 8_000 }, (_, n) => n + 1_000).join(' ')}`);
  assert.equal(choose(many), null);
});

test('SRTP before clear speech, and nothing else where it is demanded', () => {
  assert.equal(choose(SECURED)?.index, 1);
  assert.equal(choose(SECURED, { demandSrtp: true })?.index, 1);
  assert.equal(choose(OFFER, { demandSrtp: true }), null);
});

test('the answer refuses every other line of the offer', () => {
  const choice = choose(SECURED) ?? assert.fail();
  const answer = lines(...HEAD, 'm=audio 10000 RTP/SAVP 8 101', 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:BBBB');
  const whole = [...HEAD, 'm=audio 0 RTP/AVP 8', 'm=audio 10000 RTP/SAVP 8 101'];
  assert.equal(widen(answer, SECURED, choice), lines(...whole, 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:BBBB'));
});

test('a public peer sees EXTERNAL_IP in place of a private address of FreeSWITCH, a private one and a public address do not change', () => {
  assert.match(showTo(OFFER, '198.51.100.7', '203.0.113.9'), /^c=IN IP4 203\.0\.113\.9\r$/m);
  assert.match(showTo(OFFER, '198.51.100.7', '203.0.113.9'), /^o=- 1 1 IN IP4 203\.0\.113\.9\r$/m);
  assert.equal(showTo(OFFER, '10.0.0.9', '203.0.113.9'), OFFER);
  assert.equal(showTo(OFFER, '198.51.100.7', null), OFFER);
  const own = OFFER.replaceAll('10.0.0.7', '203.0.113.20');
  assert.equal(showTo(own, '198.51.100.7', '203.0.113.9'), own);
});

test('keys beside plain RTP are not shown to FreeSWITCH, as the embedded endpoint takes none', () => {
  const key = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA';
  const offer = lines(...HEAD, 'm=audio 4000 RTP/AVP 0', key, 'a=sendrecv');
  const choice = choose(offer) ?? assert.fail();
  assert.equal(narrow(offer, choice), lines(...HEAD, 'm=audio 4000 RTP/AVP 0', 'a=sendrecv'));
  assert.equal(choose(offer, { demandSrtp: true }), null, 'a trunk with srtp does not take it');
  assert.match(narrow(SECURED, choose(SECURED) ?? assert.fail()), /a=crypto:1/);
});
