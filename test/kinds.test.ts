import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inOrder, KINDS, kindOf } from './kinds.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

test('the files that a kind names are there, and begin first', () => {
  const files = globSync('test/**/*.test.ts', { cwd: project }).sort();
  for (const kind of KINDS) {
    const own = files.filter((file) => kindOf(file) === kind);
    const begun = inOrder(kind, own).map((file) => basename(file, '.test.ts'));
    assert.deepEqual(begun.slice(0, kind.first.length), kind.first, kind.what);
    assert.equal(begun.length, own.length);
  }
});
