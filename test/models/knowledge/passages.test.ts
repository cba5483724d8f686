// How a document is cut: under its headings, between paragraphs and sentences, without losing a word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passagesOf } from '../../../models/knowledge/passages.ts';

const markdown = (text: string) => passagesOf(text, { isMarkdown: true });

test('passages stand under their headings, and a heading ends the passage before it', () => {
  const text = '# Warranty\n\nTwo years.\n\n## Batteries\nOne year.\n\n## Bags\n\nNone.\n\n# Returns\nThirty days.';
  assert.deepEqual(markdown(text), [
    { heading: 'Warranty', body: 'Two years.' },
    { heading: 'Warranty > Batteries', body: 'One year.' },
    { heading: 'Warranty > Bags', body: 'None.' },
    { heading: 'Returns', body: 'Thirty days.' },
  ]);
});

test('a heading has one to six marks and a text after a blank; marks at its end belong to it no more', () => {
  const headings = (line: string) => markdown(`${line}\n\nYes.`).map(({ heading, body }) => heading || body);
  for (const line of ['# Bags', '#\tBags', '# Bags #', '###### Bags ##', '#  Bags   ###  ', '# Bags##'])
    assert.deepEqual(headings(line), ['Bags'], line);
  assert.deepEqual(headings('# ##'), ['#']);
  assert.deepEqual(headings(`# a${' '.repeat(300)}b`)[0]?.length, 200);
  for (const line of ['#Bags', '####### Bags', '##']) assert.deepEqual(headings(line), [`${line}\nYes.`], line);
});

test('plain text has no headings', () => {
  assert.deepEqual(passagesOf('# 1 rule\n\nBe kind.', { isMarkdown: false }), [
    { heading: '', body: '# 1 rule\nBe kind.' },
  ]);
});

test('short paragraphs stay together, a long one is cut between sentences, and no word is lost', () => {
  const sentences = Array.from({ length: 120 }, (_, i) => `Sentence number ${i} says a little about pumps.`);
  const passages = markdown(`One.\n\nTwo.\n\n${sentences.join(' ')}`);
  assert.match(passages[0]?.body ?? '', /^One\.\nTwo\.\n?/);
  for (const { body } of passages) assert.ok(body.length <= 900 && /[.]$/.test(body), body);
  const words = passages
    .map(({ body }) => body)
    .join(' ')
    .split(/\s+/);
  assert.deepEqual(words, `One. Two. ${sentences.join(' ')}`.split(/\s+/));
});

test('a text without an end is cut where it must be, and an empty one has no passages', () => {
  const passages = markdown('x'.repeat(5_000));
  assert.equal(passages.map(({ body }) => body).join(''), 'x'.repeat(5_000));
  assert.ok(passages.every(({ body }) => body.length <= 900));
  assert.deepEqual(markdown(' \n\n# Heading only\n\n '), []);
});
