// The mean that the decoder subtracts from a caller's spectrum, so that line and level do not matter. The library takes
// it from what the same decoder heard before, which was another call, and begins with one that fits no telephone: with
// noise 30 dB under the voice it heard 38 of 60 phrases by that one, and 56 by the mean of the others. Here it is that
// of the utterance's own beginning, by half: the other half is that of speech on telephones, since half a second has
// few sounds.
import type { NativeLibrary } from './native-automaton.ts';

type FrontEndLibrary = Pick<NativeLibrary, '_decoder_init_fe' | '_decoder_init_feat_s3file' | '_acmod_reinit_feat'>;

/** The part of a decoder that makes features of sound. */
export interface NativeFrontEnd {
  /** Logarithms of the energy in each band of each frame. */
  spectrogram(pcm: Float32Array): { data: Float32Array; nfr: number; nfeat: number };
  set_config(key: string, value: string | number): boolean;
  readonly cdecoder: number;
  /** The acoustic model of the decoder. */
  readonly cacmod: number;
}

/** The model's features (feat_params.json). */
const CEPSTRA = 13;
const LIFTER = 22;
/** The mean of speech on telephones, with what the removal of noise adds to a mean. The first is the level. */
const OF_TELEPHONES = [58.1, -4.9, 5.3, 0.2, -1.5, -1.6, 2.3, 3.4, 2.5, 2.4, 1.6, 1.4, 2.5] as const;
/** That level, under the loudest frame of a caller's beginning: a soft voice is measured as a soft one. */
const UNDER_LOUDEST = 8.5;

/** Of an utterance that is about to start. @param beginning samples at full scale 1 */
export function setMean(library: FrontEndLibrary, decoder: NativeFrontEnd, beginning: Float32Array): void {
  const { data, nfr: frames, nfeat: bands } = decoder.spectrogram(beginning);
  const mean = frames === 0 ? OF_TELEPHONES : meanOf(data, frames, bands);
  decoder.set_config('cmninit', mean.map((value) => value.toFixed(3)).join(','));
  const frontEnd = library._decoder_init_fe(decoder.cdecoder);
  const features = library._decoder_init_feat_s3file(decoder.cdecoder, 0);
  if (library._acmod_reinit_feat(decoder.cacmod, frontEnd, features) < 0) throw new Error('the decoder takes no mean');
}

function meanOf(spectra: Float32Array, frames: number, bands: number): number[] {
  const spectrum = new Float64Array(bands);
  let loudest = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0;
    for (let band = 0; band < bands; band++) {
      const energy = spectra[frame * bands + band] ?? 0;
      spectrum[band] = (spectrum[band] ?? 0) + energy / frames;
      sum += energy;
    }
    loudest = Math.max(loudest, sum / Math.sqrt(bands));
  }
  const usual = [loudest - UNDER_LOUDEST, ...OF_TELEPHONES.slice(1)];
  return cepstrumOf(spectrum).map((value, at) => (value + (usual[at] ?? 0)) / 2);
}

/** The cosine transform of the bands, weighed as the model expects it. */
function cepstrumOf(bands: Float64Array): number[] {
  return Array.from({ length: CEPSTRA }, (_, order) => {
    const sum = bands.reduce(
      (all, band, at) => all + band * Math.cos((Math.PI * order * (at + 0.5)) / bands.length),
      0,
    );
    const scale = Math.sqrt((order === 0 ? 1 : 2) / bands.length);
    return sum * scale * (1 + (LIFTER / 2) * Math.sin((order * Math.PI) / LIFTER));
  });
}
