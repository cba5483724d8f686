// The next words of a simulated caller: by a script, or by facts that answer questions, in seven languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCue, type MindState, NEW_MIND, nextStep } from '../../../../engine/test-runs/caller/caller-mind.ts';

type Wish = Parameters<typeof nextStep>[0];

/** The caller's words, one for each reply of the agent; `…` for waiting, `*` for hanging up. */
function talk(wish: Wish, replies: readonly string[], language = 'en-US'): string[] {
  let state: MindState = NEW_MIND;
  return replies.map((reply) => {
    const [next, step] = nextStep(wish, state, reply, language);
    state = next;
    return step.type === 'say' ? step.text : step.type === 'wait' ? '…' : '*';
  });
}

test('a script waits for the words that a sentence is to follow, and hangs up at its end', () => {
  const script = [{ say: 'A haircut, please.' }, { after: 'which day', say: 'On Tuesday.' }];
  assert.deepEqual(talk({ script }, ['How can I help?', 'One moment.', 'Which day suits you?', 'Booked.']), [
    'A haircut, please.',
    '…',
    'On Tuesday.',
    '*',
  ]);
});

test('a caller does not wait for ever for words that do not come', () => {
  const script = [{ after: 'zebra', say: 'Yes.' }];
  assert.deepEqual(talk({ script }, ['Hello.', 'Are you there?', 'Hello?']), ['…', '…', '*']);
});

test('a cue may wait for a kind of question, in each language', () => {
  const asked: ReadonlyArray<[string, string]> = [
    ['en-US', 'Sure. What day would you like?'],
    ['de-DE', 'Gern. An welchem Tag möchten Sie kommen?'],
    ['fr-FR', 'Volontiers. Quel jour vous conviendrait ?'],
    ['es-ES', 'Claro. ¿Qué día le viene bien?'],
    ['it-IT', 'Certo. Che giorno preferisce?'],
    ['nl-NL', 'Prima. Welke dag wilt u komen?'],
    ['pt-PT', 'Claro. Que dia prefere?'],
  ];
  for (const [language, text] of asked) {
    assert.equal(isCue('question:date', text, language), true, `${language}: ${text}`);
    assert.equal(isCue('question:email', text, language), false, `${language}: ${text}`);
  }
});

test('a fact answers the agent who offers what it says, once', () => {
  const wish = { goal: 'An appointment, please.', facts: { wish: 'A haircut.', other: 'In the hall.' } };
  const offer = 'What can we do for you? We have haircut, shave or colour.';
  assert.deepEqual(talk(wish, ['How can I help?', offer, offer, 'We have haircut and shave.']), [
    'An appointment, please.',
    'A haircut.',
    'No, that is all. Thank you, goodbye.',
    '*',
  ]);
});

test('facts answer what the agent asks for, and without a question the caller says goodbye', () => {
  const wish = {
    goal: 'I would like a haircut.',
    facts: { name: 'Sarah Johnson', date: 'On Tuesday.', shoes: 'Red.' },
  };
  assert.deepEqual(
    talk(wish, [
      'How can I help?',
      'What day would you like?',
      'What colour are your shoes?',
      'Is that right?',
      'What is your email address?',
      'And your name?',
      'You are booked.',
      'Goodbye.',
    ]),
    [
      'I would like a haircut.',
      'On Tuesday.',
      'Red.',
      'Yes, please.',
      'I do not know that.',
      'Sarah Johnson',
      'No, that is all. Thank you, goodbye.',
      '*',
    ],
  );
});

test('a caller who is asked to repeat says the same again, twice at most, in each language', () => {
  const goal = 'I would like a haircut.';
  const again = "I'm sorry, could you repeat that?";
  assert.deepEqual(talk({ goal }, ['How can I help?', again, again, again]), [
    goal,
    goal,
    goal,
    'No, that is all. Thank you, goodbye.',
  ]);
  const script = [{ say: 'On Tuesday.' }, { after: 'question:time', say: 'At ten.' }];
  assert.deepEqual(talk({ script }, ['Which day?', again, 'At what time?', 'Thank you.']), [
    'On Tuesday.',
    'On Tuesday.',
    'At ten.',
    '*',
  ]);
  for (const [language, words] of [
    ['de-DE', 'Könnten Sie das bitte wiederholen?'],
    ['fr-FR', 'Pourriez-vous répéter, s’il vous plaît ?'],
    ['es-ES', '¿Podría repetirlo, por favor?'],
    ['it-IT', 'Può ripetere, per favore?'],
    ['nl-NL', 'Kunt u dat herhalen?'],
    ['pt-PT', 'Pode repetir, por favor?'],
  ] as const)
    assert.deepEqual(talk({ goal: '…?' }, ['Hallo?', words], language), ['…?', '…?'], words);
});
