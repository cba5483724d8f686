// A business from its website: the pages that its menu names, and hours and prices as people write them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { readHours } from '../../../../../api/businesses/website/hours-text.ts';
import { pricesBelowHeadings, readPrices } from '../../../../../api/businesses/website/prices-text.ts';
import { readQuestions } from '../../../../../api/businesses/website/questions.ts';
import { parsedHtml } from '../../../../../api/documents/reading/parsed-html.ts';
import { useTenants } from '../../../../support/api/use-api.ts';
import { pdf } from '../../../../support/document-files.ts';

const api = useTenants({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
const asked: string[] = [];
const PAGES: Record<string, string | Buffer> = {
  '/': `<title>Salon Schmidt | Willkommen</title><nav><a href="/">Start</a> <a href="/kontakt.html">Kontakt</a>
    <a href="/zeiten">Öffnungszeiten</a><a href="/preise#damen">Unsere Arbeit</a><a href="/preise">Preise</a>
    <a href="/kontakt-2">Kontakt</a><a href="http://198.51.100.7/kontakt">Anfahrt</a></nav><p>Friseur in Berlin</p>`,
  '/kontakt.html':
    '<title>Kontakt</title><a href="tel:+493055501234">Anrufen</a><a href="mailto:hallo@salon.example">M</a>',
  '/zeiten':
    '<h1>Zeiten</h1><table><tr><td>Mo - Fr</td><td>9:00 - 18:30 Uhr</td></tr><tr><td>Samstag</td><td>10-14 Uhr</td></tr></table>',
  '/preise': '<ul><li>Haarschnitt (30 Min.) ... 25,00 €</li><li>Färben ab 60 €</li><li>Gewonnen 2024</li></ul>',
};
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const page = PAGES[request.url ?? ''];
  const type = typeof page === 'string' ? 'text/html; charset=utf-8' : 'application/pdf';
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': type }).end(page);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());

async function extracted(path: string) {
  const body = { name: 'Salon', industry: 'Friseur', timezone: 'Europe/Berlin' };
  const { id } = (await api.tenant.ask('POST', '/businesses', body)).json.data;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const answer = await api.tenant.ask('POST', `/businesses/${id}/extract-from-url`, { url, apply: false });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data.extracted;
}

test('contact, hours and prices come from the pages that the menu names', async () => {
  const found = await extracted('/');
  assert.equal(found.name, 'Salon Schmidt');
  assert.equal(found.phone, '+493055501234');
  assert.equal(found.email, 'hallo@salon.example');
  assert.deepEqual(found.hours?.at(0), { day: 'monday', open: '09:00', close: '18:30' });
  assert.deepEqual(found.hours?.at(-1), { day: 'saturday', open: '10:00', close: '14:00' });
  assert.equal(found.hours?.length, 6);
  assert.deepEqual(found.services, [
    { name: 'Haarschnitt', duration: 30, price: 25 },
    { name: 'Färben', duration: null, price: null },
  ]);
  assert.deepEqual(asked.toSorted(), ['/', '/kontakt.html', '/preise', '/zeiten'], 'one of each, no other host');
});

test('a page of the menu that is missing does not spoil the others', async () => {
  const { '/zeiten': hours, ...others } = PAGES;
  delete PAGES['/zeiten'];
  try {
    const found = await extracted('/');
    assert.equal(found.hours, undefined);
    assert.equal(found.phone, '+493055501234');
  } finally {
    Object.assign(PAGES, others, { '/zeiten': hours });
  }
});

test('prices are read from a PDF, whether the menu links it or the page of prices', async () => {
  const list = pdf([
    [
      { text: 'Speisekarte', size: 24 },
      { text: 'Pizza Margherita ..... 9,50 EUR' },
      { text: 'Tiramisu ..... 5,20 EUR' },
    ],
  ]);
  const menu = [
    { name: 'Pizza Margherita', duration: null, price: 9.5 },
    { name: 'Tiramisu', duration: null, price: 5.2 },
  ];
  Object.assign(PAGES, {
    '/linked': '<title>Da Gino</title><a href="/karte.pdf">Speisekarte (PDF, 1,2 MB)</a>',
    '/behind': '<title>Da Gino</title><a href="/karte">Speisekarte</a>',
    '/karte': '<p>Unsere Karte ist da.</p><a href="/anfahrt.html">Anfahrt</a><a href="/karte.pdf">Herunterladen</a>',
    '/karte.pdf': list,
    '/broken': '<title>Da Gino</title><a href="/kaputt.pdf">Speisekarte</a>',
    '/kaputt.pdf': list.subarray(0, 300),
  });
  assert.deepEqual((await extracted('/linked')).services, menu);
  assert.deepEqual((await extracted('/behind')).services, menu);
  const broken = await extracted('/broken');
  assert.deepEqual([broken.name, broken.services], ['Da Gino', undefined]);
});

const week = (text: string): string =>
  readHours(text)
    .hours.map(({ value: { day, open, close } }) => `${day.slice(0, 2)} ${open}-${close}`)
    .join(', ');

test('hours are read as they are written in seven languages', () => {
  const [MO_TU, TU] = ['mo 09:00-17:00, tu 09:00-17:00', 'tu 09:00-12:00, tu 14:00-18:00'];
  for (const [text, expected] of [
    ['Monday to Tuesday: 9 am - 5 pm', MO_TU],
    ['Mon, Tue 9:00-17:00, Sunday closed', MO_TU],
    ['Montag bis Dienstag von 9 bis 17 Uhr', MO_TU],
    ['Di 9-12 und 14-18 Uhr', TU],
    ['lundi au mardi de 9h00 à 17h00, fermé le dimanche', MO_TU],
    ['mardi 9h00-12h00 et 14h00-18h00', TU],
    ['lunes a martes de 9:00 a 17:00', MO_TU],
    ['lunedì e martedì 9.00 - 17.00', MO_TU],
    ['maandag t/m dinsdag 9.00 tot 17.00 uur', MO_TU],
    ['segunda a terça das 9:00 às 17:00', MO_TU],
    ['terça-feira 9:00-12:00, 14:00-18:00', TU],
    ['Monday\n9:00 - 17:00\nTuesday\n9:00 - 17:00', MO_TU],
    ['Lunedì e martedì dalle 9 alle 17, mercoledì chiuso', MO_TU],
    ['Lun-mer 9-17. Chiuso il mercoledì.', MO_TU],
    ['Lundi et mardi, midi et soir : 9h - 17h', MO_TU],
    ['Open between 9 and 5 pm on nothing, Monday and Tuesday between 9 am and 5 pm', MO_TU],
  ] as const)
    assert.equal(week(text), expected, text);
});

test('"9-5" ends in the afternoon where nothing is of the clock of 24 hours', () => {
  const [NINE, SPLIT] = ['mo 09:00-17:00, tu 09:00-17:00', 'tu 09:00-13:00, tu 14:00-18:00'];
  for (const [text, expected] of [
    ['Monday to Tuesday 9-5', NINE],
    ['Mon-Tue: 9:00 - 5:00', NINE],
    ['Mon-Tue 9 to 5', NINE],
    ['Montag und Dienstag von 9 bis 5', NINE],
    ['lunes a martes de 9 a 5', NINE],
    ['lunedì e martedì dalle 9 alle 5', NINE],
    ['maandag en dinsdag van 9 tot 5', NINE],
    ['segunda a terça das 9 às 5', NINE],
    ['Tuesday 9-1, 2-6', SPLIT],
    ['martes de 9 a 1 y de 2 a 6', SPLIT],
    ['Tue 12-2', 'tu 12:00-14:00'],
    ['Tue 9-12:30', 'tu 09:00-12:30'],
    ['Tue 11 am - 2 am', 'tu 11:00-02:00'],
  ] as const)
    assert.equal(week(text), expected, text);
  for (const [text, expected] of [
    ['Mo 11-23, Di 11-3', 'mo 11:00-23:00, tu 11:00-03:00'],
    ['Di 18-2 Uhr', 'tu 18:00-02:00'],
    ['mardi 11h-2h', 'tu 11:00-02:00'],
    ['martedì dalle 8 alle 2 ore', 'tu 08:00-02:00'],
    ['Tue 09:00-02:00', 'tu 09:00-02:00'],
    // Twenty hours: who knows.
    ['Di 9-5 Uhr', ''],
    ['Mo 9-18, Di 9-5', 'mo 09:00-18:00'],
  ] as const)
    assert.equal(week(text), expected, text);
});

test('numbers that are no hours give none', () => {
  for (const text of [
    'Mo-Fr 030 5550103',
    'We have been here since 1998, on Monday of each week',
    'Sa 25 Personen, 3 Räume',
    'Open 9-17',
    'Friday 13',
  ])
    assert.equal(week(text), '', text);
});

test('prices need a name and a currency', () => {
  const text = 'Haircut | 45 min | £30\nMassage: 60 € \nfrom 20 €\nColour from £50\nRoom 12\nCorte 15,50 EUR\n25 €';
  assert.deepEqual(
    readPrices(text).map(({ value }) => value),
    [
      { name: 'Haircut', duration: 45, price: 30 },
      { name: 'Massage', duration: null, price: 60 },
      { name: 'Colour', duration: null, price: null },
      { name: 'Corte', duration: null, price: 15.5 },
    ],
  );
});

/** Names with their minutes and prices, - for none. */
const services = (text: string): string[] =>
  readPrices(text, () => true).map(
    ({ value: { name, duration, price } }) => `${name} ${duration ?? '-'} ${price ?? '-'}`,
  );

test('thousands of a price stay with it, and figures that can be read in two ways give no price', () => {
  for (const [line, expected] of [
    ['Strähnen 1.250,00 €', 'Strähnen - 1250'],
    ['Strähnen 1.250 €', 'Strähnen - 1250'],
    ['Wedding £1,250.00', 'Wedding - 1250'],
    ['Wedding £12,500', 'Wedding - 12500'],
    ['Mariage 1 250,00 €', 'Mariage - 1250'],
    ['Mariage ..... 1\u00a0250 €', 'Mariage - 1250'],
    ["Hochzeit CHF 1'250.–", 'Hochzeit - 1250'],
    ["Hochzeit 1'250.–", 'Hochzeit - 1250'],
    ['Kurs 2024 120 €', 'Kurs 2024 - 120'],
    ['Kleine beurt € 45,-', 'Kleine beurt - 45'],
    ['Tea £2.5', 'Tea - 2.5'],
    ['Room 2 150 €', 'Room - -'],
    ['Strähnen 1.2500,00 €', 'Strähnen - -'],
  ] as const)
    assert.deepEqual(services(line), [expected], line);
});

test('a range and a lowest price are no price, and the name is without them', () => {
  for (const [line, expected] of [
    ['Cut £18–£30', 'Cut - -'],
    ['Cut £18-30', 'Cut - -'],
    ['Cut: between £18 and £30', 'Cut - -'],
    ['Hochzeitsfrisur 80 - 120 €', 'Hochzeitsfrisur - -'],
    ['Hochzeitsfrisur | von 80 bis 120 €', 'Hochzeitsfrisur - -'],
    ['Mariage : de 1 080 à 1 120 €', 'Mariage - -'],
    ['Peinado 80 a 120 €', 'Peinado - -'],
    ['Haircut from £12', 'Haircut - -'],
    ['Haircut £12+', 'Haircut - -'],
    ['Farbe ab 60 €', 'Farbe - -'],
    ['Color desde 60 €', 'Color - -'],
    ['Couleur à partir de 60 €', 'Couleur - -'],
    ['Couleur dès 60 €', 'Couleur - -'],
    ['Colore da 60 €', 'Colore - -'],
    ['Kleuren: vanaf € 45,00', 'Kleuren - -'],
    ['Cor a partir de 60 €', 'Cor - -'],
    ['Level 1 - 80 €', 'Level 1 - 80'],
    ['Haircut – 25 €', 'Haircut - 25'],
  ] as const)
    assert.deepEqual(services(line), [expected], line);
});

test('a duration is read as it is written in seven languages, and is not in the name', () => {
  for (const [line, expected] of [
    ['Colour (2 hours) £60', 'Colour 120 60'],
    ['Colour 1 hour 30 minutes £60', 'Colour 90 60'],
    ['Haircut £30 (45 min)', 'Haircut 45 30'],
    ['Färben 1 Std. 60 €', 'Färben 60 60'],
    ['Färben, 1,5 Stunden: 60 €', 'Färben 90 60'],
    ['Färben (ca. 2 Std. 15 Min.) 60 €', 'Färben 135 60'],
    ['Massage 1 h 30 – 75 €', 'Massage 90 75'],
    ['Massage 1h30 75 €', 'Massage 90 75'],
    ['Massage 1 h 30 €', 'Massage 60 30'],
    ["Massage 90' 75 €", 'Massage 90 75'],
    ['Massage | 1 heure | 75 €', 'Massage 60 75'],
    ['Masaje 2 horas 75 €', 'Masaje 120 75'],
    ['Massaggio 1 ora 75 €', 'Massaggio 60 75'],
    ['Massaggio 2 ore 75 €', 'Massaggio 120 75'],
    ['Massage 1,5 uur € 75', 'Massage 90 75'],
    ['Massagem 45 minutos R$ 75', 'Massagem 45 75'],
    ['Massage 30/60 min 75 €', 'Massage - 75'],
    ['Massage 30 - 45 min: 75 €', 'Massage - 75'],
    ['Room 24 h 75 €', 'Room 24 h - 75'],
    ["Strähnen CHF 1'250.–", 'Strähnen - 1250'],
  ] as const)
    assert.deepEqual(services(line), [expected], line);
});

test('an answer ends where the next thing begins', () => {
  for (const [html, expected] of [
    ['<p>Yes, in the yard.</p><p>We are a family of bakers.</p>', 'Yes, in the yard.'],
    ['<p>Yes:</p><ul><li>in the yard</li><li>in Mill Lane</li></ul><p>Come soon!</p>', 'Yes: in the yard in Mill Lane'],
    ['<p>Yes, in the yard.</p><p>Tel. 020 7946 0123</p>', 'Yes, in the yard.'],
    ['<p>Call us: 020 7946 0123</p><p>Mill Lane</p>', 'Call us: 020 7946 0123'],
    ['<div><p>Yes.</p><p>In the yard.</p><p>a@bakers.example</p><p>Mill Lane</p></div>', 'Yes. In the yard.'],
    ['<p>Yes.</p><h4>Opening hours</h4><p>9 to 5</p>', 'Yes.'],
  ] as const)
    assert.deepEqual(
      readQuestions(parsedHtml(`<h3>Can I park at your shop?</h3>${html}`)).map(({ value }) =>
        value.answer.replace(/(?<=yard|Lane)(?=in )/, ' '),
      ),
      [expected],
      html,
    );
  const details = '<details><summary>Can I park there?</summary><p>Yes.</p><p>In the yard.</p></details>';
  assert.equal(readQuestions(parsedHtml(details))[0]?.value.answer, 'Yes. In the yard.');
});

test('prices of a page of all things are those below a heading that says so', () => {
  for (const heading of [
    'Preise',
    'Unsere Preise',
    'Our prices',
    'Precios',
    'Nos tarifs',
    'Listino',
    'Prijzen',
    'Preços',
  ])
    assert.deepEqual(
      services(
        pricesBelowHeadings(
          `# Salon\nVoucher: 5 €\n## ${heading}\nLines\n### Cuts\nCut: 25 €\n## About us\nRent: 900 €`,
        ),
      ),
      ['Cut - 25'],
      heading,
    );
  for (const text of [
    '## Preise\n1. Preis: 500 €\n2. Preis: 100 €',
    '## Prices\n1st prize: £500',
    '## Leistungen\nSpenden: 20 €',
    '## Tarifs\nDons: 20 €',
    '## News\nCut: 25 €',
    'Prices\nCut: 25 €',
  ])
    assert.deepEqual(services(pricesBelowHeadings(text)), [], text);
});
