// A tool that changes something waits while the caller may go on with the turn for which it was asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplyCause } from '../../../engine/turn/events.ts';
import type { DialogueChunk, DialogueRequest } from '../../../models/llm/llm.ts';
import { dialogue, settle, turn } from './dialogue-stage.ts';

const unsure = (text: string): ReplyCause => ({
  ...(turn(text) as Extract<ReplyCause, { kind: 'turn' }>),
  unsure: true,
});

/** A model that says `first`, presses a key, and says that it did. */
const presses = (first: string) =>
  async function* ({ messages }: DialogueRequest): AsyncIterable<DialogueChunk> {
    if (messages.at(-1)?.role === 'tool-result') yield { type: 'text', text: 'Done.' };
    else {
      if (first !== '') yield { type: 'text', text: first };
      yield { type: 'tool-call', id: `t${messages.length}`, name: 'send_digits', arguments: { digits: '1' } };
    }
  };

function line(first: string) {
  const pressed: string[] = [];
  const stage = dialogue(presses(first), {
    sendDigits: async (digits) => {
      pressed.push(digits);
      return true;
    },
  });
  const phase = (name: 'thinking' | 'speaking' | 'doubting' | 'hearing') => stage.talk.tools.held.phaseChanged(name);
  return { ...stage, pressed, phase };
}

test('no tool runs for the half of a turn whose caller goes on over the first words', async () => {
  const { talk, clock, pressed, phase, spoken } = line('I press it now. ');
  talk.wantReply(1, unsure('press the one'), true);
  phase('thinking');
  await settle();
  assert.equal(spoken(1), 'I press it now.');
  phase('speaking');
  clock.advance(500);
  phase('doubting');
  clock.advance(500);
  await settle();
  talk.dropReply(1);
  phase('hearing');
  clock.advance(5_000);
  await settle();
  assert.deepEqual(pressed, []);
  talk.wantReply(2, turn('press the one after the beep'), true);
  phase('speaking');
  await settle();
  clock.advance(400);
  await settle();
  assert.deepEqual(pressed, ['1']);
});

test('once the first words have sounded and nobody goes on, the tool runs', async () => {
  const { talk, clock, pressed, phase, spoken } = line('I press it now. ');
  talk.wantReply(1, unsure('press the one'), true);
  phase('thinking');
  await settle();
  clock.advance(2_000);
  await settle();
  assert.deepEqual(pressed, [], 'its words do not sound yet');
  phase('speaking');
  clock.advance(999);
  await settle();
  assert.deepEqual(pressed, []);
  clock.advance(1);
  await settle();
  assert.deepEqual(pressed, ['1']);
  assert.equal(spoken(1), 'I press it now. Done.');
});

test('a sound over the first words that is none of the caller’s lets the wait begin again', async () => {
  const { talk, clock, pressed, phase } = line('I press it now. ');
  talk.wantReply(1, unsure('press the one'), true);
  phase('speaking');
  await settle();
  clock.advance(400);
  phase('doubting');
  clock.advance(300);
  phase('speaking');
  clock.advance(700);
  await settle();
  assert.deepEqual(pressed, []);
  clock.advance(300);
  await settle();
  assert.deepEqual(pressed, ['1']);
});

test('a reply without words waits from the end of the turn', async () => {
  const { talk, clock, pressed, phase } = line('');
  talk.wantReply(1, unsure('press the one'), true);
  phase('thinking');
  await settle();
  clock.advance(599);
  await settle();
  assert.deepEqual(pressed, []);
  clock.advance(1);
  await settle();
  assert.deepEqual(pressed, ['1']);
});

test('after a turn that sounded surely over, a tool waits for a moment of the first words', async () => {
  const { talk, clock, pressed, phase } = line('I press it now. ');
  talk.wantReply(1, turn('press the one'), true);
  phase('thinking');
  await settle();
  assert.deepEqual(pressed, [], 'its words do not sound yet');
  phase('speaking');
  clock.advance(399);
  await settle();
  assert.deepEqual(pressed, []);
  clock.advance(1);
  await settle();
  assert.deepEqual(pressed, ['1']);
});

test('after a turn that was surely over, a reply without words waits for nothing', async () => {
  const { talk, pressed, phase } = line('');
  talk.wantReply(1, turn('press the one'), true);
  phase('thinking');
  await settle();
  assert.deepEqual(pressed, ['1']);
});
