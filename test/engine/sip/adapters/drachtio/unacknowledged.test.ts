// Calls over UDP whose 200 nobody acknowledges: their source may be forged, so nothing is sent to whom their SDP names,
// and they hold no place for long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../../bench/rig/clock.ts';
import { comesToRest, eventually } from '../../../../../bench/rig/eventually.ts';
import { type Clock, systemClock } from '../../../../../engine/clock.ts';
import { startScriptedDrachtio, TO_TAG } from '../../../../support/sip/scripted-drachtio.ts';
import { sdpOf } from '../../../../support/sip/sip-lab.ts';
import { startNear } from './near-side.ts';

const LIMIT = { timeout: 20_000 };
const AT = { address: '127.0.0.1', port: 5_071 };

async function scene() {
  const clock = new VirtualClock(1_000);
  // The connection's waits take real time, the calls' time is the test's.
  const after: Clock['after'] = (ms, fire) => (ms < 1_000 ? systemClock.after(ms, fire) : clock.after(ms, fire));
  const sent: string[] = [];
  const drachtio = await startScriptedDrachtio((request) => {
    sent.push(request.method);
    if (request.method !== 'ACK') request.respond(200);
  });
  const near = await startNear(drachtio.port, [], {
    clock: { nowMs: () => clock.nowMs(), monotonicMs: () => clock.monotonicMs(), after },
  });
  /** The events of each call, by its Call-ID. */
  const events = new Map<string, string[]>();
  near.onInvite((leg) => {
    const own: string[] = [];
    events.set(leg.sipCallId, own);
    leg.onEvent((event) => {
      if (event.type === 'answered') own.push('answered');
      if (event.type === 'ended') own.push(`ended: ${event.end.reason}`);
    });
    leg.answer({ address: '127.0.0.1', port: 42_000 });
  });
  const linesOf = (method: string, callId: string): string[] => [
    `${method} sip:demo@10.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:5071;branch=z9hG4bK${callId}${method}`,
    'Max-Forwards: 70',
    `From: <sip:ann@127.0.0.1>;tag=${callId}`,
    `To: <sip:demo@10.0.0.1>${method === 'INVITE' ? '' : `;tag=${TO_TAG}`}`,
    `Call-ID: ${callId}`,
    `CSeq: ${method === 'BYE' ? 2 : 1} ${method}`,
    'Contact: <sip:ann@127.0.0.1:5071>',
  ];
  const invite = async (callId: string): Promise<void> => {
    const lines = [...linesOf('INVITE', callId), 'Content-Type: application/sdp'];
    assert.equal((await drachtio.receive(lines, AT, sdpOf('203.0.113.9'))).status, 200);
    // The engine hears that its answer has left.
    await comesToRest();
  };
  const say = (method: 'ACK' | 'BYE', callId: string): void => {
    void drachtio.receive(linesOf(method, callId), AT);
  };
  const stop = async (): Promise<void> => {
    await near.stop();
    drachtio.close();
  };
  return { clock, sent, invite, say, stop, of: (callId: string) => events.get(callId) ?? [] };
}

test('the audio begins with the ACK; without one the call ends after 4 s with BYE', LIMIT, async () => {
  const it = await scene();
  await it.invite('honest');
  assert.deepEqual(it.of('honest'), []);
  it.say('ACK', 'honest');
  await eventually(() => it.of('honest').length === 1);
  await it.invite('forged');
  it.clock.advance(3_900);
  assert.deepEqual(it.of('forged'), []);
  it.clock.advance(200);
  assert.deepEqual(it.of('forged'), ['ended: no ACK']);
  await eventually(() => it.sent.includes('BYE'));
  assert.deepEqual(it.of('honest'), ['answered']);
  await it.stop();
});

test('a BYE shows as the ACK does that the caller has the answer', LIMIT, async () => {
  const it = await scene();
  await it.invite('short');
  it.say('BYE', 'short');
  await eventually(() => it.of('short').length === 2);
  assert.deepEqual(it.of('short'), ['answered', 'ended: BYE']);
  await it.stop();
});

test('of calls whose ACK is late a network keeps four, and gives up its oldest for a new INVITE', LIMIT, async () => {
  const it = await scene();
  for (let n = 1; n <= 6; n++) {
    await it.invite(`call${n}`);
    it.clock.advance(300);
  }
  const ended = (): number[] => [1, 2, 3, 4, 5, 6, 7].filter((n) => it.of(`call${n}`).length > 0);
  assert.deepEqual(ended(), []);
  it.clock.advance(900);
  await it.invite('call7');
  assert.deepEqual(ended(), [1, 2, 3]);
  await it.stop();
});
