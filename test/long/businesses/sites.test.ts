// Saved sites in seven languages: what must be found on each, and that nothing else is. The words of each source
// stand on the page that it names.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WEEKDAYS } from '../../../db/domain/hours/weekdays.ts';
import { useTenants } from '../../support/api/use-api.ts';
import { type ExpectedSite, type SavedSite, savedSites, serveSite } from '../../support/sites.ts';

const api = useTenants({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
const ZONES: Record<string, string> = {
  ...{ DE: 'Europe/Berlin', AT: 'Europe/Vienna', GB: 'Europe/London', IE: 'Europe/Dublin', FR: 'Europe/Paris' },
  ...{ BE: 'Europe/Brussels', ES: 'Europe/Madrid', IT: 'Europe/Rome', NL: 'Europe/Amsterdam', PT: 'Europe/Lisbon' },
  ...{ US: 'America/New_York', MX: 'America/Mexico_City', BR: 'America/Sao_Paulo' },
};

const dayOf = (short: string): number => WEEKDAYS.findIndex((day) => day.startsWith(short));

/** "mo-we 09:00-12:00 13:00-17:00" as one line a span. */
function spansOf(week: string): string[] {
  return week.split(', ').flatMap((part) => {
    const [days = '', ...spans] = part.split(' ');
    const [from, to = from] = days.split('-').map(dayOf);
    return WEEKDAYS.slice(from, (to ?? 0) + 1).flatMap((day) => spans.map((span) => `hours ${day} ${span}`));
  });
}

const expectedFacts = (site: ExpectedSite): string[] => [
  ...(
    ['language', 'country', 'currency', 'industry', 'name', 'description', 'phone', 'email', 'address'] as const
  ).flatMap((field) => (site[field] === undefined ? [] : [`${field} ${site[field]}`])),
  ...(site.hours === undefined ? [] : spansOf(site.hours)),
  ...(site.services ?? []).map((service) => `service ${service}`),
  ...(site.faqs ?? []).map((question) => `question ${question}`),
  ...(site.unread ?? []).map((line) => `unread ${line}`),
  ...(site.doubts ?? []).map((field) => `doubt ${field}`),
];

async function readFacts(site: SavedSite): Promise<string[]> {
  const { url, close } = await serveSite(site);
  after(close);
  const timezone = site.expected.timezone ?? ZONES[site.expected.country] ?? 'UTC';
  const answer = await api.tenant.ask('POST', '/businesses/read-site', { url, timezone });
  assert.equal(answer.status, 200, answer.text);
  const { language, country, industry, extracted, sources, doubts, unread, ...data } = answer.json.data;
  const currency = site.expected.currency === undefined ? null : data.currency;
  for (const source of [...sources, ...doubts, ...unread]) {
    const page = [...site.pages].find(([path]) => source.url === new URL(path, url).href)?.[1] ?? '';
    for (const word of source.text.match(/\p{L}{3,}|\d+/gu) ?? [])
      assert.ok(page.includes(word), `${site.name}: "${word}" of "${source.text}" is not on ${source.url}`);
  }
  const { hours = [], services = [], faqs = [], ...texts } = extracted;
  return [
    ...Object.entries({ language, country, currency, industry, ...texts }).flatMap(([field, value]) =>
      value === null ? [] : [`${field} ${value}`],
    ),
    ...hours.map(({ day, open, close }) => `hours ${day} ${open}-${close}`),
    ...services.map(({ name, duration, price }) => `service ${name} ${duration ?? 0} ${price ?? '-'}`),
    ...faqs.map(({ question }) => `question ${question}`),
    ...unread.map(({ text }) => `unread ${text}`),
    ...new Set(doubts.map(({ field }) => `doubt ${field}`)),
  ];
}

const rows: string[] = [];
after(() => process.stdout.write(`site, found of those there, invented\n${rows.join('\n')}\n`));

for (const site of savedSites())
  test(`${site.name}: what the pages say is found, and nothing else`, async () => {
    const expected = expectedFacts(site.expected);
    const found = await readFacts(site);
    const missed = expected.filter((fact) => !found.includes(fact));
    const invented = found.filter((fact) => !expected.includes(fact));
    rows.push(`${site.name}, ${expected.length - missed.length} of ${expected.length}, ${invented.length}`);
    assert.deepEqual(invented, [], 'nothing is invented');
    const missedFields = [...new Set(missed.map((fact) => fact.split(' ')[0]))];
    assert.deepEqual(missedFields, site.expected.missed ?? [], missed.join('\n'));
  });
