// The UDP port of all browsers: who is answered, where media goes, and what strangers get.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { WebRtcPhone } from '../../../bench/rig/webrtc/webrtc-phone.ts';
import type { SrtpKeys } from '../../../media/webrtc/dtls/keys.ts';
import { bindingRequest } from '../../../media/webrtc/stun.ts';
import { type WebRtcLine, WebRtcPort } from '../../../media/webrtc/webrtc-port.ts';
import { until } from '../rtp/sockets.ts';

const port = await WebRtcPort.open('127.0.0.1', 0, () => performance.now());
const phones: WebRtcPhone[] = [];
after(() => {
  for (const phone of phones) phone.close();
  port.close();
});

interface Expected {
  line: WebRtcLine;
  keys: SrtpKeys[];
  answered: { ufrag: string; password: string; fingerprint: string; address: string; port: number };
}

async function openPhone(lies: Parameters<typeof WebRtcPhone.open>[0] = {}): Promise<WebRtcPhone> {
  const phone = await WebRtcPhone.open(lies);
  phones.push(phone);
  return phone;
}

function expect(phone: WebRtcPhone): Expected {
  const keys: SrtpKeys[] = [];
  const onFault = (error: unknown) => assert.fail(String(error));
  const line = port.expect(phone.identity, { onKeys: (made) => keys.push(made), onFault });
  const { ufrag, password } = line;
  const { fingerprint } = port.certificate;
  return { line, keys, answered: { ufrag, password, fingerprint, address: '127.0.0.1', port: port.port } };
}

/** A few turns of the loop in which nothing more comes. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function connect(phone: WebRtcPhone, { answered, keys }: Expected): Promise<void> {
  phone.answer(answered);
  for (let n = 0; n < 20 && keys.length === 0; n++) {
    await rest();
    phone.repeat();
  }
  await until(() => keys.length > 0 && phone.keys !== null);
}

test('a browser connects, and media goes both ways by the one port', async () => {
  const phone = await openPhone();
  const expected = expect(phone);
  await connect(phone, expected);
  assert.deepEqual(expected.keys[0], phone.keys);
  const heard: Buffer[] = [];
  const told: Buffer[] = [];
  expected.line.sockets.rtp.on('message', (datagram) => heard.push(datagram));
  phone.sockets.rtp.on('message', (datagram) => told.push(datagram));
  phone.send(Buffer.from([0x80, 111, 1, 2, 3]));
  await until(() => heard.length === 1);
  const out = Buffer.from([9, 9, 0x80, 111, 7]);
  expected.line.sockets.rtp.send(out, 2, 3, 9, '127.0.0.1');
  await until(() => told.length === 1);
  assert.deepEqual(told[0], out.subarray(2));
  expected.line.close();
  phone.send(Buffer.from([0x80, 111, 1, 2, 4]));
  await rest();
  assert.equal(heard.length, 1, 'a line that is closed hears nothing');
});

test('two browsers are told apart, each by its own addresses', async () => {
  const [ada, bob] = [await openPhone(), await openPhone()];
  const [first, second] = [expect(ada), expect(bob)];
  await Promise.all([connect(ada, first), connect(bob, second)]);
  const heard: string[] = [];
  first.line.sockets.rtp.on('message', (datagram) => heard.push(`ada ${datagram[3]}`));
  second.line.sockets.rtp.on('message', (datagram) => heard.push(`bob ${datagram[3]}`));
  ada.send(Buffer.from([0x80, 111, 0, 1]));
  bob.send(Buffer.from([0x80, 111, 0, 2]));
  await until(() => heard.length === 2);
  assert.deepEqual(heard.sort(), ['ada 1', 'bob 2']);
});

test('a wrong password, an unknown name and garbage get no answer', async () => {
  const phone = await openPhone();
  const { answered } = expect(phone);
  phone.answer({ ...answered, password: 'x'.repeat(24) });
  phone.answer({ ...answered, ufrag: 'nobody' });
  for (const bytes of [[], [0], [22, 254, 253], [0x80, 111], [255], Array(1_400).fill(1)])
    phone.send(Buffer.from(bytes));
  await rest();
  assert.equal(phone.bytes.in, 0);
});

test('an address that did not answer us gets no more than it sent, and no handshake', async () => {
  const phone = await openPhone();
  const { answered, keys } = expect(phone);
  // As with a forged source: the answers reach somebody who has asked nothing.
  const socket = createSocket('udp4');
  let got = 0;
  let sent = 0;
  socket.on('message', (datagram) => {
    got += datagram.length;
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const send = (datagram: Buffer): void => {
    sent += datagram.length;
    socket.send(datagram, answered.port, answered.address);
  };
  for (let n = 0; n < 30; n++) {
    send(bindingRequest(`${answered.ufrag}:${phone.ufrag}`, answered.password).datagram);
    await rest();
  }
  const hello = Buffer.concat([
    Buffer.from('16fefd0000000000000000002001000014000000000000001400', 'hex'),
    Buffer.alloc(30),
  ]);
  for (let n = 0; n < 20; n++) send(hello);
  await rest();
  socket.close();
  assert.ok(got > 0 && got <= sent, `${got} for ${sent}`);
  assert.equal(keys.length, 0);
});

test('a browser that moves to another address is heard and answered there', async () => {
  const phone = await openPhone();
  const expected = expect(phone);
  await connect(phone, expected);
  const moved = await openPhone();
  Object.assign(moved, { ufrag: phone.ufrag, password: phone.password });
  const heard: Buffer[] = [];
  expected.line.sockets.rtp.on('message', (datagram) => heard.push(datagram));
  moved.answer(expected.answered);
  await until(() => moved.bytes.in > 0);
  const told: Buffer[] = [];
  moved.sockets.rtp.on('message', (datagram) => told.push(datagram));
  for (let n = 0; n < 50 && heard.length === 0; n++) {
    moved.send(Buffer.from([0x80, 111, 5]));
    await rest();
  }
  assert.ok(heard.length > 0);
  expected.line.sockets.rtp.send(Buffer.from([0x80, 111, 6]), 0, 3, 9, '127.0.0.1');
  await until(() => told.length === 1);
});

test('a browser that has moved many times is still heard and answered, and so is its newest address but one', async () => {
  const phone = await openPhone();
  const expected = expect(phone);
  await connect(phone, expected);
  const heard: number[] = [];
  expected.line.sockets.rtp.on('message', (datagram) => heard.push(datagram[2] as number));
  const places: WebRtcPhone[] = [];
  for (let n = 0; n < 20; n++) {
    // It shakes hands no second time.
    const moved = await openPhone({ send: () => undefined });
    Object.assign(moved, { ufrag: phone.ufrag, password: phone.password });
    // Addresses that prove nothing, as of a network that is gone, beside those that do.
    moved.isDeaf = n % 3 === 1;
    moved.answer(expected.answered);
    if (moved.isDeaf) continue;
    await until(() => moved.bytes.in > 0);
    places.push(moved);
    await rest();
    moved.send(Buffer.from([0x80, 111, n]));
    await until(() => heard.at(-1) === n);
  }
  const [before, last] = places.slice(-2);
  before?.send(Buffer.from([0x80, 111, 200]));
  await until(() => heard.at(-1) === 200);
  const told: Buffer[] = [];
  last?.sockets.rtp.on('message', (datagram) => told.push(datagram));
  last?.send(Buffer.from([0x80, 111, 201]));
  await until(() => heard.at(-1) === 201);
  expected.line.sockets.rtp.send(Buffer.from([0x80, 111, 6]), 0, 3, 9, '127.0.0.1');
  await until(() => told.length === 1);
  expected.line.close();
});

test('checks without number from one line are not read', async () => {
  const phone = await openPhone();
  const { answered } = expect(phone);
  phone.answer(answered);
  await until(() => phone.bytes.in > 0);
  for (let n = 0; n < 400; n++) phone.check();
  await rest();
  assert.ok(phone.bytes.in < 150 * 120, `${phone.bytes.in} bytes`);
});

test('a datagram longer than any browser sends is not read', async () => {
  const phone = await openPhone();
  const expected = expect(phone);
  await connect(phone, expected);
  const heard: number[] = [];
  expected.line.sockets.rtp.on('message', (datagram) => heard.push(datagram.length));
  for (const bytes of [60_000, 2_049, 1_500]) phone.send(Buffer.alloc(bytes, 0x80));
  await until(() => heard.length > 0);
  await rest();
  assert.deepEqual(heard, [1_500]);
});
