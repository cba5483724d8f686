// Calls that are placed: what becomes of their place where they cannot be dialled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../bench/rig/clock.ts';
import { ownPlaces } from '../../engine/cluster/places.ts';
import { createAdmission } from '../../engine/load/admission.ts';
import { PlacedCalls, type PlacedOptions } from '../../engine/placed-calls.ts';

test('a campaign’s call that the database cannot be asked about gives its place back', async () => {
  const admission = createAdmission(10);
  const unread = {
    selectFrom: () => {
      throw new Error('the database is away');
    },
  } as unknown as PlacedOptions['read'];
  const placed = new PlacedCalls(
    {
      ...{
        read: unread,
        engineId: 'eng_1',
        admission,
        places: ownPlaces(admission, 'eng_1'),
        clock: new VirtualClock(),
      },
      ...({} as Pick<PlacedOptions, 'log' | 'tools' | 'writer' | 'routeOf' | 'paceOf'>),
    },
    { conduct: () => assert.fail('it is not dialled'), isDraining: () => false },
  );
  assert.ok(admission.admit('campaign'));
  await assert.rejects(placed.dialClaimed('call_1'), /away/);
  assert.equal(admission.active, 0);
});
