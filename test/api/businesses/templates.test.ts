// Proposals of the helpers without a model: found by whole words in seven languages, without a price or a promise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateFaqs, templateServices } from '../../../api/businesses/templates/by-industry.ts';
import type { BusinessTable } from '../../../db/schema/businesses.ts';

const business = (changes: Partial<BusinessTable>): BusinessTable =>
  ({
    industry: 'other',
    name: 'B',
    description: null,
    phone: null,
    timezone: 'America/New_York',
    hours: '[]',
    services: '[]',
    address: null,
    email: null,
    ...changes,
  }) as BusinessTable;
const first = (industry: string, changes: Partial<BusinessTable> = {}): string | undefined =>
  templateServices(business({ industry, ...changes }))[0]?.name;

const FOUND: Array<[industry: string, service: string]> = [
  ['Dental practice', 'Check-up and cleaning'],
  ['Auto repair', 'Oil change'],
  ['hair salon', 'Haircut'],
  ['Nail bar', 'Haircut'],
  ['Law Firm', 'First consultation'],
  ['Zahnarzt', 'Kontrolle und Zahnreinigung'],
  ['Zahnarztpraxis', 'Kontrolle und Zahnreinigung'],
  ['Friseur', 'Haarschnitt'],
  ['Tierärztin', 'Untersuchung'],
  ['Coiffeur', 'Coupe'],
  ['Médecin généraliste', 'Consultation'],
  ['Peluquería', 'Corte de pelo'],
  ['Parrucchiere', 'Taglio'],
  ['Tandartspraktijk', 'Controle en gebitsreiniging'],
  ['Advogado', 'Primeira consulta'],
  ['Spanish school', 'Trial lesson'],
];
for (const [industry, service] of FOUND) test(`${industry} is known`, () => assert.equal(first(industry), service));

for (const industry of [
  'Floral design',
  'Home care',
  'Carpet cleaning',
  'Lawn care',
  'Childcare',
  'Attire',
  'Coworking space',
  'Barrel makers',
  'bakery',
  'Garage doors',
])
  test(`${industry} is nothing that a word is inside of`, () => assert.equal(first(industry), undefined));

test('a word of several languages is answered in the language of the number, else of the time zone', () => {
  assert.equal(first('Restaurant', { phone: '+493055501234' }), 'Tischreservierung');
  assert.equal(first('Restaurant', { timezone: 'Europe/Paris' }), 'Réservation de table');
  assert.equal(first('Restaurant'), 'Table reservation');
});

test('no service has a price, and no answer says what only the business knows', () => {
  for (const [industry] of FOUND) {
    const services = templateServices(business({ industry }));
    assert.ok(services.length >= 2 && services.every(({ price }) => price === null), industry);
    const answers = new Set(templateFaqs(business({ industry })).map(({ answer }) => answer));
    assert.equal(answers.size, 1, `${industry}: ${[...answers].join(' / ')}`);
  }
});

test('questions are answered from the record, in the language of the industry', () => {
  const hours = JSON.stringify([{ day: 'monday', open: '09:00', close: '17:00' }]);
  const faqs = templateFaqs(business({ industry: 'Friseur', hours, address: 'Hauptstraße 1', email: 'a@b.de' }));
  assert.deepEqual(
    faqs.slice(0, 3).map(({ answer }) => answer),
    [
      'Wir haben geöffnet: Montag 09:00 bis 17:00.',
      'Sie finden uns hier: Hauptstraße 1.',
      'Schreiben Sie uns an a@b.de.',
    ],
  );
  assert.ok(templateFaqs(business({ industry: 'bakery' })).length >= 3);
});
