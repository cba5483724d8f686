// Replies that begin alike: the words are learned, and then said before the rest is made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { AgentOpenings, Openings, openingOf } from '../../../engine/dialogue/openings.ts';
import { dialogue, type Script, settle, turn } from './dialogue-stage.ts';

const TOKEN_MS = 40;

/** A model that writes a token each 40 ms. */
const writing = (clock: VirtualClock, text: string): Script =>
  async function* () {
    for (const token of text.split(/(?= )/)) {
      await new Promise<void>((resolve) => clock.after(TOKEN_MS, resolve));
      yield { type: 'text', text: token };
    }
  };

/** The clauses of one reply, each with the time from the request, and the ones that are rendered ahead. */
async function reply(text: string, openings: AgentOpenings) {
  const clock = new VirtualClock();
  const said: Array<[atMs: number, text: string]> = [];
  const prepared: string[] = [];
  const stage = dialogue(writing(clock, text), {
    clock,
    openings,
    onSent: (command) => {
      if (command.type === 'speak') said.push([clock.monotonicMs(), command.text]);
      if (command.type === 'prepare-speech') prepared.push(...command.texts);
    },
  });
  stage.talk.wantReply(1, turn('when do you open'), true);
  for (let atMs = 0; atMs < 2_000; atMs += 20) {
    await settle();
    clock.advance(20);
  }
  assert.equal(clock.pending, 0, 'every timer is gone');
  return { said, prepared };
}

const SURE = 'Sure, we are open from nine in the morning until six.';

test('the third reply that begins with "Sure," makes it known, and the fourth begins with it at once', async () => {
  const openings = new AgentOpenings();
  const first = await reply(SURE, openings);
  assert.deepEqual(first.said[0], [200, 'Sure, we are open'], 'four words: no boundary came sooner');
  await reply(SURE, openings);
  const third = await reply(SURE, openings);
  assert.deepEqual([...first.prepared, ...third.prepared], ['Sure,']);
  const { said, prepared } = await reply(SURE, openings);
  assert.deepEqual(said[0], [80, 'Sure,'], 'with the first token after it');
  assert.deepEqual(prepared, []);
});

test('what follows an opening is there before it has been said, and no word is lost or said twice', async () => {
  const openings = new AgentOpenings();
  for (let count = 0; count < 3; count++) openings.note('Sure, we do.');
  const { said } = await reply(SURE, openings);
  const [, [secondAtMs, second] = [0, '']] = said;
  assert.equal(second, 'we are open from nine');
  assert.ok(secondAtMs - 80 <= 240, `${secondAtMs} ms`);
  assert.equal(said.map(([, text]) => text).join(' '), SURE);
});

test('a text that only resembles an opening is cut as ever', async () => {
  const openings = new AgentOpenings();
  for (let count = 0; count < 3; count++) openings.note('Sure, we do.');
  const { said } = await reply('Surely, nobody comes before nine in the morning.', openings);
  assert.deepEqual(
    said.map(([, text]) => text),
    ['Surely, nobody comes before', 'nine in the morning.'],
  );
});

test('an opening is at most three words and has no figure', () => {
  assert.equal(openingOf('Of course, we are.'), 'Of course,');
  assert.equal(openingOf('Great!'), 'Great!');
  assert.equal(openingOf("That's all right, we are."), "That's all right,");
  assert.equal(openingOf('We close at six, and open at nine.'), null);
  assert.equal(openingOf('5, 6 or 7.'), null);
  assert.equal(openingOf('No.5 is it'), null);
  assert.equal(openingOf('We are open from nine'), null);
});

test('each agent, voice and language has its own, and their number is bounded', () => {
  const openings = new Openings();
  const anna = { agentId: 'a', voiceId: 'slt', language: 'en-US' };
  for (let count = 0; count < 3; count++) openings.of(anna).note('Sure, we do.');
  assert.deepEqual(openings.of(anna).known, ['Sure,']);
  assert.deepEqual(openings.of({ ...anna, language: 'de-DE' }).known, []);
  assert.deepEqual(openings.of({ ...anna, agentId: 'b' }).known, []);
  for (let agent = 0; agent < 600; agent++) openings.of({ ...anna, agentId: `${agent}` });
  assert.deepEqual(openings.of(anna).known, [], 'the one that spoke longest ago is forgotten');
  const one = new AgentOpenings();
  for (let word = 0; word < 40; word++)
    for (let count = 0; count < 3; count++)
      one.note(`W${'x'.repeat(word % 20)}${'y'.repeat(Math.floor(word / 20))}, yes.`);
  assert.equal(one.known.length, 8);
});
