import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interruptionNeed, type Lexicon, takesFloor } from '../../../engine/turn/barge-in.ts';
import {
  asksToStop,
  asksToWait,
  isAnswer,
  isBackchannel,
  isRefusal,
  isSalutation,
  mayBecomeBackchannel,
} from '../../../engine/turn/spoken.ts';
import { turnWordsFor } from '../../../engine/turn/words/languages.ts';

const words = turnWordsFor('en-US');
const english: Lexicon = { words, backchannels: [] };

test("a business's sensitivity becomes thresholds of voice and words", () => {
  assert.equal(interruptionNeed(0), null);
  assert.deepEqual(interruptionNeed(0.5), { voicedMs: 350, words: 2, graceMs: 600 });
  assert.deepEqual(interruptionNeed(1), { voicedMs: 120, words: 1, graceMs: 0 });
  let last = Number.POSITIVE_INFINITY;
  for (let sensitivity = 0.05; sensitivity <= 1; sensitivity += 0.05) {
    const voicedMs = interruptionNeed(sensitivity)?.voicedMs ?? 0;
    assert.ok(voicedMs < last, 'the more sensitive, the sooner');
    last = voicedMs;
  }
});

test('the need rises from the second false alarm on, and not without end', () => {
  const needs = [0, 1, 2, 3, 10].map((alarms) => interruptionNeed(0.5, alarms)?.voicedMs);
  assert.deepEqual(needs, [350, 350, 525, 700, 1_050]);
});

for (const text of [
  'uh-huh',
  'Mhm.',
  'yeah',
  'Okay, right.',
  'yeah yeah okay',
  'I see',
  'got it',
  'Thank you.',
  'oh, I see',
  'Please go ahead.',
]) {
  test(`"${text}" leaves the agent the floor`, () => {
    assert.ok(isBackchannel(text, words));
    assert.ok(!takesFloor({ voicedMs: 120, words: 1, graceMs: 0 }, 800, text, english));
  });
}

for (const text of ['stop', 'Wait, please', 'hold on', 'excuse me']) {
  test(`"${text}" takes it however short`, () => {
    assert.ok(takesFloor({ voicedMs: 900, words: 4, graceMs: 200 }, 100, text, english));
  });
}

test('words that only resemble a backchannel take the floor', () => {
  const need = { voicedMs: 350, words: 2, graceMs: 200 };
  assert.ok(takesFloor(need, 100, 'okay but when', english));
  assert.ok(takesFloor(need, 2_000, 'yeah', english), 'two seconds of "yeah" were misheard');
  assert.ok(!takesFloor(need, 100, '', english));
  assert.ok(!isBackchannel('', words));
  assert.ok(!isBackchannel('i see a problem', words));
});

test('the first word of an encouragement is waited for, a word that only begins like one is not', () => {
  const italian = turnWordsFor('it-IT');
  for (const text of ['I', 'oh I', 'got', 'm']) assert.ok(mayBecomeBackchannel(text, words), text);
  for (const text of ['no', 'what']) assert.ok(!mayBecomeBackchannel(text, words), text);
  assert.ok(mayBecomeBackchannel('ho', italian));
  assert.ok(!mayBecomeBackchannel('e', italian), '"and Friday?" begins with it');
});

test("a business's own words are backchannels too", () => {
  assert.ok(takesFloor({ voicedMs: 350, words: 1, graceMs: 0 }, 100, 'roger', english));
  assert.ok(!takesFloor({ voicedMs: 350, words: 1, graceMs: 0 }, 100, 'Roger.', { words, backchannels: ['roger'] }));
});

test('a greeting is recognised as one', () => {
  assert.ok(isSalutation('Hello?', words));
  assert.ok(isSalutation('hi good morning', words));
  assert.ok(!isSalutation('hello are you open', words));
});

test('each language has its encouragement, its answers, its refusals and its pleas for patience', () => {
  const said: Array<[language: string, encouragement: string, yes: string, no: string, wait: string]> = [
    ['en-GB', 'I see', 'Yes, please', "No, don't", 'One moment, please'],
    ['de-DE', 'Ach so', 'Ja, gerne', 'Nein, danke', 'Einen Moment bitte'],
    ['es-ES', 'Ya veo', 'Sí, por favor', 'No, gracias', 'Un momento, por favor'],
    ['fr-FR', 'Je vois', "Oui, s'il vous plaît", 'Non merci', "Un instant s'il vous plaît"],
    ['it-IT', 'Ho capito', 'Sì, grazie', 'No, grazie', 'Un attimo per favore'],
    ['pt-BR', 'Entendi', 'Sim, por favor', 'Não, obrigado', 'Só um momento, por favor'],
    ['nl-NL', 'Ik begrijp het', 'Ja, graag', 'Nee, dank u', 'Een momentje alstublieft'],
  ];
  for (const [language, encouragement, yes, no, wait] of said) {
    const own = turnWordsFor(language);
    assert.ok(isBackchannel(encouragement, own), `${language}: ${encouragement}`);
    assert.ok(isAnswer(yes, own), `${language}: ${yes}`);
    assert.ok(isRefusal(no, own) && !isRefusal(yes, own), `${language}: ${no}`);
    assert.ok(asksToWait(wait, own) && !asksToWait(yes, own), `${language}: ${wait}`);
  }
});

test('each language has words that ask for silence alone, and no answer is one of them', () => {
  const said: Array<[language: string, stop: string, stopPolitely: string, no: string]> = [
    ['en-GB', 'Stop', 'Stop, please', 'No'],
    ['de-DE', 'Stopp', 'Hören Sie auf, bitte', 'Nein'],
    ['es-ES', 'Pare', 'Basta, por favor', 'No'],
    ['fr-FR', 'Arrêtez', "Stop, s'il vous plaît", 'Non'],
    ['it-IT', 'Basta', 'Si fermi, per favore', 'No'],
    ['pt-BR', 'Pare', 'Chega, por favor', 'Não'],
    ['nl-NL', 'Stop', 'Hou op, alstublieft', 'Nee'],
  ];
  for (const [language, stop, politely, no] of said) {
    const own = turnWordsFor(language);
    assert.ok(asksToStop(stop, own), `${language}: ${stop}`);
    assert.ok(asksToStop(politely, own), `${language}: ${politely}`);
    assert.ok(!asksToStop(no, own) && !asksToStop('', own), `${language}: ${no}`);
  }
  assert.ok(!asksToStop('stop by tomorrow', turnWordsFor('en')));
});

test('a hum is written alike in all languages, and asks for the floor in none', () => {
  for (const language of ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'it-IT', 'pt-BR', 'nl-NL']) {
    for (const hum of ['Mm-hmm.', 'uh-huh', 'Hmm', 'mhm']) {
      assert.ok(isBackchannel(hum, turnWordsFor(language)), `${language}: ${hum}`);
    }
  }
});
