// The meaning of persons' words, in the seven languages of turn-taking.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningOf } from '../../../../engine/call/persons/person-words.ts';
import { turnWordsFor } from '../../../../engine/turn/words/languages.ts';

const cases: Array<[language: string, text: string, kind: string, rest?: string]> = [
  ['en-US', 'Yes.', 'yes'],
  ['en-US', 'Yes please, put them through.', 'yes'],
  ['en-US', 'Sure.', 'yes'],
  ['en-US', 'No.', 'no'],
  ['en-US', 'No thanks', 'no'],
  ['en-US', 'No, tell them I call back at four.', 'no', 'tell them I call back at four.'],
  ['en-US', 'Not now, please ask for their number.', 'no', 'ask for their number.'],
  ['en-US', 'What is it about?', 'question'],
  ['en-US', 'who is calling', 'question'],
  ['en-US', 'Hello?', 'other'],
  ['en-US', 'Hello, good morning', 'other'],
  ['en-US', 'hm', 'other'],
  ['en-US', 'Why?', 'other'],
  ['de-DE', 'Ja, gerne.', 'yes'],
  ['de-DE', 'Nein.', 'no'],
  ['de-DE', 'Nein, sagen Sie ihm, ich rufe zurück.', 'no', 'sagen Sie ihm, ich rufe zurück.'],
  ['de-DE', 'Worum geht es denn?', 'question'],
  ['de-DE', 'Hallo?', 'other'],
  ['es-ES', 'Sí.', 'yes'],
  ['es-ES', '¿Sí?', 'other'],
  ['es-ES', 'No.', 'no'],
  ['es-ES', '¿De qué se trata?', 'question'],
  ['fr-FR', 'Oui.', 'yes'],
  ['fr-FR', 'Non.', 'no'],
  ['fr-FR', 'C’est à quel sujet ?', 'question'],
  ['it-IT', 'Sì.', 'yes'],
  ['it-IT', 'No.', 'no'],
  ['it-IT', 'Di che cosa si tratta?', 'question'],
  ['nl-NL', 'Ja.', 'yes'],
  ['nl-NL', 'Nee.', 'no'],
  ['nl-NL', 'Waar gaat het over?', 'question'],
  ['pt-PT', 'Sim.', 'yes'],
  ['pt-PT', 'Não.', 'no'],
  ['pt-PT', 'De que se trata?', 'question'],
];

for (const [language, text, kind, rest = ''] of cases) {
  test(`${language}: ${text}`, () => {
    const meaning = meaningOf(text, true, turnWordsFor(language));
    assert.deepEqual([meaning.kind, meaning.rest], [kind, rest]);
  });
}

test('what was not understood decides nothing', () => {
  assert.deepEqual(meaningOf('yes', false, turnWordsFor('en')), { kind: 'other', text: '', rest: '' });
  assert.equal(meaningOf('  ', true, turnWordsFor('en')).text, '');
});
