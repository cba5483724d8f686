// Printed timelines of whole scenes, compared with committed text files. `UPDATE_TIMELINES=1` rewrites them; review the
// diff.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Stage } from './stage.ts';

const scenes: Array<[file: string, name: string, play: () => Stage]> = [
  [
    'question',
    'greeting, a question, its answer prepared during the silence, silence prompts, hang-up',
    () =>
      new Stage({ partials: true })
        .answered()
        .says(3_000, 1_500, 'what are your opening hours')
        .at(26_000, { type: 'ended' })
        .run(30_000),
  ],
  [
    'barge-in',
    'the caller interrupts the answer and asks something else',
    () =>
      new Stage({ partials: true, speakMs: 4_000 })
        .answered()
        .says(5_000, 1_200, 'what do you charge for a haircut')
        .says(8_000, 1_000, 'actually i want to book one')
        .run(11_000),
  ],
  [
    'backchannel',
    '"uh-huh" and a cough pause the agent for a moment; it goes on where it paused',
    () =>
      new Stage({ partials: true, speakMs: 5_000 })
        .answered()
        .says(1_500, 260, 'uh-huh')
        .says(3_500, 90, { text: '', confidence: 0, understood: false })
        .run(6_500),
  ],
  [
    'pressing-voice',
    'a voice that wants the floor silences the agent before a word is known; a long "uh-huh" only for itself',
    () =>
      new Stage({ speakMs: 5_000 })
        .answered()
        .says(1_500, 480, { text: 'i see', presses: true })
        .says(3_500, 1_200, { text: 'what about friday', presses: true })
        .run(6_500),
  ],
  [
    'long-encouragement',
    'encouragement of one long word is known after half a second, and does not silence; the first word of a question does',
    () =>
      new Stage({ speakMs: 5_000, config: { language: 'fr-FR', hearsWords: true } })
        .answered()
        .says(1_500, 700, { text: "d'accord", presses: true })
        .at(2_040, { type: 'stt-partial', utterance: 1, text: "d'accord" })
        .says(3_500, 1_200, { text: 'et le samedi', presses: true })
        .at(3_870, { type: 'stt-partial', utterance: 2, text: 'et' })
        .run(6_500),
  ],
  [
    'asked-words',
    'words so far are asked for over the agent and in a pause: "mm i see" does not silence it, other words do',
    () =>
      new Stage({ speakMs: 6_000, interimMs: 30, config: { asksWords: true } })
        .answered()
        .says(1_500, 480, { text: 'mm i see', presses: true })
        .says(3_500, 1_200, { text: 'cancel my appointment please', presses: true })
        .run(6_500),
  ],
  [
    'asked-words-late',
    'the words so far come 180 ms after they are asked for: the agent waits for them, and "uh-huh" does not silence it',
    () =>
      new Stage({ speakMs: 6_000, interimMs: 180, config: { asksWords: true } })
        .answered()
        .says(1_500, 480, { text: 'mm i see', presses: true })
        .says(3_500, 1_200, { text: 'cancel my appointment please', presses: true })
        .run(6_500),
  ],
  [
    'asked-words-unfinished',
    'encouragement of one long word, and of two whose first could begin a sentence: unfinished words do not silence the agent',
    () =>
      new Stage({ speakMs: 6_000, interimMs: 150, config: { asksWords: true, language: 'de-DE' } })
        .answered()
        .says(1_500, 520, { text: 'verstanden', presses: true })
        .says(3_500, 620, { text: 'alles klar', presses: true })
        .run(5_500),
  ],
  [
    'asked-words-slow',
    'encouragement that is drawn out: its first word may be the first of a sentence, and does not take the floor',
    () =>
      new Stage({ speakMs: 6_000, interimMs: 150, config: { asksWords: true, language: 'de-DE' } })
        .answered()
        .says(1_500, 1_050, { text: 'alles klar', presses: true })
        .run(3_500),
  ],
  [
    'asked-words-of-other',
    'a caller who sounds like somebody else says "wait": the word that was asked for is waited for, and counts',
    () =>
      new Stage({ speakMs: 6_000, interimMs: 150, config: { asksWords: true } })
        .answered()
        .says(1_500, 1_200, { text: 'wait i have a question', distance: 'other' })
        .run(4_500),
  ],
  [
    'asked-words-in-pause',
    'the caller goes on after the words were asked for: they are asked for again, and the sentence is one turn',
    () =>
      new Stage({ config: { asksWords: true, endpointing: 'adaptive' } })
        .answered()
        .says(3_000, 900, 'i would like a haircut and')
        .says(4_300, 700, 'a colour on friday please')
        .run(7_000),
  ],
  [
    'other-person',
    'somebody else in the room speaks over the agent: it goes on, and their words are no turn; their "stop" counts',
    () =>
      new Stage({ partials: true, speakMs: 6_000, config: { hearsWords: true } })
        .answered()
        .says(1_500, 1_600, { text: 'where did you put the car keys', distance: 'other' })
        .says(4_500, 600, { text: 'stop it', distance: 'other' })
        .run(6_000),
  ],
  [
    'pause-in-sentence',
    'a pause after "and" is no turn end; both halves are one turn',
    () =>
      new Stage({ partials: true })
        .answered()
        .says(3_000, 900, 'i would like a haircut and')
        .says(4_800, 700, 'a colour')
        .run(8_000),
  ],
  [
    'speech-while-thinking',
    'the caller adds something before the answer is heard: it is dropped, both are one turn',
    () =>
      new Stage({ thinkMs: 900 })
        .answered()
        .says(4_000, 800, 'book me in for tuesday')
        .says(5_700, 700, 'or better wednesday')
        .run(9_500),
  ],
  [
    'second-sentence',
    'a recogniser of phrases has not understood the first sentence; the second reaches the model with it all the same',
    () =>
      new Stage({ thinkMs: 1_500, config: { knowsPhrases: true } })
        .answered()
        .says(4_000, 1_000, { text: 'book', understood: false, confidence: 0.4, distance: 'unknown' })
        .says(6_200, 1_400, { text: 'better', understood: false, confidence: 0.4, distance: 'unknown' })
        .run(11_000),
  ],
  [
    'unclear-half',
    'no word of the first half is believed: the second half comes in time',
    () =>
      new Stage({ config: { knowsPhrases: true, endpointing: 'adaptive' } })
        .answered()
        .says(4_000, 1_000, { text: 'book', understood: false, confidence: 0.4, distance: 'unknown' })
        .says(6_000, 800, { text: 'better', understood: false, confidence: 0.4, distance: 'unknown' })
        .run(11_000),
  ],
  [
    'late-conjunction',
    'the result comes when the turn is over by its first words, and ends in "and": the agent waits on',
    () =>
      new Stage({ sttMs: 400, config: { endpointing: 'adaptive' } })
        .answered()
        .says(4_000, 1_000, 'i would like a haircut and')
        .at(4_900, { type: 'stt-partial', utterance: 1, text: 'i would like a haircut' })
        .says(6_100, 800, 'a colour please')
        .run(11_000),
  ],
  [
    'reply-deadline',
    'a model that never answers: fallback after the deadline, then quiet',
    () => new Stage({ thinkMs: null, config: { replyDeadlineMs: 2_000 } }).answered().run(9_000),
  ],
  [
    'digits',
    'keys interrupt the greeting and are one input at the #',
    () =>
      new Stage()
        .answered()
        .at(1_000, { type: 'digit', digit: '4' })
        .at(1_400, { type: 'digit', digit: '2' })
        .at(1_800, { type: 'digit', digit: '#' })
        .run(4_500),
  ],
  [
    'hold',
    'on hold the sentence and its timers stand still',
    () =>
      new Stage({ speakMs: 3_000 })
        .answered()
        .at(1_200, { type: 'held', held: true })
        .at(9_200, { type: 'held', held: false })
        .run(20_500),
  ],
  [
    'protected-greeting',
    'a greeting that may not be interrupted: what is said over it is answered afterwards',
    () =>
      new Stage({ greeting: { interruptible: false }, speakMs: 3_000 })
        .answered()
        .says(1_000, 900, 'i want to book a haircut')
        .run(7_000),
  ],
];

for (const [file, name, play] of scenes) {
  test(`timeline: ${name}`, () => {
    const path = new URL(`timelines/${file}.txt`, import.meta.url);
    const printed = `${name}\n\n${play().timeline()}`;
    if (process.env.UPDATE_TIMELINES === '1') writeFileSync(path, printed);
    assert.equal(printed, readFileSync(path, 'utf8'));
  });
}
