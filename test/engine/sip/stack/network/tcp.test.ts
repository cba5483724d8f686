// TCP on real sockets: split and coalesced segments, keep-alives, peers that stop midway or never end a line.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import { startHarness } from '../../../../../bench/rig/phone/sip-harness.ts';

function options(number: number): string {
  return `OPTIONS sip:demo@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bKo${number}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:demo@127.0.0.1>\r\nCall-ID: c${number}\r\nCSeq: ${number} OPTIONS\r\nContent-Length: 0\r\n\r\n`;
}

function open(port: number): Promise<{
  socket: Socket;
  heard: () => string;
  until: (pattern: RegExp) => Promise<string>;
  closed: Promise<void>;
}> {
  return new Promise((resolve) => {
    let text = '';
    const waiting: Array<() => void> = [];
    const socket = connect(port, '127.0.0.1', () =>
      resolve({
        socket,
        heard: () => text,
        closed: new Promise((done) => socket.on('close', () => done())),
        until: async (pattern) => {
          while (!pattern.test(text)) await new Promise<void>((wake) => waiting.push(wake));
          return text;
        },
      }),
    );
    socket.on('error', () => {});
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (const wake of waiting.splice(0)) wake();
    });
  });
}

test('coalesced, then byte by byte, with CRLF keep-alives between: each request has its answer, in order', {
  timeout: 20_000,
}, async () => {
  const harness = await startHarness(() => {});
  const peer = await open(harness.telephony.port('tcp'));
  peer.socket.setNoDelay(true);
  peer.socket.write(options(1) + options(2));
  peer.socket.write('\r\n\r\n');
  for (const char of options(3)) {
    peer.socket.write(char);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const text = await peer.until(/CSeq: 3 OPTIONS/);
  assert.deepEqual(
    [...text.matchAll(/CSeq: (\d)/g)].map((match) => match[1]),
    ['1', '2', '3'],
  );
  assert.match(text, /\r\n\r\n\r\nSIP\/2\.0 200/);
  peer.socket.destroy();
  await harness.telephony.stop();
  assert.deepEqual(harness.errors, []);
});

test('an endless line is cut at 64 KiB, and the endpoint keeps serving others', { timeout: 20_000 }, async () => {
  const harness = await startHarness(() => {});
  const port = harness.telephony.port('tcp');
  const greedy = await open(port);
  const block = Buffer.alloc(8_192, 'A');
  const feed = (): boolean => greedy.socket.writable && greedy.socket.write(block, feed);
  feed();
  await greedy.closed;
  const other = await open(port);
  other.socket.write(options(1));
  await other.until(/200 OK/);
  other.socket.destroy();
  await harness.telephony.stop();
  assert.equal(harness.telephony.counts.connections, 0);
});

test('no Content-Length on a stream: 400, then closed', { timeout: 20_000 }, async () => {
  const harness = await startHarness(() => {});
  const peer = await open(harness.telephony.port('tcp'));
  peer.socket.write(options(1).replace('Content-Length: 0\r\n', ''));
  await peer.closed;
  assert.match(peer.heard(), /^SIP\/2\.0 400 /);
  await harness.telephony.stop();
});

test('a caller on TCP who vanishes: the call stays until RTP decides, BYE reaches no one, nothing is left', {
  timeout: 60_000,
}, async () => {
  const harness = await startHarness((leg) => leg.answer({ address: '127.0.0.1', port: 40_000 }));
  const peer = await open(harness.telephony.port('tcp'));
  const body = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40010 RTP/AVP 0\r\n';
  const invite = options(1)
    .replaceAll('OPTIONS', 'INVITE')
    .replace(
      'Content-Length: 0',
      `Contact: <sip:a@127.0.0.1:9;transport=tcp>\r\nContent-Type: application/sdp\r\nContent-Length: ${body.length}`,
    );
  peer.socket.write(invite + body);
  const text = await peer.until(/SIP\/2\.0 200/);
  const tag = /To: .*;tag=(\w+)/.exec(text.slice(text.indexOf('SIP/2.0 200')))?.[1];
  peer.socket.write(
    options(1)
      .replace('OPTIONS sip', 'ACK sip')
      .replace('1 OPTIONS', '1 ACK')
      .replace('<sip:demo@127.0.0.1>\r', `<sip:demo@127.0.0.1>;tag=${tag}\r`)
      .replace('z9hG4bKo1', 'z9hG4bKack'),
  );
  const leg = harness.legs[0] ?? assert.fail();
  await leg.next('answered');
  peer.socket.destroy();
  await eventually(() => harness.telephony.counts.connections === 0);
  leg.leg.hangUp();
  await leg.next('ended');
  await eventually(() => harness.telephony.counts.dialogs === 0);
  await harness.telephony.stop();
});
