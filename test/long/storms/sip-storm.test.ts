// A seeded storm: hundreds of calls between two endpoints over a network that loses, delays and duplicates. Either
// side rings, answers, refuses, sends digits, refreshes the session and hangs up at random. In every case each leg
// ends once, gets no event afterwards, and nothing is left behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundLeg, Leg, LegEvent } from '../../../engine/sip/telephony.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { dialRequest, SipLab } from '../../support/sip/sip-lab.ts';

/**
 * A proxy that lowers the session interval, as RFC 4028 8.1 allows; without UPDATE in Allow, a refresh is a re-INVITE.
 */
function shortSessions(keepUpdate: boolean) {
  return (bytes: Buffer) => {
    const text = bytes.toString('latin1').replace(/^Session-Expires: 1800/m, 'Session-Expires: 90');
    return Buffer.from(keepUpdate ? text : text.replace(/^(Allow: .*)UPDATE, /m, '$1'), 'latin1');
  };
}

function isRefresh(bytes: Buffer): boolean {
  return /^(?:UPDATE|INVITE) [\s\S]*?\r\nTo: [^\r]*;tag=/.test(bytes.toString('latin1'));
}

interface Watched {
  leg: Leg;
  events: LegEvent[];
}

async function storm(seed: number, lossShare: number): Promise<void> {
  const random = seededRandom(seed);
  const lab = new SipLab();
  lab.network.loses = () => random() < lossShare;
  lab.network.rewrite = shortSessions(seed % 2 === 0);
  const near = await lab.endpoint('10.0.0.1');
  const far = await lab.endpoint('10.0.0.2');
  const watched: Watched[] = [];
  const later = (maxMs: number, act: () => void) => lab.clock.after(1 + Math.floor(random() * maxMs), act);
  const watch = (leg: Leg): void => {
    const events: LegEvent[] = [];
    leg.onEvent((event) => events.push(event));
    watched.push({ leg, events });
    const acts = Math.floor(random() * 4);
    for (let i = 0; i < acts; i++) {
      later(20_000, () => leg.sendInfoDigits('19#'));
      later(20_000, () => leg.refer('+15550009999'));
    }
    if (random() < 0.7) later(100_000, () => leg.hangUp(random() < 0.5 ? { q850Cause: 16 } : {}));
  };
  const take = (leg: InboundLeg): void => {
    watch(leg);
    const audio = { address: '10.0.0.2', port: 30_000 };
    const fate = random();
    if (fate < 0.5) later(3_000, () => leg.ring(random() < 0.3 ? audio : undefined));
    if (fate < 0.7) later(8_000, () => leg.answer(audio));
    else if (fate < 0.9) later(8_000, () => leg.reject(fate < 0.8 ? 486 : 603));
    // The rest ring until the caller or the three minutes give up.
  };
  near.onInvite(take);
  far.onInvite(take);
  for (let i = 0; i < 60; i++) {
    const [from, to] = random() < 0.5 ? [near, '10.0.0.2'] : [far, '10.0.0.1'];
    later(20_000, () =>
      watch(
        from.dial(dialRequest([], { to: `sip:call${i}@${to}`, ringTimeoutMs: 10_000 + Math.floor(random() * 20_000) })),
      ),
    );
  }
  await lab.run(120_000, 100);
  // Hang up whatever is still up, as RTP silence would.
  for (const { leg } of watched) leg.hangUp();
  await lab.run(400_000, 500);
  assert.ok(watched.length > 60);
  assert.ok(lab.network.packets.some(({ bytes }) => isRefresh(bytes)));
  for (const { events } of watched) {
    assert.equal(
      events.filter(({ type }) => type === 'ended').length,
      1,
      JSON.stringify(events.map(({ type }) => type)),
    );
    assert.equal(events.at(-1)?.type, 'ended');
    assert.ok(events.filter(({ type }) => type === 'answered').length <= 1);
  }
  for (const endpoint of [near, far]) {
    const { transactions, dialogs } = endpoint.counts;
    assert.deepEqual({ transactions, dialogs }, { transactions: 0, dialogs: 0 });
  }
  assert.deepEqual(lab.errors, []);
}

for (const [seed, loss] of [
  [1, 0],
  [2, 0.1],
  [3, 0.2],
  [4, 0.5],
  [5, 0.2],
] as const) {
  test(`60 calls, seed ${seed}, ${loss * 100} % of the packets lost`, () => storm(seed, loss));
}
