import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingOf, endpoint, type Silence, type TurnSoFar } from '../../../engine/turn/endpointing.ts';
import type { Ending } from '../../../engine/turn/odds.ts';
import { turnWordsFor } from '../../../engine/turn/words/languages.ts';
import type { Expectation } from '../../../models/stt/stt.ts';

const english = turnWordsFor('en-US');
const adaptive: Silence = { thresholdMs: 600, endpointing: 'adaptive', patience: 1 };
const fixed: Silence = { ...adaptive, endpointing: 'fixed' };

const said = (text: string, expects: Expectation = 'anything', more: Partial<TurnSoFar> = {}): TurnSoFar => ({
  text,
  unclear: false,
  expects,
  digitCount: null,
  isFirst: false,
  finality: null,
  likelihood: null,
  ...more,
});

// The caller's words, and the silence that ends the turn where the business has chosen 600 ms.
const cases: Array<[expects: Expectation, text: string, ending: Ending, fixedMs: number]> = [
  ['anything', 'what are your opening hours', 'complete', 600],
  ['anything', 'Do you repair bikes?', 'complete', 600],
  ['anything', 'I have a flat tyre. Can I come today', 'complete', 600],
  ['anything', 'book me in for tuesday please', 'complete', 600],
  ['anything', 'maybe a full colour as well.', 'complete', 600],
  ['anything', 'I would like to book a haircut.', 'likely', 600],
  ['anything', '', 'wordless', 600],
  ['anything', 'yes', 'unsure', 600],
  ['name', 'my name is ann miller', 'likely', 600],
  ['service', 'a haircut', 'likely', 600],
  // Expected answers.
  ['yes-no', 'yes', 'complete', 300],
  ['yes-no', 'No, thank you.', 'complete', 300],
  ['yes-no', "that's right", 'complete', 300],
  ['yes-no', 'no i would rather come on friday', 'likely', 600],
  // In mid-thought, whatever the recogniser's full stop says.
  ['anything', 'i would like a haircut and', 'hesitating', 1_200],
  ['anything', 'can i come on', 'hesitating', 1_200],
  ['anything', 'well um', 'hesitating', 1_200],
  ['anything', 'um.', 'hesitating', 1_200],
  ['anything', 'I want to book for.', 'hesitating', 1_200],
  ['anything', 'is that where i was going to?', 'unsure', 600],
  // Dictation, asked for or not.
  ['anything', 'my number is', 'dictating', 1_500],
  ['anything', 'my number is four one five', 'dictating', 1_500],
  ['anything', 'My number is 415.', 'dictating', 1_500],
  ['anything', 'four one five five five five', 'dictating', 1_500],
  ['anything', 'my number is 415 555 0100', 'likely', 600],
  ['anything', 'a table for four', 'likely', 600],
  ['digits', '', 'dictating', 1_500],
  ['digits', 'five five five', 'dictating', 1_500],
  ['digits', '555 0100', 'dictating', 1_500],
  ['digits', '212 555 0100', 'likely', 600],
  ['digits', "i don't know", 'complete', 600],
  ['spelling', 'm i l l', 'dictating', 1_500],
  ['spelling', 'm i l l e r done', 'unsure', 600],
  ['email', 'ann at', 'dictating', 1_500],
  ['email', 'ann at clinic', 'dictating', 1_500],
  ['email', 'ann at clinic dot com', 'likely', 600],
  ['email', 'ann@clinic.com', 'likely', 600],
  // Whole, although another sentence goes on after these words.
  ['anything', 'what do you have', 'likely', 600],
  ['anything', 'okay and who should i talk to', 'likely', 600],
  ['anything', 'do you have', 'hesitating', 1_200],
  ['anything', 'what is the', 'hesitating', 1_200],
  ['anything', 'i need the reference number', 'likely', 600],
  // Dates and times.
  ['date', 'next', 'hesitating', 1_200],
  ['date', 'on june', 'hesitating', 1_200],
  ['date', 'june the fifth', 'likely', 600],
  ['date', 'june 5', 'likely', 600],
  ['date', 'tuesday', 'likely', 600],
  ['date-time', 'tuesday', 'hesitating', 1_200],
  ['date-time', 'tuesday at ten', 'likely', 600],
  ['time', 'half', 'hesitating', 1_200],
  ['time', 'ten thirty', 'likely', 600],
];
/** Within these, the last words decide. */
const ADAPTIVE_MS: Record<Ending, readonly [least: number, most: number]> = {
  complete: [300, 330],
  likely: [300, 550],
  unsure: [400, 1_000],
  wordless: [700, 850],
  introducing: [800, 1_000],
  unclear: [1_200, 1_200],
  hesitating: [1_200, 1_500],
  dictating: [2_000, 2_000],
};

for (const [expects, text, ending, fixedMs] of cases) {
  test(`after "${text}" (${expects}) the turn is ${ending}`, () => {
    assert.equal(endingOf(said(text, expects), english), ending);
    assert.equal(endpoint(said(text, expects), english, fixed).delayMs, fixedMs);
    const { delayMs } = endpoint(said(text, expects), english, adaptive);
    const [least, most] = ADAPTIVE_MS[ending];
    assert.ok(delayMs >= least && delayMs <= most, `${delayMs} ms`);
  });
}

const WHOLE_QUESTIONS: Array<[language: string, whole: string[], open: string[]]> = [
  ['en-US', ['what times do you have', 'and how long will it take'], ['you have', 'and it is']],
  ['de-DE', ['welche Termine haben Sie', 'und was kostet das', 'ich brauche die Nummer'], ['haben Sie', 'das ist']],
  ['fr-FR', ["c'est combien", 'quels horaires vous avez', 'je voudrais le numéro'], ["je pense que c'est", 'il y a']],
  ['es-ES', ['qué horarios tienen', 'y cuánto es', 'dónde está'], ['mi padre es', 'creo que hay']],
  ['it-IT', ['che orari avete', "dov'è", 'e quando è'], ['credo che è', 'per me è']],
  ['nl-NL', ['welke tijden heeft u', 'hoeveel is het', 'mag ik het nummer'], ['het is', 'ik denk dat er is']],
  ['pt-BR', ['que horários vocês têm', 'quanto é', 'onde fica'], ['acho que é', 'a minha mãe é']],
];

for (const [language, whole, open] of WHOLE_QUESTIONS) {
  test(`a question is whole although its last words go on in other sentences (${language})`, () => {
    const words = turnWordsFor(language);
    for (const text of whole) assert.ok(endpoint(said(text), words, adaptive).delayMs <= 550, text);
    for (const text of open) assert.ok(endpoint(said(text), words, adaptive).delayMs >= 1_000, text);
  });
}

test('in every language a question is complete, a conjunction is not, and a number is dictated', () => {
  const sentences: Array<[language: string, question: string, open: string, number: string]> = [
    [
      'de-DE',
      'Wann haben Sie am Samstag geöffnet',
      'Ich hätte gern einen Termin und',
      'Meine Nummer ist null eins sieben',
    ],
    ['es-ES', '¿A qué hora abren mañana?', 'Quisiera una cita para', 'Mi número es seis uno dos'],
    [
      'fr-FR',
      "À quelle heure ouvrez-vous aujourd'hui ?",
      'Je voudrais un rendez-vous pour',
      'Mon numéro est zéro six douze',
    ],
    ['it-IT', 'Quanto costa un taglio di capelli', 'Vorrei un appuntamento per', 'Il mio numero è tre quattro otto'],
    ['pt-BR', 'Quanto custa um corte de cabelo', 'Queria marcar uma consulta para', 'O meu número é nove um dois'],
    ['nl-NL', 'Hoe laat gaan jullie morgen open', 'Ik wil graag een afspraak voor', 'Mijn nummer is nul zes twee'],
  ];
  for (const [language, question, open, number] of sentences) {
    const own = turnWordsFor(language);
    assert.equal(endingOf(said(question), own), 'complete', question);
    assert.equal(endingOf(said(open), own), 'hesitating', open);
    assert.equal(endingOf(said(number), own), 'dictating', number);
  }
});

test('a number is complete with the digits that were asked for', () => {
  const asked = (text: string) => endingOf(said(text, 'digits', { digitCount: 4 }), english);
  assert.equal(asked('one two three'), 'dictating');
  assert.equal(asked('one two three four'), 'complete');
  assert.equal(asked('1234'), 'complete');
});

test('the melody tips what the words leave open, and a model of turn ends decides it', () => {
  const sentence = 'I would like to book a haircut';
  const delay = (more: Partial<TurnSoFar>) => endpoint(said(sentence, 'anything', more), english, adaptive).delayMs;
  const unjudged = delay({});
  assert.ok(delay({ finality: 0.8 }) < unjudged - 100);
  assert.ok(delay({ finality: -0.8 }) > unjudged + 100);
  assert.ok(delay({ likelihood: 0.9 }) < unjudged - 100);
  assert.ok(delay({ likelihood: 0.1 }) > unjudged + 200);
  const begun = said('I would like to book a', 'anything', { likelihood: 0.9 });
  assert.ok(endpoint(begun, english, adaptive).delayMs > 1_000, 'no model ends a sentence after its article');
  const number = said('my number is four one five', 'anything', { likelihood: 0.9 });
  assert.equal(endpoint(number, english, adaptive).delayMs, ADAPTIVE_MS.dictating[0], 'a half-said number stays one');
});

/** Of callers of a bank and of a hotel: the first statement goes on after such words, the answer does not. */
const PLACES: Array<[language: string, statement: string, answer: string, polite: string]> = [
  ['en-US', 'i lost my debit card', 'my debit card', 'no thank you'],
  ['de-DE', 'ich habe meine Karte verloren', 'meine Kreditkarte', 'nein danke'],
  ['fr-FR', "j'ai perdu ma carte bancaire", 'ma carte', 'non merci'],
  ['es-ES', 'he perdido mi tarjeta roja', 'mi tarjeta', 'no gracias'],
  ['it-IT', 'ho perso la mia carta blu', 'la carta', 'no grazie'],
  ['nl-NL', 'ik ben mijn pas kwijt', 'mijn pas', 'nee bedankt'],
  ['pt-BR', 'perdi o meu cartão azul', 'meu cartão', 'não obrigado'],
];

for (const [language, statement, answer, polite] of PLACES) {
  test(`a first statement is waited for longer, a short answer and a polite one less (${language})`, () => {
    const words = turnWordsFor(language);
    const delay = (text: string, isFirst: boolean) =>
      endpoint(said(text, 'anything', { isFirst }), words, adaptive).delayMs;
    assert.ok(delay(statement, true) >= delay(statement, false) + 150, 'what they want may still come');
    assert.ok(delay(answer, false) <= delay(answer, true) - 100);
    assert.equal(endingOf(said(polite), words), 'complete');
    assert.equal(delay(polite, true), delay(polite, false));
  });
}

test('a first statement that says what the caller wants is waited for a little longer, after a name for more', () => {
  const delay = (text: string, isFirst: boolean) =>
    endpoint(said(text, 'anything', { isFirst }), english, adaptive).delayMs;
  const added = (text: string) => delay(text, true) - delay(text, false);
  const request = 'i would like to book a haircut';
  assert.ok(added(request) > 0 && added(request) <= 110, `${added(request)} ms`);
  assert.ok(added(`hi my name is ann miller and ${request}`) >= 180);
  assert.equal(added('what are your opening hours'), 0);
});

/** Their last word begins or goes on with a sentence elsewhere. */
const WANTS_NO_MORE: Array<[language: string, text: string]> = [
  ['en-US', "that's all i need"],
  ['de-DE', 'nein das ist alles was ich brauche'],
  ['fr-FR', "c'est tout ce dont j'ai besoin"],
  ['es-ES', 'es todo lo que necesito'],
  ['it-IT', 'è tutto quello che mi serve'],
  ['nl-NL', 'nee meer heb ik niet nodig'],
  ['pt-BR', 'é tudo o que preciso'],
];

for (const [language, text] of WANTS_NO_MORE) {
  test(`a caller who needs nothing more has finished (${language})`, () => {
    const words = turnWordsFor(language);
    assert.equal(endingOf(said(text), words), 'complete');
    assert.ok(endpoint(said(text), words, adaptive).delayMs <= 330);
  });
}

test('the answer to a question that is recognised has no place in the call', () => {
  const delay = (isFirst: boolean) => endpoint(said('the blue one', 'service', { isFirst }), english, adaptive).delayMs;
  assert.equal(delay(true), delay(false));
});

test('a greeting alone is no turn yet', () => {
  assert.equal(endingOf(said('hello there'), english), 'introducing');
  assert.ok(endpoint(said('hello there'), english, adaptive).delayMs > 800);
});

test('words of dialogues tell more than the tables of open endings', () => {
  const delay = (text: string) => endpoint(said(text), english, adaptive).delayMs;
  assert.ok(delay('they told me to schedule') > delay('they told me by tomorrow') + 200);
  assert.ok(delay('and then we need') > 1_000);
  assert.equal(delay('schedule'), delay('tomorrow'), 'a word alone may be the whole answer');
});

test('words that the recogniser does not believe end no turn, and neither does a melody alone', () => {
  const at = (text: string, silence: Silence, more: Partial<TurnSoFar> = {}) =>
    endpoint(said(text, 'anything', { unclear: true, ...more }), english, silence).delayMs;
  assert.equal(at('book me in please', adaptive), ADAPTIVE_MS.unclear[0]);
  assert.equal(at('', fixed), 900);
  assert.equal(at('', adaptive, { finality: 0.8 }), ADAPTIVE_MS.unclear[0]);
  assert.equal(at('', adaptive, { likelihood: 0.9 }), 600);
  const digits = said('one two three four', 'digits', { unclear: true, digitCount: 4 });
  assert.ok(endpoint(digits, english, adaptive).delayMs <= ADAPTIVE_MS.complete[1], 'the digits asked for are whole');
});

test('patience stretches every silence within its bounds', () => {
  const at = (patience: number) => endpoint(said('I would like a haircut'), english, { ...adaptive, patience }).delayMs;
  assert.deepEqual(
    [at(0.6), at(1.4)],
    [0.6, 1.4].map((patience) => Math.round(at(1) * patience)),
  );
});

test('no rule shortens a chosen threshold too far or waits without end', () => {
  for (const [expects, text] of cases) {
    const { delayMs } = endpoint(said(text, expects), english, { ...fixed, thresholdMs: 3_000 });
    assert.ok(delayMs >= (expects === 'yes-no' ? 1_500 : 3_000) && delayMs <= 4_000, `${text}: ${delayMs}`);
  }
});
