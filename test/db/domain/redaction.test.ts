// Three hundred sentences in seven languages, with what is private in them marked as {kind:text}: all of it must be
// found, and prices, dates, orders and addresses be left alone. What is not reached is listed, and no more may be.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Found, findPrivate, redact } from '../../../db/domain/redaction/find.ts';
import { REDACTED_KINDS } from '../../../db/domain/redaction/kinds.ts';
import { redactAll } from '../../../db/domain/redaction/policy.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/redaction', import.meta.url));
const MARK = /\{(\w+):([^}]*)\}/g;

interface Sentence {
  text: string;
  marked: Found[];
}

function sentenceOf(line: string): Sentence {
  const marked: Found[] = [];
  let text = '';
  let at = 0;
  for (const { 0: mark, 1: kind = '', 2: inner = '', index } of line.matchAll(MARK)) {
    text += line.slice(at, index);
    marked.push({ kind: kind as Found['kind'], start: text.length, end: text.length + inner.length });
    text += inner;
    at = index + mark.length;
  }
  return { text: text + line.slice(at), marked };
}

const files = readdirSync(FOLDER).map((name) => {
  const [country = '', ...lines] = readFileSync(`${FOLDER}/${name}`, 'utf8').trim().split('\n');
  return { language: name.slice(0, 2), country, sentences: lines.map(sentenceOf) };
});

test('what is private is found in seven languages, and nothing else', (t) => {
  const missed: string[] = [];
  const wrong: string[] = [];
  let [marks, sentences] = [0, 0];
  for (const { language, country, sentences: all } of files) {
    for (const { text, marked } of all) {
      sentences++;
      marks += marked.length;
      const found = findPrivate(text, { kinds: REDACTED_KINDS, language, country, names: [] });
      const shown = `${language}: ${redact(text, { kinds: REDACTED_KINDS, language, country, names: [] })}`;
      const isSame = (a: Found, b: Found) => a.kind === b.kind && a.start <= b.start && a.end >= b.end;
      for (const mark of marked) if (!found.some((each) => isSame(each, mark))) missed.push(shown);
      for (const each of found)
        if (!marked.some((mark) => mark.start < each.end && each.start < mark.end)) wrong.push(shown);
    }
  }
  t.diagnostic(`${sentences} sentences, ${marks} marks: ${missed.length} missed, ${wrong.length} found in vain`);
  assert.deepEqual(missed, []);
  assert.deepEqual(wrong, []);
});

test('names with apostrophes and hyphens, numbers as numbers, and members of objects', () => {
  const rules = { kinds: REDACTED_KINDS, language: 'en-US', country: 'US', names: ["Sinead O'Brien", 'Jean-Pierre'] };
  assert.equal(redact("This is O'Brien, and Jean-Pierre.", rules), 'This is [name], and [name].');
  assert.deepEqual(redactAll({ card: 4111111111111111, '4111111111111111': [1250, true, null] }, rules), {
    card: '[card]',
    '[card]': [1250, true, null],
  });
});
