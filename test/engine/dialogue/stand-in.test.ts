// A model that fails: the receptionist answers what it knows, and the model again as soon as it can.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { DENTIST } from '../../../bench/rig/rows/businesses.ts';
import { ModelBreakers } from '../../../engine/dialogue/model-breakers.ts';
import { type DialogueChunk, LlmError } from '../../../models/llm/llm.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';
import { dialogue, type Script, settle, turn, words } from './dialogue-stage.ts';

const down = async function* (): AsyncIterable<DialogueChunk> {
  yield* [];
  throw new LlmError('LLM_UNAVAILABLE', 'down');
};

async function* booking(startsAt: string): AsyncIterable<DialogueChunk> {
  yield { type: 'tool-call', id: 'call_1', name: 'schedule_appointment', arguments: { startsAt } };
}

const HOURS = /We are open Monday to Friday/;
const UNKNOWN = 'is my brother there already';

function stage(script: Script, changes: Parameters<typeof dialogue>[1] = {}) {
  const standIn = new Receptionist({ isStandIn: true });
  const played = dialogue(script, { business: DENTIST, standIn, ...changes });
  let epoch = 0;
  /** The caller says something; the answer, heard to its end. */
  const says = async (text: string): Promise<string> => {
    played.talk.wantReply(++epoch, turn(text), true);
    await settle();
    const answer = played.spoken(epoch);
    played.talk.replyHeard(epoch, answer, false);
    return answer;
  };
  return { ...played, says };
}

test('the receptionist answers in place of a model that fails, and says once what it cannot do', async () => {
  const { says, turns, talk } = stage(down);
  assert.match(await says('when do you open'), /^I can only help with simple questions.* We are open Monday to Friday/);
  const second = await says('what is your address');
  assert.doesNotMatch(second, /simple questions/);
  assert.doesNotMatch(second, /call again/);
  assert.deepEqual(turns, [
    { by: 'receptionist', reason: 'LLM_UNAVAILABLE', isAnswered: true },
    { by: 'receptionist', reason: 'LLM_UNAVAILABLE', isAnswered: true },
  ]);
  assert.deepEqual(talk.failed.fallbacks, [
    { model: 'llm', from: 'script', to: 'receptionist', count: 2, reason: 'LLM_UNAVAILABLE' },
  ]);
  assert.equal(talk.failed.isServed, true);
});

test('after "let me see" the stand-in answers at once, and says the next time what it cannot do', async () => {
  const clock = new VirtualClock();
  let asked = 0;
  const { says, talk, spoken } = stage(
    async function* () {
      if (++asked === 1) await new Promise<void>((resolve) => clock.after(4_000, resolve));
      yield* down();
    },
    { clock },
  );
  talk.wantReply(7, turn('when do you open'), true);
  await settle();
  clock.advance(2_000);
  await settle();
  clock.advance(2_500);
  await settle();
  assert.match(spoken(7), /^Let me see\. We are open/);
  talk.replyHeard(7, spoken(7), false);
  assert.match(await says('what is your address'), /^I can only help with simple questions/);
});

test('the model has the next turn, and knows what the receptionist said', async () => {
  let asked = 0;
  const { says, requests } = stage(() => (++asked === 1 ? down() : words('Yes, he is.')));
  await says('when do you open');
  assert.equal(await says(UNKNOWN), 'Yes, he is.');
  const told = requests[1]?.messages.findLast(({ role }) => role === 'agent');
  assert.match(told?.role === 'agent' ? told.text : '', HOURS);
});

test('an appointment is booked by the receptionist from its first word to its confirmation', async () => {
  const { says } = stage(down);
  assert.match(await says('i would like to book a dental cleaning on monday at ten am'), /May I have your name/);
  assert.match(await says('my name is ada'), /for Ada\. Shall I book that\?$/);
  assert.match(await says('yes please'), /You're all set: a dental cleaning on Monday/);
});

test('an appointment that the model made before it failed is confirmed with its time', async () => {
  let asked = 0;
  const { says } = stage(() => (++asked === 1 ? booking('1970-01-05T11:00') : down()));
  assert.match(await says('tomorrow at eleven please'), /(all set|booked for).*January 5 at 11/);
});

test('two turns in a row that the receptionist cannot answer either: a person; one that it can begins anew', async () => {
  const { says, actions, turns } = stage(down);
  assert.match(await says(UNKNOWN), /^I'm sorry, I can't answer that at the moment\. Would you like/);
  assert.match(await says('when do you open'), HOURS);
  await says(UNKNOWN);
  assert.deepEqual(actions, []);
  assert.match(await says('he has a red jacket'), /Let me put you through to a person\.$/);
  assert.deepEqual(actions, [{ type: 'transfer', target: DENTIST.transferNumber }]);
  assert.deepEqual(
    turns.map((end) => end.by !== 'model' && end.isAnswered),
    [false, true, false, false],
  );
});

test('a guess that the receptionist could not answer for the second time is not heard; the handing over is', async () => {
  const { says, talk, spoken } = stage(down);
  await says(UNKNOWN);
  talk.wantReply(2, turn('he has a'), false);
  await settle();
  talk.dropReply(2);
  talk.wantReply(3, turn('he has a red jacket'), false);
  await settle();
  talk.commitReply(3, turn('he has a red jacket'));
  await settle();
  assert.equal(spoken(3).match(/put you through/g)?.length, 1);
  assert.doesNotMatch(spoken(3), /can't answer/);
});

test('a guess that nobody heard has not told the caller what the stand-in cannot do', async () => {
  const clock = new VirtualClock();
  const breaker = new ModelBreakers(clock).of(null, 8_000);
  breaker.failed();
  breaker.failed();
  const { talk, spoken } = stage(down, { clock, breaker });
  talk.wantReply(1, turn('when do'), false);
  await settle();
  talk.dropReply(1);
  talk.wantReply(2, turn('when do you open'), false);
  await settle();
  talk.commitReply(2, turn('when do you open'));
  await settle();
  assert.match(spoken(2), /^I can only help with simple questions.*We are open/);
});

test('a sentence that broke off is followed by the receptionist', async () => {
  const { says } = stage(async function* () {
    yield* words('Let me look that up, we are');
    throw new LlmError('LLM_UNAVAILABLE', 'cut');
  });
  assert.match(await says('when do you open'), /simple questions at the moment\. We are open Monday/);
});

test('a model that says nothing is waited for twice; then callers have their answer at once, until it is back', async () => {
  const clock = new VirtualClock();
  const breaker = new ModelBreakers(clock).of(null, 8_000);
  let isBack = false;
  let asked = 0;
  const script: Script = async function* () {
    asked++;
    if (isBack) return yield* words('I am back.');
    await new Promise(() => {});
  };
  /** A new call's first question: the answer, and how long it took. */
  const ask = async (): Promise<[string, number]> => {
    const { talk, spoken, completed } = stage(script, { clock, breaker });
    const startMs = clock.monotonicMs();
    talk.wantReply(1, turn('when do you open'), true);
    for (await settle(); !completed(1); await settle()) clock.advance(100);
    talk.close();
    return [spoken(1), clock.monotonicMs() - startMs];
  };
  for (const _ of [1, 2]) {
    const [text, tookMs] = await ask();
    assert.match(text, /^Let me see\. One moment, please\. We are open/);
    assert.equal(tookMs, 8_000);
  }
  const [text, tookMs] = await ask();
  assert.match(text, HOURS);
  assert.equal(tookMs, 0);
  assert.equal(asked, 2);
  isBack = true;
  clock.advance(30_000);
  assert.deepEqual(await ask(), ['I am back.', 0]);
  assert.deepEqual(await ask(), ['I am back.', 0]);
});

test('a refusal comes at once, so the next caller’s turn goes to the model again', async () => {
  const clock = new VirtualClock();
  const breaker = new ModelBreakers(clock).of(null, 8_000);
  const refused = async function* (): AsyncIterable<DialogueChunk> {
    yield* [];
    throw new LlmError('LLM_REFUSED', '400');
  };
  const { says, requests } = stage(refused, { clock, breaker });
  for (let turns = 0; turns < 4; turns++) assert.match(await says('when do you open'), HOURS);
  assert.equal(requests.length, 4);
});

test('agents with another model or patience have another breaker', () => {
  const breakers = new ModelBreakers(new VirtualClock());
  const own = breakers.of('large', 8_000);
  own.failed();
  own.failed();
  assert.equal(breakers.of('large', 8_000).mayTry(), false);
  assert.equal(breakers.of(null, 8_000).mayTry(), true);
  assert.equal(breakers.of('large', 2_000).mayTry(), true);
});

test('what is no answer is marked as such: words while the caller waits, what the stand-in cannot do, apologies', async () => {
  const kindsOf = (sent: ReturnType<typeof stage>['sent'], epoch: number): Array<string | null> => [
    ...new Set(
      sent.flatMap((command) => (command.type === 'speak' && command.epoch === epoch ? [command.kind ?? null] : [])),
    ),
  ];
  const { says, sent } = stage(down);
  await says('when do you open');
  assert.deepEqual(kindsOf(sent, 1), ['filler', null]);
  await says(UNKNOWN);
  assert.deepEqual(kindsOf(sent, 2), ['apology']);
  await says('he has a red jacket');
  assert.deepEqual(kindsOf(sent, 3), ['apology']);
});
