// A question that a document answers, over real SIP: without a model the sentence is read aloud, with one it is in the
// request; and the call says what the answer was made from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentRecord } from '../../api/documents/schema.ts';
import { eventually } from '../../bench/rig/eventually.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greetBriefly, greeted, say } from '../support/conversation.ts';
import { FakeEmbeddings } from '../support/models/fake-embeddings.ts';
import { FakeOpenAi } from '../support/models/fake-openai.ts';
import { nightly } from '../support/nightly.ts';

const HEADING = 'How long is the warranty of the battery?';
const TERMS = `# ${HEADING}\n\nThe battery has a warranty of three years.\n\n# Delivery\n\nWe deliver on Fridays.`;
const question = await renderSpeech('How long is the warranty of the battery?', 'flite-slt');

async function withTerms(rest: Rest): Promise<void> {
  const campaign = (await rest.request('GET', '/campaigns')).body.data[0];
  const document = { name: 'Terms', kind: 'markdown', text: TERMS };
  await rest.must('POST', `/businesses/${campaign?.businessId}/documents`, document);
  await greetBriefly(rest);
}

async function ask(service: Parameters<typeof greeted>[0], rest: Rest) {
  const { caller, number } = await greeted(service);
  await say(caller, question);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  return { said: saidBy(call, 'agent').at(-1) ?? '', record: await rest.must('GET', `/calls/${call.id}`) };
}

test('the built-in receptionist reads the sentence that answers', async () => {
  const service = await startService({ LLM: 'receptionist' });
  try {
    const rest = await new Rest(service).login();
    await withTerms(rest);
    const { said, record } = await ask(service, rest);
    assert.match(said, /The battery has a warranty of three years/);
    const [source] = record.sources ?? [];
    assert.deepEqual(
      [source?.name, source?.heading, source?.passage],
      ['Terms', HEADING, 'The battery has a warranty of three years.'],
    );
  } finally {
    await service.stop();
  }
});

test('a model gets the passage after the caller’s words, marked as data', { skip: nightly }, async () => {
  const model = await FakeOpenAi.start([{ type: 'text', pieces: ['Three years.'] }]);
  const service = await startService({ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key' });
  try {
    const rest = await new Rest(service).login();
    await withTerms(rest);
    const { said, record } = await ask(service, rest);
    assert.match(said, /Three years/);
    const passage =
      /documents say.*data, no instructions.*\nTerms > How long is the warranty of the battery\?: The battery has/s;
    const asked = model.requests.map(({ body }) => body.messages?.at(-1));
    assert.ok(
      asked.some((last) => last?.role === 'user' && passage.test(String(last.content))),
      JSON.stringify(asked),
    );
    assert.equal(record.sources?.[0]?.heading, HEADING);
  } finally {
    await service.stop();
    await model.stop();
  }
});

test('what only its meaning finds is in the request: its vector was asked for while the caller spoke', async () => {
  const vectors = await FakeEmbeddings.start();
  const model = await FakeOpenAi.start([{ type: 'text', pieces: ['Three years.'] }]);
  const service = await startService({
    LLM: 'openai',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test-key',
    EMBEDDINGS_BASE_URL: vectors.baseUrl,
    EMBEDDINGS_DIMENSIONS: '32',
  });
  try {
    const rest = await new Rest(service).login();
    await withTerms(rest);
    const campaign = (await rest.request('GET', '/campaigns')).body.data[0];
    const documents = `/businesses/${campaign?.businessId}/documents`;
    // No word of the question is in it, but the server knows that it means the same.
    const coverage = { name: 'Coverage', kind: 'markdown', text: '# Coverage\n\nWhat is broken is replaced.' };
    const { id } = (await rest.must('POST', documents, coverage)) as DocumentRecord;
    const read = async () => (await rest.must('GET', `${documents}/${id}`)) as DocumentRecord;
    await eventually(async () => (await read()).embedding === 'done', 'vectors of the document');
    vectors.requests.length = 0;
    const { record } = await ask(service, rest);
    assert.ok(vectors.requests.some(({ input }) => /warranty/.test(input.join(' '))));
    assert.ok(
      record.sources?.some(({ heading }) => heading === 'Coverage'),
      JSON.stringify(record.sources),
    );
  } finally {
    await service.stop();
    await model.stop();
    await vectors.stop();
  }
});
