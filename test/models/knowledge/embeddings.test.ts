// A server of embeddings answers, and fails, in every way that servers do.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Embeddings, type EmbeddingsError } from '../../../models/knowledge/embeddings.ts';
import { type EmbeddingsAnswer, FakeEmbeddings } from '../../support/models/fake-embeddings.ts';

const server = await FakeEmbeddings.start();
after(() => server.stop());
const settings = { baseUrl: server.baseUrl, apiKey: 'key-of-the-test', model: 'small', dimensions: 32 };
const ask = (answer: EmbeddingsAnswer, withinMs = 5_000, dimensions = 32) => {
  server.script = [answer];
  return new Embeddings({ ...settings, dimensions }).of(['opening hours', 'legionella'], withinMs);
};
const fault = async (answer: EmbeddingsAnswer, withinMs?: number): Promise<EmbeddingsError> =>
  ask(answer, withinMs).then(
    () => assert.fail('it answered'),
    (error: EmbeddingsError) => error,
  );

test('each text has its vector, in whatever order the server answers', async () => {
  const [hours, germs] = await ask('backwards');
  assert.equal(hours?.[2], 127, 'the third number is of opening hours');
  assert.equal(germs?.[0], 127);
  assert.equal(hours?.length, 32);
  const asked = server.requests.at(-1);
  assert.deepEqual([asked?.model, asked?.dimensions, asked?.authorization], ['small', 32, 'Bearer key-of-the-test']);
});

test('a longer vector than asked for is cut, a shorter one is unusable', async () => {
  const longer = { status: 200, body: JSON.stringify({ data: [0, 1].map(() => ({ embedding: Array(64).fill(1) })) }) };
  assert.deepEqual(
    (await ask(longer)).map(({ length }) => length),
    [32, 32],
  );
  const shorter = { status: 200, body: JSON.stringify({ data: [0, 1].map(() => ({ embedding: [1, 2, 3] })) }) };
  const { code, message } = await fault(shorter);
  assert.equal(code, 'UNUSABLE');
  assert.match(message, /vectors of 3 numbers, fewer than EMBEDDINGS_DIMENSIONS \(32\)/);
});

test('an index is the place of one text, and of none twice', async () => {
  const withIndices = (...indices: unknown[]) => ({
    status: 200,
    body: JSON.stringify({ data: indices.map((index) => ({ index, embedding: Array(32).fill(1) })) }),
  });
  assert.equal((await ask(withIndices(1, 0))).length, 2);
  for (const index of [4_294_967_294, 2, -1, 0.5, '1', 0])
    assert.equal((await fault(withIndices(0, index))).code, 'UNUSABLE', String(index));
});

test('a server that wants fewer requests says when', async () => {
  const { code, retryAfterMs } = await fault({ status: 429, headers: { 'retry-after': '7' } });
  assert.deepEqual([code, retryAfterMs], ['RATE_LIMITED', 7_000]);
});

test('a server that refuses, is slow, answers nonsense or is not there', async () => {
  assert.equal((await fault({ status: 401 })).message, 'the server answered 401');
  assert.equal((await fault('hang', 50)).code, 'TIMEOUT');
  assert.equal((await fault({ status: 200, body: '<html>' })).code, 'UNUSABLE');
  assert.equal((await fault({ status: 200, body: '{"data":[]}' })).code, 'UNUSABLE');
  assert.equal((await fault({ status: 200, body: '{"data":[{"embedding":["x"]},{}]}' })).code, 'UNUSABLE');
  assert.equal((await fault({ status: 200, body: '{"data":[null,null]}' })).code, 'UNUSABLE');
  assert.equal((await fault({ status: 200, body: 'null' })).code, 'UNUSABLE');
  const nobody = new Embeddings({ ...settings, baseUrl: 'http://127.0.0.1:1/v1' });
  await assert.rejects(nobody.of(['x'], 5_000), { code: 'UNREACHABLE' });
});
