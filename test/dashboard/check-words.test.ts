// The checks of the status page, in the language of its reader.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { titleOf } from '../../api/dashboard/app/pages/administration/check-words.ts';
import { chooseLanguage } from '../../api/dashboard/app/words/words.ts';

/** The parts of a browser in which a language is chosen. */
const BROWSER = { localStorage: { setItem: () => undefined }, document: { documentElement: {} } };

before(async () => {
  Object.assign(globalThis, BROWSER);
  await chooseLanguage('de');
});

after(async () => {
  await chooseLanguage('en');
  for (const name of Object.keys(BROWSER)) Reflect.deleteProperty(globalThis, name);
});

test('a model is named by its kind in German too, and an unknown kind as the service names it', () => {
  assert.equal(titleOf({ name: 'model', subject: 'recogniser: soundswallower' }), 'Spracherkennung: soundswallower');
  assert.equal(titleOf({ name: 'model', subject: 'voice: flite' }), 'Stimme: flite');
  assert.equal(titleOf({ name: 'model', subject: 'new kind: x' }), 'New kind: x');
  assert.equal(titleOf({ name: 'trunk', subject: 'Provider' }), 'Trunk: Provider');
  assert.equal(titleOf({ name: 'database', subject: null }), 'Datenbank');
});
