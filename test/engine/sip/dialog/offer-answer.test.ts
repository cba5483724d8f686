// Offer and answer: what we accept, refuse and offer, and what the media side is given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AudioSession,
  answeredRateHz,
  answerOffer,
  makeOffer,
  newAudioSession,
  offerFault,
  takeAnswer,
} from '../../../../engine/sip/dialog/offer-answer.ts';
import { sdpOf } from '../../../support/sip/sip-lab.ts';

function session(more: Partial<AudioSession> = {}): AudioSession {
  return {
    ...newAudioSession({ address: '10.0.0.1', port: 20_000 }, ['PCMU', 'PCMA'], { secure: false, demandSrtp: false }),
    ...more,
  };
}

function mLines(sdp: string) {
  return sdp.split('\r\n').filter((line) => line.startsWith('m='));
}

test('the offerer’s order and payload types are adopted, comfort noise too', () => {
  const offer = sdpOf('10.0.0.9', {
    formats: '18 8 0 13 96',
    lines: ['a=rtpmap:96 telephone-event/8000', 'a=rtcp:40001'],
  });
  const answered = answerOffer(session(), offer);
  assert.deepEqual(answered?.audio, {
    remoteAddress: '10.0.0.9',
    remotePort: 30_000,
    remoteRtcpPort: 40_001,
    codec: 'PCMA',
    payloadType: 8,
    telephoneEventPayloadType: 96,
    comfortNoisePayloadType: 13,
    direction: 'sendrecv',
    srtp: null,
    sources: [],
  });
  assert.deepEqual(mLines(answered?.sdp ?? ''), ['m=audio 20000 RTP/AVP 8 13 96']);
});

test('a dynamic payload type for PCMU is honoured', () => {
  const answered = answerOffer(session(), sdpOf('10.0.0.9', { formats: '120', lines: ['a=rtpmap:120 pcmu/8000/1'] }));
  assert.equal(answered?.audio.payloadType, 120);
  assert.match(answered?.sdp ?? '', /a=rtpmap:120 PCMU\/8000/);
});

test('every line of the offer has its line in the answer; unsupported ones get port 0', () => {
  const offer = `${sdpOf('10.0.0.9')}m=video 40000 RTP/AVP 31\r\nm=audio 40002 RTP/AVP 0\r\nm=image 40004 udptl t38\r\n`;
  assert.deepEqual(mLines(answerOffer(session(), offer)?.sdp ?? ''), [
    'm=audio 20000 RTP/AVP 0 101',
    'm=video 0 RTP/AVP 31',
    'm=audio 0 RTP/AVP 0',
    'm=image 0 udptl t38',
  ]);
});

test('offers that we reject: no common codec, port 0, DTLS, no address, no SDP', () => {
  const cases = [
    sdpOf('10.0.0.9', { formats: '18' }),
    sdpOf('10.0.0.9', { port: 0 }),
    sdpOf('10.0.0.9').replace('RTP/AVP', 'UDP/TLS/RTP/SAVPF'),
    sdpOf('10.0.0.9').replace('c=IN IP4 10.0.0.9\r\n', ''),
    'hello',
    '',
  ];
  for (const offer of cases) assert.equal(answerOffer(session(), offer), null, offer);
  const faults = ['codec', 'no_audio', 'transport', 'address', 'unreadable', 'unreadable'];
  assert.deepEqual(
    cases.map((offer) => offerFault(session(), offer)),
    faults,
  );
  assert.equal(offerFault(session(), sdpOf('10.0.0.9')), null);
});

const ipv6 = (lines: string[] = []) =>
  sdpOf('2001:db8::9', { lines }).replaceAll('IN IP4 2001:db8::9', 'IN IP6 2001:db8::9');
const HOST6 = 'a=candidate:1 1 UDP 2130706431 2001:db8::9 30000 typ host';
const HOST4 = 'a=candidate:2 1 udp 2130706175 10.0.0.9 30004 typ host';

test('audio at an address of the other family is refused, as is a name that nobody knows', () => {
  assert.equal(offerFault(session(), ipv6()), 'address');
  assert.equal(offerFault(session(), ipv6([HOST6])), 'address');
  assert.equal(
    offerFault(session(), sdpOf('10.0.0.9').replace('c=IN IP4 10.0.0.9', 'c=IN IP4 pbx.example.net')),
    'address',
  );
  const six = session({ local: { address: '2001:db8::1', port: 20_000 } });
  assert.equal(offerFault(six, sdpOf('10.0.0.9')), 'address');
  assert.equal(answerOffer(six, ipv6())?.audio.remoteAddress, '2001:db8::9');
  const made = makeOffer(session());
  assert.equal(takeAnswer(made.session, ipv6()), null);
});

test('an offer whose default is of the other family is taken where a line or a candidate of it is of ours', () => {
  const { audio } = answerOffer(session(), ipv6([HOST6, HOST4, 'a=rtcp:30001'])) ?? assert.fail();
  assert.deepEqual([audio.remoteAddress, audio.remotePort, audio.remoteRtcpPort], ['10.0.0.9', 30_004, 30_005]);
  const both = `${ipv6()}m=audio 30008 RTP/AVP 0\r\nc=IN IP4 10.0.0.9\r\n`;
  const answered = answerOffer(session(), both) ?? assert.fail();
  assert.deepEqual(mLines(answered.sdp), ['m=audio 0 RTP/AVP 0', 'm=audio 20000 RTP/AVP 0']);
  // ICE with a default of ours: the default stays.
  assert.equal(answerOffer(session(), sdpOf('10.0.0.9', { lines: [HOST6] }))?.audio.remotePort, 30_000);
  // A held line has no address of any family.
  const held = sdpOf('::', {}).replaceAll('IN IP4 ::', 'IN IP6 ::');
  assert.equal(answerOffer(session(), held)?.audio.direction, 'recvonly');
});

test('a line with more formats than RTP has payload types is not looked through', () => {
  const formats = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1000)).join(' ');
  const lines = Array.from({ length: 500 }, () => `a=rtpmap:7 ${'x'.repeat(40)}/8000`);
  assert.equal(answerOffer(session(), sdpOf('10.0.0.9', { formats: `0 ${formats(8_000)}`, lines })), null);
  assert.equal(answerOffer(session(), sdpOf('10.0.0.9', { formats: `0 ${formats(128)}`, lines })), null);
  const most = answerOffer(session(), sdpOf('10.0.0.9', { formats: `0 ${formats(127)}`, lines }));
  assert.equal(most?.audio.codec, 'PCMU');
});

test('of two lines for one payload type the first counts', () => {
  const lines = ['a=rtpmap:0 X/1', 'a=rtpmap:96 PCMA/8000', 'a=rtpmap:96 PCMU/8000'];
  assert.equal(answerOffer(session(), sdpOf('10.0.0.9', { formats: '0 96', lines }))?.audio.codec, 'PCMA');
});

test('directions, and hold as RFC 2543 wrote it', () => {
  const cases: Array<[string, string]> = [
    [sdpOf('10.0.0.9', { direction: 'sendonly' }), 'recvonly'],
    [sdpOf('10.0.0.9', { direction: 'recvonly' }), 'sendonly'],
    [sdpOf('10.0.0.9', { direction: 'inactive' }), 'inactive'],
    [sdpOf('10.0.0.9').replace('c=IN IP4 10.0.0.9', 'c=IN IP4 0.0.0.0'), 'recvonly'],
    [sdpOf('10.0.0.9').replace('t=0 0', 't=0 0\r\na=sendonly'), 'recvonly'],
  ];
  for (const [offer, direction] of cases) {
    const answered = answerOffer(session(), offer);
    assert.equal(answered?.audio.direction, direction);
    assert.ok(answered?.sdp.includes(`a=${direction}`));
  }
});

test('the version of o= rises exactly when the SDP changes', () => {
  const version = (sdp: string) => /o=- \d+ (\d+)/.exec(sdp)?.[1];
  const first = answerOffer(session(), sdpOf('10.0.0.9')) ?? assert.fail();
  const second = answerOffer(first.session, sdpOf('10.0.0.9')) ?? assert.fail();
  const held = answerOffer(second.session, sdpOf('10.0.0.9', { direction: 'sendonly' })) ?? assert.fail();
  assert.deepEqual(
    [first, second, held].map(({ sdp }) => version(sdp)),
    ['1', '1', '2'],
  );
});

test('our offer has two codecs and events; the answer decides', () => {
  const made = makeOffer(session());
  assert.deepEqual(mLines(made.sdp), ['m=audio 20000 RTP/AVP 0 8 101']);
  const taken = takeAnswer(made.session, sdpOf('10.0.0.9', { formats: '8', lines: [] }));
  assert.equal(taken?.audio.codec, 'PCMA');
  assert.equal(taken?.audio.telephoneEventPayloadType, null);
  assert.equal(takeAnswer(made.session, sdpOf('10.0.0.9', { formats: '18' })), null);
});

test('a new offer in a running session keeps the payload types in use, and the peer may answer with hold', () => {
  const answered =
    answerOffer(session(), sdpOf('10.0.0.9', { formats: '8 97', lines: ['a=rtpmap:97 telephone-event/8000'] })) ??
    assert.fail();
  const again = makeOffer(answered.session);
  assert.match(again.sdp, /RTP\/AVP 0 8 97\r\n/);
  assert.match(again.sdp, /a=sendrecv/);
  const agreed = takeAnswer(again.session, sdpOf('10.0.0.9', { formats: '8', direction: 'sendonly' }));
  assert.equal(agreed?.audio.direction, 'recvonly');
});

const wide: Partial<AudioSession> = { codecs: ['PCMU', 'PCMA', 'G722', 'OPUS'] };
const SOFTPHONE = sdpOf('10.0.0.9', {
  formats: '0 96 9 98 101',
  lines: ['a=rtpmap:96 opus/48000/2', 'a=rtpmap:98 telephone-event/48000', 'a=rtpmap:101 telephone-event/8000'],
});

test('an offer is answered with its first wideband codec where that is preferred, else with its first', () => {
  const preferred = answerOffer(session({ ...wide, prefersWideband: true }), SOFTPHONE) ?? assert.fail();
  const { codec, payloadType, telephoneEventPayloadType, telephoneEventClockHz } = preferred.audio;
  assert.deepEqual([codec, payloadType, telephoneEventPayloadType, telephoneEventClockHz], ['OPUS', 96, 98, 48_000]);
  assert.deepEqual(mLines(preferred.sdp), ['m=audio 20000 RTP/AVP 96 98']);
  assert.match(preferred.sdp, /a=rtpmap:96 opus\/48000\/2\r\na=fmtp:96 \S*useinbandfec=1/);
  assert.match(preferred.sdp, /a=rtpmap:98 telephone-event\/48000/);

  const first = answerOffer(session(wide), SOFTPHONE)?.audio;
  assert.deepEqual(
    [first?.codec, first?.telephoneEventPayloadType, first?.telephoneEventClockHz],
    ['PCMU', 101, undefined],
  );
  const narrow = answerOffer(session({ prefersWideband: true }), SOFTPHONE);
  assert.equal(narrow?.audio.codec, 'PCMU');
});

test('the rate of the audio is known before a call is announced: of the answer, or without an offer of our own first codec', () => {
  const clear = { secure: false, demandSrtp: false, address: '10.0.0.1' };
  assert.equal(answeredRateHz(SOFTPHONE, ['PCMU', 'G722'], clear), 8_000);
  assert.equal(answeredRateHz(SOFTPHONE, ['PCMU', 'G722'], { ...clear, prefersWideband: true }), 16_000);
  assert.equal(answeredRateHz(SOFTPHONE, ['PCMA'], clear), 'codec');
  assert.equal(answeredRateHz(null, ['G722', 'PCMU'], clear), 16_000);
  assert.equal(answeredRateHz(null, [], clear), 'codec');
  assert.equal(answeredRateHz(null, ['PCMU'], { ...clear, demandSrtp: true }), 'srtp');
  assert.equal(answeredRateHz(null, ['PCMU'], { ...clear, secure: true, demandSrtp: true }), 8_000);
});

test('G.722 has its static payload type and the clock that RFC 3551 gives it', () => {
  const offer = sdpOf('10.0.0.9', { formats: '9 101', lines: ['a=rtpmap:101 telephone-event/8000'] });
  const answered = answerOffer(session(wide), offer);
  assert.deepEqual([answered?.audio.codec, answered?.audio.payloadType], ['G722', 9]);
  assert.match(answered?.sdp ?? '', /a=rtpmap:9 G722\/8000\r\n/);
});

test('Opus with a telephone that has events at 8,000 only takes those', () => {
  const offer = sdpOf('10.0.0.9', {
    formats: '107 101',
    lines: ['a=rtpmap:107 opus/48000/2', 'a=rtpmap:101 telephone-event/8000'],
  });
  const { audio } = answerOffer(session(wide), offer) ?? assert.fail();
  assert.deepEqual([audio.telephoneEventPayloadType, audio.telephoneEventClockHz], [101, undefined]);
});

test('our offer names each codec in our order, with events of both clocks', () => {
  const made = makeOffer(session({ codecs: ['OPUS', 'G722', 'PCMU'] }));
  assert.deepEqual(mLines(made.sdp), ['m=audio 20000 RTP/AVP 111 9 0 110 101']);
  const taken = takeAnswer(made.session, sdpOf('10.0.0.9', { formats: '0 9', lines: [] }));
  assert.equal(taken?.audio.codec, 'PCMU', 'the answer has chosen, whatever we prefer');
});

test('a hold keeps the bandwidth; an offer without it changes the codec; a refresh of ours changes nothing', () => {
  const begun = answerOffer(
    session({ ...wide, prefersWideband: true }),
    sdpOf('10.0.0.9', { formats: '9 0', lines: [] }),
  );
  assert.equal(begun?.audio.codec, 'G722');
  const held = answerOffer(begun.session, sdpOf('10.0.0.9', { formats: '0 8 9', direction: 'sendonly', lines: [] }));
  assert.deepEqual([held?.audio.codec, held?.audio.direction], ['G722', 'recvonly']);
  assert.deepEqual(mLines(makeOffer(held?.session ?? assert.fail()).sdp), ['m=audio 20000 RTP/AVP 9 0 8 111 101 110']);
  const changed = answerOffer(begun.session, sdpOf('10.0.0.9', { formats: '8', lines: [] }));
  assert.equal(changed?.audio.codec, 'PCMA');
  const back = answerOffer(changed.session, sdpOf('10.0.0.9', { formats: '9 0', lines: [] }));
  assert.equal(back?.audio.codec, 'PCMU', 'narrowband by now');
});

test('payload types that a running session uses are given to nothing else', () => {
  const offer = sdpOf('10.0.0.9', { formats: '0 111', lines: ['a=rtpmap:111 telephone-event/8000'] });
  const begun = answerOffer(session(wide), offer) ?? assert.fail();
  assert.deepEqual(mLines(makeOffer(begun.session).sdp), ['m=audio 20000 RTP/AVP 0 8 9 96 111 110']);
});

const key = Buffer.alloc(30, 7).toString('base64');
const savp = sdpOf('10.0.0.9').replace('RTP/AVP', 'RTP/SAVP');

test('SDES only over TLS, both ways, and never a silent fallback to plain RTP', () => {
  const offer = `${savp}a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${key}|2^31\r\n`;
  assert.equal(answerOffer(session(), offer), null);
  const answered = answerOffer(session({ secure: true }), offer);
  assert.equal(answered?.audio.srtp?.remoteKeySalt, key);
  assert.match(
    answered?.sdp ?? '',
    /m=audio 20000 RTP\/SAVP 0 101\r\n[\s\S]*a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:[A-Za-z0-9+/]{40}\r\n/,
  );
  assert.notEqual(answered?.audio.srtp?.localKeySalt, key);
  assert.equal(
    answerOffer(session({ secure: true }), `${savp}a=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:${key}\r\n`),
    null,
  );
  const made = makeOffer(session({ secure: true, demandSrtp: true }));
  assert.match(made.sdp, /RTP\/SAVP/);
  assert.equal(takeAnswer(made.session, sdpOf('10.0.0.9')), null);
  const taken = takeAnswer(made.session, `${savp}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}\r\n`);
  assert.equal(taken?.audio.srtp?.localKeySalt, /inline:(\S+)/.exec(made.sdp)?.[1]);
});

test('a key line with an MKI, a second key or session parameters is skipped, and so is the stream if none is left', () => {
  const plain = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}`;
  const foreign = [
    `${plain}|2^31|1:1`,
    `${plain}|1:4`,
    `${plain};inline:${key}`,
    `${plain}|2^20 UNENCRYPTED_SRTP`,
    `${plain} UNAUTHENTICATED_SRTP`,
    `${plain} KDR=4`,
    `${plain} FEC_ORDER=FEC_SRTP`,
    `${plain} -x`,
  ];
  const secure = session({ secure: true });
  for (const line of foreign) {
    assert.equal(answerOffer(secure, `${savp}${line}\r\n`), null, line);
    const second = `a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${key}`;
    assert.match(answerOffer(secure, `${savp}${line}\r\n${second}\r\n`)?.sdp ?? '', /a=crypto:2 /, line);
  }
  for (const line of [plain, `${plain}|2^31`, `${plain}|1048576`, `${plain} WSH=128`]) {
    assert.ok(answerOffer(secure, `${savp}${line}\r\n`), line);
  }
});
