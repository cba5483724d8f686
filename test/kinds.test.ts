import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inOrder, KINDS } from './kinds.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

test('the files that take longest are there, and begin first', () => {
  for (const kind of KINDS) {
    const files = globSync('**/*.test.ts', { cwd: join(folder, kind.folder ?? '.') }).sort();
    const begun = inOrder(kind, files).map((file) => basename(file, '.test.ts'));
    assert.deepEqual(begun.slice(0, kind.longest.length), kind.longest, kind.what);
    assert.equal(begun.length, files.length);
  }
});
