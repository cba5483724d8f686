// The sentences of ours in seven languages: each has all of them, with the same placeholders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DateTime } from 'luxon';
import { LANGUAGES, phraseLanguage, phrasesFor } from '../../../models/llm/phrases/languages.ts';
import type { Phrases } from '../../../models/llm/phrases/phrases.ts';
import { dateText, openingHoursText, phoneText, priceText, timeText } from '../../../models/llm/spoken.ts';

/** Every text by its path: `call.fallback`, `model.rules.2`. */
function flat(value: unknown, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  if (typeof value === 'string') return texts.set(path, value);
  for (const [key, child] of Object.entries(value as object)) {
    for (const [childPath, text] of flat(child, path === '' ? key : `${path}.${key}`)) texts.set(childPath, text);
  }
  return texts;
}

const names = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
const english = sentencesOf(LANGUAGES.en);

/** Everything but the words for keys, of which a language may have more or fewer. */
function sentencesOf({ keys: _, ...phrases }: Phrases): Map<string, string> {
  return flat(phrases);
}

test('seven languages', () => {
  assert.deepEqual(Object.keys(LANGUAGES).sort(), ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']);
});

for (const [language, phrases] of Object.entries(LANGUAGES)) {
  test(`${language} has every sentence, with the same placeholders, and none left in English`, () => {
    const own = sentencesOf(phrases);
    assert.deepEqual([...own.keys()], [...english.keys()]);
    for (const [path, text] of own) {
      assert.deepEqual(names(text), names(english.get(path) ?? ''), path);
      assert.equal(text, text.trim(), path);
      assert.notEqual(text, '', path);
      if (language !== 'en' && text.replace(/\{\{\w+\}\}/g, '').length > 25)
        assert.notEqual(text, english.get(path), path);
    }
  });
}

test('a region uses the language, and an unknown language English', () => {
  for (const [tag, expected] of Object.entries({
    'de-AT': 'de',
    'pt-BR': 'pt',
    EN: 'en',
    fr_CA: 'fr',
    'pl-PL': 'en',
    '': 'en',
  })) {
    assert.equal(phraseLanguage(tag), expected, tag);
  }
  assert.equal(phrasesFor('toString'), LANGUAGES.en);
});

test('times, dates, prices and numbers as they are said', () => {
  const monday = DateTime.fromISO('2026-11-23T10:20:00', { zone: 'Europe/Berlin' });
  assert.equal(timeText('de-DE', 14 * 60 + 30), '14 Uhr 30');
  assert.equal(timeText('fr', 9 * 60), '9 heures');
  assert.equal(timeText('nl', 9 * 60 + 5), '9 uur 05');
  assert.equal(timeText('en-GB', 14 * 60 + 30), '2:30 p.m.');
  assert.equal(dateText('de-AT', monday), 'Montag, 23. November 2026');
  assert.equal(dateText('es-MX', monday), 'lunes, 23 de noviembre de 2026');
  assert.equal(dateText('en', monday), 'Monday, 23 November 2026');
  assert.equal(priceText('de-DE', 45, 'EUR'), '45 Euro');
  assert.equal(priceText('de-CH', 249.5, 'CHF'), '249.50 Schweizer Franken');
  assert.equal(priceText('fr-FR', 249.5, 'EUR'), '249,50 euros');
  assert.equal(priceText('es-MX', 45, 'MXN'), '45 pesos mexicanos');
  assert.equal(priceText('en-US', 45, 'USD'), '$45');
  assert.equal(priceText('en-GB', 249.5, 'GBP'), '£249.50');
  assert.equal(priceText('en-IE', 45, 'EUR'), '€45');
  assert.equal(priceText('en', 45, 'CHF'), '45 Swiss francs');
  assert.equal(priceText('de-DE', 45, 'USD'), '45 US-Dollar');
  assert.equal(phoneText('de', '+492211234567'), 'plus 4 9 2, 2 1 1, 2 3 4, 5 6 7');
  assert.equal(phoneText('es', '+34911'), 'más 3 4 9, 1 1');
});

test('opening hours as they are said', () => {
  const hours = [
    ...['monday', 'tuesday', 'wednesday'].map((day) => ({ day, open: '09:00', close: '17:30' })),
    { day: 'friday', open: '09:00', close: '12:00' },
    { day: 'friday', open: '13:00', close: '17:00' },
  ];
  assert.equal(
    openingHoursText('de', hours),
    'Montag bis Mittwoch von 9 Uhr bis 17 Uhr 30, Freitag von 9 Uhr bis 12 Uhr und von 13 Uhr bis 17 Uhr',
  );
  assert.equal(
    openingHoursText('it', hours),
    'da lunedì a mercoledì dalle ore 9 alle ore 17 e 30, venerdì dalle ore 9 alle ore 12 e dalle ore 13 alle ore 17',
  );
  assert.equal(openingHoursText('fr', []), null);
  assert.equal(openingHoursText('fr', [{ day: 'sunday', open: '00:00', close: '00:00' }]), 'dimanche 24 heures sur 24');
});
