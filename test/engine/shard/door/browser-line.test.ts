// The texts of a browser: offers and their bounds, keys, and its word that it missed something.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPUS_TYPE, WebRtcPhone } from '../../../../bench/rig/webrtc/webrtc-phone.ts';
import { BrowserLine } from '../../../../engine/shard/door/browser-line.ts';
import { readOffer, writeAnswer } from '../../../../engine/shard/door/browser-offer.ts';
import { attribute, parseSdp } from '../../../../media/sdp.ts';
import { WebRtcPort } from '../../../../media/webrtc/webrtc-port.ts';

const port = await WebRtcPort.open('127.0.0.1', 0, () => performance.now());
const phone = await WebRtcPhone.open();
after(() => {
  phone.close();
  port.close();
});

const FINGERPRINT = Array.from({ length: 32 }, (_, n) => (n + 16).toString(16).toUpperCase()).join(':');
/** As Chromium 156 writes it, with a camera beside the microphone. */
const CHROMIUM = `v=0
o=- 4563676915138198063 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0 1
a=extmap-allow-mixed
a=msid-semantic: WMS 6cfb399a
m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126
c=IN IP4 0.0.0.0
a=rtcp:9 IN IP4 0.0.0.0
a=ice-ufrag:CNDZ
a=ice-pwd:ftbUfauiJ5YqJ4d3kFh+W6yT
a=ice-options:trickle
a=fingerprint:sha-256 ${FINGERPRINT}
a=setup:actpass
a=mid:0
a=sendrecv
a=rtcp-mux
a=rtcp-rsize
a=rtpmap:111 opus/48000/2
a=rtcp-fb:111 transport-cc
a=fmtp:111 minptime=10;useinbandfec=1
a=rtpmap:63 red/48000/2
a=rtpmap:9 G722/8000
a=rtpmap:110 telephone-event/48000
a=rtpmap:126 telephone-event/8000
m=video 9 UDP/TLS/RTP/SAVPF 96
c=IN IP4 0.0.0.0
a=mid:1
a=rtpmap:96 VP8/90000
`;
/** As Firefox writes it: fingerprint and options stand once, for the session. */
const FIREFOX = `v=0
o=mozilla...THIS_IS_SDPARTA-99.0 5 0 IN IP4 0.0.0.0
s=-
t=0 0
a=fingerprint:sha-256 ${FINGERPRINT}
a=group:BUNDLE 0
a=ice-options:trickle
m=audio 9 UDP/TLS/RTP/SAVPF 109 9 0 8 101
c=IN IP4 0.0.0.0
a=sendrecv
a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1
a=fmtp:101 0-15
a=ice-pwd:8c4e4f0d4b2a1f6c2a9d7e5b3c1a0f9e
a=ice-ufrag:ab12cd34
a=mid:0
a=rtcp-mux
a=rtpmap:109 opus/48000/2
a=rtpmap:101 telephone-event/8000
a=setup:actpass
`;

function lab(entrance = true) {
  const texts: Array<Record<string, string>> = [];
  const digits: string[] = [];
  let nowMs = 0;
  const line = new BrowserLine({
    ...{ callId: 'call_1', sampleRateHz: 16_000, isAwaited: false, now: () => nowMs },
    entrance: () => (entrance ? { port, addresses: ['192.0.2.7'] } : null),
    onDigit: (digit) => digits.push(digit),
    onFault: (error) => assert.fail(String(error)),
    onPath: () => undefined,
  });
  line.transport.attach({
    bufferedBytes: 0,
    sendBinary: () => undefined,
    sendText: (text) => texts.push(JSON.parse(text)),
    close: () => undefined,
  });
  const say = (message: unknown): Record<string, string> | undefined => {
    nowMs += 100;
    line.take(typeof message === 'string' ? message : JSON.stringify(message));
    return texts.splice(0)[0];
  };
  return { line, digits, say };
}

test('offers of Chromium and Firefox are answered with Opus on our one port, lines beside it refused', () => {
  for (const [sdp, opus, events] of [
    [CHROMIUM, 111, 110],
    [FIREFOX, 109, 101],
  ] as const) {
    const answer = lab().say({ type: 'offer', sdp });
    assert.equal(answer?.type, 'answer');
    const read = parseSdp(answer.sdp ?? '');
    assert.ok(read);
    const [audio, video] = read.media;
    assert.deepEqual(audio?.formats, [`${opus}`, `${events}`]);
    assert.equal(audio.port, port.port);
    assert.equal(attribute(audio, 'setup'), 'passive');
    assert.equal(attribute(read, 'ice-lite'), null);
    assert.equal(attribute(audio, 'fingerprint'), `sha-256 ${port.certificate.fingerprint}`);
    assert.match(attribute(audio, 'candidate') ?? '', new RegExp(`udp \\d+ 192.0.2.7 ${port.port} typ host$`));
    if (sdp === CHROMIUM) assert.deepEqual([video?.port, video && attribute(video, 'mid')], [0, '1']);
  }
});

test('each of a machine’s addresses is a candidate, the first one before the others', () => {
  const offer = readOffer(FIREFOX);
  assert.ok(offer);
  const from = { ufrag: 'u'.repeat(16), password: 'p'.repeat(24), fingerprint: FINGERPRINT };
  const sdp = writeAnswer(offer, { ...from, addresses: ['192.0.2.7', '2001:db8::7'], port: 8081 });
  const priorities = [...sdp.matchAll(/udp (\d+)/g)].map(([, priority]) => Number(priority));
  assert.equal(priorities.length, 2);
  assert.ok((priorities[0] ?? 0) > (priorities[1] ?? 0) && (priorities[0] ?? 0) < 2 ** 31);
});

test('what is no offer of ours is refused, and the next good one is taken', () => {
  const { say } = lab();
  for (const sdp of [
    undefined,
    7,
    '',
    'v=0',
    CHROMIUM.replace('opus', 'speex'),
    CHROMIUM.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP'),
    CHROMIUM.replace('a=rtcp-mux\n', ''),
    CHROMIUM.replace('actpass', 'passive'),
    CHROMIUM.replace('sha-256', 'sha-1'),
    CHROMIUM.replace(/a=ice-pwd.*/, 'a=ice-pwd:short'),
    CHROMIUM.replace('a=mid:0', 'a=mid:0 \u0000'),
    CHROMIUM + 'a=x\n'.repeat(5_000),
    CHROMIUM + CHROMIUM.slice(CHROMIUM.indexOf('m=video')).repeat(9),
  ])
    assert.equal(say({ type: 'offer', sdp })?.code, 'BAD_OFFER', String(sdp).slice(-40));
  assert.equal(say({ type: 'offer', sdp: CHROMIUM })?.type, 'answer');
});

test('an offer of many formats and attributes is refused before each is looked for', () => {
  const formats = Array.from({ length: 4_000 }, (_, n) => n).join(' ');
  const sdp = `v=0\ns=-\nm=audio 9 UDP/TLS/RTP/SAVPF ${formats}\n${'a=rtpmap:1 x/1\n'.repeat(30)}`;
  assert.equal(readOffer(sdp.slice(0, 16_000)), null);
});

test('one browser offers a bounded number of times, and says a bounded number of things a second', () => {
  const { say, line, digits } = lab();
  for (let n = 0; n < 50; n++) assert.equal(say({ type: 'offer', sdp: CHROMIUM })?.type, 'answer');
  assert.equal(say({ type: 'offer', sdp: CHROMIUM })?.code, 'TOO_MANY_OFFERS');
  for (let n = 0; n < 100; n++) line.take('{"type":"digit","digit":"1"}');
  assert.ok(digits.length <= 20, `${digits.length}`);
});

test('keys of the telephone come by the socket too; what means nothing is ignored', () => {
  const { say, digits } = lab();
  for (const digit of ['1', '*', '#', 'A', '12', '', 7, null, 'x'.repeat(500)])
    assert.equal(say({ type: 'digit', digit }), undefined);
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '{"type":"state","digit":"1"}',
    '{"type":"missed"}',
    '{"type":"candidate"}',
  ])
    assert.equal(say(text), undefined);
  assert.deepEqual(digits, ['1', '*', '#']);
});

test('where WebRTC is off, an offer is told so', () => {
  assert.equal(lab(false).say({ type: 'offer', sdp: CHROMIUM })?.code, 'WEBRTC_OFF');
});

test('a browser that connects gets a transport whose keys only it has', async () => {
  const { say, line } = lab();
  const answer = say({ type: 'offer', sdp: phone.offer });
  const read = parseSdp(answer?.sdp ?? '');
  const [audio] = read?.media ?? [];
  assert.ok(audio);
  assert.deepEqual(audio.formats[0], String(OPUS_TYPE));
  const value = (name: string): string => attribute(audio, name) ?? '';
  const fingerprint = value('fingerprint').replace('sha-256 ', '');
  phone.answer({
    ufrag: value('ice-ufrag'),
    password: value('ice-pwd'),
    fingerprint,
    address: '127.0.0.1',
    port: port.port,
  });
  for (let n = 0; n < 5_000 && phone.keys === null; n++) {
    if (n % 50 === 0) phone.repeat();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(phone.keys);
  assert.equal(line.transport.path, 'socket');
  assert.equal(line.transport.stats().packetsReceived, 0);
  line.transport.close(0);
});

test('a browser that has not connected by the end of its call is expected no more', async () => {
  const late = await WebRtcPhone.open();
  const { say, line } = lab();
  const answer = say({ type: 'offer', sdp: late.offer });
  line.transport.close(0);
  const value = (name: string): string => new RegExp(`a=${name}:(.*)`).exec(answer?.sdp ?? '')?.[1]?.trim() ?? '';
  const place = { address: '127.0.0.1', port: port.port };
  late.answer({ ufrag: value('ice-ufrag'), password: value('ice-pwd'), fingerprint: value('fingerprint'), ...place });
  for (let n = 0; n < 100; n++) await new Promise((resolve) => setImmediate(resolve));
  late.close();
  assert.equal(late.bytes.in, 0);
});
