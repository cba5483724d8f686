import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecoderPool } from '../../../models/stt/soundswallower/decoder-pool.ts';
import { buildGrammar } from '../../../models/stt/soundswallower/grammar.ts';
import { Lexicon } from '../../../models/stt/soundswallower/pronunciation.ts';
import { soundswallowerModelPath } from '../../../models/stt/soundswallower/soundswallower.ts';

const MINUTE_MS = 60_000;
const GRAMMAR = buildGrammar(
  { language: 'en-US', businessName: 'Acme', services: [], questions: [], phrases: [] },
  'yes-no',
  () => true,
);

test('decoders that a rush has left are let go after a minute, and six stay', async () => {
  const path = soundswallowerModelPath();
  const pool = new DecoderPool(path, new Lexicon(path, () => []));
  await pool.enter(GRAMMAR);
  await pool.warm(8);
  pool.letGo(performance.now() + MINUTE_MS / 2);
  assert.equal(pool.idle, 9, 'the rush may come back');
  pool.letGo(performance.now() + 2 * MINUTE_MS);
  assert.equal(pool.idle, 6);
  pool.close();
});

test('with ten calls there are six decoders before anybody has spoken, each with the grammar', async () => {
  const path = soundswallowerModelPath();
  const pool = new DecoderPool(path, new Lexicon(path, () => []));
  for (let call = 0; call < 10; call++) await pool.enter(GRAMMAR);
  while (pool.idle < 6) await new Promise((resolve) => setImmediate(resolve));
  const taken = Array.from({ length: 6 }, () => pool.take(GRAMMAR, null));
  assert.deepEqual(
    taken.map((decoder) => decoder?.grammarKey === GRAMMAR.key),
    new Array(6).fill(true),
  );
  assert.equal(pool.take(GRAMMAR, null), null);
  pool.close();
});

test('after ten minutes without a call no decoder is left, and the next call finds one', async () => {
  const path = soundswallowerModelPath();
  let collections = 0;
  const pool = new DecoderPool(path, new Lexicon(path, () => []), () => collections++);
  await pool.enter(GRAMMAR);
  pool.letGo(performance.now() + 20 * MINUTE_MS);
  assert.equal(pool.idle, 1, 'somebody is on the line');
  pool.leave();
  pool.letGo(performance.now() + 9 * MINUTE_MS);
  assert.deepEqual([pool.idle, collections], [1, 0], 'somebody may call again');
  pool.letGo(performance.now() + 11 * MINUTE_MS);
  assert.deepEqual([pool.idle, collections], [0, 1]);
  await Promise.all([pool.enter(GRAMMAR), pool.enter(GRAMMAR)]);
  assert.ok(pool.idle >= 1, 'two calls have a second one made, which may be there already');
  pool.close();
});

test('a decoder that is let go leaves no listener behind that would keep its memory', async () => {
  const path = soundswallowerModelPath();
  const listeners = () => process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection');
  const before = listeners();
  const pool = new DecoderPool(path, new Lexicon(path, () => []));
  await pool.warm(3);
  assert.equal(listeners(), before);
  pool.close();
});
