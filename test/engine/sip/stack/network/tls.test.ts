// SIP over TLS between two endpoints: certificate checked, SDES keys exchanged, BYE back on the same connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfSigned } from '../../../../../bench/rig/network/certificate.ts';
import { recordLeg, startHarness } from '../../../../../bench/rig/phone/sip-harness.ts';
import { createNodeNetwork } from '../../../../../engine/sip/stack/network/node-network.ts';
import type { TrunkState } from '../../../../../engine/sip/telephony.ts';
import { dialRequest, trunkConfig } from '../../../../support/sip/sip-lab.ts';

test('a trunk over TLS with SRTP: keys cross over, either side hangs up', { timeout: 20_000 }, async () => {
  const files = selfSigned();
  const far = await startHarness((leg) => leg.answer({ address: '127.0.0.1', port: 41_000 }), {
    tls: { port: 0, files },
  });
  const near = await startHarness(() => {}, { network: createNodeNetwork([files.certPem]) });
  const port = far.telephony.port('tls');
  near.telephony.setTrunks([trunkConfig('t', 'localhost', { port, transport: 'tls', srtp: true })]);
  for (const who of ['near', 'far'] as const) {
    const leg = recordLeg(near.telephony.dial(dialRequest(['t'])));
    const { audio: here } = await leg.next('answered');
    const farLeg = far.legs.at(-1) ?? assert.fail();
    const { audio: there } = await farLeg.next('answered');
    assert.ok(here.srtp && there.srtp);
    assert.equal(here.srtp.localKeySalt, there.srtp.remoteKeySalt);
    assert.equal(here.srtp.remoteKeySalt, there.srtp.localKeySalt);
    (who === 'near' ? leg : farLeg).leg.hangUp();
    const [a, b] = await Promise.all([leg.next('ended'), farLeg.next('ended')]);
    assert.deepEqual([a.end.by, b.end.by], who === 'near' ? ['local', 'remote'] : ['remote', 'local']);
  }
  assert.equal(far.telephony.counts.connections, 1);
  await near.telephony.stop();
  await far.telephony.stop();
  assert.deepEqual([near.errors, far.errors], [[], []]);
});

test('an untrusted certificate shows in the trunk’s state', { timeout: 20_000 }, async () => {
  const far = await startHarness(() => {}, { tls: { port: 0, files: selfSigned() } });
  const near = await startHarness(() => {});
  const problem = new Promise<TrunkState>((resolve) => {
    near.telephony.onTrunkState((state) => {
      if (state.lastError) resolve(state);
    });
  });
  near.telephony.setTrunks([trunkConfig('t', 'localhost', { port: far.telephony.port('tls'), transport: 'tls' })]);
  assert.match((await problem).lastError ?? '', /localhost cannot be reached: .*self.signed/i);
  await near.telephony.stop();
  await far.telephony.stop();
});
