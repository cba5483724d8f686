// The checks of the status page, in the language of its reader.
import assert from 'node:assert/strict';
import { test } from 'node:test';

Object.assign(globalThis, {
  localStorage: { getItem: () => 'de', setItem: () => undefined, removeItem: () => undefined },
  document: { documentElement: {} },
});
const { loadWords } = await import('../../api/dashboard/app/words/words.ts');
const { titleOf } = await import('../../api/dashboard/app/pages/administration/check-words.ts');

test('a model is named by its kind in German too, and an unknown kind as the service names it', async () => {
  await loadWords();
  assert.equal(titleOf({ name: 'model', subject: 'recogniser: soundswallower' }), 'Spracherkennung: soundswallower');
  assert.equal(titleOf({ name: 'model', subject: 'voice: flite' }), 'Stimme: flite');
  assert.equal(titleOf({ name: 'model', subject: 'new kind: x' }), 'New kind: x');
  assert.equal(titleOf({ name: 'trunk', subject: 'Provider' }), 'Trunk: Provider');
  assert.equal(titleOf({ name: 'database', subject: null }), 'Datenbank');
});
