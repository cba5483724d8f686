import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEspeak, readAloud } from '../../../../models/tts/text/read-aloud.ts';

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
  ['de-DE', 'Saison 2024-2025, am 05.11.2026, am 24.12.', 'Saison 2024 bis 2025, am 5. November 2026, am 24. Dezember'],
  [
    'de-DE',
    'Umsatz 1,5 Mio. €, $1.5 million, 1 Million €',
    'Umsatz 1,5 Millionen Euro, 1,5 Millionen Dollar, 1 Million Euro',
  ],
  ['de-DE', 'Rufen Sie 112. Wir sind 24/7 da.', 'Rufen Sie 1 1 2. Wir sind rund um die Uhr da.'],
  [
    'de-DE',
    '112 Personen, Seiten 3-5, 10-12 €, 9:00-17:30 Uhr',
    '112 Personen, Seiten 3 bis 5, 10 bis 12 Euro, 9 Uhr bis 17 Uhr 30',
  ],
  ['de-DE', '5. Mai passt.', '5. Mai passt.'],
  ['de-DE', 'Telefon 089-12 34 56', 'Telefon 0 8 9, 1 2, 3 4, 5 6'],
  [
    'fr-FR',
    'Le 05/11, 24/7, $1.5 million, 1,5 M€',
    "Le 5 novembre, 24 heures sur 24, 7 jours sur 7, 1,5 millions de dollars, 1,5 millions d'euros",
  ],
  [
    'fr-FR',
    'Saison 2024-2025, le 05.11.2026. Appelez le 112.',
    'Saison 2024 à 2025, le 5 novembre 2026. Appelez le 112.',
  ],
  [
    'es-ES',
    'El 05/11/2026, $1.5 million, llame al 112, 24/7',
    'El 5 de noviembre de 2026, 1,5 millones de dólares, llame al 1 1 2, las 24 horas, los 7 días de la semana',
  ],
  ['it-IT', 'Dal 2024-2025, 1,5 milioni €, chiami il 112', 'Dal 2024 a 2025, 1,5 milioni di euro, chiami il 1 1 2'],
  [
    'nl-NL',
    'Op 05-11-2026, € 1,5 miljoen, bel 112, 24/7',
    'Op 5 november 2026, 1,5 miljoen euro, bel 1 1 2, 24 uur per dag, 7 dagen per week',
  ],
  ['pt-BR', 'Em 05/11/2026, R$ 1,5 milhão, ligue 190', 'Em 5 de novembro de 2026, 1,5 milhões de reais, ligue 1 9 0'],
  ['de-DE', 'Ihre Nummer ist XQ4492, Teil M 5 V.', 'Ihre Nummer ist X, Q, 4 4 9 2, Teil M, 5, V.'],
  ['nl-NL', 'Vak B 4, en vitamine C 2 keer.', 'Vak B, 4, en vitamine C, 2 keer.'],
  ['es-ES', 'Y 3 personas, fila K 7', 'Y 3 personas, fila K, 7'],
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
