// Many short calls in every way to end, with answers that cross our CANCEL: no channel stays, and nobody is left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import type { LegEvent } from '../../../../../engine/sip/telephony.ts';
import type { SentRequest } from '../../../../support/sip/scripted-drachtio.ts';
import { sdpWith, startSwitches } from '../../../../support/sip/scripted-switch.ts';

const CALLS = 100;
const AT_ONCE = 10;

/** How a callee behaves, one after the other. */
const WAYS: Array<(invite: SentRequest) => void> = [
  (invite) => invite.respond(200, sdpWith('0')),
  (invite) => {
    invite.respond(183, sdpWith('0', 40_001));
    invite.respond(183, sdpWith('8', 40_002));
    invite.respond(200, sdpWith('8', 40_003));
  },
  (invite) => invite.respond(486),
  (invite) => invite.respond(200, sdpWith('18')),
  // It rings, and is answered only when our CANCEL is on its way.
  (invite) => invite.respond(180),
];

test(`${CALLS} short calls leave no channel and no callee`, { timeout: 120_000 }, async () => {
  const ringing = new Map<string, SentRequest>();
  const answered = new Set<string>();
  let invites = 0;
  const it = await startSwitches({
    servers: 2,
    callee: (invite) => {
      const way = WAYS[invites++ % WAYS.length];
      if (way === WAYS.at(-1)) ringing.set(invite.callId, invite);
      else if (way !== WAYS[2]) answered.add(invite.callId);
      way?.(invite);
    },
    other: (request) => {
      if (request.method === 'BYE') answered.delete(request.callId);
      const rang = ringing.get(request.callId);
      if (request.method !== 'CANCEL' || rang === undefined) return;
      answered.add(request.callId);
      rang.respond(200, sdpWith('0'));
    },
  });
  const call = async (): Promise<void> => {
    const leg = it.dial();
    const seen: Array<LegEvent['type']> = [];
    leg.onEvent(({ type }) => {
      seen.push(type);
      if (type === 'answered') leg.hangUp();
      if (type === 'ringing' && ringing.has(leg.sipCallId)) leg.hangUp();
    });
    await eventually(() => seen.includes('ended'));
  };
  for (let done = 0; done < CALLS; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call));
  await eventually(() => it.channels() === 0 && answered.size === 0);
  assert.equal(invites, CALLS);
  assert.ok(it.atCallee.filter((method) => method === 'CANCEL').length >= CALLS / WAYS.length);
  await it.stop();
});
