// Text that a recogniser wrote although nobody said it is not told as the caller's words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOUBTFUL, NEVER_SAID } from '../../../models/stt/unsaid/hallucinations.ts';
import { beforeEcho, believe, isEcho } from '../../../models/stt/unsaid/unsaid.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];

test('the end of a video is nothing, in every language', () => {
  for (const text of [
    'Thank you for watching!',
    'Thanks for watching.',
    'Untertitelung des ZDF, 2020',
    "Merci d'avoir regardé cette vidéo.",
    '¡Suscríbete!',
    'Sottotitoli creati dalla comunità Amara.org',
    'TV GELDERLAND 2021',
    'Legendas pela comunidade Amara.org',
  ])
    assert.deepEqual(believe(text, { soundMs: 1_500 }), { text: '', verdict: 'nothing' }, text);
  assert.deepEqual(Object.keys(NEVER_SAID).toSorted(), LANGUAGES.toSorted());
  assert.deepEqual(Object.keys(DOUBTFUL).toSorted(), LANGUAGES.toSorted());
});

test('after the words of a caller it is left out, and the words stay', () => {
  assert.deepEqual(believe('I would like a haircut. Thank you for watching.', { soundMs: 3_000 }), {
    text: 'I would like a haircut.',
    verdict: 'said',
  });
});

test('a caller may thank and say yes; where the model itself doubts that anybody speaks, nobody did', () => {
  for (const text of ['Thank you.', 'Bye.', 'Danke.', 'Oui.', 'Sim.']) {
    assert.equal(believe(text, { soundMs: 800 }).verdict, 'said', text);
    assert.equal(believe(text, { soundMs: 800, noSpeech: 0.1, logProbability: -0.3 }).verdict, 'said', text);
    assert.equal(believe(text, { soundMs: 800, noSpeech: 0.5, logProbability: -0.4 }).verdict, 'nothing', text);
  }
});

test('improbable words are unclear, and nothing where probably nobody speaks', () => {
  const text = 'the ferry leaves at the quay';
  assert.equal(believe(text, { soundMs: 2_000, noSpeech: 0.1, logProbability: -1.3 }).verdict, 'unclear');
  assert.equal(believe(text, { soundMs: 2_000, noSpeech: 0.8, logProbability: -1.3 }).verdict, 'nothing');
  assert.equal(believe(text, { soundMs: 2_000, noSpeech: 0.8, logProbability: -0.2 }).verdict, 'said');
});

test('a group of words over and over is unclear; a number with equal digits and a fourfold no are said', () => {
  const loop = believe('I want to go to go to go to go to go to go', { soundMs: 6_000 });
  assert.equal(loop.verdict, 'unclear');
  assert.ok(loop.text.length < 25);
  assert.equal(
    believe('you know what I mean you know what I mean you know what I mean you know what I mean', {
      soundMs: 9_000,
    }).verdict,
    'unclear',
  );
  for (const text of ['no no no no', 'zero zero zero zero', 'one two one two one two', '555 5555'])
    assert.equal(believe(text, { soundMs: 3_000 }).verdict, 'said', text);
});

test('more than anybody says in the time is unclear', () => {
  assert.equal(believe('Hello 3-4-3-3-4-4-1 Voyager', { soundMs: 900 }).verdict, 'unclear');
  assert.equal(believe('How are you Voyager', { soundMs: 1_200 }).verdict, 'said');
  assert.equal(believe('yes please', { soundMs: 500 }).verdict, 'said');
  assert.equal(believe('a hundred and seventy three dollars', { soundMs: 1_880 }).verdict, 'said');
});

test('the names that were expected come back as an echo; one of them alone is an answer', () => {
  const names = ['Riverside Dental 2-1', 'Check-up', 'Whitening', 'Dr. Meyer'];
  for (const text of ['Riverside', 'Riverside Dental 2-1.', '2-1', '2', 'Check-up, Whitening', 'Whitening, Dr. Meyer'])
    assert.ok(isEcho(text, names), text);
  for (const text of ['Check-up.', 'whitening', 'Dr. Meyer', 'a check-up please', 'is this Riverside Dental', ''])
    assert.ok(!isEcho(text, names), text);
});

test('the names at the end of a sentence may be an echo; one of them in it, or after a comma, was said', () => {
  const names = ['Riverside Dental 2-1', 'Check-up', 'Whitening', 'Dr. Meyer'];
  for (const [text, before] of [
    ['I would like to come in. Riverside Dental', 'I would like to come in.'],
    ['I would like to come in, Check-up, Whitening, Dr. Meyer.', 'I would like to come in'],
    ['Mary had a little lamb. 2-1.', 'Mary had a little lamb.'],
  ] as const)
    assert.equal(beforeEcho(text, names), before, text);
  for (const text of [
    'Is this Riverside Dental?',
    'I would like a check-up.',
    'Yes. Whitening.',
    'at 2',
    'Riverside Dental',
    '',
  ])
    assert.equal(beforeEcho(text, names), null, text);
});
