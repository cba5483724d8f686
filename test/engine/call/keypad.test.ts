// Key presses as entries, and the meaning of a 9.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { isOptOut, type KeyEntry, Keypad, offersOptOut } from '../../../engine/call/keypad.ts';
import { LANGUAGES, phrasesFor } from '../../../models/llm/phrases/languages.ts';

test('texts that offer the key are recognised', () => {
  for (const text of ['Press 9 to stop these calls.', 'to opt out, press nine', 'Dial 9 and we never call again']) {
    assert.equal(offersOptOut([null, text]), true, text);
  }
});

test('a nine in another context is not an offer', () => {
  for (const text of [
    'We are open until 9.',
    'Press 1 for sales.',
    'Press 90 for the desk',
    'express nine-day delivery',
  ]) {
    assert.equal(offersOptOut([text, null]), false, text);
  }
});

test('an offer is recognised in the language of the business', () => {
  const offers: Array<[language: string, text: string]> = [
    ['de-AT', 'Möchten Sie nicht mehr angerufen werden, drücken Sie bitte die 9.'],
    ['de', 'Wenn Sie keine Anrufe wünschen: die Neun drücken.'],
    ['es-MX', 'Si no desea recibir más llamadas, pulse el nueve.'],
    ['fr', 'Pour ne plus être appelé, appuyez sur la touche 9.'],
    ['it', 'Se non desidera altre chiamate, prema il tasto 9.'],
    ['pt-BR', 'Para não receber mais chamadas, pressione 9.'],
    ['nl', 'Wilt u niet meer gebeld worden, toets dan 9.'],
    ['de', 'Press 9 to stop these calls.'],
  ];
  for (const [language, text] of offers) assert.equal(offersOptOut([text], language), true, text);
  for (const language of Object.keys(LANGUAGES)) {
    const { pressToOptOut } = phrasesFor(language).menu;
    assert.equal(offersOptOut([pressToOptOut], language), true, pressToOptOut);
  }
  const others: Array<[language: string, text: string]> = [
    ['it', 'Siamo aperti prima delle 9.'],
    ['de', 'Drücken Sie die 1. Wir haben bis 9 Uhr geöffnet.'],
    ['de', 'Drücken Sie die 1, um 9 Uhr öffnen wir.'],
    ['de', 'Drücken Sie die 90.'],
    ['en', 'Drücken Sie die 9.'],
  ];
  for (const [language, text] of others) assert.equal(offersOptOut([text], language), false, text);
});

test('a nine is an opt-out only if pressed alone and offered', () => {
  const offer = ['Press 9 to stop these calls.'];
  for (const digits of ['9', '9#']) assert.equal(isOptOut(digits, offer), true, digits);
  for (const digits of ['9175551234#', '99', '19', '#']) assert.equal(isOptOut(digits, offer), false, digits);
  assert.equal(isOptOut('9', ['Press 1 for sales.']), false);
});

test('keys pressed together are one entry: up to #, a pause of 2 s, or the end', () => {
  const clock = new VirtualClock();
  const entries: KeyEntry[] = [];
  const keypad = new Keypad(clock, (entry) => entries.push(entry));
  const press = (digit: string) => keypad.press(digit, clock.monotonicMs());
  press('1');
  clock.advance(1_900);
  press('2');
  clock.advance(2_000);
  press('3');
  press('#');
  clock.advance(500);
  press('9');
  keypad.close();
  assert.deepEqual(entries, [
    { digits: '12', atMs: 0 },
    { digits: '3#', atMs: 3_900 },
    { digits: '9', atMs: 4_400 },
  ]);
  assert.equal(clock.pending, 0);
});

test('somebody who presses on and on makes entries of bounded length', () => {
  const clock = new VirtualClock();
  const entries: KeyEntry[] = [];
  const keypad = new Keypad(clock, (entry) => entries.push(entry));
  for (let key = 0; key < 200; key++) keypad.press('5', key);
  keypad.close();
  assert.deepEqual(
    entries.map(({ digits }) => digits.length),
    [64, 64, 64, 8],
  );
});
