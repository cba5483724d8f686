// Parsing and serialising SIP: URIs, addresses, Via, messages, streams.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseAuth,
  parseNameAddr,
  parseVia,
  writeNameAddr,
  writeVia,
} from '../../../../../engine/sip/stack/wire/header.ts';
import {
  header,
  headerValues,
  MAX_MESSAGE_BYTES,
  parseMessage,
  writeMessage,
} from '../../../../../engine/sip/stack/wire/message.ts';
import { type Frame, StreamFramer } from '../../../../../engine/sip/stack/wire/stream-framer.ts';
import { escapeUser, makeUri, parseUri, unescapeUser, writeUri } from '../../../../../engine/sip/stack/wire/uri.ts';

test('invalid URIs', () => {
  for (const text of [
    '',
    'sip:',
    'sip:a@',
    'sip:a@b@c',
    'sip:@b',
    'sip:a@b:0',
    'sip:a@b:65536',
    'sip:a b@c',
    'sip:a@[::1',
    'tel:',
    'nocolon',
    ':x',
    'sip:a@b;=x',
  ]) {
    assert.equal(parseUri(text), null, text);
  }
});

test('URIs are written as they were read, users escaped and unescaped', () => {
  for (const text of [
    'sip:a@b',
    'sips:a:pw@[2001:db8::1]:5061;transport=tcp;lr?x=y',
    'tel:+1201;phone-context=x',
    'urn:service:sos',
  ]) {
    assert.equal(writeUri(parseUri(text) ?? assert.fail(text)), text);
  }
  assert.equal(writeUri(makeUri('12#*', '2001:db8::1', 5060)), 'sip:12%23*@[2001:db8::1]:5060');
  assert.equal(unescapeUser(escapeUser('a b@c#%')), 'a b@c#%');
});

test('addresses: quoted names, bare URIs with header parameters, and invalid ones', () => {
  const address = parseNameAddr('"A \\"B\\" <C>" <sip:a@b;lr>;tag=x;q="1,2"');
  assert.equal(address?.display, 'A "B" <C>');
  assert.deepEqual(address?.params, [
    { name: 'tag', value: 'x' },
    { name: 'q', value: '1,2' },
  ]);
  assert.equal(writeNameAddr(address ?? assert.fail()), '"A \\"B\\" <C>" <sip:a@b;lr>;tag=x;q="1,2"');
  const bare = parseNameAddr('sip:a@b;tag=x');
  assert.deepEqual(bare?.params, [{ name: 'tag', value: 'x' }]);
  for (const text of ['', '"open <sip:a@b>', '<sip:a@b', 'a, b <sip:a@b>', '<sip:a@b>x', '<sip:a@b>;', 'sip:a@b?c=d']) {
    assert.equal(parseNameAddr(text), null, text);
  }
});

test('Via: spaces, IPv6, parameters', () => {
  const via = parseVia('SIP / 2.0 / UDP [2001:db8::9]:5070 ; branch = z9hG4bKa ;received=2001:db8::1;rport');
  assert.equal(
    writeVia(via ?? assert.fail()),
    'SIP/2.0/UDP [2001:db8::9]:5070;branch=z9hG4bKa;received=2001:db8::1;rport',
  );
  for (const text of ['SIP/2.0/UDP', 'SIP/3.0/UDP a', 'SIP/2.0/UDP a;;', 'SIP/2.0/UDP a:x', 'HTTP/2.0/UDP a']) {
    assert.equal(parseVia(text), null, text);
  }
});

test('challenges: quoted and bare values, any order', () => {
  const auth = parseAuth('Digest realm="a, b", nonce=xyz,qop="auth,auth-int" , algorithm=MD5');
  assert.deepEqual(
    [...(auth?.params ?? [])],
    [
      ['realm', 'a, b'],
      ['nonce', 'xyz'],
      ['qop', 'auth,auth-int'],
      ['algorithm', 'MD5'],
    ],
  );
  assert.equal(parseAuth('Digest realm="open'), null);
});

test('a message: compact names, folding, lists, the body by Content-Length, the rest dropped', () => {
  const text =
    'OPTIONS sip:a@b SIP/2.0\r\nv: SIP/2.0/UDP a;branch=z9hG4bK1,\r\n SIP/2.0/UDP b\r\nSubject: one\r\n\ttwo\r\nl: 3\r\n\r\nabcdef';
  const { message, faults } = parseMessage(Buffer.from(text)) ?? assert.fail();
  assert.deepEqual(faults, []);
  assert.deepEqual(headerValues(message, 'via'), ['SIP/2.0/UDP a;branch=z9hG4bK1', 'SIP/2.0/UDP b']);
  assert.equal(header(message, 'subject'), 'one two');
  assert.equal(message.body.toString(), 'abc');
  const again = parseMessage(writeMessage(message));
  assert.deepEqual(
    again?.message.headers.filter(({ name }) => name !== 'content-length'),
    message.headers.filter(({ name }) => name !== 'content-length'),
  );
});

test('no header can be smuggled in through a value', () => {
  const bytes = writeMessage({
    kind: 'response',
    status: 200,
    reason: 'OK\r\nX: y',
    headers: [{ name: 'to', value: 'a\r\nEvil: 1\nB: 2' }],
    body: Buffer.alloc(0),
  });
  assert.equal(
    bytes
      .toString()
      .split('\r\n')
      .filter((line) => /^(X|Evil|B):/.test(line)).length,
    0,
  );
});

function frames(pieces: readonly Buffer[]): Frame[] {
  const framer = new StreamFramer();
  return pieces.flatMap((piece) => framer.push(piece));
}

function message(body: string) {
  return `MESSAGE sip:a@b SIP/2.0\r\nVia: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function kinds(found: readonly Frame[]) {
  return found.map((frame) => (frame.type === 'message' ? frame.bytes.toString().slice(-3) : frame.type));
}

test('a stream: byte by byte, coalesced, with keep-alives between, always the same messages', () => {
  const bytes = Buffer.from(`\r\n\r\n${message('abc')}\r\n\r\n${message('def')}${message('')}`);
  const expected = ['ping', 'abc', 'ping', 'def', '\n\r\n'];
  assert.deepEqual(kinds(frames([bytes])), expected);
  for (const size of [1, 2, 3, 7, 50]) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    assert.deepEqual(kinds(frames(pieces)), expected, `pieces of ${size}`);
  }
});

test('keep-alives in a row are one frame, however many there are', () => {
  assert.deepEqual(kinds(frames([Buffer.from(`${'\r\n\r\n'.repeat(16_000)}\r\n${message('abc')}`)])), ['ping', 'abc']);
});

test('the length of a stream’s message is read with blanks around it, in either form and any letters', () => {
  for (const line of ['l: 3', 'L:3', 'Content-Length : 3', 'CONTENT-LENGTH\t:\t3 \t', `l:${' '.repeat(9_000)}3`]) {
    assert.deepEqual(kinds(frames([Buffer.from(`A b SIP/2.0\r\n${line}\r\n\r\nabc`)])), ['abc'], line.slice(0, 30));
  }
  for (const line of ['l: a  b', 'l:', 'length: 3', `l: a${' '.repeat(60_000)}b`, ' l: 3']) {
    const [frame] = frames([Buffer.from(`A b SIP/2.0\r\n${line}\r\n\r\nabc`)]);
    assert.equal(frame?.type, 'broken', line.slice(0, 30));
  }
});

test('an unreadable stream is cut: no length, two lengths, 64 KiB without an end', () => {
  assert.deepEqual(kinds(frames([Buffer.from('OPTIONS sip:a SIP/2.0\r\nVia: x\r\n\r\nbody')])), ['broken']);
  assert.deepEqual(kinds(frames([Buffer.from('A b SIP/2.0\r\nl: 1\r\nl: 2\r\n\r\nx')])), ['broken']);
  assert.deepEqual(kinds(frames([Buffer.from(message('').replace('Content-Length: 0', 'Content-Length: 70000'))])), [
    'broken',
  ]);
  const framer = new StreamFramer();
  let broken = 0;
  let fed = 0;
  while (!broken && fed < 10 * MAX_MESSAGE_BYTES) {
    broken = framer.push(Buffer.alloc(1_000, 65)).length;
    fed += 1_000;
  }
  assert.ok(broken === 1 && fed <= MAX_MESSAGE_BYTES + 1_000);
  assert.deepEqual(framer.push(Buffer.from(message('abc'))), []);
});
