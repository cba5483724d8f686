// The languages of an agent: what is kept, and what contradicts itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();

const create = (body: object = {}) =>
  api.tenant.ask('POST', '/agents', { name: 'Sally', voiceId: 'flite-slt', language: 'en-US', ...body });
const faults = async (body: object) => {
  const answer = await create(body);
  assert.equal(answer.status, 422, answer.text);
  return answer.json.errors?.map(({ field, message }) => `${field}: ${message}`);
};

const GERMAN = { language: 'de-DE', voiceId: 'flite-rms', digit: '2', keywords: ['Wurzelbehandlung'] };

test('each further language has a voice, a key and words of its own; the agent’s own has a key', async () => {
  const languages = [GERMAN, { language: 'en-US', digit: '1' }];
  const made = await create({ additionalLanguages: ['de-DE', 'es'], languages });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.json.data.languages, languages);
  const { id } = made.json.data;
  const changed = await api.tenant.ask('PATCH', `/agents/${id}`, { languages: [{ language: 'es', digit: '3' }] });
  assert.deepEqual(changed.json.data.languages, [{ language: 'es', digit: '3' }]);
  assert.deepEqual(changed.json.data.additionalLanguages, ['de-DE', 'es']);
  const read = await api.tenant.ask('GET', `/agents/${id}`);
  assert.deepEqual(read.json.data, changed.json.data);
});

test('faults name the field', async () => {
  assert.deepEqual(await faults({ additionalLanguages: ['de-DE', 'en-us'] }), [
    'additionalLanguages[1]: is the language of the agent itself',
  ]);
  assert.deepEqual(await faults({ additionalLanguages: ['de-DE', 'fr', 'DE-de'] }), [
    'additionalLanguages[2]: is listed twice',
  ]);
  assert.deepEqual(await faults({ languages: [GERMAN] }), [
    'languages[0].language: must be the language of the agent or one of additionalLanguages',
  ]);
  assert.deepEqual(await faults({ additionalLanguages: ['tr'], languages: [{ language: 'tr', digit: '2' }] }), [
    'languages[0].language: must be one of en, de, es, fr, it, pt, nl: there are no sentences in it',
  ]);
  assert.deepEqual(await faults({ additionalLanguages: ['en-GB'], languages: [{ language: 'en-GB' }] }), [
    'languages[0].language: is the language of the agent, en-US, in another region',
  ]);
  const both = { additionalLanguages: ['de-DE', 'fr'] };
  assert.deepEqual(await faults({ ...both, languages: [GERMAN, GERMAN] }), [
    'languages[1].language: is listed twice',
    'languages[1].digit: asks for another language already',
  ]);
  assert.deepEqual(await faults({ ...both, languages: [GERMAN, { language: 'fr', digit: '2' }] }), [
    'languages[1].digit: asks for another language already',
  ]);
  assert.deepEqual(await faults({ languages: [{ language: 'en-US', voiceId: 'flite-slt' }] }), [
    "languages[0].voiceId: is the agent's voiceId in its own language",
  ]);
  assert.deepEqual(await faults({ ...both, languages: [{ language: 'fr', voiceId: 'nobody' }] }), [
    'languages[0].voiceId: must be one of the voices of GET /voices',
  ]);
  for (const digit of ['12', '#', ''])
    assert.match(
      (await faults({ ...both, languages: [{ language: 'fr', digit }] }))?.[0] ?? '',
      /^languages\[0\].digit/,
    );
});

test('a change that leaves an entry without its language is refused; what was stored before may be sent back', async () => {
  const { id } = (await create({ additionalLanguages: ['de-DE'], languages: [GERMAN] })).json.data;
  const patch = (body: object) => api.tenant.ask('PATCH', `/agents/${id}`, body);
  const refused = await patch({ additionalLanguages: [] });
  assert.deepEqual(
    refused.json.errors?.map(({ field }) => field),
    ['languages[0].language'],
  );
  assert.equal((await patch({ additionalLanguages: [], languages: [] })).status, 200);
  // An earlier release took it.
  await api.context.db.updateTable('agents').set({ additionalLanguages: '["en-US"]' }).where('id', '=', id).execute();
  assert.equal((await patch({ name: 'Sam', additionalLanguages: ['en-US'], language: 'en-US' })).status, 200);
  assert.equal((await patch({ additionalLanguages: ['en-US', 'fr'] })).status, 422);
});
