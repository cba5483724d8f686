// The example configuration of Kamailio in front of two engines: who called is told, calls avoid an engine that is
// gone, drains or is full, requests inside a call find their engine, and engines call out by the proxy's address.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { after, before, test } from 'node:test';
import { startExampleEdge } from '../../bench/rig/network/example-edge.ts';
import { type Proxy as Kamailio, skipWithoutKamailio } from '../../bench/rig/network/kamailio.ts';
import { type Harness, recordLeg, startHarness } from '../../bench/rig/phone/sip-harness.ts';
import type { DialRequest, InboundLeg } from '../../engine/sip/telephony.ts';
import { answers, Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import { trunkConfig } from '../support/sip/sip-lab.ts';

const skip = skipWithoutKamailio;
const EDGE = ['127.0.0.1'];
const audio = { address: '127.0.0.1', port: 40_000 };

let engines: Harness[];
let carrier: Harness;
let proxy: Kamailio;
/** Whether each engine takes new calls. */
const takes = [true, true];

const answer = (leg: InboundLeg): void => leg.answer(audio);

before(async () => {
  if (skip) return;
  // A carrier has an address of its own.
  carrier = await startHarness(answer, { host: '127.0.0.2', inboundAllow: ['127.0.0.1'] });
  engines = await Promise.all(
    takes.map(() => startHarness(answer, { edgeProxies: EDGE, inboundAllow: ['127.0.0.2'] })),
  );
  engines.forEach(({ telephony }, index) => {
    telephony.setAdmission(() => (takes[index] === true ? null : 'capacity'));
  });
  proxy = await startExampleEdge({ engines: engines.map(({ port }) => `sip:127.0.0.1:${port}`) });
});
after(async () => {
  if (skip) return;
  await Promise.all([carrier, ...engines].map(({ telephony }) => telephony.stop()));
  await proxy.stop();
});

const request = (to: string, trunkIds: string[] = []): DialRequest => ({
  trunkIds,
  to,
  from: '+15559990000',
  fromName: null,
  audio,
  ringTimeoutMs: 20_000,
});

const call = () => recordLeg(carrier.telephony.dial(request(`sip:+15551230000@127.0.0.1:${proxy.port}`)));

const legsOf = (): number[] => engines.map(({ legs }) => legs.length);

/** Calls until one reaches that engine; they are ended. */
async function reach(index: number): Promise<void> {
  const before = legsOf()[index] ?? 0;
  for (let tries = 0; tries < 40 && legsOf()[index] === before; tries++) {
    const leg = call();
    const first = await Promise.race([leg.next('answered'), leg.next('ended')]);
    if (first.type === 'answered') leg.leg.hangUp();
    else await new Promise((resolve) => setTimeout(resolve, 250));
  }
  assert.ok((legsOf()[index] ?? 0) > before, proxy.output());
}

test('calls go to both engines, which know who sent them; each side can hang up', { skip }, async () => {
  await reach(0);
  await reach(1);
  for (const { legs } of engines) assert.equal(legs[0]?.leg.remoteAddress, '127.0.0.2');
  for (const who of ['carrier', 'engine'] as const) {
    const before = legsOf();
    const leg = call();
    await leg.next('answered');
    const index = legsOf().findIndex((count, i) => count > (before[i] ?? 0));
    const far = engines[index]?.legs.at(-1) ?? assert.fail();
    (who === 'carrier' ? leg : far).leg.hangUp();
    const ends = await Promise.all([leg.next('ended'), far.next('ended')]);
    assert.deepEqual(
      ends.map(({ end }) => end.by),
      who === 'carrier' ? ['local', 'remote'] : ['remote', 'local'],
    );
  }
});

test('a header of its own does not make a caller somebody else', { skip }, async () => {
  const before = legsOf();
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.2', resolve));
  const { port } = socket.address();
  const invite = [
    `INVITE sip:+15551230000@127.0.0.1:${proxy.port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.2:${port};branch=z9hG4bKforged`,
    'From: <sip:+15550000000@127.0.0.2>;tag=forged',
    'To: <sip:+15551230000@127.0.0.1>',
    'Call-ID: forged',
    'CSeq: 1 INVITE',
    `Contact: <sip:+15550000000@127.0.0.2:${port}>`,
    'X-Edge-Source: 127.0.0.1:5060',
    'Max-Forwards: 70',
    'Content-Length: 0',
  ];
  socket.send(`${invite.join('\r\n')}\r\n\r\n`, proxy.port, '127.0.0.1');
  await new Promise((resolve) => socket.once('message', resolve));
  const arrived = () => engines.flatMap(({ legs }, i) => legs.slice(before[i] ?? 0))[0];
  for (let tries = 0; tries < 100 && arrived() === undefined; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const far = arrived() ?? assert.fail('the call did not arrive');
  assert.equal(far.leg.remoteAddress, '127.0.0.2');
  far.leg.hangUp();
  socket.close();
});

test('an engine without room, or that stops, gets no calls; with both full a caller reads 503', { skip }, async () => {
  takes[0] = false;
  await reach(1);
  const before = legsOf();
  for (let i = 0; i < 4; i++) {
    const leg = call();
    await leg.next('answered');
    leg.leg.hangUp();
  }
  assert.deepEqual(legsOf(), [before[0], (before[1] ?? 0) + 4]);
  takes[1] = false;
  const refused = call();
  assert.equal((await refused.next('ended')).end.sipStatus, 503);
  takes.fill(true);
  await reach(0);
});

test('an engine calls out by the proxy, and the callee’s requests come back by it', { skip }, async () => {
  const [engine] = engines;
  assert.ok(engine);
  const edge = `127.0.0.1:${proxy.port}`;
  engine.telephony.setTrunks([
    trunkConfig('t', '127.0.0.2', { port: carrier.port, outboundProxy: edge, optionsPing: false }),
  ]);
  const leg = recordLeg(engine.telephony.dial(request('+15557654321', ['t'])));
  await leg.next('answered');
  const callee = carrier.legs.at(-1) ?? assert.fail();
  assert.equal(callee.leg.remoteAddress, '127.0.0.1');
  callee.leg.hangUp();
  assert.equal((await leg.next('ended')).end.by, 'remote');
  engine.telephony.setTrunks([]);
});

test('the caller of the bench keeps to the route, in both roles', { skip }, async () => {
  const phone = await Phone.start({ host: '127.0.0.2', script: answers({ afterMs: 10 }) });
  const ends: string[] = [];
  const placed = phone.place({
    target: { uri: `sip:+15551230000@127.0.0.1:${proxy.port}`, host: '127.0.0.1', port: proxy.port },
    from: '+15559990000',
    onEvent: (event) => {
      if (event.type === 'ended') ends.push(`${event.by} ${event.status}`);
    },
  });
  assert.equal(await placed.final(), 200);
  const before = legsOf();
  placed.hangUp();
  await placed.got('200', 'final');
  const [engine] = engines;
  assert.ok(engine);
  const edge = `127.0.0.1:${proxy.port}`;
  engine.telephony.setTrunks([
    trunkConfig('p', '127.0.0.2', { port: phone.port, outboundProxy: edge, optionsPing: false }),
  ]);
  const leg = recordLeg(engine.telephony.dial(request('+15557654321', ['p'])));
  await leg.next('answered');
  phone.calls.at(-1)?.hangUp();
  assert.equal((await leg.next('ended')).end.by, 'remote');
  assert.deepEqual(legsOf(), before);
  for (let tries = 0; tries < 100 && ends.length === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(ends, ['local 200']);
  engine.telephony.setTrunks([]);
  phone.stop();
});

test('calls for an engine that is gone are answered by the other, and one only waits for it', { skip }, async () => {
  const [gone] = engines;
  assert.ok(gone);
  await gone.telephony.stop();
  // As of a machine that is gone, nothing comes back from its port.
  const grave = createSocket('udp4');
  const invites = new Set<string>();
  grave.on('message', (data) => {
    const text = data.toString('latin1');
    if (text.startsWith('INVITE')) invites.add(/^Call-ID: *(.*)$/im.exec(text)?.[1] ?? text);
  });
  await new Promise<void>((resolve) => grave.bind(gone.port, '127.0.0.1', resolve));
  const before = legsOf()[1] ?? 0;
  // They would take turns, if both were there.
  for (let i = 0; i < 6; i++) {
    const leg = call();
    await leg.next('answered');
    leg.leg.hangUp();
  }
  grave.close();
  assert.equal(legsOf()[1], before + 6);
  assert.equal(invites.size, 1);
});
