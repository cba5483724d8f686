// A trunk's name that cannot be looked up any more: its last addresses serve until it is found again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrunkState } from '../../../../engine/sip/telephony.ts';
import { dialRequest, inviteLines, SipLab, sdpOf, trunkConfig } from '../../../support/sip/sip-lab.ts';

const SERVICE = { address: '10.0.0.1', port: 5060 };
/** The name is looked up every 5 minutes. */
const NEXT_LOOK_UP_MS = 310_000;

test('a name that is gone leaves a trunk with the addresses that it had, and says so', async () => {
  const lab = new SipLab();
  const carrier = lab.peer('10.0.1.1');
  carrier.onMessage = (message) => {
    if (message.kind === 'request' && message.method === 'OPTIONS') {
      carrier.respond(message, SERVICE, 200, { tag: 'c' });
    }
  };
  lab.network.hosts.set('carrier.example', ['10.0.1.1']);
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: [] });
  const states: TrunkState[] = [];
  const callers: string[] = [];
  endpoint.onTrunkState((state) => states.push(state));
  endpoint.onInvite((leg) => {
    callers.push(leg.trunkId ?? 'nobody');
    leg.reject(486);
  });
  endpoint.setTrunks([trunkConfig('carrier', 'carrier.example')]);
  await lab.run(1_000);
  assert.deepEqual([states.at(-1)?.health.state, states.at(-1)?.lastError], ['up', null]);

  lab.network.hosts.delete('carrier.example');
  await lab.run(NEXT_LOOK_UP_MS, 100);
  assert.equal(states.at(-1)?.health.state, 'up');
  assert.match(states.at(-1)?.lastError ?? '', /carrier\.example cannot be resolved: no such host/);
  carrier.send(SERVICE, inviteLines(carrier, 'sip:100@10.0.0.1:5060'), sdpOf('10.0.1.1'));
  await lab.run(500);
  assert.deepEqual(callers, ['carrier']);
  endpoint.dial(dialRequest(['carrier']));
  await lab.run(500);
  assert.equal(carrier.requests('INVITE').length, 1);

  lab.network.hosts.set('carrier.example', ['10.0.1.2']);
  await lab.run(20_000, 100);
  assert.equal(states.at(-1)?.lastError, null);
  const moved = lab.peer('10.0.1.2');
  await lab.run(40_000, 100);
  assert.ok(moved.requests('OPTIONS').length > 0, 'the new address is used');
});
