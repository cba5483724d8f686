import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples } from '../../../media/frame.ts';
import { encodeG711 } from '../../../media/g711.ts';
import { Latch } from '../../../media/rtp/latch.ts';
import { emptyRtpHeader, parseRtp, writeRtpHeader } from '../../../media/rtp/packet.ts';
import { bindRtpPair, bindRtpPairAt, RtpPortError } from '../../../media/rtp/ports.ts';
import { buildRtcp, parseRtcp } from '../../../media/rtp/rtcp.ts';
import type { RtpAudio } from '../../../media/rtp/rtp-transport.ts';
import { RtpSession } from '../../../media/rtp/session.ts';
import { SrtpContext } from '../../../media/rtp/srtp.ts';
import { VIRTUAL_PEER, virtualPair } from '../../../media/webrtc/virtual-pair.ts';
import { negotiatedAudio } from '../../support/sip/negotiated-audio.ts';
import { shareAt, tone } from '../signals.ts';
import { until, useRtp } from './sockets.ts';

const { openTransport, openPeer } = useRtp();

const audio = (remotePort: number, overrides: Partial<RtpAudio> = {}): RtpAudio => ({
  ...negotiatedAudio({ remotePort, remoteRtcpPort: 0 }),
  ...overrides,
});

function packet(sequence: number, samples: Int16Array, ssrc = 1, payloadType = 0): Buffer {
  const datagram = Buffer.alloc(12 + samples.length);
  writeRtpHeader(datagram, false, payloadType, sequence, sequence * 160, ssrc);
  encodeG711('pcmu', samples, datagram, 12);
  return datagram;
}

test('the pair is an even port and the odd one above; a full range is reported', async () => {
  const pair = await bindRtpPair('127.0.0.1', { min: 0, max: 0 }, Math.random);
  assert.equal(pair.port % 2, 0);
  assert.equal(pair.rtcp.address().port, pair.port + 1);
  const isNoPorts = (error: unknown) => error instanceof RtpPortError && error.code === 'NO_PORTS';
  await assert.rejects(bindRtpPairAt('127.0.0.1', pair.port), isNoPorts);
  await assert.rejects(bindRtpPair('127.0.0.1', { min: pair.port, max: pair.port + 1 }, Math.random), isNoPorts);
  pair.rtp.close();
  pair.rtcp.close();
});

test('a second source is neither heard nor sent to, whatever it sends', async () => {
  const { transport, port, digits } = await openTransport();
  const caller = await openPeer();
  const stranger = await openPeer();
  transport.connect(audio(caller.port));
  const voice = tone(450, 8000, 20);
  const noise = tone(2000, 8000, 20);
  const heard: Int16Array[] = [];
  for (let i = 0; i < 100; i++) {
    // The stranger is louder and faster, uses its own SSRC or the caller's, and presses keys.
    stranger.send(packet(i * 2, noise, i % 2 === 0 ? 1 : 77), port, '127.0.0.1');
    stranger.send(packet(i * 2 + 1, noise, 77), port, '127.0.0.1');
    const key = packet(5, new Int16Array(4), 77, 101);
    key[12] = 5;
    stranger.send(key, port, '127.0.0.1');
    caller.send(packet(i, voice), port, '127.0.0.1');
    await until(() => transport.stats().packetsReceived + transport.stats().foreignPackets >= (i + 1) * 4);
    const frame = new Int16Array(160);
    transport.pull(frame);
    transport.send(frame, 0);
    heard.push(frame);
  }
  const all = joinSamples(heard.slice(5));
  assert.ok(shareAt(all, 450, 8000) > 0.9);
  assert.ok(shareAt(all, 2000, 8000) < 0.01);
  assert.deepEqual(digits, []);
  await until(() => caller.got.length >= 99);
  assert.ok(stranger.got.length <= 1, 'only before the signalled address had shown itself');
  assert.ok(transport.stats().foreignPackets >= 295);
});

test('a peer behind NAT is followed to its real source address', async () => {
  const { transport, port } = await openTransport();
  const caller = await openPeer();
  transport.connect(audio(9, { remoteAddress: '192.0.2.1', sources: ['127.0.0.1'] }));
  caller.send(packet(1, tone(450, 8000, 20)), port, '127.0.0.1');
  await until(() => transport.stats().packetsReceived === 1);
  transport.send(new Int16Array(160), 0);
  await until(() => caller.got.length === 1);
});

test('a peer of IPv4 is heard and sent to by a socket that serves both families', async () => {
  const sockets = await bindRtpPair('::ffff:127.0.0.1', { min: 0, max: 0 }, Math.random);
  const { transport } = await openTransport({ sockets });
  const peer = await openPeer();
  transport.connect(audio(peer.port));
  peer.send(packet(1, new Int16Array(160)), sockets.port, '127.0.0.1');
  await until(() => transport.stats().packetsReceived + transport.stats().foreignPackets === 1);
  assert.equal(transport.stats().foreignPackets, 0);
  transport.send(new Int16Array(160), 0);
  await until(() => peer.got.length > 0);
});

test('a stranger who sends first takes nothing over: not what is heard, and not where it is sent', async () => {
  const { transport, port } = await openTransport();
  const phone = await openPeer();
  const stranger = await openPeer('127.0.0.77');
  // The phone is behind NAT: it signals a private address, and its signalling comes from its router.
  transport.connect(audio(30_000, { remoteAddress: '10.99.99.99', sources: ['127.0.0.1', '198.51.100.0/24'] }));
  for (let i = 0; i < 10; i++) stranger.send(packet(i, tone(2000, 8000, 20), 77), port, '127.0.0.1');
  await until(() => transport.stats().foreignPackets === 10);
  assert.equal(transport.stats().packetsReceived, 0);
  phone.send(packet(1, tone(450, 8000, 20)), port, '127.0.0.1');
  await until(() => transport.stats().packetsReceived === 1);
  transport.send(new Int16Array(160), 0);
  await until(() => phone.got.length === 1);
  assert.equal(stranger.got.length, 0);
});

test('until somebody is latched, the signalled host, the sources and their networks may be, and nobody else', () => {
  const header = { ...emptyRtpHeader(), ssrc: 1, sequence: 1 };
  const verdict = (address: string) => {
    const latch = new Latch();
    latch.signal('192.0.2.1', 4_000, ['203.0.113.5', '198.51.100.0/24', '2001:db8::/32']);
    return latch.judge(address, 5_000, header, 0);
  };
  for (const address of ['192.0.2.1', '203.0.113.5', '198.51.100.200', '2001:db8::7'])
    assert.equal(verdict(address), 'accept-new-source', address);
  for (const address of ['192.0.2.2', '203.0.113.6', '198.51.101.1', '2001:db9::7'])
    assert.equal(verdict(address), 'foreign', address);
});

test('a new address by signalling, a new SSRC, and a move without signalling re-open the latch', () => {
  const header = emptyRtpHeader();
  const judge = (latch: Latch, port: number, ssrc: number, sequence: number, nowMs: number) => {
    header.ssrc = ssrc;
    header.sequence = sequence;
    return latch.judge('10.0.0.1', port, header, nowMs);
  };
  const latch = new Latch();
  latch.signal('10.0.0.1', 4000);
  assert.equal(judge(latch, 4000, 1, 10, 0), 'accept-new-source');
  assert.equal(judge(latch, 4000, 1, 11, 20), 'accept');
  // A new SSRC from the same socket: two packets in sequence.
  assert.equal(judge(latch, 4000, 2, 500, 40), 'foreign');
  assert.equal(judge(latch, 4000, 2, 501, 60), 'accept-new-source');
  // Signalled again.
  latch.signal('10.0.0.1', 6000);
  assert.equal(latch.port, 6000);
  assert.equal(judge(latch, 6000, 3, 1, 80), 'accept-new-source');
  assert.equal(judge(latch, 4000, 2, 502, 100), 'foreign');
  // Moved without signalling: only after a second of silence, and only in sequence.
  for (let i = 0; i < 40; i++) assert.equal(judge(latch, 7000, 9, i, 120 + i * 20), 'foreign');
  for (let i = 0; i < 4; i++) assert.equal(judge(latch, 7000, 9, 100 + i, 1200 + i * 20), 'foreign');
  assert.equal(judge(latch, 7000, 9, 200, 1300), 'foreign');
  for (let i = 1; i < 5; i++) {
    assert.equal(judge(latch, 7000, 9, 200 + i, 1300 + i * 20), i < 4 ? 'foreign' : 'accept-new-source');
  }
  assert.equal(latch.port, 7000);
  // The signalled address is always accepted again.
  assert.equal(judge(latch, 6000, 3, 900, 1500), 'accept-new-source');
});

test('after a silence another host is not heard, nor sent to, until signalling names it', async () => {
  let nowMs = 0;
  const { transport, port } = await openTransport({ now: () => nowMs });
  const caller = await openPeer();
  const stranger = await openPeer('127.0.0.3');
  transport.connect(audio(caller.port));
  caller.send(packet(1, tone(450, 8000, 20)), port, '127.0.0.1');
  await until(() => transport.stats().packetsReceived === 1);
  nowMs += 1_200;
  const noise = tone(2000, 8000, 20);
  for (let i = 0; i < 10; i++, nowMs += 20) {
    stranger.send(packet(100 + i, noise, 77), port, '127.0.0.1');
    await until(() => transport.stats().foreignPackets + transport.stats().packetsReceived === i + 2);
  }
  assert.equal(transport.stats().foreignPackets, 10);
  transport.send(new Int16Array(160), 0);
  await until(() => caller.got.length === 1);
  assert.equal(stranger.got.length, 0);
  transport.connect(audio(stranger.port, { remoteAddress: '127.0.0.3' }));
  stranger.send(packet(200, noise, 77), port, '127.0.0.1');
  await until(() => transport.stats().packetsReceived === 2);
});

test('hold: nothing is sent, and the peer’s silence is ignored', async () => {
  const { transport, port } = await openTransport();
  const caller = await openPeer();
  transport.connect(audio(caller.port));
  assert.equal(transport.held, false);
  transport.send(new Int16Array(160), 0);
  transport.connect(audio(caller.port, { direction: 'recvonly' }));
  assert.equal(transport.held, true);
  for (let i = 0; i < 5; i++) transport.send(new Int16Array(160), 0);
  transport.connect(audio(caller.port));
  transport.send(new Int16Array(160), 2);
  await until(() => caller.got.length === 2);
  const [first, second] = caller.got;
  assert.ok(first && second);
  const header = emptyRtpHeader();
  parseRtp(first, header);
  const { timestamp, sequence, marker } = header;
  assert.equal(marker, true);
  parseRtp(second, header);
  assert.equal(header.marker, true);
  assert.equal(header.sequence, (sequence + 1) & 0xffff);
  assert.equal((header.timestamp - timestamp) >>> 0, 160 * (5 + 3));
  assert.ok(port > 0);
});

test('digits replace audio on the way out and arrive as digits; comfort noise and reports are signs of life', async () => {
  let nowMs = 0;
  const { transport, port, digits } = await openTransport({ now: () => nowMs });
  const caller = await openPeer();
  transport.connect(audio(caller.port, { remoteRtcpPort: caller.port }));
  assert.equal(transport.sendDigits('42'), true);
  for (let i = 0; i < 22; i++) transport.send(new Int16Array(160), 0);
  await until(() => caller.got.length === 22);
  const types = caller.got.map((datagram) => (datagram[1] as number) & 0x7f);
  assert.equal(types.filter((type) => type === 101).length, 14);

  const key = Buffer.alloc(16);
  writeRtpHeader(key, true, 101, 1, 800, 1);
  key.set([7, 10, 0, 160], 12);
  for (let i = 0; i < 3; i++) caller.send(key, port, '127.0.0.1');
  await until(() => transport.stats().packetsReceived === 3);
  assert.deepEqual(digits, ['7']);

  nowMs = 15_000;
  const noise = Buffer.alloc(13);
  writeRtpHeader(noise, false, 13, 2, 2000, 1);
  caller.send(noise, port, '127.0.0.1');
  await until(() => transport.lastLifeMs === 15_000);
  nowMs = 31_000;
  const report = buildRtcp({ ssrc: 1, cname: 'peer', sender: null, reception: null, bye: false });
  caller.send(report, port, '127.0.0.1');
  await until(() => transport.lastLifeMs === 31_000);
  nowMs = 40_000;
  caller.send(report, port + 1, '127.0.0.1');
  await until(() => transport.lastLifeMs === 40_000);

  caller.got.length = 0;
  transport.housekeep(nowMs, 1_700_000_000_000);
  await until(() => caller.got.length === 1);
  assert.equal(parseRtcp(caller.got[0] ?? Buffer.alloc(0), 1)?.ours?.fractionLost, 0);
  transport.close(0);
  await until(() => caller.got.length === 2);
  assert.equal(parseRtcp(caller.got[1] ?? Buffer.alloc(0), 1)?.bye, true);
});

test('SRTP: both directions encrypted, plain packets are foreign', async () => {
  const key = (fill: number) => Buffer.alloc(30, fill).toString('base64');
  const ours = await openTransport();
  const theirs = await openTransport();
  ours.transport.connect(audio(theirs.port, { srtp: { localKeySalt: key(1), remoteKeySalt: key(2) } }));
  theirs.transport.connect(audio(ours.port, { srtp: { localKeySalt: key(2), remoteKeySalt: key(1) } }));
  const frame = tone(600, 8000, 20);
  const heard: Int16Array[] = [];
  const stranger = await openPeer();
  for (let i = 0; i < 20; i++) {
    stranger.send(packet(i, tone(2000, 8000, 20)), theirs.port, '127.0.0.1');
    ours.transport.send(frame, 0);
    await until(() => theirs.transport.stats().packetsReceived === i + 1);
    await until(() => theirs.transport.stats().foreignPackets === i + 1);
    const out = new Int16Array(160);
    theirs.transport.pull(out);
    heard.push(out);
  }
  assert.ok(shareAt(joinSamples(heard), 600, 8000) > 0.9);
});

test('SRTP: a packet that a stranger has sent on before the peer is not decrypted, and the peer’s own is heard', async () => {
  const key = (fill: number) => Buffer.alloc(30, fill).toString('base64');
  const { transport, port } = await openTransport();
  const caller = await openPeer();
  const stranger = await openPeer('127.0.0.77');
  transport.connect(audio(caller.port, { srtp: { localKeySalt: key(1), remoteKeySalt: key(2) } }));
  const sender = new SrtpContext(key(2));
  const voice = tone(450, 8000, 20);
  const sealed = [1, 2, 3].map((sequence) => Buffer.from(sender.protect(packet(sequence, voice), 12)));
  for (const [index, datagram] of sealed.entries()) {
    stranger.send(datagram, port, '127.0.0.1');
    await until(() => transport.stats().foreignPackets === index + 1);
    caller.send(datagram, port, '127.0.0.1');
    await until(() => transport.stats().packetsReceived + transport.stats().foreignPackets === 2 * index + 2);
  }
  assert.equal(transport.stats().packetsReceived, 3);
});

test('SRTP: a new key of the peer leaves our own stream as it is, past the wrap of its sequence', async () => {
  const key = (fill: number) => Buffer.alloc(30, fill).toString('base64');
  const sockets = await bindRtpPair('127.0.0.1', { min: 0, max: 0 }, Math.random);
  let datagram = Buffer.alloc(0);
  sockets.rtp.send = (bytes: unknown) => {
    datagram = Buffer.from(bytes as Buffer);
  };
  const heard: number[] = [];
  const session = new RtpSession({
    sockets,
    ssrc: 7,
    clockRateHz: 8000,
    cname: 'test',
    onPacket: (_datagram, { sequence }) => heard.push(sequence),
    onFault: (error) => assert.fail(String(error)),
    now: () => performance.now(),
  });
  const caller = await openPeer();
  const keyed = (localKeySalt: string, remoteKeySalt: string) =>
    session.connect({
      remoteAddress: '127.0.0.1',
      remotePort: caller.port,
      remoteRtcpPort: 0,
      payloadTypes: [0],
      clockRateHz: 8000,
      srtp: { localKeySalt, remoteKeySalt },
      sources: [],
    });
  const listener = new SrtpContext(key(1));
  let refused = 0;
  const send = (count: number) => {
    for (let i = 0; i < count; i++) {
      session.send(session.nextPacket(), 160, 0, false, i * 160);
      if (!listener.unprotect(datagram, 12)) refused++;
    }
  };
  keyed(key(1), key(2));
  // Wherever the sequence begins, it wraps.
  send(0x10000 + 100);
  keyed(key(1), key(3));
  send(10);
  assert.equal(refused, 0);
  // The other direction has the new key.
  caller.send(new SrtpContext(key(3)).protect(packet(1, new Int16Array(160)), 12), sockets.port, '127.0.0.1');
  await until(() => session.stats.packetsReceived + session.stats.foreignPackets === 1);
  assert.deepEqual(heard, [1]);
  session.close(0);
});

test('random bytes, cut packets and reports on the audio port never throw, and the caller is still heard', async () => {
  const random = seededRandom(2024);
  const faults: unknown[] = [];
  const { transport, port } = await openTransport({ onFault: (error) => faults.push(error) });
  const caller = await openPeer();
  transport.connect(audio(caller.port));
  const voice = tone(450, 8000, 20);
  const valid = packet(0, voice);
  let total = 0;
  const count = () => {
    const { packetsReceived, foreignPackets } = transport.stats();
    return packetsReceived + foreignPackets + transport.malformedPackets;
  };
  caller.send(packet(0, voice), port, '127.0.0.1');
  total++;
  await until(() => count() >= total);
  for (let i = 0; i < 6000; i++) {
    const dice = random();
    let bytes: Buffer;
    if (dice < 0.4) bytes = Buffer.from(Uint8Array.from({ length: Math.floor(random() * 200) }, () => random() * 256));
    else {
      bytes = Buffer.from(valid.subarray(0, Math.floor(random() * (valid.length + 1))));
      for (let flips = 0; flips < 4 && bytes.length > 0; flips++) {
        bytes[Math.floor(random() * Math.min(16, bytes.length))] = random() * 256;
      }
    }
    caller.send(bytes, port + (dice > 0.9 ? 1 : 0), '127.0.0.1');
    total++;
    if (i % 50 === 0) {
      await until(() => count() >= total);
      transport.pull(new Int16Array(160));
    }
  }
  await until(() => count() >= total);
  assert.deepEqual(faults, []);
  const heard: Int16Array[] = [];
  for (let i = 0; i < 60; i++) {
    caller.send(packet(20_000 + i, voice), port, '127.0.0.1');
    total++;
    await until(() => count() >= total);
    const out = new Int16Array(160);
    transport.pull(out);
    heard.push(out);
  }
  assert.ok(shareAt(joinSamples(heard.slice(10)), 450, 8000) > 0.9);
});

test('a peer that floods is heard as often as voices come, and a burst after a stall is heard whole', () => {
  let nowMs = 0;
  let heard = 0;
  const pair = virtualPair(
    () => undefined,
    () => undefined,
  );
  const session = new RtpSession({
    ...{ sockets: pair.sockets, ssrc: 1, clockRateHz: 8_000, cname: 'us', onFault: assert.ifError, now: () => nowMs },
    onPacket: () => heard++,
  });
  session.connect({
    ...{ remoteAddress: VIRTUAL_PEER.address, remotePort: VIRTUAL_PEER.port, remoteRtcpPort: VIRTUAL_PEER.port },
    ...{ payloadTypes: [0], clockRateHz: 8_000, srtp: null, sources: [] },
  });
  let sequence = 0;
  const send = (packets: number): number => {
    const before = heard;
    for (let n = 0; n < packets; n++) pair.deliver(packet(sequence++ & 0xffff, new Int16Array(80)));
    return heard - before;
  };
  assert.equal(send(750), 750, 'fifteen seconds of 20 ms at once');
  assert.equal(send(9_250), 250);
  for (let second = 0; second < 3; second++) {
    nowMs += 1_000;
    assert.equal(send(10_000), 250);
  }
  nowMs += 10_000;
  let ordinary = 0;
  for (let n = 0; n < 2_000; n++) {
    nowMs += 5;
    ordinary += send(1);
  }
  assert.equal(ordinary, 2_000, 'each of 5 ms');
});
