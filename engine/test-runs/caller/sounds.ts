// Sounds without words for the agent: coughs, hums, a radio, babble, music. PCM16 at 8 kHz, at the level of the
// callers' voices; the same seed gives the same sound.
import { joinSamples } from '../../../media/frame.ts';
import { seededRandom } from './seeded-random.ts';
import { renderSpeech } from './speech.ts';

/** The sounds that a caller can make. */
export const SOUNDS = ['cough', 'hum', 'babble', 'radio', 'music', 'noise'] as const;
export type SoundName = (typeof SOUNDS)[number];

const RATE_HZ = 8_000;
/** RMS of the built-in voices, over voiced parts: -19 dBFS. */
const SPEECH_RMS = 3_600;

const NEWS = [
  'The government said on Monday that the new bridge would be finished before the end of the year.',
  'Heavy rain is expected in the north, with winds of up to sixty miles an hour along the coast.',
  'In other news, the city orchestra has announced its programme for the coming season.',
  'Traffic is slow on the ring road this morning after an accident near the station.',
  'The home side won by two goals to one, and stays at the top of the table.',
];
const VOICES = ['flite-slt', 'flite-awb', 'flite-kal16', 'flite-rms'];

/** `ms` of the sound. */
export async function makeSound(sound: SoundName, ms: number, seed: number): Promise<Int16Array> {
  const random = seededRandom(seed + 77);
  const length = Math.round((ms * RATE_HZ) / 1_000);
  switch (sound) {
    case 'cough':
      return atSpeechLevel(cough(length, random));
    case 'hum':
      return atSpeechLevel(hum(length, 105 + random() * 90));
    case 'noise':
      return atSpeechLevel(Float64Array.from({ length }, () => random() * 2 - 1));
    case 'music':
      return atSpeechLevel(music(length, random));
    case 'radio':
      return radio(length, random);
    case 'babble':
      return babble(length, random);
  }
}

/** The same samples, louder or softer. */
export function withGain(samples: Int16Array, db: number): Int16Array {
  const gain = 10 ** (db / 20);
  return samples.map((sample) => clip(sample * gain));
}

function clip(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}

function atSpeechLevel(shape: Float64Array): Int16Array {
  let energy = 0;
  for (const sample of shape) energy += sample * sample;
  const gain = SPEECH_RMS / Math.max(1e-9, Math.sqrt(energy / Math.max(1, shape.length)));
  return Int16Array.from(shape, (sample) => clip(sample * gain));
}

/** Two bursts of noise, the second softer and longer, low-passed as by a mouth. */
function cough(length: number, random: () => number): Float64Array {
  let low = 0;
  return Float64Array.from({ length }, (_, n) => {
    low = 0.55 * low + 0.45 * (random() * 2 - 1);
    const part = n / length;
    const burst = part < 0.3 ? part / 0.3 : part < 0.42 ? 0 : (part - 0.42) / 0.58;
    const decay = part < 0.42 ? Math.exp(-4 * burst) : 0.6 * Math.exp(-5 * burst);
    return part >= 0.3 && part < 0.42 ? 0 : low * decay;
  });
}

/** "mm-hmm" through closed lips: two humps of a low harmonic tone that rises. */
function hum(length: number, pitchHz: number): Float64Array {
  let phase = 0;
  return Float64Array.from({ length }, (_, n) => {
    const part = n / length;
    phase += (2 * Math.PI * pitchHz * (1 + 0.25 * part)) / RATE_HZ;
    const hump = part < 0.45 ? Math.sin((Math.PI * part) / 0.45) : Math.sin((Math.PI * (part - 0.45)) / 0.55);
    let sum = 0;
    for (let overtone = 1; overtone <= 8; overtone++) sum += Math.sin(phase * overtone) / overtone ** 1.6;
    return sum * Math.max(0, hump);
  });
}

const SCALE_HZ = [262, 294, 330, 392, 440, 523, 587, 659];
const NOTE_SAMPLES = 4_800;

/** Chords of decaying notes, as in hold music. */
function music(length: number, random: () => number): Float64Array {
  const samples = new Float64Array(length);
  for (let at = 0; at < length; at += NOTE_SAMPLES) {
    for (let voice = 0; voice < 3; voice++) {
      const hz = SCALE_HZ[Math.floor(random() * SCALE_HZ.length)] ?? 440;
      for (let n = 0; n < NOTE_SAMPLES && at + n < length; n++) {
        const edge = Math.min(1, n / 80) * Math.exp((-2 * n) / NOTE_SAMPLES);
        const tone = (overtone: number): number => Math.sin((2 * Math.PI * hz * overtone * n) / RATE_HZ) / overtone;
        samples[at + n] = (samples[at + n] ?? 0) + edge * (tone(1) + 0.6 * tone(2) + 0.3 * tone(3));
      }
    }
  }
  return samples;
}

/** One voice, 1.5 s at a time with pauses of 0.7 s, like speech from another room. */
async function radio(length: number, random: () => number): Promise<Int16Array> {
  const voice = await newsreader(length, random);
  const [period, on] = [Math.round(2.2 * RATE_HZ), Math.round(1.5 * RATE_HZ)];
  return voice.map((sample, n) => (n % period < on ? sample : 0));
}

async function babble(length: number, random: () => number): Promise<Int16Array> {
  const voices = await Promise.all(Array.from({ length: 5 }, () => newsreader(length, random)));
  const sum = Float64Array.from({ length }, (_, n) => voices.reduce((all, voice) => all + (voice[n] ?? 0), 0));
  return atSpeechLevel(sum);
}

async function newsreader(length: number, random: () => number): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  const voice = VOICES[Math.floor(random() * VOICES.length)] ?? 'flite-slt';
  let have = 0;
  for (let index = Math.floor(random() * NEWS.length); have < length; index++) {
    const piece = await speech(NEWS[index % NEWS.length] ?? '', voice);
    pieces.push(piece);
    have += piece.length;
  }
  return joinSamples(pieces).slice(0, length);
}

const rendered = new Map<string, Promise<Int16Array>>();

/** The text in this voice, rendered once. */
export function speech(text: string, voice: string): Promise<Int16Array> {
  const key = `${voice} ${text}`;
  const known = rendered.get(key) ?? renderSpeech(text, voice);
  rendered.set(key, known);
  return known;
}
