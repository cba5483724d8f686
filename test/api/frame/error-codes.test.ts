// The codes of error answers: the page in docs/ lists what the table holds, and nothing in the table is unused.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_CODES } from '../../../api/frame/error-codes.ts';
import { ApiError, refused, retryLater } from '../../../api/frame/errors.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

test('docs/errors.md lists every code with its status and meaning', () => {
  const rows = read('docs/errors.md').split('\n');
  const listed = rows.slice(rows.indexOf('|---|---|---|') + 1).filter((row) => row.startsWith('|'));
  const expected = Object.entries(ERROR_CODES).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  assert.deepEqual(listed, expected);
});

test('every code is an upper-case name, in the order of the statuses, and used', () => {
  // The engine refuses by codes of its own, which the API passes on.
  const sources = [...globSync('api/**/*.ts', { cwd: root }), 'db/domain/calls/control.ts']
    .filter((path) => !path.endsWith('error-codes.ts'))
    .map(read)
    .join('\n');
  for (const code of Object.keys(ERROR_CODES)) {
    assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
    assert.ok(sources.includes(`'${code}'`), `nothing answers ${code}`);
  }
  const statuses = Object.values(ERROR_CODES).map(({ status }) => status);
  assert.deepEqual(
    statuses,
    statuses.toSorted((a, b) => a - b),
  );
});

test('an error has the status of its code; one that may be tried again says when', () => {
  const deleted = refused('CAMPAIGN_DELETED', 'Campaign is deleted');
  assert.ok(deleted instanceof ApiError);
  assert.deepEqual([deleted.status, deleted.code, deleted.message], [409, 'CAMPAIGN_DELETED', 'Campaign is deleted']);
  const paused = retryLater('CAMPAIGN_PAUSED', 'Campaign is paused', 60);
  assert.deepEqual([paused.status, paused.retryAfterSeconds], [429, 60]);
  // @ts-expect-error: a code that is not in the table does not compile.
  const unknown = () => refused('NO_SUCH_CODE', 'text');
  // @ts-expect-error: 429 and 503 carry Retry-After.
  const hasty = () => refused('RATE_LIMITED', 'text');
  assert.throws(unknown);
  assert.doesNotThrow(hasty);
});
