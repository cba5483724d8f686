// Recordings of people on telephones, with the end of their last word marked by hand: a folder with `manifest.jsonl`, a
// line each {file, set, kind, language, text, endOfSpeechS, words?}, and the files as raw µ-law at 8 kHz. Which corpora
// are meant, and their licences: docs/callers.md. They are no part of this repository.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeG711 } from '../../media/g711.ts';
import type { ScriptedWord } from '../rig/conversation/script.ts';
import { alignWords } from './alignment.ts';

export const FRAME_SAMPLES = 160;
export const FRAMES_PER_S = 50;
export const RATE_HZ = 8_000;

/** A line of the manifest. */
export interface Recording {
  file: string;
  set: string;
  kind: string;
  /** Null where nobody wrote it down. */
  text: string | null;
  /** Of the last word, s; absent: nobody marked it. */
  endOfSpeechS?: number | null;
  /** Where each word was marked by hand. */
  words?: ReadonlyArray<{ word: string; startS: number; endS: number }>;
  /** Recordings of one caller share it. */
  session?: string;
}

/** A silence inside a turn. Frames of 20 ms; `from` is the first silent one, `to` the first that sounds again. */
interface Pause {
  from: number;
  to: number;
}

/** A turn of a caller, ready to be said. */
export interface CallerTurn {
  file: string;
  set: string;
  caller: string;
  text: string;
  /** PCM16 at 8 kHz, all of the recording. */
  samples: Int16Array;
  words: readonly ScriptedWord[];
  /** The first frame that sounds, and the one after the last word. */
  startFrame: number;
  endFrame: number;
  /** Frames up to the end of the last word that sound. */
  sounding: readonly number[];
  /** Of 300 ms and more, before the end. */
  pauses: readonly Pause[];
}

const SHORTEST_PAUSE_FRAMES = 15;
/** A turn that sounds for less has no end to wait for. */
const FEWEST_FRAMES = 10;

/** @throws Error that names the folder where it has no recordings */
export function readRecordings(folder: string): Recording[] {
  const manifest = join(folder, 'manifest.jsonl');
  if (!existsSync(manifest)) {
    throw new Error(`there is no ${manifest}: --speech FOLDER names a folder of recordings (docs/callers.md)`);
  }
  return readFileSync(manifest, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Recording);
}

/** Null for a recording without a marked end or words, or one in which almost nothing sounds. */
export function turnOf(folder: string, recording: Recording): CallerTurn | null {
  const { file, set, text, endOfSpeechS, words, session } = recording;
  if (text === null || !endOfSpeechS) return null;
  const codes = readFileSync(join(folder, file));
  const samples = new Int16Array(codes.length);
  decodeG711('pcmu', codes, 0, codes.length, samples);
  const sounding = soundingFrames(samples, Math.floor(endOfSpeechS * FRAMES_PER_S));
  const [first] = sounding;
  const last = sounding.at(-1);
  if (first === undefined || last === undefined || sounding.length < FEWEST_FRAMES) return null;
  const marked = words?.map(({ word, startS, endS }) => ({
    text: word,
    from: Math.round(startS * FRAMES_PER_S),
    to: Math.max(Math.round(startS * FRAMES_PER_S) + 1, Math.round(endS * FRAMES_PER_S)),
  }));
  return {
    file,
    set,
    caller: session ?? (file.split('/').at(-1) ?? file).split('-')[0] ?? file,
    text,
    samples,
    words: marked ?? alignWords(text, sounding),
    startFrame: first,
    endFrame: last + 1,
    sounding,
    pauses: pausesOf(sounding, first),
  };
}

/** Frames up to `lastFrame` that are clearly louder than the line's own noise. */
export function soundingFrames(samples: Int16Array, lastFrame: number): number[] {
  const levels: number[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
    let energy = 0;
    for (const sample of samples.subarray(at, at + FRAME_SAMPLES)) energy += sample * sample;
    levels.push(Math.sqrt(energy / FRAME_SAMPLES));
  }
  const sorted = levels.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const limit = Math.max(at(0.15) * 2, at(0.95) * 0.1);
  return levels.flatMap((level, frame) => (level >= limit && frame <= lastFrame ? [frame] : []));
}

function pausesOf(sounding: readonly number[], first: number): Pause[] {
  return sounding.flatMap((to, index) => {
    const from = (sounding[index - 1] ?? to - 1) + 1;
    // A breath or click before the first word is no pause inside the turn.
    return to - from >= SHORTEST_PAUSE_FRAMES && from - first >= SHORTEST_PAUSE_FRAMES ? [{ from, to }] : [];
  });
}
