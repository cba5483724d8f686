// Callers' words for codes, parts' numbers and names, as recognisers write them, find what documents write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexOlderDocuments } from '../../../api/documents/reindex.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

const MANUAL = `# Circulation pump WP-4417-B

It costs 238 euros.

# Circulation pump WP-4471-C

It costs 212 euros.

# E201 flow is too low

Open the valves.

# Service partners

The adviser for fitters is Ingrid Thorvaldsen. Complaints go to Mr Szymański.

# Gateway Brygga

It connects the pump with the internet.

# Switching on

Turn the main switch to I.`;

const PRAXIS = `# Zahnreinigung

Die professionelle Reinigung der Zähne dauert 60 Minuten und ist für Patienten, die im Jahr zweimal kommen.

# Ziffern

Nach GOZ 2197 wird die adhäsive Befestigung berechnet, nach Ä5004 die Panoramaaufnahme.

# Termine

Die Absage ist bis zum Tag vorher kostenlos. Frau Wieczorek nimmt sie an.`;

async function business(text: string): Promise<string> {
  const path = `/businesses/${(await setUpCampaign(api, api.tenant)).business.id}/documents`;
  await api.tenant.ask('POST', path, { name: 'Manual', kind: 'markdown', text });
  return path;
}

const first = async (path: string, question: string): Promise<string | undefined> =>
  ((await api.tenant.ask('POST', `${path}/search`, { question })).json.data as Array<{ heading: string }>)[0]?.heading;

async function finds(path: string, expected: ReadonlyArray<readonly [question: string, heading: string]>) {
  for (const [question, heading] of expected) assert.equal(await first(path, question), heading, question);
}

test('a part’s number is found however its letters and digits are said', async () => {
  await finds(await business(MANUAL), [
    ['how much is the w p forty four seventeen b', 'Circulation pump WP-4417-B'],
    ['WP 4417 B', 'Circulation pump WP-4417-B'],
    ['do you have the double u p four four seven one c', 'Circulation pump WP-4471-C'],
    ['wp4471c please', 'Circulation pump WP-4471-C'],
    ['it shows e two oh one', 'E201 flow is too low'],
    ['error E 201', 'E201 flow is too low'],
  ]);
});

test('a number that was misheard finds the likest', async () => {
  await finds(await business(MANUAL), [['the w p forty four seventeen d', 'Circulation pump WP-4417-B']]);
});

test('a name is found as it sounds', async () => {
  await finds(await business(MANUAL), [
    ['can i speak to mister shimanski', 'Service partners'],
    ['ingrid torvaldson please', 'Service partners'],
    ['the brigga box', 'Gateway Brygga'],
  ]);
});

test('German numbers, endings and compounds', async () => {
  await finds(await business(PRAXIS), [
    ['was ist goz einundzwanzig siebenundneunzig', 'Ziffern'],
    ['was bedeutet g o z zwei eins neun sieben', 'Ziffern'],
    ['wofür ist ä fünftausendvier', 'Ziffern'],
    ['ich möchte die zähne reinigen lassen', 'Zahnreinigung'],
    ['ich muss absagen', 'Termine'],
    ['ist frau viezorek da', 'Termine'],
  ]);
});

test('what is common in other businesses is looked for in this one', async () => {
  const path = await business(MANUAL);
  const { business: elsewhere } = await setUpCampaign(api, api.other);
  const text = Array.from({ length: 900 }, (_, at) => `# Switch ${at}\n\nA main switch is shut.`).join('\n\n');
  await api.other.ask('POST', `/businesses/${elsewhere.id}/documents`, { name: 'Switches', kind: 'markdown', text });
  await finds(path, [['where is the switch', 'Switching on']]);
});

test('a name stays as long as one document has it', async () => {
  const path = await business(MANUAL);
  const copy = await api.tenant.ask('POST', path, { name: 'Copy', kind: 'markdown', text: MANUAL });
  const { id } = copy.json.data as { id: string };
  await api.tenant.ask('DELETE', `${path}/${id}`);
  await finds(path, [['the brigga box', 'Gateway Brygga']]);
});

test('documents of an earlier release are indexed again', async () => {
  const path = await business(MANUAL);
  const { db } = api.context;
  const [document] = (await api.tenant.ask('GET', path)).json.data as Array<{ id: string }>;
  const of = { accountId: api.tenant.accountId, documentId: String(document?.id) };
  // As the migration leaves them: without terms, so nothing is in the index.
  const texts = await db.selectFrom('passages').selectAll().where('documentId', '=', of.documentId).execute();
  await db.deleteFrom('passages').where('documentId', '=', of.documentId).execute();
  await db
    .insertInto('passages')
    .values(texts.map((text) => ({ ...text, mark: '', headingTerms: '', bodyTerms: '' })))
    .execute();
  await db.deleteFrom('knowledgeNames').where('accountId', '=', of.accountId).execute();
  await db.deleteFrom('documentNames').where('documentId', '=', of.documentId).execute();
  await db.updateTable('documents').set({ indexVersion: 0 }).where('id', '=', of.documentId).execute();
  assert.equal(await first(path, 'where is the switch'), undefined);
  while (await indexOlderDocuments(api.context));
  await finds(path, [
    ['where is the switch', 'Switching on'],
    ['the brigga box', 'Gateway Brygga'],
  ]);
});
