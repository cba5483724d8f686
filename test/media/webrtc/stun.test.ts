// STUN by the vectors of RFC 5769, and what a stranger's bytes come to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BINDING_REQUEST,
  BINDING_RESPONSE,
  bindingRequest,
  bindingResponse,
  isAuthentic,
  readStun,
} from '../../../media/webrtc/stun.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
/** RFC 5769: of all three messages with short-term credentials. */
const PASSWORD = 'VOkJxbRl1RmTxUk/WvJxBt';

/** RFC 5769 2.1. */
const REQUEST = bytes(`
  0001 0058 2112a442 b7e7a701bc34d686fa87dfae
  8022 0010 5354554e 20746573 7420636c 69656e74
  0024 0004 6e0001ff 8029 0008 932ff9b1 51263b36
  0006 0009 6576746a 3a683676 59202020
  0008 0014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2
  8028 0004 e57a3bcf`);
/** RFC 5769 2.2 and 2.3. */
const RESPONSE_4 = bytes(`
  0101 003c 2112a442 b7e7a701bc34d686fa87dfae
  8022 000b 74657374 20766563 746f7220 0020 0008 0001a147 e112a643
  0008 0014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7
  8028 0004 c07d4c96`);
const RESPONSE_6 = bytes(`
  0101 0048 2112a442 b7e7a701bc34d686fa87dfae
  8022 000b 74657374 20766563 746f7220 0020 0014 0002a147 0113a9fa a5d3f179 bc25f4b5 bed2b9d9
  0008 0014 a382954e 4be67bf1 1784c97c 8292c275 bfe3ed41
  8028 0004 c8fb0b4c`);

test('the request of RFC 5769 is read, and is authentic with its password alone', () => {
  const message = readStun(REQUEST);
  assert.ok(message);
  assert.equal(message.type, BINDING_REQUEST);
  assert.equal(message.username, 'evtj:h6vY');
  assert.ok(isAuthentic(REQUEST, message, PASSWORD));
  assert.ok(!isAuthentic(REQUEST, message, `${PASSWORD}x`));
});

test('responses carry the address that those of RFC 5769 carry', () => {
  const transactionId = REQUEST.subarray(8, 20);
  const addressOf = (datagram: Buffer, bytesOfIt: number): string => {
    const at = datagram.indexOf(Buffer.from([0, 0x20, 0, bytesOfIt]));
    return datagram.subarray(at, at + 4 + bytesOfIt).toString('hex');
  };
  for (const [vector, address, size] of [
    [RESPONSE_4, '192.0.2.1', 8],
    [RESPONSE_6, '2001:db8:1234:5678:11:2233:4455:6677', 20],
  ] as const) {
    const vectorRead = readStun(vector);
    assert.ok(vectorRead && isAuthentic(vector, vectorRead, PASSWORD));
    const own = bindingResponse(transactionId, { address, port: 32_853 }, PASSWORD);
    assert.equal(addressOf(own, size), addressOf(vector, size));
    const read = readStun(own);
    assert.equal(read?.type, BINDING_RESPONSE);
    assert.ok(read && isAuthentic(own, read, PASSWORD));
  }
});

test('an answer is never longer than the question', () => {
  const { datagram, transactionId } = bindingRequest('0123456789abcdef:abcd', PASSWORD);
  for (const address of ['198.51.100.255', '2001:db8::1', '::ffff:198.51.100.7'])
    assert.ok(bindingResponse(transactionId, { address, port: 65_535 }, PASSWORD).length <= datagram.length);
});

test('a message is refused where one byte is wrong, missing or added', () => {
  for (let at = 0; at < REQUEST.length; at++) {
    const wrong = Buffer.from(REQUEST);
    wrong[at] = (wrong[at] as number) ^ 0x10;
    assert.equal(readStun(wrong), null, `byte ${at}`);
    assert.equal(readStun(REQUEST.subarray(0, at)), null, `${at} bytes`);
  }
  assert.equal(readStun(Buffer.concat([REQUEST, Buffer.alloc(4)])), null);
});

test('garbage is nothing, whatever lengths it claims', () => {
  let state = 88;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state >> 16;
  };
  for (let round = 0; round < 2_000; round++) {
    const garbage = Buffer.from(Array.from({ length: 4 * (5 + (next() % 370)) }, next));
    garbage.writeUInt32BE(0x2112a442, 4);
    garbage.writeUInt16BE(garbage.length - 20, 2);
    assert.equal(readStun(garbage), null);
  }
});
