// A call asks for the vector of the caller's words while they are said, and waits for none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Vector } from '../../../db/queries/knowledge/vectors.ts';
import { PassageSearch } from '../../../engine/call/passage-search.ts';
import { settle } from '../dialogue/dialogue-stage.ts';

function stage() {
  const asked: Array<{ words: string; answer(vector: Vector | null): void }> = [];
  const searched: Array<Vector | null> = [];
  const store = {
    listTaken: async () => [],
    bookingTries: async () => ({ booked: 0, changed: 0, wrongReferences: 0, wrongOfBusiness: 0 }),
    appointmentsOfCaller: async () => [],
    holdMusic: async () => null,
    contactAfterAttempt: async () => null,
    searchPassages: async (_account: string, { vector }: { vector: Vector | null }) => {
      searched.push(vector);
      return [];
    },
    vectorOf: (words: string) =>
      new Promise<Vector | null>((resolve) => {
        asked.push({ words, answer: resolve });
      }),
  };
  const of = { accountId: 'acc_1', businessId: 'biz_1' };
  return { search: new PassageSearch(store, of, pino({ level: 'silent' })), asked, searched };
}
const vector: Vector = { kind: 'small/32', values: new Int8Array(32) };

test('a vector of the words so far serves the question', async () => {
  const { search, asked, searched } = stage();
  search.hears('how long is');
  search.hears('how long is the battery');
  assert.deepEqual(
    asked.map(({ words }) => words),
    ['how long is'],
    'one request at a time',
  );
  asked[0]?.answer(vector);
  await settle();
  assert.equal(asked[1]?.words, 'how long is the battery', 'then the newest words');
  asked[1]?.answer(vector);
  await settle();
  await search.search('How long is the battery covered?');
  assert.deepEqual(searched, [vector]);
});

test('words alone decide where no vector came in time, or one of too few words', async () => {
  const { search, asked, searched } = stage();
  search.hears('how long');
  await search.search('how long is the battery covered by the warranty');
  asked[0]?.answer(vector);
  await settle();
  await search.search('how long is the battery covered by the warranty');
  assert.deepEqual(searched, [null, null]);
});

test('a question that had no vector has one at the next look', async () => {
  const { search, asked, searched } = stage();
  await search.search('how long is the battery');
  asked[0]?.answer(vector);
  await settle();
  await search.search('how long is the battery covered');
  assert.deepEqual(searched, [null, vector]);
});

test('a server without an answer is asked again with other words', async () => {
  const { search, asked } = stage();
  search.hears('how long is');
  asked[0]?.answer(null);
  await settle();
  search.hears('how long is it');
  assert.equal(asked.length, 2);
});
