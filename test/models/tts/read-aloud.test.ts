import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEspeak, readAloud } from '../../../models/tts/read-aloud.ts';

const READ: Array<[language: string, written: string, said: string]> = [
  ['en-US', 'at 9:30 a.m.', 'at nine thirty a.m.'],
  ['de-DE', 'Um 14:30 Uhr, bis 18:00 Uhr.', 'Um 14 Uhr 30, bis 18 Uhr.'],
  ['de-DE', 'Das kostet 1.250,50 € am 03.05.2029.', 'Das kostet 1250 Euro 50 am 3. Mai 2029.'],
  ['de-DE', 'Rufen Sie 030 1234567 an.', 'Rufen Sie 0 3 0, 1 2 3 4 5 6 7 an.'],
  [
    'de-DE',
    'Schreiben Sie an info@praxis-mitte.de, **bitte**.',
    'Schreiben Sie an info ätt praxis Minus mitte Punkt de, bitte.',
  ],
  ['fr-FR', 'À 9:05, 12,50 € le 01/05/2029.', 'À 9 heures 5, 12 euros 50 le premier mai 2029.'],
  ['fr-FR', 'Appelez le 01 23 45 67 89.', 'Appelez le 0 1, 23, 45, 67, 89.'],
  ['es-ES', 'A las 14:30, 20 % de $3,20.', 'A las 14 y 30, 20 por ciento de 3 dólares con 20.'],
  ['it-IT', 'Alle 9:15 del 2026-11-23, codice 0412.', 'Alle 9 e 15 del 23 novembre 2026, codice 0 4 1 2.'],
  ['nl-NL', 'Om 16:45 op 03-05-2029, €1.', 'Om 16 uur 45 op 3 mei 2029, 1 euro.'],
  ['pt-BR', 'Às 10:00, R$ 45,90, código 482930.', 'Às 10 horas, 45 reais e 90, código 4 8 2 9 3 0.'],
  ['ja-JP', '午後3時に。', '午後3時に。'],
];
for (const [language, written, said] of READ) {
  test(`${language}: "${written}" is read "${said}"`, () => assert.equal(readAloud(written, language), said));
}

test('reading aloud again changes nothing', () => {
  for (const [language, , said] of READ) assert.equal(readAloud(said, language), said);
});

test('the letter A of a code is no article', () => {
  assert.equal(forEspeak('code A C eight A A one', 'en-US'), 'code eigh C eight eigh eigh one');
  assert.equal(forEspeak('A ten minute walk. A man at gate A', 'en-US'), 'A ten minute walk. A man at gate eigh');
  assert.equal(forEspeak('A B', 'de-DE'), 'A B');
});
