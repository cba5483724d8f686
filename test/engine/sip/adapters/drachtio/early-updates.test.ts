// UPDATE before the answer behind drachtio (RFC 3311): a carrier moves the audio of a call that still rings.
// drachtio-srf would repeat the offer of the INVITE, or refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import { header } from '../../../../../engine/sip/stack/wire/message.ts';
import type { InboundLeg, Leg, LegEvent } from '../../../../../engine/sip/telephony.ts';
import { type SentRequest, startScriptedDrachtio } from '../../../../support/sip/scripted-drachtio.ts';
import { sdpOf } from '../../../../support/sip/sip-lab.ts';
import { startNear } from './near-side.ts';

const LIMIT = { timeout: 20_000 };
const AT = { address: '127.0.0.1', port: 5_071 };
const AUDIO = { address: '127.0.0.1', port: 42_000 };
const SDP = 'Content-Type: application/sdp';
const NO_SESSION = 481;

function follow(leg: Leg) {
  const events: LegEvent[] = [];
  leg.onEvent((event) => events.push(event));
  /** The addresses to which the audio goes, one after the other. */
  const addresses = (): string[] =>
    events.flatMap((event) => {
      const audio = event.type === 'ringing' ? event.earlyAudio : 'audio' in event ? event.audio : null;
      return audio === null ? [] : [audio.remoteAddress];
    });
  return { leg, events, addresses, seen: (type: LegEvent['type']) => events.some((event) => event.type === type) };
}

interface Parties {
  callId: string;
  from: string;
  to: string;
}

const lines = (method: string, { callId, from, to }: Parties, cseq: number, ...more: string[]): string[] => [
  `${method} sip:demo@10.0.0.1 SIP/2.0`,
  `Via: SIP/2.0/UDP 127.0.0.1:5071;branch=z9hG4bK${callId}${method}${cseq}`,
  'Max-Forwards: 70',
  `From: ${from}`,
  `To: ${to}`,
  `Call-ID: ${callId}`,
  `CSeq: ${cseq} ${method}`,
  'Contact: <sip:ann@127.0.0.1:5071>',
  ...more,
];

async function ringingCaller(ring: (leg: InboundLeg) => void) {
  const drachtio = await startScriptedDrachtio();
  const near = await startNear(drachtio.port, []);
  const legs: Array<ReturnType<typeof follow>> = [];
  near.onInvite((leg) => {
    legs.push(follow(leg));
    ring(leg);
  });
  const peer = { callId: 'caller', from: '<sip:ann@127.0.0.1>;tag=peer', to: '<sip:demo@10.0.0.1>' };
  const answered = drachtio.receive(lines('INVITE', peer, 1, SDP), AT, sdpOf('203.0.113.1'));
  await eventually(() => legs.length === 1);
  const update = (cseq: number, body: string, given: Partial<Parties> & { more?: string[] } = {}) => {
    const { more = [], ...of } = given;
    const parties = { ...peer, to: `${peer.to};tag=engine`, ...of };
    return drachtio.receive(lines('UPDATE', parties, cseq, ...(body === '' ? [] : [SDP]), ...more), AT, body);
  };
  const stop = async (): Promise<void> => {
    await near.stop();
    drachtio.close();
  };
  const [leg = assert.fail()] = legs;
  return { answered, leg, update, stop };
}

test('a caller’s side moves its audio while the call rings here, and the call is answered there', LIMIT, async () => {
  const it = await ringingCaller((leg) => leg.ring(AUDIO));
  await eventually(() => it.leg.addresses().length === 1);
  const moved = await it.update(2, sdpOf('203.0.113.2'));
  assert.equal(moved.status, 200);
  assert.match(moved.body.toString(), /m=audio 42000/);
  assert.match(header(moved, 'contact') ?? '', /10\.0\.0\.1/);
  // Without an offer it refreshes; unknown extensions, other audio and another's tag are refused.
  assert.equal((await it.update(3, '')).status, 200);
  assert.equal((await it.update(4, '', { more: ['Require: precondition'] })).status, 420);
  assert.equal((await it.update(5, sdpOf('203.0.113.3', { formats: '18' }))).status, 488);
  const stranger = await it.update(6, sdpOf('203.0.113.66'), { from: '<sip:mallory@127.0.0.1>;tag=other' });
  assert.equal(stranger.status, NO_SESSION);
  (it.leg.leg as InboundLeg).answer(AUDIO);
  assert.equal((await it.answered).status, 200);
  assert.deepEqual(it.leg.addresses(), ['203.0.113.1', '203.0.113.2']);
  await it.stop();
});

test('an offer that comes while that of the INVITE has no answer is to wait', LIMIT, async () => {
  const it = await ringingCaller((leg) => leg.ring());
  const refused = await it.update(2, sdpOf('203.0.113.2'));
  assert.equal(refused.status, 500);
  assert.match(header(refused, 'retry-after') ?? '', /^\d+$/);
  assert.deepEqual(it.leg.addresses(), []);
  await it.stop();
});

test('a callee moves its tone, and a copy of its first answer in the 200 changes nothing', LIMIT, async () => {
  const invites: SentRequest[] = [];
  const drachtio = await startScriptedDrachtio((request) => {
    if (request.method === 'INVITE') invites.push(request);
    else if (request.method !== 'ACK') request.respond(200);
  });
  const near = await startNear(drachtio.port, []);
  const leg = follow(
    near.dial({
      ...{ to: 'sip:callee@127.0.0.1:5070', trunkIds: [], from: '+15550001111', fromName: null },
      ...{ audio: AUDIO, ringTimeoutMs: 10_000 },
    }),
  );
  await eventually(() => invites.length === 1);
  const [invite = assert.fail()] = invites;
  const named = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(invite.text)?.[1]?.trim() ?? '';
  const update = (cseq: number, tag: string, to = named('From')) => {
    const of = { callId: invite.callId, from: `${named('To')};tag=${tag}`, to };
    return drachtio.receive(lines('UPDATE', of, cseq, SDP), AT, sdpOf('203.0.113.2'));
  };
  assert.equal((await update(1, 'nobody')).status, 491, 'our offer has no answer');
  const tag = invite.respond(183, sdpOf('203.0.113.1'));
  await eventually(() => leg.addresses().length === 1);
  assert.equal((await update(2, 'nobody')).status, 491, 'nor from that telephone');
  assert.equal((await update(3, tag, '<sip:voice@10.0.0.1>;tag=other')).status, NO_SESSION);
  const moved = await update(4, tag);
  assert.equal(moved.status, 200);
  assert.match(moved.body.toString(), /m=audio 42000/);
  invite.respond(200, sdpOf('203.0.113.1'));
  await eventually(() => leg.seen('answered'));
  assert.equal(leg.addresses().at(-1), '203.0.113.2');
  await near.stop();
  drachtio.close();
});
