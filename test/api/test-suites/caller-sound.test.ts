// A caller's sound is cut out of a recording without the rest of it being read.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { ApiError } from '../../../api/frame/errors.ts';
import { openCallerSound } from '../../../api/test-suites/caller-sound.ts';
import { encodeWav, wavHeader } from '../../../media/wav.ts';

const RATE_HZ = 8_000;
const BLOCK_BYTES = 4;
const quiet = { log: { warn: () => undefined } } as never;

/** A recording of which these bytes are there, and the rest is silence: nobody could have it in memory. */
function recording(there: Buffer, bytes = there.length) {
  const asked: number[] = [];
  return {
    asked,
    ...{ bytes, contentType: 'audio/wav' as const, modifiedAt: new Date(0) },
    open: async (range: { first: number; last: number } | null) => {
      assert.ok(range !== null, 'all of it was asked for');
      const { first, last } = range;
      assert.ok(last < bytes, 'behind the end');
      asked.push(last - first + 1);
      const part = Buffer.alloc(last - first + 1);
      if (first < there.length) there.copy(part, 0, first, last + 1);
      return Readable.from([part]);
    },
  };
}

test('a sentence after a day is cut out of three thousand million bytes', async () => {
  const dataBytes = 3_500_000_000 - (3_500_000_000 % BLOCK_BYTES);
  const of = recording(wavHeader({ channels: 2, sampleRateHz: RATE_HZ }, dataBytes), dataBytes + 44);
  const sound = await openCallerSound(quiet, of);
  const dayMs = 30 * 60 * 60_000;
  const samples = await sound?.cut({ fromMs: dayMs, toMs: dayMs + 2_000 });
  assert.equal(samples?.length, 2 * RATE_HZ);
  assert.deepEqual(of.asked, [4_096, 2 * RATE_HZ * BLOCK_BYTES]);
});

test('of one sentence a minute is cut, of what is behind the end nothing', async () => {
  const stereo = Int16Array.from({ length: 90 * RATE_HZ * 2 }, (_, n) => (n % 2 === 0 ? 7 : 9));
  const sound = await openCallerSound(quiet, recording(encodeWav({ channels: 2, sampleRateHz: RATE_HZ }, stereo)));
  const samples = await sound?.cut({ fromMs: 10_000, toMs: 85_000 });
  assert.equal(samples?.length, 60 * RATE_HZ);
  assert.deepEqual([...new Set(samples)], [7]);
  assert.equal((await sound?.cut({ fromMs: 89_000, toMs: 95_000 }))?.length, RATE_HZ);
  assert.equal((await sound?.cut({ fromMs: 100_000, toMs: 101_000 }))?.length, 0);
});

test('one channel is nobody’s, and what is no recording is refused', async () => {
  const mono = encodeWav({ channels: 1, sampleRateHz: RATE_HZ }, new Int16Array(RATE_HZ));
  assert.equal(await openCallerSound(quiet, recording(mono)), null);
  for (const bytes of [Buffer.alloc(0), Buffer.from('no recording')])
    await assert.rejects(
      openCallerSound(quiet, recording(bytes)),
      (error: ApiError) => error.code === 'VALIDATION_FAILED',
    );
});
