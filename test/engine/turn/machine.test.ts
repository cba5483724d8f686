// The turn-taking rules one by one, on a virtual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialTurn, type ReplyCause, stepTurn } from '../../../engine/turn/machine.ts';
import { plainConfig, Stage } from './stage.ts';

function turnTexts(stage: Stage): string[] {
  return [...stage.referee.turns.values()];
}

function wanted(stage: Stage): ReplyCause[] {
  return stage.of('want-reply').map((effect) => effect.cause);
}

test('a turn ends exactly the configured silence after the last speech, and its reply is heard at that moment', () => {
  for (const silenceThresholdMs of [300, 600, 1_100]) {
    for (const partials of [true, false]) {
      const stage = new Stage({ partials, thinkMs: 0, sttMs: 0, config: { silenceThresholdMs } })
        .answered()
        .says(3_000, 1_500, 'what are your opening hours')
        .run(7_000);
      assert.equal(stage.when('open-playout', 3_000), 4_500 + silenceThresholdMs);
    }
  }
});

test('model time hides behind the silence: recogniser, dialogue and voice of 500 ms cost nothing', () => {
  // 150 ms recogniser, 350 ms to first audio; without partials everything waits for the recogniser.
  for (const partials of [true, false]) {
    const stage = new Stage({ partials, sttMs: 150, thinkMs: 350 })
      .answered()
      .says(3_000, 1_500, 'what are your opening hours')
      .run(7_000);
    assert.equal(stage.when('open-playout', 3_000), 5_100);
  }
});

test('a reply prepared on a partial that the result contradicts is dropped unheard', () => {
  const stage = new Stage({ sttMs: 150, thinkMs: 300 }).answered().run(3_000);
  stage.says(3_000, 900, 'what are your opening hours').run(3_500);
  stage.at(3_600, { type: 'stt-partial', utterance: 1, text: 'what are your open houses' }).run(9_000);
  assert.equal(stage.of('drop-reply').length, 1);
  assert.deepEqual(turnTexts(stage), ['what are your opening hours']);
});

test('a yes to a yes-or-no question is answered sooner, a hesitation later', () => {
  const heardAt = (text: string, expects: 'anything' | 'yes-no') => {
    const stage = new Stage({ partials: true, thinkMs: 0 }).answered().at(2_500, { type: 'expects', expects });
    stage.says(3_000, 500, text).run(9_000);
    return (stage.when('open-playout', 3_000) ?? 0) - 3_500;
  };
  assert.equal(heardAt('yes please', 'yes-no'), 300);
  assert.equal(heardAt('yes please', 'anything'), 600);
  assert.equal(heardAt('yes but', 'yes-no'), 1_200);
});

test('a caller who says "uh-huh" does not stop the agent', () => {
  const stage = new Stage({ partials: true, speakMs: 4_000 }).answered().says(1_000, 500, 'uh-huh').run(6_000);
  assert.equal(stage.of('barge-in').length, 0);
  assert.equal(stage.of('false-interruption').length, 1);
  assert.deepEqual(turnTexts(stage), []);
  // Only its voice was lowered: it ends when it would have ended.
  assert.equal(stage.of('pause-playout').length, 0);
  assert.equal(stage.when('arm-timer', 4_200), 200 + 4_000);
});

test("a cough lowers the agent's voice for no longer than it lasts", () => {
  const stage = new Stage({ speakMs: 4_000, sttMs: 2_000 })
    .answered()
    .says(1_000, 120, { text: '', confidence: 0, understood: false })
    .run(9_000);
  assert.equal(stage.when('duck-playout'), 1_040);
  assert.equal(stage.when('unduck-playout'), 1_220);
  assert.equal(stage.of('pause-playout').length, 0);
  assert.equal(stage.of('want-reply').length, 1);
});

test('a click over the agent lowers its voice for no longer than the click', () => {
  const stage = new Stage({ speakMs: 4_000, hangoverMs: 0 }).answered();
  stage.says(1_000, 64, { text: '', confidence: 0, understood: false }).run(6_000);
  assert.equal(stage.when('unduck-playout'), 1_064);
  assert.equal(stage.of('finish-utterance').length, 0);
});

test('a short "stop" stops the agent; a short "yes" waits until it has finished, and is answered then', () => {
  const stop = new Stage({ speakMs: 4_000 }).answered().says(1_000, 280, 'stop').run(2_000);
  assert.equal(stop.of('barge-in').length, 1);
  const yes = new Stage({ speakMs: 4_000 }).answered().says(1_000, 280, 'yes').run(9_000);
  assert.equal(yes.of('barge-in').length, 0);
  assert.deepEqual(turnTexts(yes), ['yes']);
});

test('how much voice it takes to interrupt follows the sensitivity', () => {
  const cutAfter = (interruptionSensitivity: number) => {
    const stage = new Stage({ partials: true, speakMs: 6_000, config: { interruptionSensitivity } })
      .answered()
      .says(1_000, 2_000, 'change my booking to friday morning please')
      .run(3_100);
    const atMs = stage.when('barge-in');
    return atMs === undefined ? null : atMs - 1_000;
  };
  const within = (value: number | null, leastMs: number, mostMs: number) =>
    assert.ok(value !== null && value >= leastMs && value <= mostMs, `${value}`);
  assert.equal(cutAfter(0), null);
  within(cutAfter(0.25), 600, 660);
  within(cutAfter(0.5), 350, 390);
  within(cutAfter(1), 120, 160);
});

test('voice without a word must last a little longer, or end: then its length decides', () => {
  const long = new Stage({ speakMs: 6_000 }).answered().says(1_000, 2_000, 'i would like to book').run(3_100);
  const atMs = long.when('barge-in') ?? 0;
  assert.ok(atMs >= 1_950 && atMs <= 1_990, `${atMs}`);
  const short = new Stage({ speakMs: 6_000, sttMs: 2_000 }).answered().says(1_000, 450, 'actually').run(3_100);
  assert.equal(short.when('barge-in'), 1_550 + 250);
});

test('two words interrupt before the voice alone would', () => {
  const stage = new Stage({ partials: true, speakMs: 6_000 }).answered().says(1_000, 500, 'no thanks').run(1_400);
  assert.equal(stage.of('barge-in').length, 1);
});

test('an agent that never yields finishes, then answers what was said in the meantime', () => {
  const stage = new Stage({ speakMs: 4_000, config: { interruptionSensitivity: 0 } })
    .answered()
    .says(1_000, 1_200, 'i would like to book')
    .run(9_000);
  assert.equal(stage.of('pause-playout').length, 0);
  assert.deepEqual(turnTexts(stage), ['i would like to book']);
  assert.equal(stage.of('open-playout').length, 2);
});

test('"hello?" as the greeting begins is not a turn; a question is', () => {
  const hello = new Stage({ thinkMs: 600 }).answered().says(100, 400, 'hello').run(6_000);
  assert.deepEqual(turnTexts(hello), []);
  const question = new Stage({ thinkMs: 600 }).answered().says(100, 900, 'hello are you open today').run(9_000);
  assert.deepEqual(turnTexts(question), ['hello are you open today']);
  for (const stage of [hello, question]) {
    // The greeting is still said, but not over the caller.
    assert.equal(wanted(stage)[0]?.kind, 'opening');
    assert.equal(stage.of('drop-reply').length, 0);
    assert.ok((stage.when('open-playout') ?? 0) >= 600);
  }
});

test('"hello?" later over the greeting stops it, and is answered', () => {
  const greetings = [
    ['en-US', 'hello'],
    ['de-DE', 'hallo'],
    ['fr-FR', 'allô'],
    ['it-IT', 'pronto'],
  ] as const;
  for (const [language, word] of greetings) {
    const stage = new Stage({ speakMs: 6_000, config: { language } }).answered().says(3_000, 300, word).run(6_000);
    assert.deepEqual(turnTexts(stage), [word]);
    assert.ok((stage.when('barge-in') ?? Number.NaN) < 3_600, word);
  }
});

test('a brief noise is not a turn, and does not delay the silence prompt', () => {
  const stage = new Stage().answered();
  stage.says(5_000, 100, { text: '', confidence: 0, understood: false }).run(10_500);
  assert.deepEqual(
    wanted(stage).map((cause) => cause.kind),
    ['opening', 'idle'],
  );
  assert.equal(stage.when('want-reply', 3_000), 10_200);
});

test('a click in the pause neither delays the turn end nor discards the prepared reply', () => {
  for (const clickAtMs of [4_650, 4_900]) {
    const stage = new Stage({ partials: true, hangoverMs: 60 }).answered().says(3_000, 1_500, 'are you open today');
    stage.says(clickAtMs, 64, { text: '', confidence: 0, understood: false }).run(7_000);
    assert.equal(stage.of('drop-reply').length, 0);
    assert.equal(stage.when('open-playout', 3_000), 5_100);
  }
});

test('a turn that was not understood is a turn', () => {
  const stage = new Stage().answered().says(3_000, 900, { text: '', confidence: 0.2, understood: false }).run(6_000);
  const cause = wanted(stage).at(-1);
  assert.ok(cause?.kind === 'turn' && !cause.understood);
});

test('a slow recogniser: its partial is used; without one the fallback is said', () => {
  const guessed = new Stage({ sttMs: 60_000, partials: true }).answered().says(3_000, 900, 'are you open').run(9_000);
  assert.deepEqual(turnTexts(guessed), ['are you open']);
  assert.equal(guessed.when('commit-reply'), 4_150 + 1_500);
  const mute = new Stage({ sttMs: 60_000 }).answered().says(3_000, 900, 'are you open').run(9_000);
  assert.deepEqual(wanted(mute).at(-1), { kind: 'fallback', reason: 'stt-failed' });
});

test('a reply that fails is followed by the fallback, a fallback that fails by silence', () => {
  const stage = new Stage().answered().run(3_000);
  stage.autoReply = false;
  stage.says(3_000, 900, 'are you open').run(5_000);
  stage.at(5_100, { type: 'reply-failed', epoch: 2 }).at(5_200, { type: 'reply-failed', epoch: 3 }).run(5_300);
  assert.deepEqual(wanted(stage).at(-1), { kind: 'fallback', reason: 'reply-failed' });
  assert.equal(stage.phase, 'listening');
});

test('a reply that fails mid-sentence says what is there, then the fallback', () => {
  const stage = new Stage({ thinkMs: 100 }).answered().at(500, { type: 'reply-failed', epoch: 1 }).run(3_000);
  assert.equal(stage.when('want-reply', 1), 2_100);
  assert.deepEqual(wanted(stage).at(-1), { kind: 'fallback', reason: 'reply-failed' });
});

test('a long turn ends at its next breath', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, config: { maxUtteranceMs: 5_000 } }).answered();
  stage.says(3_000, 6_000, 'and then i said to him that and').says(9_250, 2_000, 'nobody told me').run(20_000);
  assert.equal(stage.when('open-playout', 3_000), 9_200);
});

test('a caller who never stops is answered, and what follows is heard after the answer', () => {
  const stage = new Stage({ partials: true, config: { maxUtteranceMs: 5_000 } }).answered();
  stage.says(3_000, 19_000, 'one two three four five six seven eight nine').run(30_000);
  assert.equal(stage.of('begin-utterance').length, 2);
  assert.equal(stage.when('open-playout', 3_000), 18_000 + 100 + 200);
  assert.equal(stage.of('barge-in').length, 0);
});

test('silence is asked about, then the agent says goodbye', () => {
  const stage = new Stage({ config: { idleMs: 3_000 } }).answered().run(30_000);
  const idle = wanted(stage).filter((cause) => cause.kind === 'idle');
  assert.deepEqual(idle.slice(0, 3), [
    { kind: 'idle', count: 1, last: false },
    { kind: 'idle', count: 2, last: false },
    { kind: 'idle', count: 3, last: true },
  ]);
});

test('a caller who comes back after a prompt is prompted from the start again', () => {
  const stage = new Stage({ config: { idleMs: 3_000 } }).answered().says(7_500, 600, 'sorry i am here').run(16_000);
  const prompts = wanted(stage).filter((cause) => cause.kind === 'idle');
  assert.deepEqual(prompts[0], { kind: 'idle', count: 1, last: false });
  assert.deepEqual(prompts[1], { kind: 'idle', count: 1, last: false });
});

test('keys without a # are one input after two seconds', () => {
  const stage = new Stage().answered();
  for (const [index, digit] of ['4', '7', '1'].entries()) stage.at(3_000 + index * 900, { type: 'digit', digit });
  stage.run(9_000);
  assert.deepEqual(stage.referee.digits, ['471']);
  assert.equal(stage.when('want-reply', 3_000), 4_800 + 2_000);
});

test('keys during an uninterruptible clause wait for its end', () => {
  const stage = new Stage({ greeting: { interruptible: false }, speakMs: 3_000 }).answered();
  stage.at(800, { type: 'digit', digit: '1' }).at(1_000, { type: 'digit', digit: '#' }).run(5_000);
  assert.equal(stage.of('barge-in').length, 0);
  assert.equal(stage.when('want-reply', 1), 3_200);
});

test('a reply that the call requests waits for the floor', () => {
  const request = { kind: 'note', note: { kind: 'limit-near', remainingMs: 30_000 } } as const;
  const stage = new Stage({ speakMs: 2_000 }).answered().at(1_000, { type: 'reply-requested', request });
  stage.run(5_000);
  assert.deepEqual(wanted(stage).at(-1), { kind: 'requested', request });
  assert.equal(stage.when('want-reply', 1), 2_200);
});

test('an answer that another process owed is asked for at once, and not where the caller speaks first', () => {
  const request = { kind: 'answer' } as const;
  const quiet = new Stage().answered().run(3_000).at(3_100, { type: 'reply-requested', request }).run(4_000);
  assert.deepEqual(wanted(quiet).at(-1), { kind: 'requested', request });
  const speaking = new Stage().answered().says(3_000, 800, 'are you there').run(3_200);
  speaking.at(3_300, { type: 'reply-requested', request }).run(12_000);
  assert.equal(
    wanted(speaking).some((cause) => cause.kind === 'requested'),
    false,
  );
});

test('on hold no timer runs out, and music is not speech', () => {
  const stage = new Stage().answered().at(3_000, { type: 'held', held: true }).run(3_000);
  stage.says(5_000, 4_000, 'greensleeves').at(60_000, { type: 'held', held: false }).run(66_000);
  assert.equal(stage.of('begin-utterance').length, 0);
  assert.equal(stage.of('want-reply').length, 1);
  stage.run(68_000);
  assert.equal(stage.of('want-reply').length, 2);
});

test('last words before the hang-up reach the transcript', () => {
  const stage = new Stage({ partials: true }).answered().says(3_000, 800, 'okay thanks bye').run(3_950);
  stage.at(4_000, { type: 'ended' }).run(4_100);
  assert.deepEqual(stage.referee.unanswered, ['okay thanks bye']);
  assert.equal(stage.clock.pending, 0);
});

test('a stale timer, reply or result changes nothing', () => {
  const stage = new Stage().answered().run(3_000);
  const before = stage.state;
  for (const event of [
    { type: 'timer-fired', timer: 'idle', serial: 1 },
    { type: 'audio-ready', epoch: 1 },
    { type: 'playout-drained', epoch: 1 },
    { type: 'stt-final', utterance: 7, result: { text: 'x', confidence: 1, understood: true } },
  ] as const) {
    const [after, effects] = stepTurn(before, { ...event, nowMs: 3_000 }, plainConfig);
    assert.deepEqual(after, before);
    assert.deepEqual(effects, []);
  }
});

test('an invalid configuration is refused', () => {
  assert.throws(() => initialTurn({ ...plainConfig, silenceThresholdMs: 0 }), RangeError);
  assert.throws(() => initialTurn({ ...plainConfig, idleMs: Number.NaN }), RangeError);
});

test('once the words are there, only their voice is waited for', () => {
  const config = { replyDeadlineMs: 12_000, speechDeadlineMs: 4_000 };
  /** How long after the request for a reply the apology is wanted; `wordsMs`: when its words come. */
  const apologyAfter = (wordsMs: number | null): number => {
    const stage = new Stage({ partials: true, config }).answered().run(4_000);
    stage.autoReply = false;
    stage.says(4_000, 800, 'are you open').run(6_000);
    const epoch = stage.of('want-reply').at(-1)?.epoch ?? 0;
    const askedAtMs = stage.when('want-reply', 4_000) ?? 0;
    if (wordsMs !== null) stage.at(askedAtMs + wordsMs, { type: 'clause-queued', epoch, interruptible: true });
    return (stage.run(30_000).when('want-reply', 6_000) ?? 0) - askedAtMs;
  };
  const silentMs = apologyAfter(null);
  assert.ok(silentMs >= config.replyDeadlineMs, String(silentMs));
  assert.equal(apologyAfter(5_000), 9_000);
  assert.equal(apologyAfter(11_000), silentMs);
});

test('a greeting whose voice is late is waited for, and no apology takes its place', () => {
  const words = { type: 'clause-queued', epoch: 1, interruptible: true } as const;
  const audio = { type: 'audio-ready', epoch: 1 } as const;
  const config = { replyDeadlineMs: 12_000, speechDeadlineMs: 4_000 };
  const began = (stage: Stage): string[] =>
    stage.effects.flatMap(({ effect, atMs }) =>
      effect.type === 'open-playout' || (effect.type === 'want-reply' && effect.cause.kind === 'fallback')
        ? [`${effect.type} ${atMs}`]
        : [],
    );
  const late = new Stage({ thinkMs: null, greeting: null, config }).answered().at(100, words).at(7_000, audio);
  assert.deepEqual(began(late.run(20_000)), ['open-playout 7000']);
  const never = new Stage({ thinkMs: null, greeting: null, config }).answered().at(100, words);
  assert.deepEqual(began(never.run(20_000)), ['want-reply 12100']);
});
