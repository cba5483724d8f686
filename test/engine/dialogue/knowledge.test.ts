// A reply that is made from the business's documents: searched with the caller's words, and said what it was made from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundPassage } from '../../../models/llm/llm.ts';
import { dialogue, settle, turn, words } from './dialogue-stage.ts';

const BATTERY: FoundPassage = {
  documentId: 'kdc_1',
  name: 'Terms',
  heading: 'Warranty > Batteries',
  body: 'The battery has a warranty of one year.',
};

test('the model gets what was found for the caller’s words, and only of their turn', async () => {
  const searched: string[] = [];
  const search = async (question: string) => {
    searched.push(question);
    return question.includes('battery') ? [BATTERY] : [];
  };
  const { talk, requests, sourced } = dialogue(() => words('One year.'), { search });
  talk.wantReply(1, { kind: 'opening' }, true);
  talk.wantReply(2, turn('how long is the battery covered'), true);
  await settle();
  assert.deepEqual(requests[0]?.passages, [BATTERY]);
  talk.replyHeard(2, 'One year.', false);
  talk.wantReply(3, turn('thank you'), true);
  await settle();
  assert.equal(requests[1]?.passages, undefined);
  assert.deepEqual(searched, ['how long is the battery covered', 'thank you']);
  assert.deepEqual(sourced, ['Warranty > Batteries']);
});

test('a guess that nobody hears is made from nothing; one that counts says so once', async () => {
  const { talk, sourced } = dialogue(() => words('One year.'), { search: async () => [BATTERY] });
  talk.wantReply(1, turn('how long is the'), false);
  await settle();
  talk.dropReply(1);
  assert.deepEqual(sourced, []);
  talk.wantReply(2, turn('how long is the battery covered'), false);
  await settle();
  talk.commitReply(2, turn('how long is the battery covered'));
  await settle();
  assert.deepEqual(sourced, ['Warranty > Batteries']);
});

test('a reply that is dropped while it is searched for asks no model', async () => {
  let found: (passages: FoundPassage[]) => void = () => undefined;
  const { talk, requests } = dialogue(() => words('One year.'), {
    search: () =>
      new Promise((resolve) => {
        found = resolve;
      }),
  });
  talk.wantReply(1, turn('how long'), false);
  talk.dropReply(1);
  found([BATTERY]);
  await settle();
  assert.equal(requests.length, 0);
});
