// Attacks by strangers and tenants on a whole service: none gains what nobody should get, and nobody else's call or
// sign-in fails beside it. What it costs others in time is measured by `npm run bench -- hostile`.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ATTACKS } from '../../bench/rig/hostile/attacks.ts';
import { besiege, type Siege, withSiege } from '../../bench/rig/hostile/siege.ts';

const SECONDS = Number(process.env.HOSTILE_SECONDS ?? 4);

for (const models of ['instant', 'built-in'] as const) {
  suite(`with ${models} models`, () => {
    let ready: Promise<Siege>;
    let end = (): void => {};
    let closed: Promise<void>;
    test('a service with two tenants, a trunk and a softphone', { timeout: 120_000 }, async () => {
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      ready = new Promise((resolve, reject) => {
        closed = withSiege({ models, talkers: 0 }, async (siege) => {
          resolve(siege);
          await over;
        });
        closed.catch(reject);
      });
      await ready;
    });
    for (const attack of ATTACKS.filter((each) => (each.models ?? 'instant') === models)) {
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
