// Against kamailio, an independent proxy and registrar: REGISTER and INVITE with digest, Record-Route, forking, and
// calls that come in over the registration.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithoutKamailio, startKamailio } from '../../bench/rig/network/kamailio.ts';
import { type Harness, recordLeg, startHarness } from '../../bench/rig/phone/sip-harness.ts';
import type { DialRequest, TrunkState } from '../../engine/sip/telephony.ts';
import { trunkConfig } from '../support/sip/sip-lab.ts';

const audio = { address: '127.0.0.1', port: 40_000 };

function dialling(to: string): DialRequest {
  return {
    trunkIds: ['t'],
    to,
    from: '+15559990000',
    fromName: null,
    audio,
    ringTimeoutMs: 15_000,
  };
}

function registered(near: Harness): Promise<TrunkState> {
  return new Promise((resolve) => {
    near.telephony.onTrunkState((state) => {
      if (state.registration.state === 'registered') resolve(state);
    });
  });
}

for (const algorithm of ['MD5', 'SHA-256'] as const) {
  test(`kamailio with ${algorithm}: register, call out over Record-Route, fork, call in`, {
    skip: skipWithoutKamailio,
    timeout: 60_000,
  }, async () => {
    const first = await startHarness((leg) => {
      leg.ring();
      if (leg.called !== '+15551110002') leg.answer({ address: '127.0.0.1', port: 41_000 });
    });
    const second = await startHarness((leg) => {
      leg.ring();
      leg.answer({ address: '127.0.0.1', port: 42_000 });
    });
    const proxy = await startKamailio(algorithm, [first.port, second.port]);
    const near = await startHarness((leg) => leg.answer(audio));
    try {
      const ready = registered(near);
      near.telephony.setTrunks([
        trunkConfig('t', '127.0.0.1', { port: proxy.port, register: true, username: 'alice', password: 'secret' }),
      ]);
      const state = await ready;
      assert.ok((state.registration.expiresAtMs ?? 0) > Date.now());

      // Out: 407, the digest, Record-Route; BYE from either side finds its way through the proxy.
      for (const who of ['near', 'far'] as const) {
        const leg = recordLeg(near.telephony.dial(dialling('+15551110001')));
        assert.equal((await leg.next('answered')).audio.remotePort, 41_000);
        const stored = leg.events.flatMap((event) => (event.type === 'dialog-stored' ? [event.dialog] : [])).at(-1);
        assert.match(stored?.routeSet[0] ?? '', new RegExp(`127\\.0\\.0\\.1:${proxy.port}.*lr`));
        const far = first.legs.at(-1) ?? assert.fail();
        await far.next('answered');
        (who === 'near' ? leg : far).leg.hangUp();
        const ends = await Promise.all([leg.next('ended'), far.next('ended')]);
        assert.deepEqual(
          ends.map(({ end }) => end.by),
          who === 'near' ? ['local', 'remote'] : ['remote', 'local'],
        );
      }

      // A fork: both ring, the second answers, the first is cancelled.
      const forked = recordLeg(near.telephony.dial(dialling('+15551110002')));
      assert.equal((await forked.next('answered')).audio.remotePort, 42_000);
      const loser = first.legs.at(-1) ?? assert.fail();
      assert.deepEqual((await loser.next('ended')).end.sipStatus, 487);
      forked.leg.hangUp();
      await (second.legs[0] ?? assert.fail()).next('ended');

      // In: the registrar sends the call to the registered contact; it counts as the trunk's.
      const caller = recordLeg(
        second.telephony.dial({ ...dialling(`sip:alice@127.0.0.1:${proxy.port}`), trunkIds: [] }),
      );
      await caller.next('answered');
      const inbound = near.legs[0] ?? assert.fail();
      assert.equal(inbound.leg.trunkId, 't');
      inbound.leg.hangUp();
      assert.equal((await caller.next('ended')).end.by, 'remote');
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n${proxy.output()}`);
    } finally {
      await near.telephony.stop();
      await first.telephony.stop();
      await second.telephony.stop();
      await proxy.stop();
    }
  });
}

test("kamailio refuses a wrong password, and the trunk's state shows it", {
  skip: skipWithoutKamailio,
  timeout: 30_000,
}, async () => {
  const proxy = await startKamailio('MD5', [9]);
  const near = await startHarness(() => {});
  try {
    const failed = new Promise<TrunkState>((resolve) => {
      near.telephony.onTrunkState((state) => {
        if (state.registration.state === 'failed') resolve(state);
      });
    });
    near.telephony.setTrunks([
      trunkConfig('t', '127.0.0.1', { port: proxy.port, register: true, username: 'alice', password: 'wrong' }),
    ]);
    assert.match((await failed).lastError ?? '', /wrong user name or password/);
    assert.throws(() => near.telephony.dial(dialling('+15551110001')), { code: 'TRUNK_DOWN' });
  } finally {
    await near.telephony.stop();
    await proxy.stop();
  }
});
