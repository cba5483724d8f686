// An engine behind a proxy that reads the database begins with calls once the proxy knows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { EDGE_KEEPS_MS, EDGE_READS_WITHIN_MS, edgeKnows } from '../../../engine/cluster/edge.ts';
import { engineIs } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();
const sipUri = 'sip:10.0.0.11:5060';

/** Whether it is known after each of these times. */
async function known(...afterMs: number[]): Promise<boolean[]> {
  const clock = new VirtualClock();
  let isKnown = false;
  const skewMs = () => api.clock.now - clock.nowMs();
  void edgeKnows({ read: api.context.read, clock, engineId: 'eng_new', sipUri, skewMs }).then(() => {
    isKnown = true;
  });
  await eventually(() => isKnown || clock.pending > 0);
  const seen: boolean[] = [];
  for (const ms of afterMs) {
    clock.advance(ms);
    await setImmediate();
    seen.push(isKnown);
  }
  return seen;
}

test('a new engine waits until the proxy has read of it', async () => {
  await engineIs(api, { id: 'eng_other', sipUri: 'sip:10.0.0.12:5060', heartbeatAt: api.clock.now });
  await engineIs(api, { id: 'eng_new', sipUri, heartbeatAt: api.clock.now });
  assert.deepEqual(await known(0, EDGE_READS_WITHIN_MS - 1, 1), [false, false, true]);
});

test('one that follows another at its address is known at once, as long as the list had that one', async () => {
  const keptMs = EDGE_KEEPS_MS - EDGE_READS_WITHIN_MS;
  await engineIs(api, { id: 'eng_before', sipUri, state: 'dead', heartbeatAt: api.clock.now - keptMs + 1_000 });
  assert.deepEqual(await known(0), [true]);
  await engineIs(api, { id: 'eng_before', sipUri, state: 'dead', heartbeatAt: api.clock.now - keptMs - 1_000 });
  assert.deepEqual(await known(0, EDGE_READS_WITHIN_MS), [false, true]);
});
