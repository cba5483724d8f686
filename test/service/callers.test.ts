// Recordings of people in service dialogues, over SIP to a whole service. They are no part of the repository
// (docs/callers.md); without them there is nothing to play.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';

const SPEECH = process.env.SPEECH_FOLDER ?? '../shared/speech';
const skip =
  !existsSync(`${SPEECH}/manifest.jsonl`) && `there are no recordings of people in ${SPEECH} (SPEECH_FOLDER)`;
/** Of 17: none in six runs at loads up to 16 (docs/callers.md); a stop-watch of the same mean gap cuts off two. */
const MOST_CUT = 1;
const FALSE_START_MS = 1_500;

interface Turn {
  wasCut: boolean;
  isWhole: boolean;
  gapMs: number | null;
  goesOnAfterMs: number | null;
}

test('people in service dialogues are answered, seldom cut off, and then told as one', { skip }, async () => {
  const argv = ['supervise.mjs', 'run', 'bench/main.ts', 'callers', '--sets', 'dialogue', '--calls', '2'];
  await promisify(execFile)(process.execPath, [...argv, '--speech', SPEECH]);
  const { turns } = JSON.parse(readFileSync('bench/results/callers.json', 'utf8'));
  const all: Turn[] = turns.dialogue;
  const cut = all.filter(({ wasCut }) => wasCut);
  assert.equal(all.filter(({ wasCut, gapMs }) => !wasCut && gapMs === null).length, 0, 'each is answered');
  assert.ok(cut.length <= MOST_CUT, `${cut.length} of ${all.length} were cut off`);
  const apart = cut.filter(({ isWhole, goesOnAfterMs }) => !isWhole && (goesOnAfterMs ?? 0) <= FALSE_START_MS);
  assert.deepEqual(apart, [], 'each is told as one turn');
});
