// Turn-taking on a real line, on a virtual clock: answers over the agent's last words, encouragement, radios, echoes,
// gaps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplyCause } from '../../../engine/turn/machine.ts';
import { Stage } from './stage.ts';

const turnTexts = (stage: Stage): string[] => [...stage.referee.turns.values()];
const wanted = (stage: Stage): ReplyCause[] => stage.of('want-reply').map((effect) => effect.cause);
const NOTHING = { text: '', confidence: 0, understood: false };

// The greeting begins at 200 ms and takes `speakMs`.

test('a "sure" over the last syllables of a question is its answer', () => {
  const stage = new Stage({ partials: true, speakMs: 3_000 }).answered();
  stage.at(300, { type: 'expects', expects: 'yes-no' }).says(2_850, 300, 'sure').run(4_500);
  assert.deepEqual(turnTexts(stage), ['sure']);
  assert.equal(stage.of('barge-in').length, 0);
  assert.equal(stage.of('pause-playout').length, 0, 'the question is spoken to its end');
});

test('the same word in the middle of a sentence only encourages', () => {
  const stage = new Stage({ partials: true, speakMs: 6_000 }).answered().says(1_500, 300, 'sure').run(9_000);
  assert.deepEqual(turnTexts(stage), []);
});

test('a plain "yes" is never dropped', () => {
  const stage = new Stage({ partials: true, speakMs: 6_000 }).answered().says(1_500, 300, 'yes').run(9_000);
  assert.deepEqual(turnTexts(stage), ['yes']);
});

for (const words of ['I see', 'got it', 'thank you', 'oh, I see']) {
  test(`"${words}" does not cut the agent`, () => {
    const stage = new Stage({ partials: true, speakMs: 5_000 }).answered().says(1_500, 480, words).run(8_000);
    assert.equal(stage.of('barge-in').length, 0);
    assert.deepEqual(turnTexts(stage), []);
  });
}

test('wordless voice does not withdraw a reply; it is heard when the sound stops', () => {
  const stage = new Stage({ partials: true, thinkMs: 900, config: { hearsWords: true } })
    .answered()
    .says(4_000, 1_000, 'what do you charge');
  // A radio: bursts of 700 ms, a second apart.
  for (let atMs = 5_700; atMs < 12_000; atMs += 1_700) stage.says(atMs, 700, NOTHING);
  stage.run(14_000);
  assert.ok(!stage.of('drop-reply').some(({ epoch }) => epoch === 2));
  const asked = wanted(stage).filter((cause) => cause.kind === 'turn' && cause.understood);
  assert.equal(asked.length, 1, 'it is generated once');
  assert.ok((stage.when('open-playout', 4_000) ?? Number.NaN) < 7_000, 'and heard soon');
});

test('a sound that never stops does not hold a ready reply back for ever', () => {
  const stage = new Stage({ partials: true, thinkMs: 900, config: { hearsWords: true } })
    .answered()
    .says(4_000, 1_000, 'what do you charge');
  stage.says(5_700, 8_000, NOTHING).run(9_000);
  assert.ok((stage.when('open-playout', 5_700) ?? Number.NaN) < 5_700 + 1_400);
});

test('a caller who always goes on is answered after two withdrawn replies', () => {
  const stage = new Stage({ partials: true, thinkMs: 1_500 }).answered();
  for (const [index, word] of ['first', 'second', 'third', 'fourth'].entries()) {
    stage.says(4_000 + index * 1_700, 500, `and my ${word} question is about prices`);
  }
  stage.run(25_000);
  assert.ok(stage.of('drop-reply').length <= 2 + 3, 'guesses of the pauses beside the two withdrawals');
  const turns = turnTexts(stage);
  assert.equal(turns.length, 2);
  assert.ok(turns[1]?.includes('fourth'), 'the rest is answered afterwards');
});

test('after false alarms it takes more to disturb the agent, and after a quiet while no longer', () => {
  const stage = new Stage({ partials: true, speakMs: 60_000 }).answered();
  for (let index = 0; index < 5; index++) stage.says(1_000 + index * 1_000, 200, NOTHING);
  stage.says(25_000, 200, NOTHING).run(30_000);
  const ducks = stage.effects.filter(({ effect }) => effect.type === 'duck-playout').map(({ atMs }) => atMs);
  assert.deepEqual(ducks, [1_040, 2_040, 3_040, 25_040]);
  assert.equal(stage.of('pause-playout').length, 0);
});

test('faint speech disturbs nobody, and a faint turn is given time', () => {
  const radio = new Stage({ partials: true, speakMs: 5_000 }).answered();
  radio.at(1_000, { type: 'speech-started', speechAtMs: 960, faint: true });
  radio.at(1_500, { type: 'speech-continued', voicedMs: 500, faint: true });
  radio.at(2_000, { type: 'speech-stopped', lastSpeechAtMs: 1_900, voicedMs: 900 }).run(3_000);
  assert.equal(radio.of('duck-playout').length, 0);
  const turnedAway = new Stage({ thinkMs: 0, sttMs: 0 }).answered().run(3_000);
  turnedAway.at(4_000, { type: 'speech-started', speechAtMs: 3_960, faint: true });
  turnedAway.at(4_900, { type: 'speech-stopped', lastSpeechAtMs: 4_800, voicedMs: 800 });
  turnedAway.at(4_910, { type: 'stt-partial', utterance: 1, text: 'are you open today' }).run(8_000);
  assert.equal(turnedAway.when('open-playout', 4_000), 4_800 + 1_200);
});

test('a callee is given a moment to say hello; a silent one is greeted after it', () => {
  const config = { openingDelayMs: 1_200 };
  const silent = new Stage({ thinkMs: 0, config }).answered().run(5_000);
  assert.equal(silent.when('open-playout'), 1_200);
  const polite = new Stage({ thinkMs: 0, partials: true, config }).answered().says(700, 400, 'hello').run(5_000);
  assert.equal(polite.when('open-playout'), 1_100 + 300);
  assert.deepEqual(
    wanted(polite).map((cause) => cause.kind),
    ['opening'],
    'the hello is no turn of its own',
  );
  assert.deepEqual(polite.referee.unanswered, ['hello'], 'and stands in the transcript');
  const cough = new Stage({ thinkMs: 0, config }).answered().says(700, 90, NOTHING).run(5_000);
  assert.equal(cough.when('open-playout'), 1_200);
});

test('"one moment" is left in peace', () => {
  const stage = new Stage({ partials: true }).answered().says(4_000, 900, 'one moment please').run(30_000);
  const cause = wanted(stage).find((each) => each.kind === 'turn');
  assert.ok(cause?.kind === 'turn' && cause.asksToWait);
  assert.ok(!wanted(stage).some((each) => each.kind === 'idle'), 'no reminder for half a minute');
});

test('who says "stop" is left in peace', () => {
  const stage = new Stage({ partials: true }).answered().says(4_000, 500, 'stop').run(30_000);
  const cause = wanted(stage).find((each) => each.kind === 'turn');
  assert.ok(cause?.kind === 'turn' && cause.asksToStop);
  assert.ok(!wanted(stage).some((each) => each.kind === 'idle'), 'no reminder for half a minute');
});

test('a gap in the network is no silence of the caller', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 0 })
    .answered()
    .says(4_000, 1_000, 'i would like a haircut');
  stage.at(5_060, { type: 'line-lost' }).at(5_760, { type: 'line-back', missingMs: 700 }).run(9_000);
  assert.equal(stage.when('open-playout', 4_000), 5_000 + 700 + 600);
  const goesOn = new Stage({ partials: true }).answered().says(4_000, 1_000, 'i would like to come');
  goesOn.at(5_060, { type: 'line-lost' }).at(5_760, { type: 'line-back', missingMs: 700 });
  goesOn.says(5_800, 600, 'on tuesday').run(9_000);
  assert.deepEqual(turnTexts(goesOn), ['i would like to come on tuesday']);
});

test('who speaks when the line comes back goes on with the utterance that is open', () => {
  const stage = new Stage().answered().says(4_000, 400, NOTHING);
  stage.at(4_460, { type: 'line-lost' }).at(5_060, { type: 'line-back', missingMs: 600 });
  stage.says(5_080, 900, 'are you open on friday').run(9_000);
  assert.equal(stage.of('begin-utterance').length, 1);
  assert.deepEqual(turnTexts(stage), ['are you open on friday']);
});

test('a line that stays away ends the turn after two seconds', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 0 }).answered().says(4_000, 1_000, 'are you open');
  stage.at(5_060, { type: 'line-lost' }).run(12_000);
  assert.equal(stage.of('commit-reply').length, 1);
});

test('a model of turn ends shortens and stretches the silence', () => {
  const gap = (likelihood: number | null, text = 'i would like a haircut') => {
    const config = { endpointing: 'adaptive' } as const;
    const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 0, config }).answered().says(4_000, 1_000, text);
    if (likelihood !== null) stage.at(5_150, { type: 'turn-judged', likelihood });
    stage.run(9_000);
    return (stage.when('open-playout', 4_000) ?? Number.NaN) - 5_000;
  };
  const unjudged = gap(null);
  assert.ok(unjudged > 420 && unjudged < 640, `${unjudged} ms`);
  assert.ok(gap(0.95) < unjudged - 100);
  assert.ok(gap(0.05) > unjudged + 200);
  assert.ok(gap(null, 'what do you charge for a haircut') <= 350);
});

test('an agent that must not guess asks for one reply a turn, when it has ended', () => {
  const stage = new Stage({ partials: true, config: { guessing: false } }).answered();
  stage.says(4_000, 900, 'i would like to book').says(5_300, 900, 'a haircut please').run(9_000);
  const asked = stage.of('want-reply').filter(({ cause }) => cause.kind === 'turn');
  assert.equal(asked.length, 1);
  assert.ok(asked.every(({ committed }) => committed));
});

test('keys are complete with the digits that were asked for', () => {
  const stage = new Stage().answered().at(2_600, { type: 'expects', expects: 'digits', digitCount: 4 });
  for (const [index, digit] of ['4', '7', '1', '1'].entries()) stage.at(3_000 + index * 300, { type: 'digit', digit });
  stage.run(9_000);
  assert.deepEqual(stage.referee.digits, ['4711']);
  assert.equal(stage.when('want-reply', 3_000), 3_900);
});

test('the fallback for a silent model is not spoken over a caller', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, config: { replyDeadlineMs: 1_000 } }).answered().run(4_000);
  stage.autoReply = false;
  stage.says(4_000, 800, 'are you open').run(5_450);
  const epoch = stage.of('want-reply').at(-1)?.epoch ?? 0;
  // One clause comes and is spoken, then nothing: the deadline passes while the caller makes a sound.
  stage.at(5_460, { type: 'clause-queued', epoch, interruptible: true }).at(5_470, { type: 'audio-ready', epoch });
  stage.at(6_000, { type: 'playout-drained', epoch }).says(6_900, 300, 'hmm').run(7_100);
  assert.equal(stage.of('flush-playout').length, 0);
  stage.run(9_000);
  assert.deepEqual(wanted(stage).at(-1), { kind: 'fallback', reason: 'reply-deadline' });
});

test('keys complete a sentence that announces them, and both are answered once', () => {
  const config = { endpointing: 'adaptive' } as const;
  const stage = new Stage({ partials: true, config }).answered().says(3_000, 1_200, 'my customer number is');
  for (const [index, digit] of ['4', '7', '1', '1', '#'].entries()) {
    stage.at(4_600 + index * 300, { type: 'digit', digit });
  }
  stage.run(12_000);
  assert.deepEqual(stage.referee.digits, ['4711#']);
  assert.deepEqual(turnTexts(stage), []);
  assert.deepEqual(stage.referee.unanswered, ['my customer number is'], 'it stands in the transcript');
});

test('a voice without words silences nobody whose recogniser hears every word', () => {
  const config = { hearsWords: true };
  const radio = new Stage({ partials: true, speakMs: 6_000, config }).answered().says(1_000, 3_000, NOTHING).run(9_000);
  assert.equal(radio.of('pause-playout').length + radio.of('barge-in').length, 0);
  assert.equal(radio.when('unduck-playout'), 1_000 + 808, 'the voice is raised again when a word is overdue');
  assert.equal(wanted(radio).filter((cause) => cause.kind === 'turn').length, 0);
  const caller = new Stage({ partials: true, speakMs: 6_000, config }).answered();
  caller.says(1_000, 1_500, 'change my booking to friday').run(3_000);
  assert.equal(caller.of('barge-in').length, 1);
});

test('of a recogniser that knows phrases a voice interrupts from near, not from across the room', () => {
  const config = { knowsPhrases: true };
  const voice = (distance: 'far' | undefined, fromMs: number): Stage => {
    const stage = new Stage({ partials: true, speakMs: 6_000, config }).answered();
    stage.at(fromMs, { type: 'speech-started', speechAtMs: fromMs - 40 });
    for (let voicedMs = 64; voicedMs <= 1_600; voicedMs += 32) {
      const event = { type: 'speech-continued', voicedMs } as const;
      stage.at(fromMs + voicedMs, distance === undefined ? event : { ...event, distance });
    }
    return stage.run(fromMs + 2_000);
  };
  const radio = voice('far', 1_000);
  assert.equal(radio.of('pause-playout').length + radio.of('barge-in').length, 0);
  assert.equal(voice(undefined, 1_000).of('barge-in').length, 1);
});

test('a plain no stops the agent, and the rest of the sentence makes one turn with it', () => {
  const no = new Stage({ partials: true, speakMs: 6_000, config: { hearsWords: true } }).answered();
  no.says(1_000, 240, 'no').says(1_700, 900, 'do not transfer me').run(6_000);
  assert.equal(no.of('barge-in').length, 1);
  assert.equal(
    no.of('unduck-playout').length + no.of('resume-playout').length,
    0,
    'it does not go on in the pause after the word',
  );
  assert.deepEqual(turnTexts(no), ['no do not transfer me']);
});

test('a recogniser that knows phrases finds a no in any noise: it counts from near only', () => {
  const hear = (distance?: 'unknown'): Stage => {
    const stage = new Stage({ speakMs: 6_000, config: { knowsPhrases: true } }).answered();
    return stage.says(1_000, 240, { text: 'no', ...(distance && { distance }) }).run(2_500);
  };
  assert.equal(hear('unknown').of('barge-in').length, 0);
  assert.equal(hear().of('barge-in').length, 1);
});

test('before the caller was understood, half a phrase interrupts nobody whose recogniser knows phrases', () => {
  const hear = (distance?: 'unknown'): number => {
    const stage = new Stage({ partials: true, speakMs: 6_000, config: { knowsPhrases: true } }).answered();
    stage.says(1_000, 1_500, { text: 'when are you open', ...(distance && { distance }) });
    stage.run(2_400);
    const partial = stage.of('barge-in').length;
    stage.run(4_000);
    assert.equal(stage.of('barge-in').length, 1, 'the whole phrase does');
    return partial;
  };
  assert.equal(hear('unknown'), 0);
  assert.equal(hear(), 1);
});

test('a caller of whom no word was ever understood interrupts by a long voice as loud as before', () => {
  const hear = (voicedMs: number, distance: 'likely' | 'unknown'): Stage => {
    const stage = new Stage({ speakMs: 6_000, config: { knowsPhrases: true } }).answered();
    return stage.says(1_000, voicedMs, { ...NOTHING, distance }).run(4_000);
  };
  const long = hear(1_600, 'likely');
  assert.equal(long.when('pause-playout'), 1_712);
  assert.equal(long.of('barge-in').length, 1);
  assert.equal(hear(600, 'likely').of('pause-playout').length, 0, 'as long as encouragement');
  assert.equal(hear(1_600, 'unknown').of('pause-playout').length, 0, 'a radio');
});

test('before a word of the caller was understood, a voice as loud as theirs that wants the floor silences the agent', () => {
  const hear = (said: object): Stage => {
    const stage = new Stage({ speakMs: 6_000, config: { knowsPhrases: true } }).answered();
    return stage.says(1_000, 450, { text: 'stop', distance: 'likely', ...said }).run(3_500);
  };
  const stop = hear({ presses: true });
  assert.equal(stop.when('pause-playout'), 1_168);
  assert.equal(stop.of('barge-in').length, 1);
  const cause = wanted(stop).find((each) => each.kind === 'turn');
  assert.ok(cause?.kind === 'turn' && cause.asksToStop);
  assert.equal(hear({ text: 'no' }).of('barge-in').length, 1, 'a believed no, however short');
  const doubted = { understood: false, confidence: 0.3 };
  assert.equal(hear(doubted).of('barge-in').length, 1, 'a doubted stop, though its voice fades');
  assert.equal(hear({ ...doubted, text: 'no' }).of('barge-in').length, 0, 'a doubted no');
  assert.equal(hear({ ...doubted, distance: undefined }).of('barge-in').length, 0, 'a doubted stop of a known caller');
  const yes = hear({ text: 'yes', presses: true });
  assert.deepEqual([yes.of('resume-playout').length, yes.of('barge-in').length], [1, 0]);
});

test('a voice that pressed, before anything was understood, and of which no word is believed, takes the floor', () => {
  const hear = (said: object, voicedMs = 450): Stage => {
    const stage = new Stage({ speakMs: 6_000, config: { knowsPhrases: true } }).answered();
    const unclear = { text: 'got it', understood: false, confidence: 0.05, presses: true } as const;
    return stage.says(1_000, voicedMs, { ...unclear, ...said }).run(3_500);
  };
  assert.equal(hear({}).of('barge-in').length, 0, 'of a caller who was understood: most of it encourages');
  assert.equal(hear({ distance: 'likely' }).of('barge-in').length, 1);
  assert.equal(hear({ distance: 'likely', text: '' }).of('barge-in').length, 1, 'no word at all');
  assert.equal(hear({ distance: 'likely', confidence: 0.3 }).of('barge-in').length, 0, 'perhaps an encouragement');
  assert.equal(hear({ distance: 'likely', confidence: 0.3, text: 'stop' }).of('barge-in').length, 1);
  assert.equal(hear({ text: '' }).of('barge-in').length, 0, 'a cough of a known caller');
  assert.equal(hear({ hums: true }).of('barge-in').length, 0, 'a hum');
  assert.equal(hear({ presses: undefined }).of('barge-in').length, 0, 'the agent did not fall silent');
  assert.equal(hear({ distance: 'unknown' }).of('barge-in').length, 0, 'perhaps somebody else');
  const short = hear({ distance: 'likely', text: '' }, 220);
  assert.deepEqual([short.of('pause-playout').length, short.of('barge-in').length], [1, 0], 'perhaps a cough');
  assert.equal(hear({ distance: 'likely', text: 'stop' }, 220).of('barge-in').length, 1, 'a word that is doubted');
  assert.equal(hear({ distance: 'likely', text: 'uh huh' }).of('barge-in').length, 0, 'a hum, however doubtful');
  const soft = { distance: 'likely', presses: undefined };
  assert.equal(hear(soft, 190).of('barge-in').length, 1, 'words that were plainly other ones, though it did not press');
  assert.equal(hear({ ...soft, confidence: 0.3 }, 190).of('barge-in').length, 0, 'words that may be right');
  assert.equal(hear(soft, 130).of('barge-in').length, 0, 'a short sound');
  assert.equal(hear({ ...soft, text: '' }).of('barge-in').length, 0, 'no word, and it did not press');
});

test('a believed "no" whose voice breaks off stops the greeting, though its end is not understood', () => {
  const hear = (first: string): Stage => {
    const stage = new Stage({ speakMs: 6_000, sttMs: 400, config: { knowsPhrases: true } }).answered();
    const [no, rest] = [{ text: first, distance: 'likely' } as const, { text: '', understood: false, confidence: 0 }];
    return stage
      .says(1_000, 200, no)
      .says(1_400, 140, { ...rest, distance: 'likely' })
      .run(3_500);
  };
  assert.equal(hear('no').of('barge-in').length, 1);
  assert.equal(hear('okay').of('barge-in').length, 0);
});

test('a believed "no" alone stops the greeting, however softly a caller speaks who has not said anything yet', () => {
  const hear = (text: string): Stage =>
    new Stage({ speakMs: 6_000, config: { knowsPhrases: true } })
      .answered()
      .says(1_000, 450, { text, distance: 'far' })
      .run(4_000);
  assert.equal(hear('no').of('barge-in').length, 1);
  assert.equal(hear('when are you open').of('barge-in').length, 0, 'a radio');
  const later = new Stage({ speakMs: 6_000, config: { knowsPhrases: true } }).answered();
  later.says(8_000, 1_000, 'when are you open').run(10_500);
  later.says(11_500, 450, { text: 'no', distance: 'far' }).run(14_000);
  assert.equal(later.of('barge-in').length, 0, 'somebody else, beside a caller who is known');
});

test('a busy machine tells the word that silenced the agent late: it is waited for in silence', () => {
  for (const [sttMs, resumes, cuts] of [
    [1_300, 0, 1],
    [2_500, 1, 0],
  ] as const) {
    const stage = new Stage({ speakMs: 6_000, sttMs, config: { knowsPhrases: true } }).answered();
    stage.says(1_000, 450, { text: 'stop', distance: 'likely', presses: true }).run(5_000);
    assert.deepEqual([stage.of('resume-playout').length, stage.of('barge-in').length], [resumes, cuts]);
  }
});

test('an encouragement that a busy machine tells late leaves the agent the floor', () => {
  for (const [afterMs, what] of [
    [1_200, 'in the first moments of the reply'],
    [4_000, 'later'],
  ] as const) {
    const config = { knowsPhrases: true, endpointing: 'adaptive' } as const;
    const stage = new Stage({ thinkMs: 0, sttMs: 900, speakMs: 8_000, config }).answered();
    stage.says(9_000, 1_000, 'when are you open').run(11_000);
    const opensAtMs = stage.when('open-playout', 9_000) ?? Number.NaN;
    stage.says(opensAtMs + afterMs, 450, 'got it').run(opensAtMs + 12_000);
    assert.equal(stage.of('barge-in').length, 0, what);
    assert.deepEqual(turnTexts(stage), ['when are you open'], what);
    assert.equal(stage.of('open-playout').length, 2, `${what}: the greeting and one answer`);
  }
});

test('the first words of an encouragement over the first moments of a reply do not take it back', () => {
  const config = { knowsPhrases: true, endpointing: 'adaptive' } as const;
  const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 150, speakMs: 8_000, config }).answered();
  stage.says(9_000, 1_000, 'when are you open').run(11_000);
  const opensAtMs = stage.when('open-playout', 9_000) ?? Number.NaN;
  stage.says(opensAtMs + 1_300, 400, 'i see').run(opensAtMs + 12_000);
  assert.deepEqual(turnTexts(stage), ['when are you open']);
  assert.equal(stage.of('open-playout').length, 2, 'the greeting and one answer');
});

test('half a second of which no word is understood is a hum or a cough, and ends no reply; a sentence does', () => {
  const hear = (voicedMs: number): Stage => {
    const stage = new Stage({ speakMs: 6_000, config: { knowsPhrases: true } }).answered();
    return stage.says(1_000, voicedMs, { text: '', understood: false, confidence: 0 }).run(4_000);
  };
  assert.equal(hear(500).of('barge-in').length, 0);
  assert.equal(hear(800).of('barge-in').length, 1);
});

test('a "wait" that was hummed encourages, where the recogniser knows phrases', () => {
  const hear = (words: object): Stage => {
    const stage = new Stage({ speakMs: 6_000, config: { knowsPhrases: true } }).answered();
    return stage.says(1_000, 450, { text: 'wait', ...words }).run(4_000);
  };
  assert.equal(hear({ hums: true }).of('barge-in').length, 0);
  assert.equal(hear({}).of('barge-in').length, 1);
});

test("a voice from across the room lowers the agent's voice for a moment only, and its words still stop the agent", () => {
  const stage = new Stage({ partials: true, speakMs: 6_000, config: { hearsWords: true } }).answered();
  stage.says(1_000, 3_000, { ...NOTHING, distance: 'far' }).run(4_500);
  assert.equal(stage.when('unduck-playout'), 1_264);
  assert.equal(stage.of('duck-playout').length, 1);
  const caller = new Stage({ partials: true, speakMs: 6_000, config: { hearsWords: true } }).answered();
  caller.says(1_000, 1_500, { text: 'change my booking to friday', distance: 'far' }).run(3_000);
  assert.equal(caller.of('barge-in').length, 1, 'who has moved away from the phone');
});

test('a voice that wants the floor silences the agent at once where words come late, and after a word’s time where they come soon', () => {
  const silentAfter = (config: object): number | undefined => {
    const stage = new Stage({ speakMs: 6_000, config }).answered();
    stage.says(1_000, 2_000, { ...NOTHING, presses: true }).run(3_500);
    const atMs = stage.when('pause-playout');
    return atMs === undefined ? undefined : atMs - 1_000;
  };
  assert.equal(silentAfter({}), 360);
  assert.equal(silentAfter({ knowsPhrases: true }), 360);
  assert.equal(silentAfter({ hearsWords: true }), 552);
  assert.equal(silentAfter({ interruptionSensitivity: 0 }), undefined);
});
