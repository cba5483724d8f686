import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecoderPool } from '../../../models/stt/soundswallower/decoder-pool.ts';
import { Lexicon } from '../../../models/stt/soundswallower/pronunciation.ts';
import { soundswallowerModelPath } from '../../../models/stt/soundswallower/soundswallower.ts';

const MINUTE_MS = 60_000;

test('decoders that a rush has left are let go after a minute, and six stay', async () => {
  const path = soundswallowerModelPath();
  const pool = new DecoderPool(path, new Lexicon(path, () => []));
  await pool.warm(9);
  pool.letGo(performance.now() + MINUTE_MS / 2);
  assert.equal(pool.idle, 9, 'the rush may come back');
  pool.letGo(performance.now() + 2 * MINUTE_MS);
  assert.equal(pool.idle, 6);
  pool.close();
});
