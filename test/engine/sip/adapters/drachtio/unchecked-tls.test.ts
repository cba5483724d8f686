// Trunks whose certificate drachtio would not check, while their SRTP keys depend on it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import type { TrunkConfig, TrunkState } from '../../../../../engine/sip/telephony.ts';
import { startScriptedDrachtio } from '../../../../support/sip/scripted-drachtio.ts';
import { sdpOf, trunkConfig } from '../../../../support/sip/sip-lab.ts';
import { startNear } from './near-side.ts';

const LIMIT = { timeout: 20_000 };
const CALL = { to: '+15551112222', trunkIds: ['t'], from: '+15550001111', fromName: null, ringTimeoutMs: 1_000 };

async function scene(trunk: Partial<TrunkConfig>, allowsUncheckedTls: boolean) {
  const drachtio = await startScriptedDrachtio();
  const near = await startNear(drachtio.port, [], { allowsUncheckedTls });
  const states: TrunkState[] = [];
  near.onTrunkState((state) => states.push(state));
  near.setTrunks([{ ...trunkConfig('t', '192.0.2.9', trunk), username: 'ann', password: 'secret', register: true }]);
  const dial = () => near.dial({ ...CALL, audio: { address: '127.0.0.1', port: 42_000 } });
  const stop = async (): Promise<void> => {
    await near.stop();
    drachtio.close();
  };
  return { drachtio, near, states, dial, stop };
}

test('a trunk with TLS and SRTP is down with the reason, and nothing is sent to it', LIMIT, async () => {
  const it = await scene({ transport: 'tls', srtp: true }, false);
  await eventually(() => it.states.some(({ health }) => health.state === 'down'));
  assert.match(it.states.at(-1)?.lastError ?? '', /does not check the certificate.*DRACHTIO_UNCHECKED_TLS=1/);
  assert.throws(it.dial, { code: 'TRUNK_DOWN', message: /DRACHTIO_UNCHECKED_TLS/ });
  await it.stop();
  assert.deepEqual(it.drachtio.requests, []);
});

test('its own calls are taken', LIMIT, async () => {
  const it = await scene({ transport: 'tls', srtp: true }, false);
  await eventually(() => it.states.some(({ health }) => health.state === 'down'));
  it.near.onInvite((leg) => leg.reject(486));
  const head = ['INVITE sip:+15551112222@10.0.0.1 SIP/2.0', 'Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bKcaller'];
  const who = ['From: <sip:ann@192.0.2.9>;tag=caller', 'To: <sip:+15551112222@10.0.0.1>', 'Call-ID: caller'];
  const rest = ['CSeq: 1 INVITE', 'Contact: <sip:ann@192.0.2.9>', 'Max-Forwards: 70', 'Content-Type: application/sdp'];
  // Without SRTP it is refused for that, and not as a stranger.
  const lines = [...head, ...who, ...rest];
  const answer = await it.drachtio.receive(lines, { address: '192.0.2.9', port: 5060 }, sdpOf('192.0.2.9'));
  assert.equal(answer.status, 488);
  await it.stop();
});

for (const [what, trunk, allows] of [
  ['an operator who accepts it', { transport: 'tls', srtp: true }, true],
  ['TLS without SRTP', { transport: 'tls', srtp: false }, false],
  ['SRTP without TLS', { transport: 'udp', srtp: true }, false],
] as const) {
  test(`${what}: the trunk is registered`, LIMIT, async () => {
    const it = await scene(trunk, allows);
    await eventually(() => it.drachtio.requests.some(({ method }) => method === 'REGISTER'));
    await it.stop();
  });
}
