// The whole service with an object store: it starts while the store is away and says so, its calls go on, and their
// recordings go there when it is back; they are read and erased through the API.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ObjectStore } from '../../bench/rig/fakes/object-store.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted } from '../support/conversation.ts';
import { useService } from '../support/use-service.ts';

const store = await new ObjectStore({ versions: 'kept' }).start();
store.fault = 'away';
const { service, rest } = useService({ MAX_CALLS: '4', METRICS_PORT: '0', ...store.environment });
after(() => store.stop());

const filesCheck = async () => {
  const { checks } = await rest.must('GET', '/admin/status');
  return checks.find(({ name }) => name === 'files');
};

test('a store that is away at the start, a call, its return, and an erasure', async () => {
  const lines = await rest.eventually('both processes say it', () => {
    const found = service
      .output()
      .split('\n')
      .filter((line) => line.includes('the object store cannot be used'));
    return Promise.resolve(found.length >= 2 && found);
  });
  assert.equal(lines.length, 2, 'once each');
  for (const line of lines) assert.ok(!line.includes('secret/of=tests'), line);
  assert.equal((await rest.eventually('the check', filesCheck)).state, 'failing');

  const { caller, number } = await greeted(service);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.equal(call.status, 'COMPLETED');
  const fromDisk = await rest.bytes(`/calls/${call.id}/audio`);
  assert.equal(fromDisk.status, 200);
  assert.deepEqual(store.keys(), []);

  store.fault = null;
  const key = `phone/recordings/${call.id}.wav`;
  const stored = await rest.eventually('the upload', async () => store.read(key));
  assert.deepEqual(stored, fromDisk.body);
  assert.equal(decodeWav(stored).channels, 2);
  assert.ok((await rest.eventually('the check', async () => (await filesCheck())?.state === 'ok')) === true);

  const part = await rest.bytes(`/calls/${call.id}/audio`, { range: 'bytes=0-43' });
  assert.deepEqual([part.status, part.body.toString('latin1', 0, 4)], [206, 'RIFF']);
  await rest.must('DELETE', `/calls/${call.id}`);
  assert.equal(store.versionCount(key), 0);
  assert.equal((await rest.bytes(`/calls/${call.id}/audio`)).status, 404);
});
