// An engine alone places calls from its start, and gives its registrations back at its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { Coordinator } from '../../../engine/cluster/coordinator.ts';

const coordinator = (isLast: boolean) => {
  const told: boolean[] = [];
  const one = new Coordinator({
    config: { directDatabase: '/nowhere/voice.db', dataDir: '/nowhere' },
    clock: new VirtualClock(),
    log: { info() {}, warn() {} },
    outage: { explains: () => false },
    isLast: () => isLast,
    onChange: (leads) => told.push(leads),
  });
  return { one, told };
};

test('it leads from its start, dials nothing more from its stop on, and then still answers for its trunks', async () => {
  const { one, told } = coordinator(true);
  assert.equal(one.leads, false);
  await one.start();
  assert.equal(one.leads, true);
  await one.stop();
  assert.deepEqual(told, [true, false]);
  assert.equal(one.leads, true, 'nobody else unregisters');
});

test('where another engine takes over, the trunks are left to it', async () => {
  const { one } = coordinator(false);
  await one.start();
  await one.stop();
  assert.equal(one.leads, false);
});
