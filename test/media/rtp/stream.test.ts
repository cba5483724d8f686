// An RTP stream that another process goes on with: numbers and keys.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { RTP_HEADER_BYTES, writeRtpHeader } from '../../../media/rtp/packet.ts';
import { SrtpContext, type SrtpProgress } from '../../../media/rtp/srtp.ts';
import { laterStream, type RtpStream } from '../../../media/rtp/stream.ts';

const SSRC = 0x1234_5678;

function packet(sequence: number): Buffer {
  const bytes = Buffer.alloc(RTP_HEADER_BYTES + 160, sequence & 0xff);
  writeRtpHeader(bytes, false, 0, sequence & 0xffff, sequence * 160, SSRC);
  return bytes;
}

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const plain = (sequence: number): RtpStream => ({
  ssrc: SSRC,
  sequence,
  timestamp: 1_000,
  clockRateHz: 8_000,
  inbound: null,
  outbound: null,
});

test('a second later the numbers are past every packet that may have been sent, and the time has gone on', () => {
  const later = laterStream(plain(100), 1_000);
  assert.ok(later.sequence >= 100 + 50 && later.sequence < 100 + 70, String(later.sequence));
  assert.equal(later.timestamp, 1_000 + 8_000);
  assert.equal(later.ssrc, SSRC);
});

test('numbers wrap round, and a clock that went backwards moves nothing back', () => {
  assert.ok(laterStream(plain(0xfff0), 2_000).sequence < 200);
  assert.ok(laterStream(plain(100), -5_000).sequence >= 100);
});

test('SRTP goes on over a rollover: the peer opens the packets, and none has the key stream of an earlier one', () => {
  const key = randomBytes(30).toString('base64');
  const [first, peer] = [new SrtpContext(key), new SrtpContext(key)];
  for (let sequence = 0xfff0; sequence < 0xfffe; sequence++) {
    assert.notEqual(peer.unprotect(first.protect(packet(sequence), RTP_HEADER_BYTES), RTP_HEADER_BYTES), null);
  }
  const stream = json({ ...plain(0xfffe), outbound: first.progress });
  const later = laterStream(stream, 1_000);
  const next = new SrtpContext(key);
  next.goOn(later.outbound as SrtpProgress);
  assert.equal(next.progress.sent?.rollover, 1);
  for (let n = 0; n < 5; n++) {
    const opened = peer.unprotect(next.protect(packet(later.sequence + n), RTP_HEADER_BYTES), RTP_HEADER_BYTES);
    assert.deepEqual(opened, packet(later.sequence + n));
  }
});

test('the peer’s packets are opened where its counter has rolled over, and replays are not', () => {
  const key = randomBytes(30).toString('base64');
  const [peer, first] = [new SrtpContext(key), new SrtpContext(key)];
  let last: Buffer = Buffer.alloc(0);
  for (let sequence = 0xfffc; sequence < 0x1_0004; sequence++) {
    last = peer.protect(packet(sequence), RTP_HEADER_BYTES);
    assert.notEqual(first.unprotect(last, RTP_HEADER_BYTES), null);
  }
  const next = new SrtpContext(key);
  next.goOn(json(first.progress));
  assert.equal(next.unprotect(last, RTP_HEADER_BYTES), null);
  const fresh = peer.protect(packet(0x1_0050), RTP_HEADER_BYTES);
  assert.deepEqual(next.unprotect(fresh, RTP_HEADER_BYTES), packet(0x1_0050));
});
