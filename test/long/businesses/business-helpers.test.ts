// The helpers: templates without a model, a fake of the model's API with one, pages with every kind of markup.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { extractBusiness } from '../../../api/businesses/website/extract.ts';
import { extractedOf } from '../../../api/businesses/website/facts.ts';
import { parsedHtml } from '../../../api/documents/reading/parsed-html.ts';
import { startApi, type TestApi } from '../../../bench/rig/api/api.ts';

const PAGE = `<!doctype html><html><head><title>Bright Dental | Home</title>
<meta name="description" content="Teeth since 1990">
<script type="application/ld+json">{ broken</script>
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
 {"@type":"WebSite","name":"Site"},
 {"@type":["Dentist","LocalBusiness"],"name":"Bright Dental LLC","telephone":"(415) 555-2671","email":"mailto:desk@example.com",
  "address":{"@type":"PostalAddress","streetAddress":"1 Main St","addressLocality":"San Francisco","postalCode":"94105","addressCountry":"US"},
  "openingHoursSpecification":[
   {"@type":"OpeningHoursSpecification","dayOfWeek":["https://schema.org/Tuesday","Monday"],"opens":"09:00","closes":"17:00:00"},
   {"@type":"OpeningHoursSpecification","dayOfWeek":"Friday","opens":"18:00","closes":"02:00"}],
  "hasOfferCatalog":{"@type":"OfferCatalog","itemListElement":[
   {"@type":"Offer","price":"99.50","itemOffered":{"@type":"Service","name":"Cleaning"}},
   {"@type":"Offer","itemOffered":{"@type":"Service","name":"Whitening"}}]}},
 {"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Parking?","acceptedAnswer":{"@type":"Answer","text":"<p>Behind <b>the house</b>.</p>"}}]}
]}</script></head><body><a href="tel:+14155550000">call</a></body></html>`;

const MICRODATA = `<div itemscope itemtype="https://schema.org/HairSalon"><h1 itemprop="name">Snip  Snip</h1>
<span itemprop="telephone">020 7946 0958</span>
<div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">2 High St</span>
<span itemprop="addressLocality">London</span><meta itemprop="addressCountry" content="GB"></div>
<time itemprop="openingHours" datetime="Mo-We 9:00-17:00, Sa 10:00-14:00">weekdays</time></div>`;

const extracted = (html: string, country?: string) => extractedOf(extractBusiness(parsedHtml(html), country).facts);

test('JSON-LD: the business among the nodes, its hours, services and questions', () => {
  assert.deepEqual(extracted(PAGE), {
    name: 'Bright Dental LLC',
    description: 'Teeth since 1990',
    address: '1 Main St, San Francisco, 94105, US',
    phone: '+14155552671',
    email: 'desk@example.com',
    hours: [
      { day: 'monday', open: '09:00', close: '17:00' },
      { day: 'tuesday', open: '09:00', close: '17:00' },
      { day: 'friday', open: '18:00', close: '02:00' },
    ],
    services: [
      { name: 'Cleaning', duration: null, price: 99.5 },
      { name: 'Whitening', duration: null, price: null },
    ],
    faqs: [{ question: 'Parking?', answer: 'Behind the house.' }],
  });
});

test('microdata, with numbers by the country of the address', () => {
  assert.deepEqual(extracted(MICRODATA, 'US'), {
    name: 'Snip Snip',
    address: '2 High St, London, GB',
    phone: '+442079460958',
    hours: [
      ...['monday', 'tuesday', 'wednesday'].map((day) => ({ day, open: '09:00', close: '17:00' })),
      { day: 'saturday', open: '10:00', close: '14:00' },
    ],
  });
});

test('meta elements and links, where there is no schema.org', () => {
  const html = `<title>Joe's Garage - Home</title><meta property="og:description" content="We fix cars">
    <a href="tel:555">x</a><a href="tel:415-555-2671">y</a><a href="mailto:joe%40example.com?subject=hi">mail</a>`;
  assert.deepEqual(extracted(html, 'US'), {
    name: "Joe's Garage",
    description: 'We fix cars',
    phone: '+14155552671',
    email: 'joe@example.com',
  });
});

test('pages that say nothing, or nonsense, give nothing and break nothing', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  for (const html of [
    '',
    '<html></html>',
    '\u0000\uffff',
    '<script type="application/ld+json">null</script>',
    `<script type="application/ld+json">${deep}</script>`,
    '<script type="application/ld+json">{"@type":"LocalBusiness","name":[],"telephone":{},"address":7,"openingHours":[null,{}],"openingHoursSpecification":"x"}</script>',
    `${'<div itemscope itemtype="x"><p itemprop="a" itemscope>'.repeat(300)}`,
  ]) {
    assert.deepEqual(extracted(html, 'US'), {}, html.slice(0, 60));
  }
});

let api: TestApi;
let web: Server;
let base: string;
/** The answer of the next chat completion. */
let modelAnswer: { status: number; content: string };
const asked: Array<{ model?: string }> = [];

async function start(llm: 'receptionist' | 'openai'): Promise<void> {
  await api?.close();
  api = await startApi({
    config: {
      webhookAllowPrivate: true,
      llm: llm === 'openai' ? { kind: 'openai', apiKey: 'k', baseUrl: `${base}/v1`, model: 'm' } : { kind: llm },
    },
  });
}

beforeEach(async () => {
  asked.length = 0;
  web = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/v1/chat/completions') {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        asked.push(JSON.parse(text));
        response.writeHead(modelAnswer.status, { 'content-type': 'application/json' });
        const message = { role: 'assistant', content: modelAnswer.content };
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
      });
      return;
    }
    const hops = /^\/hop\/(\d+)$/.exec(path);
    if (hops) {
      response.writeHead(302, { location: Number(hops[1]) === 0 ? '/page' : `/hop/${Number(hops[1]) - 1}` }).end();
    } else if (path === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else if (path === '/deep') response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(300_000));
    else if (path === '/image') response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  await start('receptionist');
});
afterEach(async () => {
  await api.close();
  await new Promise((resolve) => web.close(resolve));
});

const create = async (body: object = {}) =>
  (
    await api.tenant.ask('POST', '/businesses', {
      name: 'B',
      industry: 'Dental practice',
      timezone: 'America/New_York',
      ...body,
    })
  ).json.data;
type Helper = 'generate-services' | 'generate-faqs' | 'extract-from-url';
const help = <H extends Helper>(id: string, helper: H, body: object = {}) =>
  api.tenant.ask('POST', `/businesses/${id}/${helper}` as const, body);
const read = async (id: string) => (await api.tenant.ask('GET', `/businesses/${id}`)).json.data;

test('services and faqs of the industry are taken over when they are asked for, beside what was there', async () => {
  const own = { name: 'Filling', duration: 15, price: 1 };
  const business = await create({ services: [own], address: '1 Main St' });
  const answer = await help(business.id, 'generate-services', { apply: true });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.json.data.services.length >= 3);
  const { services } = answer.json.data.business;
  assert.deepEqual(services[0], own, 'what was there is not overwritten');
  assert.equal(services.filter((service) => service.name === 'Filling').length, 1);
  assert.ok(services.some((service) => /cleaning/i.test(service.name)));
  assert.ok(
    services.slice(1).every(({ price }) => price === null),
    'nobody has said a price',
  );
  assert.deepEqual((await read(business.id)).services, services);
  const faqs = await help(business.id, 'generate-faqs', { apply: true });
  assert.ok(faqs.json.data.faqs.some((faq) => faq.answer.includes('1 Main St')));
  assert.deepEqual((await read(business.id)).faqs, faqs.json.data.business.faqs);
  const log = (await api.tenant.ask('GET', `/businesses/${business.id}/audit-log`)).json.data;
  assert.deepEqual(
    log.map((entry) => entry.action),
    ['faqs-generated', 'services-generated', 'created'],
  );
  const again = await help(business.id, 'generate-services', { apply: true });
  assert.deepEqual(again.json.data.business.services, services, 'twice is as once');
});

test('what a template says changes nothing by itself', async () => {
  for (const body of [{}, { apply: false }])
    for (const industry of ['dental', 'Auto repair', 'Friseur', 'law firm']) {
      const business = await create({ industry });
      const services = await help(business.id, 'generate-services', body);
      assert.ok(services.json.data.services.length >= 3, industry);
      assert.deepEqual(services.json.data.business, business);
      assert.ok((await help(business.id, 'generate-faqs', body)).json.data.faqs.length >= 3);
      assert.deepEqual(await read(business.id), business);
    }
});

test('extraction fills what is empty and keeps what is there', async () => {
  const business = await create({ email: 'own@example.com' });
  const answer = await help(business.id, 'extract-from-url', { url: `${base}/hop/4` });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.data.extracted.name, 'Bright Dental LLC');
  const after = await read(business.id);
  assert.equal(after.name, 'B');
  assert.equal(after.email, 'own@example.com');
  assert.equal(after.phone, '+14155552671');
  assert.equal(after.hours.length, 3);
  assert.deepEqual(answer.json.data.business, after);
});

test('a page that cannot be had is 400, what is no URL 422', async () => {
  const { id } = await create();
  const status = async (url: unknown) => (await help(id, 'extract-from-url', { url })).status;
  assert.equal(await status(`${base}/missing`), 400);
  assert.equal(await status(`${base}/image`), 400);
  assert.equal(await status(`${base}/hop/9`), 400);
  assert.equal(await status(`${base}/deep`), 400, 'a page made to be slow');
  assert.equal(await status('http://127.0.0.1:1/'), 400);
  assert.equal(await status('ftp://example.com/'), 422);
  assert.equal(await status('no url'), 422);
  assert.equal(await status(7), 422);
  assert.equal((await help(id, 'extract-from-url')).status, 422);
});

test('private addresses are refused unless allowed', async () => {
  await api.close();
  api = await startApi();
  const { id } = await create();
  for (const url of [`${base}/page`, 'http://localhost/', 'http://[::1]/', 'http://169.254.169.254/latest']) {
    assert.equal((await help(id, 'extract-from-url', { url })).status, 400, url);
  }
});

test('with a model its answer is taken, as far as it is what it should be', async () => {
  await start('openai');
  const { id } = await create();
  modelAnswer = {
    status: 200,
    content: JSON.stringify({ services: [{ name: 'Veneers', duration: 90, price: 900 }, { name: 7 }, 'x'] }),
  };
  const services = await help(id, 'generate-services');
  assert.deepEqual(services.json.data.services, [{ name: 'Veneers', duration: 90, price: 900 }]);
  assert.equal(asked[0]?.model, 'm');
  assert.match(JSON.stringify(asked[0]), /currency[^A-Z]+USD/, 'prices in the currency of the business');
  modelAnswer = { status: 200, content: JSON.stringify({ faqs: [{ question: 'Q?', answer: 'A.' }] }) };
  assert.deepEqual((await help(id, 'generate-faqs')).json.data.faqs, [{ question: 'Q?', answer: 'A.' }]);
  modelAnswer = {
    status: 200,
    content: JSON.stringify({ description: 'From the model', phone: 'call us', hours: [{ day: 'noday' }] }),
  };
  const found = (await help(id, 'extract-from-url', { url: `${base}/page` })).json.data.extracted;
  assert.equal(found.description, 'Teeth since 1990', 'what the page says in schema.org comes first');
  assert.equal(found.phone, '+14155552671');
});

test('a model that fails or talks nonsense is 503', async () => {
  await start('openai');
  const { id } = await create();
  for (const answer of [
    { status: 500, content: '' },
    { status: 200, content: 'I would rather not.' },
    { status: 200, content: '{"services": []}' },
    { status: 200, content: '[]' },
  ]) {
    modelAnswer = answer;
    const response = await help(id, 'generate-services');
    assert.equal(response.status, 503, JSON.stringify(answer));
    assert.ok(Number(response.headers['retry-after']) > 0);
    assert.deepEqual((await read(id)).services, []);
  }
});
