// The id of a folder of recordings: made once, and never the empty one that a kill leaves.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { diskIdOf, knownDiskId } from '../../../db/shared/files/disk-id.ts';

test('it is made at the first call, and is the same from then on', () => {
  const folder = temporaryFolder('voice-disk');
  assert.equal(knownDiskId(folder), null);
  const id = diskIdOf(folder);
  assert.match(id, /^[\da-f]{16}$/);
  assert.deepEqual([diskIdOf(folder), knownDiskId(folder)], [id, id]);
  assert.deepEqual(readdirSync(folder), ['disk.id']);
});

test('an empty file is no id: two such folders would be taken for one disk', () => {
  const folder = temporaryFolder('voice-disk');
  const file = join(folder, 'disk.id');
  writeFileSync(file, '');
  assert.equal(knownDiskId(folder), null);
  const id = diskIdOf(folder);
  assert.match(id, /^[\da-f]{16}$/);
  assert.equal(readFileSync(file, 'utf8'), id);
});
