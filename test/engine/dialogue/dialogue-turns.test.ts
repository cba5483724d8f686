// The dialogue's part in a turn: what a question expects, failed guesses, words while the caller waits, protected
// greetings, a transfer that the caller does not want.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { Dialogue } from '../../../engine/dialogue/dialogue.ts';
import type { DialogueState } from '../../../engine/dialogue/dialogue-state.ts';
import type { ReplyCause } from '../../../engine/turn/events.ts';
import type { DialogueChunk, DialogueRequest } from '../../../models/llm/llm.ts';
import { menuInvitation } from '../../../models/llm/receptionist/key-menu.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';
import { business, dialogue, type Script, settle, turn, words } from './dialogue-stage.ts';

const refused = async function* (): AsyncIterable<DialogueChunk> {
  yield* [];
  throw new Error('429');
};

const silent = async function* (): AsyncIterable<DialogueChunk> {
  yield* [];
  await new Promise(() => {});
};

test('the question of a model in free text tells what will be answered, and a statement that nothing is expected', async () => {
  const answers = ['What is your phone number?', 'Please tell me the four-digit code.', 'Thank you, goodbye.'];
  const { talk, sent } = dialogue(() => words(answers.shift() ?? ''));
  for (const epoch of [1, 2, 3]) {
    talk.wantReply(epoch, turn(`words ${epoch}`), true);
    await settle();
  }
  const asked = sent.flatMap((command) => (command.type === 'expects' ? [command] : []));
  assert.deepEqual(
    asked.map(({ expects, digitCount }) => [expects, digitCount ?? null]),
    [
      ['digits', null],
      ['digits', 4],
      ['anything', null],
    ],
  );
});

test('another process goes on with what was asked for, and a caller who is giving digits is waited for there too', async () => {
  const first = dialogue(() => words('What is your phone number?'));
  first.talk.wantReply(1, turn('please call me back'), true);
  await settle();
  const state = JSON.parse(JSON.stringify(first.talk.state)) as DialogueState;
  const next = dialogue(() => words('Thank you.'));
  next.talk.goOn(state, { open: [], isNoticed: false });
  assert.deepEqual(
    next.sent.map(({ type }) => type),
    ['expects'],
  );
  assert.deepEqual(next.talk.state.asked, first.talk.state.asked);
  // It asks for nothing: that is told as a change.
  next.talk.wantReply(2, turn('five five five'), true);
  await settle();
  const told = next.sent.flatMap((command) => (command.type === 'expects' ? [command.expects] : []));
  assert.deepEqual(told, ['digits', 'anything']);
});

test('two guesses that fail in one pause cost nothing: the reply is asked for again when it is wanted', async () => {
  let requests = 0;
  const { talk, spoken, actions, completed } = dialogue(() =>
    ++requests <= 2 ? refused() : words('We open at nine.'),
  );
  talk.wantReply(1, turn('when do'), false);
  await settle();
  talk.dropReply(1);
  talk.wantReply(2, turn('when do you open'), false);
  await settle();
  assert.equal(spoken(2), '');
  talk.commitReply(2, turn('when do you open'));
  await settle();
  assert.equal(requests, 3);
  assert.equal(spoken(2), 'We open at nine.');
  assert.ok(completed(2));
  assert.deepEqual(actions, []);
});

test('a model that is refused again when the reply is wanted gets the fallback spoken', async () => {
  const { talk, spoken } = dialogue(refused);
  talk.wantReply(1, turn('when do you open'), false);
  await settle();
  talk.commitReply(1, turn('when do you open'));
  await settle();
  assert.equal(spoken(1), business.fallbackMessage);
});

test('a slow model is covered by a few words, which do not move its deadline', async () => {
  const clock = new VirtualClock();
  const { talk, sent } = dialogue(silent, { clock });
  talk.wantReply(1, turn('when do you open'), true);
  clock.advanceTo(1_700);
  assert.equal(sent.filter(({ type }) => type === 'speak').length, 0);
  clock.advanceTo(7_900);
  const said = sent.flatMap((command) => (command.type === 'speak' ? [command] : []));
  assert.deepEqual(
    said.map(({ text, isFiller }) => [text, isFiller]),
    [
      ['Let me see.', true],
      ['One moment, please.', true],
    ],
  );
});

test('a slow tool is covered too, and again if it takes long', async () => {
  const clock = new VirtualClock();
  const { talk, spoken } = dialogue(
    async function* ({ messages }) {
      if (messages.some((message) => message.role === 'tool-result')) yield* words('Done.');
      else yield { type: 'tool-call', id: 't1', name: 'opt_out', arguments: {} };
    },
    { clock, optOut: () => new Promise((resolve) => clock.after(6_000, resolve)) },
  );
  talk.wantReply(1, turn('never call me again'), true);
  await settle();
  clock.advanceTo(5_500);
  assert.equal(spoken(1), 'One moment, please. One moment, please.');
  clock.advanceTo(6_100);
  await settle();
  assert.equal(spoken(1), 'One moment, please. One moment, please. Done.');
});

test('a long first sentence begins with its first words', async () => {
  const clock = new VirtualClock();
  const text = 'We are open every day of the week from nine in the morning until six in the evening.';
  const { talk, sent } = dialogue(
    async function* () {
      for (const word of text.split(/(?<= )/)) {
        yield { type: 'text', text: word };
        await new Promise<void>((resolve) => clock.after(33, resolve));
      }
    },
    { clock },
  );
  talk.wantReply(1, turn('when do you open'), true);
  for (let atMs = 0; atMs <= 1_000; atMs += 11) {
    clock.advanceTo(atMs);
    await settle();
  }
  const said = sent.flatMap((command) => (command.type === 'speak' ? [command.text] : []));
  assert.equal(said[0], 'We are open every day', '"of" would hang in the air');
  assert.equal(said.join(' '), text, 'nothing is lost or said twice');
});

test('a caller who asks for a moment gets it without a model', async () => {
  const patience: ReplyCause = {
    kind: 'turn',
    text: 'one moment please',
    understood: true,
    confidence: 1,
    startedAtMs: 0,
    asksToWait: true,
  };
  const { talk, spoken, requests } = dialogue(() => words('What?'));
  talk.wantReply(1, patience, false);
  await settle();
  talk.commitReply(1, patience);
  assert.equal(spoken(1), 'Of course, take your time.');
  assert.equal(requests.length, 0);
});

test('to "stop" the agent says no more than that it listens, and asks no model', async () => {
  const stop: ReplyCause = {
    kind: 'turn',
    text: 'stop',
    understood: true,
    confidence: 1,
    startedAtMs: 0,
    asksToStop: true,
  };
  const { talk, spoken, requests } = dialogue(() => words('What?'));
  talk.wantReply(1, stop, false);
  await settle();
  talk.commitReply(1, stop);
  assert.equal(spoken(1), 'Yes?');
  assert.equal(requests.length, 0);
});

test('a protected greeting is spoken to its end, and so is the notice of the recording', () => {
  const spans = (changes: Parameters<typeof dialogue>[1]) => {
    const { talk, sent } = dialogue(() => words(''), changes);
    talk.wantReply(1, { kind: 'opening' }, true);
    return sent.flatMap((command) => (command.type === 'speak' ? [command.interruptible] : []));
  };
  assert.deepEqual(spans({}), [true, true]);
  assert.deepEqual(spans({ conversation: { protectGreeting: true } }), [false, false]);
  const greeting = 'Willow here. This call is recorded. How can I help?';
  assert.deepEqual(spans({ greeting, isRecorded: true }), [true, false, true]);
  assert.deepEqual(spans({ greeting, isRecorded: false }), [true, true, true]);
});

const announcing = async function* (): AsyncIterable<DialogueChunk> {
  yield* words('I will put you through.');
  yield { type: 'tool-call', id: 't1', name: 'transfer_call', arguments: {} };
};

/** The caller speaks over the announcement; what they say decides. */
async function announcedTransfer(script: Script = announcing, language = 'en-US') {
  const clock = new VirtualClock();
  const stage = dialogue(script, {
    clock,
    language,
    business: { ...business, transferNumber: '+12125550199' },
  });
  stage.talk.wantReply(1, language === 'en-US' ? turn('put me through please') : { kind: 'digits', digits: '1' }, true);
  await settle();
  stage.talk.replyHeard(1, 'I will put', true);
  assert.deepEqual(stage.actions, []);
  return { ...stage, clock };
}

/** The caller's turn, prepared for while its end is uncertain, or wanted when it has ended. */
async function say(talk: Dialogue, epoch: number, text: string, isGuessed: boolean): Promise<void> {
  talk.wantReply(epoch, turn(text), !isGuessed);
  await settle();
  if (isGuessed) talk.commitReply(epoch, turn(text));
  await settle();
}

const declines = (request: DialogueRequest | undefined): boolean[] =>
  (request?.messages ?? []).flatMap((message) =>
    message.role === 'note' ? [message.note.kind === 'transfer-declined'] : [],
  );

for (const isGuessed of [false, true]) {
  const when = isGuessed ? 'in a reply that was prepared' : 'in a reply that was not prepared';

  test(`a "no" over its announcement cancels a transfer, and the model knows of it ${when}`, async () => {
    const { talk, actions, clock, requests } = await announcedTransfer();
    await say(talk, 2, "no, don't transfer me", isGuessed);
    clock.advanceTo(20_000);
    assert.deepEqual(actions, []);
    assert.equal(requests.length, 2, 'asked once');
    assert.deepEqual(declines(requests[1]), [true]);
    talk.replyHeard(2, 'I will put you through.', false);
    await say(talk, 3, 'when do you open', isGuessed);
    assert.deepEqual(declines(requests[2]), [true], 'and remembers it');
  });

  test(`a caller who declines a transfer is not told that nobody answers, ${when}`, async () => {
    const no = { 'en-US': 'no', de: 'nein', es: 'no', fr: 'non', it: 'no', nl: 'nee', pt: 'não' };
    for (const [language, text] of Object.entries(no)) {
      const receptionist = new Receptionist();
      const stage = await announcedTransfer((request, signal) => receptionist.reply(request, signal), language);
      await say(stage.talk, 2, text, isGuessed);
      assert.deepEqual(stage.actions, [], language);
      const menu = menuInvitation({ business, direction: 'inbound', language, nowMs: 0 });
      const expected = language === 'en-US' ? 'All right. What can I do for you?' : menu;
      const spoken = stage.spoken(2);
      assert.ok(spoken !== '' && expected.endsWith(spoken), `${language}: ${spoken}`);
    }
  });

  test(`what a caller asks for in place of the transfer is answered, ${when}`, async () => {
    const receptionist = new Receptionist();
    const { talk, spoken } = await announcedTransfer((request, signal) => receptionist.reply(request, signal));
    await say(talk, 2, 'no, what is your address', isGuessed);
    assert.match(spoken(2), /address/);
  });
}

test('a "no" that the caller takes back before the reply was heard decides nothing', async () => {
  const { talk, actions, requests, clock } = await announcedTransfer();
  talk.wantReply(2, turn('no'), false);
  await settle();
  clock.advanceTo(5_000);
  assert.equal(actions.length, 0, 'not while the "no" may stand');
  talk.dropReply(2);
  await say(talk, 3, 'no', false);
  talk.dropReply(3);
  talk.wantReply(4, turn("no don't, when do you open"), false);
  await settle();
  assert.deepEqual(declines(requests.at(-1)), [true], 'the note of the longer turn only');
  talk.dropReply(4);
  clock.advanceTo(20_000);
  assert.equal(actions[0]?.type, 'transfer', 'it was noise: the transfer stands');
});

test('other words over the announcement, or none, leave it standing', async () => {
  const thanked = await announcedTransfer();
  thanked.talk.wantReply(2, turn('thank you very much'), true);
  await settle();
  assert.equal(thanked.actions[0]?.type, 'transfer');
  assert.ok(thanked.completed(2));
  assert.equal(thanked.spoken(2), '');
  assert.equal(thanked.requests.length, 1, 'the model is not asked for a reply that nobody needs');
  const guessed = await announcedTransfer();
  guessed.talk.wantReply(2, turn('thank you very much'), false);
  await settle();
  assert.equal(guessed.actions.length, 0, 'the caller may go on');
  guessed.talk.commitReply(2, turn('thank you very much'));
  assert.equal(guessed.actions[0]?.type, 'transfer');
  assert.ok(guessed.completed(2));
  assert.equal(guessed.requests.length, 1);
  const silent = await announcedTransfer();
  silent.clock.advanceTo(20_000);
  assert.equal(silent.actions[0]?.type, 'transfer');
});
