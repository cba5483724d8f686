// Callers who ask for another language, in seven of them, and callers who only speak of one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageWish, languageWishes } from '../../../../models/llm/receptionist/language-wish.ts';

const OFFERED = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'it-IT', 'pt-BR', 'nl-NL'];

const WISHES: Record<string, string[]> = {
  'en-US': [
    'Do you speak English?',
    'English, please.',
    'Können wir Englisch sprechen?',
    '¿Habla inglés?',
    'Parlez-vous anglais ?',
    'Parla inglese?',
    'Você fala inglês?',
    'Spreekt u Engels?',
  ],
  'de-DE': [
    'Can you speak German?',
    'could we continue in German please',
    'Auf Deutsch, bitte.',
    'Sprechen Sie Deutsch?',
    'Deutsch',
    '¿Puede hablar en alemán?',
    'En allemand, s’il vous plaît',
    'Possiamo parlare tedesco?',
    'Pode falar alemão?',
    'Kunt u Duits spreken?',
  ],
  'es-ES': ['¿Hablas español?', 'Español, por favor', 'Do you speak Spanish?', 'Können Sie Spanisch?', 'en español'],
  'fr-FR': ['Vous parlez français ?', 'En français, s’il vous plaît.', 'in French please', 'Parla francese?'],
  'it-IT': ['Parla italiano?', 'In italiano, per favore', 'Sprechen Sie Italienisch?', 'do you speak Italian'],
  'pt-BR': ['Fala português?', 'Em português, por favor', 'can we talk in Portuguese', 'Parlez-vous portugais ?'],
  'nl-NL': ['Spreekt u Nederlands?', 'In het Nederlands alstublieft', 'Dutch please', 'Sprechen Sie Niederländisch?'],
};

for (const [language, texts] of Object.entries(WISHES)) {
  test(`wishes for ${language}`, () => {
    for (const text of texts) assert.equal(languageWish(text, OFFERED), language, text);
  });
}

test('a language that is only spoken of, or denied, is no wish', () => {
  for (const text of [
    'I would like to book a table for two at the Italian place',
    'do you have German beer on the menu today',
    'I want to speak to someone about the German course',
    'can I talk to the Italian manager about my bill',
    "I don't speak German",
    'ich spreche kein Englisch',
    'je ne parle pas anglais',
    'no hablo inglés',
    'when do you open',
    '',
  ])
    assert.equal(languageWish(text, OFFERED), null, text);
});

test('one that the agent does not have is no wish either', () => {
  assert.equal(languageWish('do you speak Spanish', ['en-US', 'de-DE']), null);
});

test('a recogniser of phrases expects the wish for each other language', () => {
  assert.ok(languageWishes(['en-US', 'de-DE'], 'en-US').includes('can you speak German'));
  assert.ok(!languageWishes(['en-US', 'de-DE'], 'en-US').join(' ').includes('English'));
});
