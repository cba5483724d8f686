// A model whose first word is slow: what the caller hears meanwhile, and when the turn has failed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { dialogue, type Script, settle, turn, words } from './dialogue-stage.ts';

/** A model whose first word takes so long from the request. */
const slow = (clock: VirtualClock, firstWordMs: number, text = 'We open at nine.'): Script =>
  async function* () {
    await new Promise<void>((resolve) => clock.after(firstWordMs, resolve));
    yield* words(text);
  };

/** The agent's words, each with the time from the end of the caller's turn. */
async function play(
  firstWordMs: number,
  { guessedMs = 0, firstWordWithinMs = 8_000 } = {},
): Promise<Array<[atMs: number, text: string]>> {
  const clock = new VirtualClock();
  const said: Array<[number, string]> = [];
  const stage = dialogue(slow(clock, firstWordMs), {
    clock,
    firstWordWithinMs,
    onSent: (command) => {
      if (command.type === 'speak') said.push([clock.monotonicMs() - guessedMs, command.text]);
    },
  });
  stage.talk.wantReply(1, turn('when do you open'), guessedMs === 0);
  for (let atMs = 0; atMs < 20_000; atMs += 100) {
    if (guessedMs > 0 && atMs === guessedMs) stage.talk.commitReply(1, turn('when do you open'));
    await settle();
    clock.advance(100);
  }
  assert.equal(clock.pending, 0, 'every timer is gone');
  assert.equal(stage.sent.filter(({ type }) => type === 'reply-complete').length, 1);
  return said;
}

const LET_ME_SEE: [number, string] = [1_800, 'Let me see.'];
const ONE_MOMENT: [number, string] = [5_300, 'One moment, please.'];

for (const [firstWordMs, expected] of [
  [1_000, [[1_000, 'We open at nine.']]],
  [3_000, [LET_ME_SEE, [3_000, 'We open at nine.']]],
  [5_000, [LET_ME_SEE, [5_000, 'We open at nine.']]],
  [7_000, [LET_ME_SEE, ONE_MOMENT, [7_000, 'We open at nine.']]],
  [9_000, [LET_ME_SEE, ONE_MOMENT, [8_000, 'One moment please.']]],
] as const)
  test(`a first word after ${firstWordMs / 1_000} s: ${expected.at(-1)?.[1]}`, async () => {
    assert.deepEqual(await play(firstWordMs), expected);
  });

test('the time counts from the end of the turn: a guess that was begun earlier has more of it', async () => {
  const said = await play(9_000, { guessedMs: 1_500 });
  assert.deepEqual(said.at(-1), [7_500, 'We open at nine.']);
});

test('an agent may wait longer, or not so long', async () => {
  assert.deepEqual((await play(12_000, { firstWordWithinMs: 15_000 })).at(-1), [12_000, 'We open at nine.']);
  assert.deepEqual((await play(3_000, { firstWordWithinMs: 1_000 })).at(-1), [1_000, 'One moment please.']);
});

test('a model is told how long it may try, and is stopped when the time is over', async () => {
  const clock = new VirtualClock();
  const signals: AbortSignal[] = [];
  const { talk, requests } = dialogue(
    async function* (_request, signal) {
      signals.push(signal);
      yield* [];
      await new Promise(() => {});
    },
    { clock },
  );
  talk.wantReply(1, turn('when do you open'), true);
  clock.advance(7_999);
  await settle();
  assert.equal(requests[0]?.firstWordWithinMs, 8_000);
  assert.equal(signals[0]?.aborted, false);
  clock.advance(1);
  assert.equal(signals[0]?.aborted, true);
});
