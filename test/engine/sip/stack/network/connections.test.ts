// SIP connections: whose are taken, how many, and for how long.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { selfSigned } from '../../../../../bench/rig/network/certificate.ts';
import { recordLeg, startHarness } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { Stream, TransportAddress } from '../../../../../engine/sip/stack/network/network.ts';
import type { InboundLeg } from '../../../../../engine/sip/telephony.ts';
import { dialRequest, SipLab, sdpOf, trunkConfig } from '../../../../support/sip/sip-lab.ts';

const service = { address: '10.0.0.1', port: 5060 };
const audio = { address: '10.0.0.1', port: 20_000 };

interface Client {
  stream: Stream;
  heard: string;
  closed: boolean;
}

function open(lab: SipLab, from: string): Client {
  const stream = lab.network.connect(from, service);
  const client: Client = { stream, heard: '', closed: false };
  stream.handle({
    connected() {},
    data: (bytes) => {
      client.heard += bytes.toString('latin1');
    },
    closed: () => {
      client.closed = true;
    },
  });
  return client;
}

function message(
  method: string,
  from: string,
  id: string,
  options: { toTag?: string; cseq?: number; body?: string } = {},
) {
  const { toTag, cseq = 1, body = '' } = options;
  const lines = [
    `${method} sip:+15559990000@10.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/TCP ${from}:5060;branch=z9hG4bK${method}${id}`,
    `From: <sip:+15551230001@${from}>;tag=peer`,
    `To: <sip:+15559990000@10.0.0.1>${toTag === undefined ? '' : `;tag=${toTag}`}`,
    `Call-ID: ${id}`,
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:x@${from}:5060;transport=tcp>`,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

async function scene(onLeg: (leg: InboundLeg) => void = (leg) => leg.answer(audio)) {
  const lab = new SipLab();
  lab.network.hosts.set('trunk.example', ['10.0.0.8', '10.0.0.9']);
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: ['10.0.0.200/32'] });
  endpoint.onInvite(onLeg);
  endpoint.setTrunks([trunkConfig('t', 'trunk.example', { transport: 'tcp' })]);
  await lab.run(100);
  return { lab, endpoint };
}

test('a stranger’s connection is closed as it comes in; every address of a trunk’s name and an allowed one stay', async () => {
  const { lab, endpoint } = await scene();
  const before = endpoint.counts.connections;
  const [stranger, ...known] = ['192.0.2.7', '10.0.0.8', '10.0.0.9', '10.0.0.200'].map((address) => open(lab, address));
  await lab.run(100);
  assert.equal(stranger?.closed, true);
  assert.deepEqual(
    known.map(({ closed }) => closed),
    [false, false, false],
  );
  assert.equal(endpoint.counts.connections, before + 3);
  assert.equal(endpoint.counts.refused.connection, 1);
});

test('a name with more servers than are ever called: all of them are the trunk', async () => {
  const { lab, endpoint } = await scene();
  const names = Array.from({ length: 20 }, (_, index) => `s${index}.big.example`);
  for (const [index, name] of names.entries()) lab.network.hosts.set(name, [`10.0.3.${index + 1}`]);
  const records = names.map((name) => ({ name, port: 5060, priority: 1, weight: 1 }));
  lab.network.srv.set('_sip._tcp.big.example', records);
  endpoint.setTrunks([trunkConfig('big', 'big.example', { transport: 'tcp' })]);
  await lab.run(100);
  const connections = names.map((_, index) => open(lab, `10.0.3.${index + 1}`));
  await lab.run(50);
  assert.equal(connections.filter(({ closed }) => closed).length, 0);
});

test('over TLS a stranger is closed before the handshake', { timeout: 20_000 }, async () => {
  const harness = await startHarness(() => {}, {
    tls: { port: 0, files: selfSigned() },
    inboundAllow: ['127.0.0.1/32'],
  });
  const sockets: Socket[] = [];
  const outcome = (localAddress: string) =>
    new Promise<string>((resolve) => {
      const port = harness.telephony.port('tls');
      const tcp = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => {});
      const socket = connectTls({ socket: tcp, rejectUnauthorized: false });
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('close', () => resolve('closed'));
      socket.on('secureConnect', () => resolve('taken'));
    });
  assert.equal(await outcome('127.0.0.2'), 'closed');
  assert.equal(await outcome('127.0.0.1'), 'taken');
  for (const socket of sockets) socket.destroy();
  await harness.telephony.stop();
});

test('an allowed address that opens 2,000 connections gets its share; a trunk gets in and we get out', async () => {
  const { lab, endpoint } = await scene();
  const greedy = Array.from({ length: 2_000 }, () => open(lab, '10.0.0.200'));
  await lab.run(100);
  // The newest ones stay.
  assert.equal(greedy.at(-1)?.closed, false);
  assert.equal(greedy.filter(({ closed }) => !closed).length, 64);
  const trunk = open(lab, '10.0.0.9');
  await lab.run(100);
  assert.equal(trunk.closed, false);
  const far = await lab.endpoint('10.0.0.50');
  far.onInvite((leg) => leg.answer({ address: '10.0.0.50', port: 30_000 }));
  const to = 'sip:+15551112222@10.0.0.50:5060;transport=tcp';
  const leg = recordLeg(endpoint.dial(dialRequest([], { to })));
  await lab.run(200);
  assert.ok(leg.events.some(({ type }) => type === 'answered'));
});

test('a closed connection makes room for another', async () => {
  const { lab } = await scene();
  const first = Array.from({ length: 64 }, () => open(lab, '10.0.0.200'));
  await lab.run(50);
  for (const [n, { stream }] of first.entries()) stream.write(message('OPTIONS', '10.0.0.200', `o${n}`));
  await lab.run(50);
  const refused = open(lab, '10.0.0.200');
  await lab.run(50);
  assert.equal(refused.closed, true);
  for (const { stream } of first.slice(0, 3)) stream.destroy();
  await lab.run(50);
  const next = open(lab, '10.0.0.200');
  await lab.run(50);
  assert.equal(next.closed, false);
});

test('an address at its limit gives up its oldest half-read connection for a new one, and none that is in use', async () => {
  const { lab } = await scene();
  const good = open(lab, '10.0.0.200');
  await lab.run(20);
  good.stream.write(message('OPTIONS', '10.0.0.200', 'good'));
  const half = Array.from({ length: 63 }, () => open(lab, '10.0.0.200'));
  await lab.run(20);
  for (const { stream } of half) stream.write(message('OPTIONS', '10.0.0.200', 'half').subarray(0, 40));
  await lab.run(20);
  const next = open(lab, '10.0.0.200');
  await lab.run(20);
  next.stream.write(message('OPTIONS', '10.0.0.200', 'next'));
  await lab.run(20);
  assert.match(next.heard, /^SIP\/2\.0 200/);
  assert.deepEqual(
    half.flatMap(({ closed }, n) => (closed ? [n] : [])),
    [0],
  );
  assert.equal(good.closed, false);
});

test('a connection that brings keep-alives in masses is closed, and one of few gets an answer to each', async () => {
  const { lab } = await scene();
  const [few, many, one] = ['10.0.0.200', '10.0.0.200', '10.0.0.200'].map((from) => open(lab, from));
  assert.ok(few && many && one);
  await lab.run(20);
  for (let n = 0; n < 5; n++) few.stream.write(Buffer.from('\r\n\r\n'));
  one.stream.write(Buffer.from('\r\n\r\n'.repeat(10_000)));
  for (let n = 0; n < 500; n++) many.stream.write(Buffer.from('\r\n\r\n'));
  await lab.run(50);
  assert.deepEqual([few.closed, one.closed, many.closed], [false, false, true]);
  assert.deepEqual([few.heard.length, one.heard.length, many.heard.length <= 40], [10, 2, true]);
});

/** Counts the connections that come in there. */
async function listening(lab: SipLab, at: TransportAddress): Promise<() => number> {
  let count = 0;
  const admit = () => {
    count++;
    return () => undefined;
  };
  await lab.network.hostAt(at.address).listen(at, null, admit, () => undefined);
  return () => count;
}

// The 21st of these keep-alives closes the connection within the segment that goes on with other messages.
const FATAL_PINGS = '\r\n\r\nX\r\nl:0\r\n\r\n'.repeat(21);

test('a message behind the keep-alive that closed its connection makes us open none to where its Via points', async () => {
  const { lab, endpoint } = await scene();
  const [victim, own] = [
    await listening(lab, { address: '192.0.2.80', port: 80 }),
    await listening(lab, { address: '10.0.0.200', port: 5060 }),
  ];
  const sender = open(lab, '10.0.0.200');
  await lab.run(20);
  const before = endpoint.counts.connections;
  const broken = 'OPTIONS sip:a SIP/2.0\r\nVia: SIP/2.0/TCP a:80;received=192.0.2.80\r\nl:0\r\n\r\n';
  const whole = message('OPTIONS', '10.0.0.200', 'o1');
  sender.stream.write(Buffer.concat([Buffer.from(FATAL_PINGS + broken), whole]));
  await lab.run(100);
  assert.deepEqual([sender.closed, victim(), own()], [true, 0, 0]);
  assert.equal(endpoint.counts.connections, before - 1);
});

test('a broken request whose connection closes before it can be answered is answered nowhere', async () => {
  const { lab } = await scene();
  const victim = await listening(lab, { address: '192.0.2.80', port: 80 });
  // The name of its SDP is looked up for as long as the sender needs to hang up.
  lab.network.lookUp = () => new Promise((found) => lab.clock.after(500, () => found([])));
  const sender = open(lab, '10.0.0.9');
  await lab.run(20);
  const broken = message('INVITE', '10.0.0.9', 'b1', { body: sdpOf('media.example') }).toString();
  const via = 'Via: SIP/2.0/TCP a:80;received=192.0.2.80;branch=z9hG4bKb1\r\nExpires: never';
  sender.stream.write(Buffer.from(broken.replace(/^Via: .*$/m, via)));
  await lab.run(50);
  sender.stream.destroy();
  await lab.run(1_000);
  assert.equal(victim(), 0);
});

test('the answer to a closed connection goes to the sender’s own address, over four new ones at most', async () => {
  const legs: InboundLeg[] = [];
  const { lab, endpoint } = await scene((leg) => legs.push(leg));
  const ports = Array.from({ length: 10 }, (_, n) => 7_000 + n);
  const servers = await Promise.all(ports.map((port) => listening(lab, { address: '10.0.0.9', port })));
  const before = endpoint.counts.connections;
  const sender = open(lab, '10.0.0.9');
  await lab.run(20);
  for (const port of ports) {
    const invite = message('INVITE', '10.0.0.9', `c${port}`, { body: sdpOf('10.0.0.9') }).toString();
    sender.stream.write(Buffer.from(invite.replace(/^(Via: \S+ 10\.0\.0\.9):5060/m, `$1:${port};received=192.0.2.80`)));
  }
  await lab.run(50);
  sender.stream.destroy();
  await lab.run(50);
  assert.equal(legs.length, 10);
  for (const leg of legs) leg.reject(486);
  await lab.run(50);
  assert.equal(
    servers.reduce((sum, count) => sum + count(), 0),
    4,
  );
  assert.equal(endpoint.counts.connections, before + 4);
  await lab.run(70_000, 100);
  assert.equal(endpoint.counts.connections, before, 'they stay no longer than one that a peer opens');
});

test('keep-alives alone do not hold a connection; a running call does, and after it the connection goes', async () => {
  const legs: InboundLeg[] = [];
  const { lab, endpoint } = await scene((leg) => {
    legs.push(leg);
    leg.answer(audio);
  });
  const [silent, idle, calling] = ['10.0.0.200', '10.0.0.200', '10.0.0.9'].map((from) => open(lab, from));
  assert.ok(silent && idle && calling);
  await lab.run(20);
  idle.stream.write(message('OPTIONS', '10.0.0.200', 'o1'));
  calling.stream.write(message('INVITE', '10.0.0.9', 'c1', { body: sdpOf('10.0.0.9') }));
  await lab.run(50);
  const toTag = /To: .*;tag=(\w+)/.exec(calling.heard.slice(calling.heard.indexOf('SIP/2.0 200')))?.[1] ?? '';
  calling.stream.write(message('ACK', '10.0.0.9', 'c1', { toTag }));
  const ping = async (seconds: number) => {
    for (let done = 0; done < seconds; done += 5) {
      for (const { stream } of [silent, idle, calling]) stream.write(Buffer.from('\r\n\r\n'));
      await lab.run(5_000, 100);
    }
  };
  await ping(15);
  assert.deepEqual([silent.closed, idle.closed, calling.closed], [true, false, false]);
  await ping(50);
  assert.deepEqual([idle.closed, calling.closed], [true, false]);
  await ping(300);
  assert.equal(calling.closed, false);
  legs[0]?.hangUp();
  await lab.run(50);
  assert.match(calling.heard, /^BYE /m);
  calling.stream.write(message('OPTIONS', '10.0.0.9', 'o2'));
  await ping(120);
  // Nobody answered the BYE: its transaction has ended, and with it the call.
  assert.equal(endpoint.counts.dialogs, 0);
  assert.equal(calling.closed, true);
});
