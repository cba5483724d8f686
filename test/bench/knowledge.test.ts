// The questions on which search is measured, and that it finds no fewer answers than it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MANUALS, manualText, questionsOf } from '../../bench/knowledge/questions.ts';
import { recallOf } from '../../bench/knowledge/recall.ts';
import { askAll } from '../../bench/knowledge/service.ts';

const HEADING = /^#{1,6} (.+)$/gm;

test('each question names headings that its manual has', () => {
  for (const manual of MANUALS) {
    const headings = new Set([...manualText(manual).matchAll(HEADING)].map(([, heading]) => heading));
    for (const { text, headings: wanted } of questionsOf(manual))
      for (const heading of wanted) assert.ok(headings.has(heading), `${manual}: ${text}: ${heading}`);
  }
});

test('about half of the questions are held out', () => {
  const all = MANUALS.flatMap(questionsOf);
  assert.equal(all.length, 207);
  assert.ok(Math.abs(all.filter(({ isHeldOut }) => isHeldOut).length / all.length - 0.5) < 0.05);
});

test('of ten callers’ questions eight have their answer among what the model gets, and all that name a part', async () => {
  const { byWords: asked } = await askAll(3, {});
  assert.ok(recallOf(asked).at3 > 0.8, JSON.stringify(recallOf(asked)));
  const parts = recallOf(asked.filter(({ question }) => /^(code|part number)$/.test(question.kind)));
  assert.ok(parts.at3 > 0.97, JSON.stringify(parts));
});
