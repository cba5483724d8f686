// An engine alone places calls from its start, and gives its registrations back at its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { Coordinator } from '../../../engine/cluster/coordinator.ts';

const coordinator = (isLast: boolean | (() => boolean)) => {
  const told: boolean[] = [];
  const one = new Coordinator({
    config: { directDatabase: '/nowhere/voice.db', dataDir: '/nowhere' },
    clock: new VirtualClock(),
    log: { info() {}, warn() {} },
    outage: { explains: () => false },
    isLast: typeof isLast === 'function' ? isLast : () => isLast,
  });
  return { one, told, start: () => one.start((leads) => told.push(leads)) };
};

test('it leads from its start, dials nothing more from its stop on, and then still answers for its trunks', async () => {
  const { one, told, start } = coordinator(true);
  assert.equal(one.leads, false);
  await start();
  assert.equal(one.leads, true);
  await one.stop();
  assert.deepEqual(told, [true, false]);
  assert.equal(one.leads, true, 'nobody else unregisters');
});

test('where another engine takes over, the trunks are left to it', async () => {
  const { one, start } = coordinator(false);
  await start();
  await one.stop();
  assert.equal(one.leads, false);
});

test('an engine that comes while the last one drains keeps the registrations', async () => {
  let isLast = true;
  const { one, start } = coordinator(() => isLast);
  await start();
  await one.stop();
  assert.equal(one.leads, true);
  isLast = false;
  assert.equal(one.leads, false);
});
