import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { writeRtpHeader } from '../../../media/rtp/packet.ts';
import { buildRtcp, parseRtcp } from '../../../media/rtp/rtcp.ts';
import { deriveSessionKeys, SRTP_TAG_BYTES, SrtpContext, SrtpError } from '../../../media/rtp/srtp.ts';

const KEY_SALT = Buffer.from('E1F97A0D3E018BE0D64FA32C06DE41390EC675AD498AFEEBB6960B3AABE6', 'hex').toString('base64');

function rtp(sequence: number, payload: Buffer, ssrc = 0xcafebabe): Buffer {
  const packet = Buffer.alloc(12 + payload.length);
  writeRtpHeader(packet, false, 0, sequence, sequence * 160, ssrc);
  payload.copy(packet, 12);
  return packet;
}

test('session keys are those of RFC 3711, appendix B.3', () => {
  const bytes = Buffer.from(KEY_SALT, 'base64');
  const keys = deriveSessionKeys(bytes.subarray(0, 16), bytes.subarray(16), 0);
  assert.equal(keys.cipher.toString('hex').toUpperCase(), 'C61E7A93744F39EE10734AFE3FF7A087');
  assert.equal(keys.salt.toString('hex').toUpperCase(), '30CBBC08863D8C85D49DB34A9AE1');
  assert.equal(keys.auth.toString('hex').toUpperCase(), 'CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4');
});

test('a packet is encrypted as libsrtp’s own vector (RFC 3711’s keys, 16 bytes of AB)', () => {
  // srtp_validate() of libsrtp: sequence 0x1234, time stamp 0xdecafbad, SSRC 0xcafebabe.
  const plain = Buffer.from('800f1234decafbadcafebabeabababababababababababababababab', 'hex');
  const expected = '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb';
  const secured = new SrtpContext(KEY_SALT).protect(plain, 12);
  assert.equal(secured.toString('hex'), expected);
  assert.equal(
    new SrtpContext(KEY_SALT).unprotect(Buffer.from(expected, 'hex'), 12)?.toString('hex'),
    plain.toString('hex'),
  );
});

test('a stream survives sequence wrap-around, loss and reordering, and replays are refused', () => {
  const random = seededRandom(4);
  const sender = new SrtpContext(KEY_SALT);
  const receiver = new SrtpContext(KEY_SALT);
  const wire: Buffer[] = [];
  for (let i = 0; i < 3000; i++) wire.push(sender.protect(rtp((65_000 + i) & 0xffff, Buffer.from(`frame ${i}`)), 12));
  for (let i = 0; i + 8 < wire.length; i += 8) {
    const group = wire.slice(i, i + 8).sort(() => random() - 0.5);
    wire.splice(i, 8, ...group);
  }
  let opened = 0;
  for (const packet of wire) {
    if (random() < 0.1) continue;
    const plain = receiver.unprotect(packet, 12);
    assert.ok(plain?.toString('latin1', 12).startsWith('frame '));
    opened++;
    assert.equal(receiver.unprotect(packet, 12), null);
  }
  assert.ok(opened > 2500);
});

test('a forged, cut or foreign packet is refused', () => {
  const sender = new SrtpContext(KEY_SALT);
  const receiver = new SrtpContext(KEY_SALT);
  const secured = sender.protect(rtp(1, Buffer.from('secret')), 12);
  for (let i = 0; i < secured.length; i++) {
    const forged = Buffer.from(secured);
    forged[i] = (forged[i] as number) ^ 1;
    assert.equal(receiver.unprotect(forged, 12), null, `byte ${i}`);
  }
  assert.equal(receiver.unprotect(secured.subarray(0, 12 + SRTP_TAG_BYTES - 1), 12), null);
  const other = Buffer.from(KEY_SALT, 'base64').reverse().toString('base64');
  assert.equal(new SrtpContext(other).unprotect(secured, 12), null);
  assert.equal(receiver.unprotect(secured, 12)?.toString('latin1', 12), 'secret');
  assert.throws(() => new SrtpContext('c2hvcnQ='), SrtpError);
});

test('reports are encrypted too, each index is taken once', () => {
  const sender = new SrtpContext(KEY_SALT);
  const receiver = new SrtpContext(KEY_SALT);
  const report = buildRtcp({ ssrc: 5, cname: 'x', sender: null, reception: null, bye: true });
  const first = sender.protectRtcp(report);
  const second = sender.protectRtcp(report);
  assert.notDeepEqual(first.subarray(8), second.subarray(8));
  assert.deepEqual(receiver.unprotectRtcp(first), report);
  assert.equal(receiver.unprotectRtcp(first), null);
  assert.equal(parseRtcp(receiver.unprotectRtcp(second) ?? Buffer.alloc(0), 1)?.bye, true);
  second[9] = (second[9] as number) ^ 1;
  assert.equal(new SrtpContext(KEY_SALT).unprotectRtcp(second), null);
});

test('a recorded packet of an earlier source is a replay, also when a new source has begun', () => {
  const sender = new SrtpContext(KEY_SALT);
  const receiver = new SrtpContext(KEY_SALT);
  const first = Array.from({ length: 10 }, (_, i) => sender.protect(rtp(i + 1, Buffer.from('first'), 1), 12));
  for (const packet of first) assert.ok(receiver.unprotect(packet, 12));
  // The peer restarts its stream; later it wraps around.
  const later = new SrtpContext(KEY_SALT);
  for (const sequence of [65_534, 65_535, 0, 1, 2])
    assert.ok(receiver.unprotect(later.protect(rtp(sequence, Buffer.from('second'), 2), 12), 12));
  for (const packet of first) assert.equal(receiver.unprotect(packet, 12), null);
  assert.ok(receiver.unprotect(later.protect(rtp(3, Buffer.from('second'), 2), 12), 12), 'the call goes on');
});
