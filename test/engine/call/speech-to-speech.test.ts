// Whole calls in virtual time in which a speech-to-speech model answers: what it is asked and told, and how the cascade
// goes on with the same conversation where its session is lost.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '../../../models/llm/llm.ts';
import type { SpeechAsk } from '../../../models/speech-to-speech/speech-to-speech.ts';
import { CallStage, type CallStageOptions, type SpeechScript } from './stage.ts';

const LOST = { type: 'lost', code: 'LLM_UNAVAILABLE', message: 'the socket closed' } as const;

/** Says the text, and is done. */
const says =
  (text: string): SpeechScript =>
  ({ epoch, round }, stage) => {
    stage.shard.modelSays({ type: 'sounds', epoch, round });
    for (const word of text.split(/(?<= )/)) stage.shard.modelSays({ type: 'words', epoch, round, text: word });
    stage.shard.modelSays({ type: 'usage', epoch, round, inputTokens: 100, outputTokens: 20, cachedTokens: 0 });
    stage.shard.modelSays({ type: 'done', epoch, round });
  };

/** Begins the text, and does not end it. */
const begins =
  (text: string): SpeechScript =>
  ({ epoch, round }, stage) => {
    stage.shard.modelSays({ type: 'sounds', epoch, round });
    stage.shard.modelSays({ type: 'words', epoch, round, text });
  };

const calls =
  (name: string, given: Record<string, unknown> = {}): SpeechScript =>
  ({ epoch, round }, stage) => {
    stage.shard.modelSays({ type: 'tool-call', epoch, round, id: `call_${epoch}`, name, arguments: given });
    stage.shard.modelSays({ type: 'done', epoch, round });
  };

/** The first reply by the first script, and so on; the last for all that follow. */
const inTurn = (...scripts: SpeechScript[]): SpeechScript => {
  let next = 0;
  return (ask, stage) => scripts[Math.min(next++, scripts.length - 1)]?.(ask, stage);
};

async function answered(options: CallStageOptions & { speech: SpeechScript }): Promise<CallStage> {
  const stage = new CallStage({ model: () => [{ type: 'text', text: 'The cascade answers.' }], ...options });
  await stage.start(6_000);
  return stage;
}

type Respond = Extract<SpeechAsk, { type: 'respond' }>;
const responds = ({ shard }: CallStage): Respond[] =>
  shard.asks.filter((ask): ask is Respond => ask.type === 'respond');
const itemsOf = (ask: Respond | undefined): string[] =>
  (ask?.items ?? []).map((item) =>
    item.kind === 'tool-result' ? `result ${JSON.stringify(item.result)}` : `${item.kind} ${item.text}`,
  );
const agentSaid = (stage: CallStage): string[] =>
  stage
    .of('endCall')
    .flatMap(({ transcript }) =>
      (transcript as Array<{ speaker: string; text: string }>).flatMap(({ speaker, text }) =>
        speaker === 'agent' ? [text] : [],
      ),
    );
const heardBy = (messages: readonly Message[] = []): string[] =>
  messages.flatMap((message) =>
    message.role === 'agent'
      ? [`${message.text}${message.interrupted ? ' …' : ''}`]
      : message.role === 'note'
        ? [`[${message.note.kind}]`]
        : [],
  );

async function ended(stage: CallStage): Promise<Record<string, unknown>> {
  await stage.hangsUp();
  await stage.run(500);
  const [end] = stage.of('endCall');
  assert.ok(end, stage.timeline());
  return end;
}

describe('while its session lasts', () => {
  test('the session is opened as it rings, with the prompt and the tools; the greeting is ours', async () => {
    const stage = await answered({ speech: says('Until five.') });
    const { speechModel } = stage.audio().command;
    assert.equal(speechModel?.engine, 'fake');
    assert.match(speechModel?.setup.instructions ?? '', /Bright Smile|dentist/i);
    assert.ok(speechModel?.setup.tools.some(({ name }) => name === 'schedule_appointment'));
    assert.equal(stage.audio().command.turn.guessing, false);
    await stage.says('When are you open?', 3_000);
    const end = await ended(stage);
    const [greeting, answer] = agentSaid(stage);
    assert.match(greeting ?? '', /calling|help/);
    assert.equal(answer, 'Until five.');
    assert.deepEqual(itemsOf(responds(stage)[0]), [`agent ${greeting}`]);
    assert.equal(stage.requests.length, 0, 'the cascade was not asked');
    assert.deepEqual([end.fallbacks, (end.usage as { promptTokens: number }).promptTokens], [[], 100]);
  });

  test('a caller who interrupts: the transcript has what they heard, and no word of it is told as another voice’s', async () => {
    const stage = await answered({
      speech: inTurn(says('We are open every day until five, and later on Fridays.'), says('Sorry.')),
    });
    await stage.says('When are you open?', 1_200);
    await stage.says('No, stop.', 3_000);
    await ended(stage);
    const [, cut, answer] = agentSaid(stage);
    assert.ok(cut && 'We are open every day until five'.startsWith(cut), cut);
    assert.equal(answer, 'Sorry.');
    assert.deepEqual(itemsOf(responds(stage)[1]), []);
  });

  test('a tool runs by our rules, and its result is told once', async () => {
    const stage = await answered({ speech: inTurn(calls('check_availability'), says('At ten.'), says('Goodbye.')) });
    await stage.says('When can I come?', 3_000);
    await stage.says('Fine.', 2_000);
    const end = await ended(stage);
    const [first, second, third] = responds(stage);
    assert.deepEqual([first?.round, second?.round, second?.epoch === first?.epoch], [0, 1, true]);
    assert.match(itemsOf(second)[0] ?? '', /^result \{"ok":true,/);
    assert.deepEqual(itemsOf(third), []);
    assert.deepEqual(agentSaid(stage).slice(1), ['At ten.', 'Goodbye.']);
    assert.ok(JSON.stringify(end).includes('check_availability'));
  });

  test('a tool that fails is told as such', async () => {
    const speech = inTurn(calls('schedule_appointment', { startsAt: 'never' }), says('That did not work.'));
    const stage = await answered({ speech });
    await stage.says('Book me in.', 3_000);
    await ended(stage);
    assert.match(itemsOf(responds(stage)[1])[0] ?? '', /^result \{"ok":false/);
    assert.equal(agentSaid(stage).at(-1), 'That did not work.');
  });

  test('keys and silence are text', async () => {
    const stage = await answered({ speech: says('Yes.') });
    await stage.wants({ kind: 'digits', digits: '12#' }, 1_000);
    await stage.wants({ kind: 'idle', count: 1, last: false }, 1_000);
    const [keys, silence] = responds(stage).map(itemsOf);
    assert.equal(keys?.at(-1), 'note The caller pressed 12#.');
    assert.match(silence?.at(-1) ?? '', /^note The caller has been silent/);
    await stage.wants({ kind: 'idle', count: 2, last: true }, 3_000);
    assert.equal(stage.ended[0]?.endReason, 'idle', 'the last one ends the call');
  });

  test('instructions of a client are told before the next answer', async () => {
    const stage = await answered({ speech: says('Yes.') });
    await stage.controls({ kind: 'instruct', text: 'Offer a discount.' }, 100);
    await stage.says('Hello?', 1_000);
    assert.match(itemsOf(responds(stage)[0]).join(' | '), /note .*Offer a discount\./s);
  });

  test('an answer that is not wanted any more is stopped', async () => {
    const stage = await answered({ speech: begins('We are open every day ') });
    await stage.says('When are you open?', 300);
    await stage.says('Stop.', 100);
    const [first, second] = responds(stage);
    assert.deepEqual(
      stage.shard.asks.map(({ type, epoch }) => `${type} ${epoch}`),
      [`respond ${first?.epoch}`, `stop ${first?.epoch}`, `respond ${second?.epoch}`],
    );
  });

  test('it says nothing: the cascade answers this turn, and the model is told of it', async () => {
    const nothing: SpeechScript = ({ epoch, round }, stage) => stage.shard.modelSays({ type: 'done', epoch, round });
    const stage = await answered({ speech: inTurn(nothing, says('Yes.')) });
    await stage.says('When are you open?', 3_000);
    await stage.says('And on Mondays?', 3_000);
    const end = await ended(stage);
    assert.deepEqual(agentSaid(stage).slice(1), ['The cascade answers.', 'Yes.']);
    assert.deepEqual(itemsOf(responds(stage)[1]), ['agent The cascade answers.']);
    assert.deepEqual(end.fallbacks, []);
  });
});

test('in a language in which the receptionist has only a menu of keys, the caller is asked to speak', async () => {
  const { Receptionist } = await import('../../../models/llm/receptionist/receptionist.ts');
  const agent = { language: 'de-DE' };
  const [menu, own] = [{}, { speech: says('Ja.') }].map(
    (options) => new CallStage({ agent, dialogue: new Receptionist(), ...options }),
  );
  await menu?.start(3_000);
  await own?.start(3_000);
  assert.match(menu?.timeline() ?? '', /drücken Sie/i);
  assert.doesNotMatch(own?.timeline() ?? '', /drücken Sie/i);
});

describe('its session is lost', () => {
  const FALLBACK = [{ model: 'speech-to-speech', from: 'fake', to: 'cascade', count: 1 }];

  test('while it rings: the cascade from the start', async () => {
    const stage = new CallStage({
      speech: says('never'),
      model: () => [{ type: 'text', text: 'The cascade answers.' }],
    });
    await stage.start(10);
    stage.shard.modelSays(LOST);
    await stage.run(6_000);
    await stage.says('When are you open?', 3_000);
    const end = await ended(stage);
    assert.deepEqual(responds(stage), []);
    assert.equal(agentSaid(stage).at(-1), 'The cascade answers.');
    assert.deepEqual(end.fallbacks, FALLBACK);
  });

  test('while it listens: the cascade answers with the whole conversation', async () => {
    const stage = await answered({ speech: says('Until five.') });
    await stage.says('When are you open?', 3_000);
    stage.shard.modelSays(LOST);
    await stage.says('And on Mondays?', 3_000);
    const end = await ended(stage);
    assert.deepEqual(agentSaid(stage).slice(1), ['Until five.', 'The cascade answers.']);
    const { messages } = stage.requests[0] ?? {};
    assert.deepEqual(heardBy(messages).slice(1), ['Until five.']);
    assert.deepEqual(messages?.filter(({ role }) => role === 'caller').length, 2);
    assert.deepEqual(end.fallbacks, FALLBACK);
  });

  test('while it thinks: the cascade answers the same turn at once', async () => {
    const stage = await answered({ speech: () => {} });
    await stage.says('When are you open?', 900);
    assert.equal(stage.requests.length, 0);
    stage.shard.modelSays(LOST);
    await stage.run(2_000);
    await ended(stage);
    assert.deepEqual(agentSaid(stage).slice(1), ['The cascade answers.']);
    assert.equal(stage.requests.length, 1);
  });

  test('while it speaks: what was heard stays as cut, and nothing is said twice', async () => {
    const stage = await answered({ speech: begins('We are open every day until five, ') });
    await stage.says('When are you open?', 1_000);
    stage.shard.modelSays(LOST);
    await stage.run(3_000);
    const end = await ended(stage);
    const [, cut, answer, ...more] = agentSaid(stage);
    assert.equal(cut, 'We are open');
    assert.deepEqual([answer, more], ['The cascade answers.', []]);
    assert.deepEqual(heardBy(stage.requests[0]?.messages).slice(1), ['We are open …', '[voice-lost]']);
    assert.deepEqual(end.fallbacks, FALLBACK);
  });

  test('while a tool runs: it runs to its end, and the cascade answers with its result', async () => {
    const stage = await answered({ speech: inTurn(calls('schedule_appointment', NEXT_WEEK)), writeMs: 400 });
    await stage.says('Book me in on Monday at ten.', 100);
    stage.shard.modelSays(LOST);
    await stage.run(3_000);
    const end = await ended(stage);
    assert.deepEqual(agentSaid(stage).slice(1), ['The cascade answers.']);
    const results = stage.requests[0]?.messages.filter(({ role }) => role === 'tool-result');
    assert.equal(results?.length, 1);
    assert.match(JSON.stringify(results), /"ok":true/);
    assert.equal(stage.of('bookAppointment').length, 1, 'once');
    assert.deepEqual(end.fallbacks, FALLBACK);
  });

  test('without a language model the receptionist gives the owed answer', async () => {
    const { Receptionist } = await import('../../../models/llm/receptionist/receptionist.ts');
    const stage = await answered({ speech: begins('We are open every '), dialogue: new Receptionist() });
    await stage.says('What are your opening hours?', 1_000);
    stage.shard.modelSays(LOST);
    await stage.run(6_000);
    await ended(stage);
    assert.match(agentSaid(stage).at(-1) ?? '', /open/);
  });
});

/** A time at which the dentist is open, from the stage's clock. */
const NEXT_WEEK = { startsAt: '2001-09-17T10:00:00', name: 'Ada' };
