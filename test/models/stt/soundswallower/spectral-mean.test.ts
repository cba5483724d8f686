// The mean that is taken from the beginning of an utterance, as the library is told it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setMean } from '../../../../models/stt/soundswallower/spectral-mean.ts';

const BANDS = 20;

/** The mean for frames of these levels, each the same in all bands. */
function meanFor(levels: readonly number[]): number[] {
  let told = '';
  const decoder = {
    cdecoder: 1,
    cacmod: 2,
    spectrogram: () => ({
      data: Float32Array.from(levels.flatMap((level) => new Array<number>(BANDS).fill(level))),
      nfr: levels.length,
      nfeat: BANDS,
    }),
    set_config: (key: string, value: string | number) => {
      assert.equal(key, 'cmninit');
      told = String(value);
      return true;
    },
  };
  const library = { _decoder_init_fe: () => 3, _decoder_init_feat_s3file: () => 4, _acmod_reinit_feat: () => 0 };
  setMean(library, decoder, new Float32Array(0));
  return told.split(',').map(Number);
}

test('a voice that is 20 dB softer has a mean that is 20 dB lower, and no other sound', () => {
  const [level = 0, ...sound] = meanFor([8, 12, 14]);
  const [softer = 0, ...softSound] = meanFor([8, 12, 14].map((each) => each - Math.log(100)));
  assert.ok(Math.abs(level - softer - Math.log(100) * Math.sqrt(BANDS)) < 0.01, `${level}, ${softer}`);
  assert.deepEqual(softSound, sound);
});

test('without any sound it is that of telephones', () => {
  assert.equal(meanFor([])[0], 58.1);
});
