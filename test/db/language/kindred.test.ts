import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysed, indexed } from '../../../db/language/analysis.ts';
import { kindredOf } from '../../../db/language/kindred.ts';

/** A caller's question, and the sentence of a document that answers it in other words. */
const ASKED = {
  en: ['is there a discount for a pensioner', 'Seniors pay half.'],
  de: ['meine Prothese drückt', 'Neuer Zahnersatz wird nach einer Woche angepasst.'],
  fr: ['puis-je stationner chez vous', 'Pour se garer, il y a une cour derrière la maison.'],
  es: ['cuánto cuesta', 'El precio es de veinte euros.'],
  it: ['vorrei la disdetta', 'Per annullare basta una telefonata.'],
  nl: ['waar kan ik de auto inleveren', 'U kunt hem bij het station terugbrengen.'],
  pt: ['quero desmarcar', 'Para cancelar basta telefonar.'],
} as const;

for (const [language, [question, sentence]] of Object.entries(ASKED))
  test(`a question in other words than the answer's shares a meaning with it: ${language}`, () => {
    const [passage] = indexed([{ heading: '', body: sentence }]).passages;
    const terms = new Set(passage?.bodyTerms.trim().split(' '));
    const words = analysed(question).words.flatMap((word) => word.terms);
    assert.ok(!words.some((term) => terms.has(term)), `a word itself is in the answer: ${words}`);
    assert.ok(
      kindredOf(words).some((term) => terms.has(term)),
      `${kindredOf(words)} / ${[...terms]}`,
    );
  });

test('prepositions and auxiliaries tell nothing about a question', () => {
  for (const question of [
    'is there anything else through which one must',
    'muss man durch diese immer',
    'est-ce que vous devez déjà toujours',
    'tengo que hacer algo antes',
    'devo ancora fare qualcosa',
    'moet ik dan altijd iets doen',
    'devo fazer algo antes',
  ])
    assert.deepEqual(
      analysed(question).words.map(({ word }) => word),
      [],
      question,
    );
});
