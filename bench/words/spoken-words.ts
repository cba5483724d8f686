// Single words by people, as the words bench plays them: recordings of the set `words` of a folder as docs/callers.md
// describes it, one word (or the silence of a room) in each. `bench/callers/recordings.ts` reads the folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeG711 } from '../../media/g711.ts';
import { FRAMES_PER_S, type Recording, readRecordings, soundingFrames } from '../callers/recordings.ts';

export interface SpokenWord {
  file: string;
  /** Empty for a silence. */
  text: string;
  /** PCM16 at 8 kHz. */
  samples: Int16Array;
  /** The first frame of 20 ms that sounds. */
  startFrame: number;
}

/** Half of the people: figures are tuned on one half and shown on the other. */
export type Half = 'first' | 'second' | 'both';

/** Files of the corpus are named after their speaker: 0c40e715_nohash_0.ulaw, five_0c40e715_nohash_0.ulaw. */
function speakerOf(file: string): string {
  const name = file.split('/').at(-1) ?? file;
  return /([0-9a-f]+)_nohash/.exec(name)?.[1] ?? name;
}

export function halfOf(file: string): Exclude<Half, 'both'> {
  let hash = 7;
  for (const letter of speakerOf(file)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return ((hash >>> 3) & 1) === 0 ? 'first' : 'second';
}

/**
 * At most `most` recordings of each word in `wanted`, spread over its speakers.
 * @throws Error that names the folder where it has no recordings
 */
export function readWords(folder: string, half: Half, most: number, wanted: (text: string) => boolean): SpokenWord[] {
  const byText = new Map<string, Recording[]>();
  for (const recording of readRecordings(folder)) {
    const { file, set, text } = recording;
    if (set !== 'words' || text === null || !wanted(text) || (half !== 'both' && halfOf(file) !== half)) continue;
    byText.set(text, [...(byText.get(text) ?? []), recording]);
  }
  return [...byText.values()].flatMap((all) => spread(all, most).map((each) => wordOf(folder, each)));
}

/** Evenly taken from all of them, which are sorted by speaker. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, index) => all[Math.floor(index * step)]).filter(
    (each) => each !== undefined,
  );
}

function wordOf(folder: string, { file, text }: Recording): SpokenWord {
  const codes = readFileSync(join(folder, file));
  const samples = new Int16Array(codes.length);
  decodeG711('pcmu', codes, 0, codes.length, samples);
  return wordFrom(file, text ?? '', samples);
}

export function wordFrom(file: string, text: string, samples: Int16Array): SpokenWord {
  const [startFrame = 0] = soundingFrames(samples, (samples.length / 8_000) * FRAMES_PER_S);
  return { file, text, samples, startFrame: text === '' ? 0 : startFrame };
}
