// Replies that begin with thoughts without an opening mark: held until they prove to be thoughts, or are spoken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpokenText } from '../../../../models/llm/chat/spoken-text.ts';

/** The speech of a text that comes in pieces of that length. */
function read(text: string, length: number): string {
  const spoken = new SpokenText({ startsInThought: false });
  let speech = '';
  for (let at = 0; at < text.length; at += length) speech += spoken.push(text.slice(at, at + length));
  return speech + spoken.finish();
}

const SURE = 'Sure, at eleven.';
const CASES: Array<[what: string, text: string, said: string]> = [
  ['thoughts that nobody opened', `Okay, the caller wants eleven.\nIt is free.\n</think>\n\n${SURE}`, SURE],
  ['other thoughts that nobody opened', `We need to look at eleven. Is it free?</think>${SURE}`, SURE],
  ['harmony without its tokens', `analysisThe user wants eleven. It is free.assistantfinal${SURE}`, SURE],
  ['such thoughts without an end', 'analysisThe user wants eleven.', ''],
  ['thoughts of other makers', `<seed:think>x</seed:think>◁think▷y◁/think▷${SURE}`, SURE],
  ['a beginning that is like one', 'Okay, the earliest is eleven.', 'Okay, the earliest is eleven.'],
  ['a sentence about another caller', 'The caller before you took it.', 'The caller before you took it.'],
  ['a word like the first of a channel', 'Analysis of your hair? Sure.', 'Analysis of your hair? Sure.'],
];

for (const [what, text, said] of CASES) {
  test(what, () => {
    for (const length of [1, 3, 7, 4_096]) assert.equal(read(text, length), said, `in parts of ${length}`);
  });
}

test('ordinary words are passed on as they come', () => {
  const spoken = new SpokenText({ startsInThought: false });
  assert.equal(spoken.push('We are '), 'We are ');
  assert.equal(spoken.push('open.'), 'open.');
});
