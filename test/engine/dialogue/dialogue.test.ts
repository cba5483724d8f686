// The conversation of a call against a scripted model: what is spoken, what enters the history, when tools run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { type DialogueRequest, LlmError } from '../../../models/llm/llm.ts';
import { business, dialogue, type Script, settle, turn, words } from './dialogue-stage.ts';

test('a speculative reply is sent to the shard but enters the history only when committed', async () => {
  const { talk, requests, spoken, completed } = dialogue(() => words('We open at nine.'));
  talk.wantReply(1, turn('when do you open'), false);
  await settle();
  assert.equal(spoken(1), 'We open at nine.');
  assert.equal(completed(1), false);
  talk.dropReply(1);
  talk.wantReply(2, turn('when do you open on sunday'), true);
  await settle();
  assert.deepEqual(requests[1]?.messages, [{ role: 'caller', text: 'when do you open on sunday', understood: true }]);
  assert.equal(completed(2), true);
});

test('the first word of a reply is reported once, whether it was committed or not, and none for a fixed text', async () => {
  const { talk, begun } = dialogue(() => words(' We open at nine. On Sunday at ten.'));
  talk.wantReply(1, { kind: 'opening' }, true);
  talk.wantReply(2, turn('when do you open'), false);
  await settle();
  talk.commitReply(2, turn('when do you open'));
  await settle();
  assert.deepEqual(begun, [2]);
});

test('tools of a speculative reply run only once it is committed', async () => {
  let ran = 0;
  const { talk, requests } = dialogue(
    async function* ({ messages }) {
      if (messages.some((message) => message.role === 'tool-result')) yield* words('Done.');
      else yield { type: 'tool-call', id: 't1', name: 'opt_out', arguments: {} };
    },
    {
      optOut: async () => {
        ran++;
      },
    },
  );
  talk.wantReply(1, turn('never call me again'), false);
  await settle();
  assert.equal(ran, 0);
  talk.commitReply(1, turn('never call me again'));
  await settle();
  assert.equal(ran, 1);
  assert.deepEqual(
    requests.at(-1)?.messages.map((message) => message.role),
    ['caller', 'tool-call', 'tool-result'],
  );
});

test('a tool that ran enters the history even after a barge-in', async () => {
  let finish = (): void => {};
  const { talk, requests } = dialogue(
    async function* ({ messages }) {
      if (messages.length === 1) yield { type: 'tool-call', id: 't1', name: 'opt_out', arguments: {} };
      else yield* words('Very well.');
    },
    { optOut: () => new Promise((resolve) => (finish = resolve)) },
  );
  talk.wantReply(1, turn('stop calling'), true);
  await settle();
  talk.replyHeard(1, '', true);
  talk.wantReply(2, turn('hello'), true);
  finish();
  await settle();
  talk.replyHeard(2, 'Very well.', false);
  talk.wantReply(3, turn('are you there'), true);
  await settle();
  const results = requests.at(-1)?.messages.filter((message) => message.role === 'tool-result');
  assert.deepEqual(results, [{ role: 'tool-result', id: 't1', name: 'opt_out', result: { ok: true } }]);
});

test('a tool that answers after its deadline: the model learns what really happened', async () => {
  const clock = new VirtualClock();
  let finish = (): void => {};
  const { talk, requests } = dialogue(
    async function* ({ messages }) {
      if (messages.length === 1) yield { type: 'tool-call', id: 't1', name: 'opt_out', arguments: {} };
      else yield* words('One moment.');
    },
    { optOut: () => new Promise((resolve) => (finish = resolve)), clock },
  );
  const resultIn = (request: DialogueRequest | undefined) =>
    request?.messages.find((message) => message.role === 'tool-result')?.result as { ok: boolean; error?: string };
  talk.wantReply(1, turn('stop calling'), true);
  await settle();
  clock.advance(8_000);
  await settle();
  assert.equal(resultIn(requests.at(-1)).error, 'timeout');
  finish();
  await settle();
  talk.replyHeard(1, 'One moment.', false);
  talk.wantReply(2, turn('did it work'), true);
  await settle();
  assert.deepEqual(resultIn(requests.at(-1)), { ok: true });
  assert.deepEqual(talk.tools.used, ['opt_out']);
  assert.equal(clock.pending, 0);
});

test('the history holds what was heard, not what was intended', async () => {
  const { talk, requests } = dialogue(({ messages }) =>
    words(messages.length === 1 ? 'We open at nine and close at six.' : 'Yes.'),
  );
  talk.wantReply(1, turn('hours'), true);
  await settle();
  talk.replyHeard(1, 'We open at', true);
  talk.wantReply(2, turn('and on sunday'), true);
  await settle();
  assert.deepEqual(requests[1]?.messages, [
    { role: 'caller', text: 'hours', understood: true },
    { role: 'agent', text: 'We open at', interrupted: true },
    { role: 'caller', text: 'and on sunday', understood: true },
  ]);
});

test('memory and the next expectation are kept only from committed replies', async () => {
  const seen: unknown[] = [];
  const { talk, sent } = dialogue(async function* ({ memory }) {
    seen.push(memory);
    yield { type: 'memory', memory: { step: seen.length } };
    yield { type: 'expects', expects: 'yes-no' };
    yield* words('Shall I?');
  });
  talk.wantReply(1, turn('a'), false);
  await settle();
  assert.equal(
    sent.some((command) => command.type === 'expects'),
    false,
  );
  talk.dropReply(1);
  talk.wantReply(2, turn('a b'), true);
  await settle();
  talk.replyHeard(2, 'Shall I?', false);
  talk.wantReply(3, turn('yes'), true);
  await settle();
  assert.deepEqual(seen, [null, null, { step: 2 }]);
  assert.equal(sent.filter((command) => command.type === 'expects').length, 2);
});

test('the call ends once the goodbye was heard, and continues if it was interrupted', async () => {
  const goodbye: Script = async function* () {
    yield* words('Goodbye.');
    yield { type: 'tool-call', id: 't1', name: 'end_call', arguments: { reason: 'done' } };
  };
  const heard = dialogue(goodbye);
  heard.talk.wantReply(1, turn('bye'), true);
  await settle();
  assert.deepEqual(heard.actions, []);
  heard.talk.replyHeard(1, 'Goodbye.', false);
  assert.deepEqual(heard.actions, [{ type: 'end-call', by: 'model' }]);

  const interrupted = dialogue(goodbye);
  interrupted.talk.wantReply(1, turn('bye'), true);
  await settle();
  interrupted.talk.replyHeard(1, '', true);
  assert.deepEqual(interrupted.actions, []);
});

test('a model that fails: the fallback, then a person', async () => {
  const { talk, spoken, actions, completed } = dialogue(async function* () {
    yield* words('');
    throw new LlmError('LLM_UNAVAILABLE', 'down');
  });
  talk.wantReply(1, turn('hello'), true);
  await settle();
  assert.equal(spoken(1), 'One moment please.');
  assert.ok(completed(1));
  talk.replyHeard(1, spoken(1), false);
  talk.wantReply(2, turn('hello?'), true);
  await settle();
  assert.match(spoken(2), /^One moment please\. .*person/);
  talk.replyHeard(2, spoken(2), false);
  assert.deepEqual(actions, [{ type: 'transfer', target: '+12125550100' }]);
});

test('an error that nobody foresaw is logged in its words, unless they are those of the conversation', async () => {
  const logOf = async (message: string): Promise<string> => {
    const { talk, logged } = dialogue(async function* () {
      yield* words('');
      throw new TypeError(message);
    });
    talk.wantReply(1, turn('my card number is four one one one'), true);
    await settle();
    return logged.find((line) => line.includes('dialogue model failed')) ?? '';
  };
  assert.match(await logOf('fetch failed: ECONNRESET'), /"code":"LLM_FAILED".*"error":"fetch failed: ECONNRESET"/);
  for (const repeated of ['cannot read "card number"', 'bad input: my card number is four']) {
    const line = await logOf(repeated);
    assert.doesNotMatch(line, /card|four/);
    assert.match(line, /"code":"LLM_FAILED".*"error":"TypeError"/);
  }
});

test('without a person to hand over to, the second failure says goodbye', async () => {
  const { talk, spoken, actions } = dialogue(
    // biome-ignore lint/correctness/useYield: a model that answers nothing at all
    async function* () {
      return;
    },
    { business: { ...business, transferNumber: null } },
  );
  for (const epoch of [1, 2]) {
    talk.wantReply(epoch, turn('hello'), true);
    await settle();
    talk.replyHeard(epoch, spoken(epoch), false);
  }
  assert.match(spoken(2), /Goodbye/);
  assert.deepEqual(actions, [{ type: 'end-call', by: 'engine', cause: 'model_failure' }]);
});

test('a model that never stops calling tools is stopped', async () => {
  let calls = 0;
  const { talk, completed } = dialogue(async function* () {
    yield { type: 'tool-call', id: `t${calls++}`, name: 'check_availability', arguments: {} };
  });
  talk.wantReply(1, turn('when'), true);
  await settle();
  assert.ok(calls <= 6, `${calls} rounds`);
  assert.ok(completed(1), 'the caller hears the fallback');
});

test('the last silence prompt ends the call, whether or not the model asks for it', async () => {
  const { talk, actions, spoken } = dialogue(() => words('Goodbye then.'));
  talk.wantReply(1, { kind: 'idle', count: 3, last: true }, true);
  await settle();
  talk.replyHeard(1, spoken(1), false);
  assert.deepEqual(actions, [{ type: 'end-call', by: 'engine', cause: 'idle' }]);
});

test('a machine that answered hears only the message', async () => {
  const { talk, spoken, completed } = dialogue(() => words('How can I help?'));
  talk.mute();
  talk.wantReply(1, turn('please leave a message'), true);
  await settle();
  assert.equal(spoken(1), '');
  assert.ok(completed(1));
  talk.wantReply(2, { kind: 'requested', request: { kind: 'say', text: 'Please call us back.' } }, true);
  await settle();
  assert.equal(spoken(2), 'Please call us back.');
});

test('a sentence whose speech broke off enters the history as far as it was heard', async () => {
  const { talk, requests } = dialogue(() => words('We are open from nine to six on weekdays.'));
  talk.wantReply(1, turn('hours'), true);
  await settle();
  talk.replyHeard(1, 'We are open', false);
  talk.wantReply(2, turn('pardon'), true);
  await settle();
  assert.deepEqual(requests[1]?.messages[1], { role: 'agent', text: 'We are open', interrupted: false });
});

test('the greeting is spoken verbatim, at once, without the model', async () => {
  const { talk, spoken, completed, requests } = dialogue(() => words('I am a model and greet as I like.'));
  talk.wantReply(1, { kind: 'opening' }, true);
  assert.equal(spoken(1), 'Willow here. How can I help?');
  assert.equal(completed(1), true);
  talk.replyHeard(1, 'Willow here. How can I help?', false);
  assert.equal(requests.length, 0);
  talk.wantReply(2, turn('when do you open'), true);
  await settle();
  assert.deepEqual(requests[0]?.messages, [
    { role: 'agent', text: 'Willow here. How can I help?', interrupted: false },
    { role: 'caller', text: 'when do you open', understood: true },
  ]);
});

test('a fact of the call reaches the model as a value and as text', async () => {
  const { talk, requests } = dialogue(() => words('Thank you.'));
  talk.wantReply(1, { kind: 'digits', digits: '12#' }, true);
  await settle();
  assert.deepEqual(requests[0]?.messages, [
    { role: 'note', note: { kind: 'digits', digits: '12#' }, text: 'The caller pressed 12#.' },
  ]);
});

test('sending keys that the line does not accept is not a success', async () => {
  const pressed: string[] = [];
  const { talk, requests } = dialogue(
    async function* ({ messages }) {
      if (messages.some((message) => message.role === 'tool-result')) yield* words('That did not work.');
      else yield { type: 'tool-call', id: 't1', name: 'send_digits', arguments: { digits: '12#' } };
    },
    {
      sendDigits: async (digits) => {
        pressed.push(digits);
        return false;
      },
    },
  );
  talk.wantReply(1, turn('press one two'), true);
  await settle();
  assert.deepEqual(pressed, ['12#']);
  const result = requests.at(-1)?.messages.find((message) => message.role === 'tool-result')?.result;
  assert.deepEqual((result as { ok: boolean; error: string }).error, 'no_keypad');
});

/** A model behind a server that reports what it used. */
const metered = (reply: string): Script =>
  async function* () {
    yield { type: 'request', byFallback: false };
    yield* words(reply);
    yield { type: 'usage', inputTokens: 1_000, outputTokens: 20, cachedTokens: 800 };
  };

test('what a call used: replies that were spoken, and guesses that nobody heard', async () => {
  const { talk, spent } = dialogue(metered('We open at nine.'));
  talk.wantReply(1, turn('when do you'), false);
  await settle();
  assert.deepEqual(spent, [], 'nobody knows yet');
  talk.dropReply(1);
  talk.wantReply(2, turn('when do you open'), false);
  await settle();
  talk.commitReply(2, turn('when do you open'));
  await settle();
  talk.replyHeard(2, 'We open at nine.', false);
  assert.deepEqual(spent, [
    { requests: 1, isDiscarded: true },
    { requests: 1, isDiscarded: false },
  ]);
  assert.deepEqual(talk.answers.usage, {
    promptTokens: 2_000,
    cachedTokens: 1_600,
    completionTokens: 40,
    requests: 2,
    fallbackRequests: 0,
    discardedRequests: 1,
    discardedTokens: 1_020,
  });
});

test('a guess that is cut off counts as a request; tokens that no server reported are not invented', async () => {
  const { talk } = dialogue(async function* (_request, signal) {
    yield { type: 'request', byFallback: true };
    yield* words('We open');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    throw new LlmError('LLM_UNAVAILABLE', 'cancelled');
  });
  talk.wantReply(1, turn('when'), false);
  await settle();
  talk.close();
  await settle();
  assert.deepEqual(talk.answers.usage, {
    promptTokens: null,
    cachedTokens: null,
    completionTokens: null,
    requests: 1,
    fallbackRequests: 1,
    discardedRequests: 1,
    discardedTokens: null,
  });
});

test('a model without a server uses nothing', async () => {
  const { talk } = dialogue(() => words('We open at nine.'));
  talk.wantReply(1, turn('when do you open'), true);
  await settle();
  assert.equal(talk.answers.usage, null);
});

test('the call speaks and tells the model of events in its own language', async () => {
  const { talk, spoken, requests } = dialogue(
    async function* () {
      yield* words('');
      throw new LlmError('LLM_UNAVAILABLE', 'down');
    },
    { language: 'de-AT', business: { ...business, fallbackMessage: null, transferNumber: null } },
  );
  talk.wantReply(1, { kind: 'idle', count: 1, last: false }, true);
  await settle();
  talk.replyHeard(1, spoken(1), false);
  assert.equal(spoken(1), 'Hallo, sind Sie noch da?');
  for (const epoch of [2, 3]) {
    talk.wantReply(epoch, turn('hallo'), true);
    await settle();
    talk.replyHeard(epoch, spoken(epoch), false);
  }
  assert.match(spoken(2), /^Entschuldigung, ich habe gerade ein technisches Problem\. .*noch einmal sagen\?$/);
  assert.match(spoken(3), /Auf Wiederhören\.$/);
  const [note] = requests[0]?.messages ?? [];
  assert.equal(note?.role === 'note' && note.text, 'Die andere Seite schweigt: Fragen Sie kurz, ob sie noch da ist.');
});

test('a server that numbers the tool calls of each answer anew gets each with its own result', async () => {
  const { talk, requests } = dialogue(async function* ({ messages }) {
    const results = messages.filter((message) => message.role === 'tool-result').length;
    if (results === 2) yield* words('Both are free.');
    else yield { type: 'tool-call', id: 'call_0', name: 'check_availability', arguments: { date: `day ${results}` } };
  });
  talk.wantReply(1, turn('when'), true);
  await settle();
  const ids = (role: string) =>
    requests.at(-1)?.messages.flatMap((message) => (message.role === role && 'id' in message ? [message.id] : []));
  assert.deepEqual(ids('tool-call'), ['call_0', 'call_0-2']);
  assert.deepEqual(ids('tool-result'), ['call_0', 'call_0-2']);
});
