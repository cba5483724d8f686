// A whole service under attack: nobody gains what nobody should get, and nobody else's call or sign-in fails beside it.
// What it costs others in time is measured by `npm run bench -- hostile`.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Attack, Target } from '../../bench/rig/hostile/attack.ts';
import { besiege, type Siege, withSiege } from '../../bench/rig/hostile/siege.ts';
import { nightly } from '../support/nightly.ts';

/** Of each attack; what it has not reached after two it seldom reaches later, and there are dozens. */
const SECONDS = Number(process.env.HOSTILE_SECONDS ?? (nightly ? 2 : 6));

/** Each attack in turn, on a service with the models that it names. `rtpPorts`: of no other service that runs now. */
export function withstands(all: readonly Attack[], rtpPorts: Target['rtpPorts']): void {
  for (const models of ['instant', 'built-in'] as const) {
    const attacks = all.filter((each) => (each.models ?? 'instant') === models);
    if (attacks.length > 0) besieged(models, attacks, rtpPorts);
  }
}

function besieged(models: 'instant' | 'built-in', attacks: readonly Attack[], rtpPorts: Target['rtpPorts']): void {
  suite(`with ${models} models`, () => {
    let ready: Promise<Siege>;
    let end = (): void => {};
    let closed: Promise<void>;
    test('a service with two tenants, a trunk and a softphone', { timeout: 120_000 }, async () => {
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      ready = new Promise((resolve, reject) => {
        closed = withSiege({ models, talkers: 0, rtpPorts }, async (siege) => {
          resolve(siege);
          await over;
        });
        closed.catch(reject);
      });
      await ready;
    });
    for (const attack of attacks) {
      test(attack.name, { timeout: 120_000 }, async () => {
        const { gain, failedCalls, answersMs, signIns, healthMs } = await besiege(await ready, attack, SECONDS * 1_000);
        assert.equal(gain.succeeded, false, gain.words);
        assert.deepEqual(failedCalls, []);
        assert.ok(answersMs.length > 0, 'nobody called beside it');
        assert.equal(signIns.refused, 0);
        assert.ok(signIns.tried > 0, 'nobody signed in beside it');
        assert.ok(healthMs.every(Number.isFinite), 'some requests for /healthz failed');
      });
    }
    test('the service ends properly', { timeout: 60_000 }, async () => {
      end();
      await closed;
    });
  });
}
