// Requests of the peer that come inside a dialog before its leg is there: an offer that overtakes the ACK, keys and
// offers of a callee while FreeSWITCH still takes its answer. drachtio-srf would answer them by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesToRest, eventually } from '../../../../../bench/rig/eventually.ts';
import { header } from '../../../../../engine/sip/stack/wire/message.ts';
import type { Leg, LegEvent } from '../../../../../engine/sip/telephony.ts';
import {
  type ScriptedDrachtio,
  type SentRequest,
  startScriptedDrachtio,
} from '../../../../support/sip/scripted-drachtio.ts';
import { sdpWith, startSwitches } from '../../../../support/sip/scripted-switch.ts';
import { sdpOf } from '../../../../support/sip/sip-lab.ts';
import { startNear } from './near-side.ts';

const LIMIT = { timeout: 20_000 };
const AT = { address: '127.0.0.1', port: 5_071 };

function follow(leg: Leg) {
  const events: LegEvent[] = [];
  leg.onEvent((event) => events.push(event));
  /** The addresses to which the audio went, one after the other. */
  const addresses = (): string[] => events.flatMap((event) => ('audio' in event ? [event.audio.remoteAddress] : []));
  return { events, addresses, seen: (type: LegEvent['type']) => events.some((event) => event.type === type) };
}

/** A request of the peer inside the call. */
const inside = (method: string, callId: string, cseq: number, ...more: string[]): string[] => [
  `${method} sip:demo@10.0.0.1 SIP/2.0`,
  `Via: SIP/2.0/UDP 127.0.0.1:5071;branch=z9hG4bK${callId}${method}${cseq}`,
  'Max-Forwards: 70',
  'From: <sip:ann@127.0.0.1>;tag=peer',
  'To: <sip:demo@10.0.0.1>;tag=engine',
  `Call-ID: ${callId}`,
  `CSeq: ${cseq} ${method}`,
  'Contact: <sip:ann@127.0.0.1:5071>',
  ...more,
];

const SDP = 'Content-Type: application/sdp';
const sdp = (address: string, direction = 'sendrecv'): string => sdpOf(address, { direction });
const initial = (callId: string): string[] =>
  inside('INVITE', callId, 1, SDP).map((line) => line.replace(/^(To: .*);tag=engine$/, '$1'));

async function answeredCaller() {
  const referred: SentRequest[] = [];
  const drachtio = await startScriptedDrachtio((request) => {
    if (request.method === 'REFER') referred.push(request);
    else if (request.method !== 'ACK') request.respond(200);
  });
  const near = await startNear(drachtio.port, []);
  const legs: Array<ReturnType<typeof follow> & { leg: Leg }> = [];
  near.onInvite((leg) => {
    legs.push({ ...follow(leg), leg });
    leg.answer({ address: '127.0.0.1', port: 42_000 });
  });
  assert.equal((await drachtio.receive(initial('caller'), AT, sdp('203.0.113.1'))).status, 200);
  const [leg = assert.fail()] = legs;
  const stop = async (): Promise<void> => {
    await near.stop();
    drachtio.close();
  };
  return { drachtio, leg, legs, referred, stop };
}

for (const [when, pause] of [
  ['after our 200', comesToRest],
  ['in one packet with the word that our 200 was sent', async () => {}],
] as const) {
  test(`an offer that overtakes the ACK, ${when}: it is answered, and the ACK changes nothing`, LIMIT, async () => {
    const { drachtio, leg, legs, stop } = await answeredCaller();
    await pause();
    const offer = sdp('203.0.113.2', 'sendonly');
    const answer = await drachtio.receive(inside('INVITE', 'caller', 2, SDP), AT, offer);
    assert.equal(answer.status, 200);
    assert.match(answer.body.toString(), /^a=recvonly/m);
    void drachtio.receive(inside('ACK', 'caller', 1), AT);
    await eventually(() => leg.addresses().length === 2);
    await comesToRest();
    assert.deepEqual(leg.addresses(), ['203.0.113.1', '203.0.113.2']);
    assert.equal(legs.length, 1);
    await stop();
  });
}

test('a BYE in one packet with the word that our 200 was sent ends the call with its reason', LIMIT, async () => {
  const { drachtio, leg, stop } = await answeredCaller();
  void drachtio.receive(inside('BYE', 'caller', 2, 'Reason: Q.850;cause=31;text="enough"'), AT);
  await eventually(() => leg.seen('ended'));
  const [end] = leg.events.flatMap((event) => (event.type === 'ended' ? [event.end] : []));
  assert.deepEqual([end?.by, end?.q850Cause, end?.reason], ['remote', 31, 'enough']);
  await stop();
});

test('an UPDATE that crosses our REFER is answered, and the REFER goes on', LIMIT, async () => {
  const { drachtio, leg, referred, stop } = await answeredCaller();
  void drachtio.receive(inside('ACK', 'caller', 1), AT);
  await eventually(() => leg.seen('answered'));
  leg.leg.refer('+12125550177');
  await eventually(() => referred.length > 0);
  const answer = await drachtio.receive(inside('UPDATE', 'caller', 2, SDP), AT, sdp('203.0.113.2', 'sendonly'));
  assert.equal(answer.status, 200);
  assert.match(answer.body.toString(), /^a=recvonly/m);
  referred[0]?.respond(405);
  await eventually(() => leg.seen('refer-progress'));
  assert.deepEqual(leg.addresses(), ['203.0.113.1', '203.0.113.2']);
  await stop();
});

test('a REFER of the peer is taken where the call says so, and is told at once that it is over', LIMIT, async () => {
  const { drachtio, leg, stop } = await answeredCaller();
  const notified = () => drachtio.requests.filter(({ method }) => method === 'NOTIFY');
  void drachtio.receive(inside('ACK', 'caller', 1), AT);
  await eventually(() => leg.seen('answered'));
  const refer = async (cseq: number, to: string): Promise<number> =>
    (await drachtio.receive(inside('REFER', 'caller', cseq, `Refer-To: ${to}`), AT)).status;
  assert.equal(await refer(2, '<sip:+15557770000@10.0.0.1>'), 603, 'nobody takes it');
  leg.leg.onEvent((event) => event.type === 'refer-asked' && event.target === 'sip:kitchen' && event.accept());
  assert.equal(await refer(3, '<sip:kitchen@10.0.0.1?Replaces=other%3Bto-tag%3D1>'), 603, 'on another line');
  assert.equal(notified().length, 0);
  assert.equal(await refer(4, '<sip:kitchen@10.0.0.1;transport=udp>'), 202);
  await eventually(() => notified().length === 1);
  const [notify = assert.fail()] = notified();
  assert.match(header(notify, 'subscription-state') ?? '', /^terminated/);
  assert.match(String(notify.body), /^SIP\/2\.0 200/);
  assert.ok(!leg.seen('ended'));
  await stop();
});

test('a callee offers anew in one packet with its answer: the audio goes where the offer says', LIMIT, async () => {
  const answered: Array<ReturnType<ScriptedDrachtio['receive']>> = [];
  const drachtio: ScriptedDrachtio = await startScriptedDrachtio((request) => {
    if (request.method === 'ACK') return;
    request.respond(200, request.method === 'INVITE' ? sdp('203.0.113.1') : '');
    if (request.method !== 'INVITE') return;
    answered.push(drachtio.receive(inside('INVITE', request.callId, 2, SDP), AT, sdp('203.0.113.2', 'sendonly')));
  });
  const near = await startNear(drachtio.port, []);
  const leg = follow(near.dial(request()));
  await eventually(() => leg.addresses().length === 2);
  assert.deepEqual(leg.addresses(), ['203.0.113.1', '203.0.113.2']);
  assert.match((await answered[0])?.body.toString() ?? '', /^a=recvonly/m);
  await near.stop();
  drachtio.close();
});

const request = () => ({
  ...{ to: 'sip:callee@127.0.0.1:5070', trunkIds: [], from: '+15550001111', fromName: null },
  ...{ audio: { address: '127.0.0.1', port: 42_000 }, ringTimeoutMs: 10_000 },
});

test('a callee offers anew and types while FreeSWITCH takes its answer: both are taken, in order', LIMIT, async () => {
  const it = await startSwitches({});
  const taken: string[] = [];
  let pending: SentRequest | null = null;
  it.first.takes = (sent) => {
    const port = /^m=audio (\d+)/m.exec(sent.body)?.[1] ?? '';
    if (sent.method !== 'INVITE') return false;
    if (port !== '9' && port !== '42000') taken.push(port);
    if (port !== '40000') return false;
    pending = sent;
    return true;
  };
  const call = it.dial();
  const leg = follow(call);
  await eventually(() => pending !== null);
  const offered = it.drachtio.receive(inside('INVITE', call.sipCallId, 2, SDP), AT, sdpWith('0', 40_002));
  const relay = 'Content-Type: application/dtmf-relay';
  const keyed = it.drachtio.receive(inside('INFO', call.sipCallId, 3, relay), AT, 'Signal=5\r\nDuration=160\r\n');
  await comesToRest();
  (pending as SentRequest | null)?.respond(200, sdpWith('0', 20_000));
  assert.equal((await offered).status, 200);
  assert.equal((await keyed).status, 200);
  await eventually(() => leg.seen('digit'));
  assert.deepEqual(taken, ['40000', '40002']);
  await it.stop();
});
