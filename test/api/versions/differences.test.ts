// The words of two versions' texts: as many comparisons as the work of a request allows, whatever the machine does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Differences } from '../../../api/versions/differences.ts';

const itself = (value: unknown): unknown => value;
const text = (words: number, mark: string): string => Array.from({ length: words }, (_, n) => `${mark}${n}`).join(' ');

test('a text of which nothing stayed is shown whole, and so are those after it', () => {
  const differences = new Differences();
  const few = { from: text(100, 'a'), to: text(100, 'a').replace('a50', 'fifty') };
  const [first] = differences.between({ prompt: few.from }, { prompt: few.to }, itself);
  assert.deepEqual(
    first?.words?.filter(({ is }) => is !== 'same'),
    [
      { text: 'a50', is: 'gone' },
      { text: 'fifty', is: 'new' },
    ],
  );
  const [second] = differences.between({ prompt: text(3_000, 'a') }, { prompt: text(3_000, 'b') }, itself);
  assert.deepEqual(second, { field: 'prompt', from: text(3_000, 'a'), to: text(3_000, 'b') });
  const [third] = differences.between({ prompt: text(100, 'a') }, { prompt: text(100, 'b') }, itself);
  assert.equal(third?.words, undefined);
});
