// Work that is asked for while it runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneAtATime } from '../../../db/shared/one-at-a-time.ts';

/** Work whose runs the test ends. */
function gated() {
  const runs: Array<{ resolve(): void; reject(error: Error): void }> = [];
  const ask = oneAtATime(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    runs.push({ resolve, reject });
    return promise;
  });
  return { runs, ask };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('it runs once more, however often it is asked for meanwhile, and all wait for that', async () => {
  const { runs, ask } = gated();
  let answered = 0;
  const asked = [ask(), ask(), ask()].map((each) => each.then(() => answered++));
  assert.equal(runs.length, 1);
  runs[0]?.resolve();
  await turn();
  assert.deepEqual([runs.length, answered], [2, 0]);
  runs[1]?.resolve();
  await Promise.all(asked);
  assert.equal(runs.length, 2);
  void ask();
  assert.equal(runs.length, 3, 'later it begins at once');
});

test('a run that fails is told, unless it is done again', async () => {
  const { runs, ask } = gated();
  const [first, second] = [ask(), ask()];
  runs[0]?.reject(new Error('away'));
  await turn();
  runs[1]?.resolve();
  await Promise.all([first, second]);
  const third = ask();
  runs[2]?.reject(new Error('away'));
  await assert.rejects(third, /away/);
});
