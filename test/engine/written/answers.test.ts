// The engine's part in conversations in writing, beside its calls.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { comesToRest, eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';
import { addConversation, updateConversation } from '../../../db/queries/conversations/conversations.ts';
import type { ConversationTable } from '../../../db/schema/conversations.ts';
import type { Db } from '../../../db/schema.ts';
import { operations } from '../../../db/writing/operations.ts';
import { TextAnswers } from '../../../engine/written/answers.ts';

const path = join(temporaryFolder('text-answers-'), 'voice.db');
freshDatabase(path);
const read = openDatabase(path);
after(() => read.destroy());
beforeEach(async () => {
  await read.deleteFrom('conversations').execute();
});

const START_MS = 1_000_000;

/** A chat whose person has waited since then; returns its id. */
async function wait(accountId: string, sinceMs: number): Promise<string> {
  const parties = { kind: 'chat', businessId: 'b', campaignId: 'c', agentId: 'a', phoneNumberId: null } as const;
  const { id } = await addConversation(read, { accountId, ...parties, ownNumber: '', personNumber: '' }, sinceMs);
  await updateConversation(read, accountId, id, { dueAt: sinceMs });
  return id;
}

function answersOf(clock: VirtualClock, answer: (of: ConversationTable) => Promise<void>): TextAnswers {
  return new TextAnswers({
    ...{ read, engineId: 'eng_1', clock },
    writer: {
      run: (async (name: keyof typeof operations, args: never) => operations[name](read as Db, args)) as never,
    },
    log: { warn: assert.fail, error: assert.fail },
    outage: { explains: () => false },
    answer: async (of) => {
      await answer(of);
      return { readIds: [], text: null, sealed: null, note: null };
    },
  });
}

test('it stops at once: calls are refused, and handed over, only afterwards', async () => {
  const answers = answersOf(new VirtualClock(), async () => {});
  answers.start();
  // It has looked, and waits for its next look, which this clock never brings.
  await new Promise((resolve) => setImmediate(resolve));
  let isStopped = false;
  const stopping = answers.stop().then(() => {
    isStopped = true;
  });
  for (let turns = 0; turns < 20 && !isStopped; turns++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isStopped, true);
  await stopping;
});

test("an account whose answers take long keeps no other account's persons waiting", async () => {
  const clock = new VirtualClock(START_MS);
  for (let chat = 0; chat < 40; chat++) await wait('slow', chat);
  const patient = await wait('honest', START_MS);
  const begun: ConversationTable[] = [];
  const over = Promise.withResolvers<void>();
  const answers = answersOf(clock, (of) => {
    begun.push(of);
    return of.accountId === 'slow' ? over.promise : Promise.resolve();
  });
  answers.start();
  await eventually(async () => {
    const { dueAt } = await read
      .selectFrom('conversations')
      .select('dueAt')
      .where('id', '=', patient)
      .executeTakeFirstOrThrow();
    if (dueAt !== null) clock.advance(500);
    return dueAt === null;
  }, 'an answer to the honest account');
  const ofSlow = () => begun.filter(({ accountId }) => accountId === 'slow');
  await eventually(() => {
    clock.advance(500);
    return ofSlow().length >= 4;
  }, 'a third of the places');
  for (let look = 0; look < 5; look++) {
    clock.advance(500);
    await comesToRest();
  }
  const slow = ofSlow();
  assert.equal(slow.length, 4, 'and no more');
  assert.deepEqual(
    begun.slice(0, 2).map(({ accountId }) => accountId),
    ['slow', 'honest'],
  );
  assert.equal(new Set(slow.map(({ id }) => id)).size, 4, 'one answer to one person at a time');
  over.resolve();
  await answers.stop();
});

test('the account of which the fewest are answered is next, and of it who has waited longest', async () => {
  const of = { engineId: 'eng_1', nowMs: START_MS, untilMs: START_MS + 1, perAccount: 2 };
  const [, busy] = [await wait('full', 1), await wait('busy', 3), await wait('idle', 5)];
  const first = await wait('idle', 4);
  const claim = async (underWay: Record<string, number>) =>
    (await operations.claimConversation(read, { ...of, underWay })).conversation?.id;
  assert.equal(await claim({ full: 2, busy: 1 }), first);
  assert.equal(await claim({ full: 2, busy: 1, idle: 1 }), busy);
  assert.equal(await claim({ full: 2, busy: 2, idle: 2 }), undefined);
});
