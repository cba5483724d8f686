// Labelled audio of answered calls for the answering-machine benchmark: people, recordings with and without a beep,
// menus, call screening, music, noise and silence; in four voices, at three noise levels, and coded as on the wire.
// Seeded: every run gets the same set.

import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { trimSilence } from '../../engine/test-runs/caller/speech.ts';
import { joinSamples } from '../../media/frame.ts';
import { decodeG711, encodeG711, type Law } from '../../media/g711.ts';
import type { AmdVerdict } from '../../models/amd/amd.ts';
import { FliteTts } from '../../models/tts/flite/flite.ts';

type AnswerKind =
  | 'person'
  | 'person at work'
  | 'voicemail with beep'
  | 'voicemail without beep'
  | 'beep alone'
  | 'menu'
  | 'call screening'
  | 'music'
  | 'noise'
  | 'silence';

export interface Answer {
  name: string;
  kind: AnswerKind;
  label: AmdVerdict;
  noise: string;
  /** PCM16 at 8 kHz, starting at the answer. */
  audio: Int16Array;
  /** End of the first utterance; null if nothing is said. */
  greetingEndMs: number | null;
  beepStartMs: number | null;
  beepEndMs: number | null;
}

type Part = string | { silenceMs: number } | { beepHz: number; ms: number };

const VOICES = ['flite-rms', 'flite-slt', 'flite-awb', 'flite-kal16'];
/** White noise through a one-pole low-pass, RMS on a scale of 32,768; speech is at about 3,000. */
const NOISES: Array<{ name: string; rms: number }> = [
  { name: 'quiet line', rms: 12 },
  { name: '20 dB', rms: 300 },
  { name: '10 dB', rms: 950 },
];
const BEEPS: Array<{ beepHz: number; ms: number }> = [
  { beepHz: 440, ms: 500 },
  { beepHz: 480, ms: 800 },
  { beepHz: 620, ms: 300 },
  { beepHz: 850, ms: 400 },
  { beepHz: 1_000, ms: 200 },
  { beepHz: 1_000, ms: 1_000 },
  { beepHz: 1_400, ms: 350 },
  { beepHz: 1_633, ms: 250 },
  { beepHz: 2_000, ms: 600 },
];

const after = (silenceMs: number): Part => ({ silenceMs });

const PERSON: Part[][] = [
  [after(400), 'Hello?'],
  [after(300), 'Yes?'],
  [after(900), 'Hi.'],
  [after(600), 'David Miller.'],
  [after(500), 'Hello, this is Anna.'],
  [after(400), 'Anna speaking, who is this?'],
  [after(300), 'Hello?', after(1_600), 'Hello? Is anybody there?'],
  [after(1_800), 'Hello, who is calling?'],
  [after(500), 'Hello?', after(2_500), 'Yes, that is me. What is this about?'],
];
const AT_WORK: Part[][] = [
  [after(500), 'Good morning, Acme Plumbing.'],
  [after(400), 'Acme Plumbing, how can I help you?'],
  [after(500), 'Thank you for calling Acme, this is Robert.'],
  [after(400), 'Good afternoon, Miller and Sons, this is Robert speaking, how can I help you?'],
  [after(500), 'Reception, good morning.', after(2_500), 'I am sorry, he is in a meeting. Can I take a message?'],
];
const VOICEMAIL: Part[][] = [
  [after(600), "Hi, you've reached Tom. Please leave a message after the tone.", after(500)],
  [
    after(900),
    "You've reached the voicemail of Sarah Johnson.",
    after(700),
    "I can't come to the phone right now, but if you leave your name and number I will call you back.",
    after(900),
  ],
  [
    after(700),
    'Your call has been forwarded to an automatic voice message system. At the tone, please record your message.',
    after(400),
  ],
  [after(500), 'Hi.', after(450), "I'm not available right now. Leave a message.", after(600)],
  [
    after(500),
    'The person you are trying to reach is not available. Please leave your message after the beep.',
    after(500),
  ],
  [after(600), 'Hey, this is Mike, you know what to do.', after(500)],
  [
    after(400),
    "Hello, you have reached Acme Plumbing. All of us are busy at the moment. We can't take your call.",
    after(600),
  ],
];
const WITHOUT_BEEP: Part[][] = [
  [
    after(500),
    'Thank you for calling Acme Plumbing. Our office is closed at the moment. Our opening hours are nine to five from Monday to Friday.',
  ],
  [after(600), 'The mailbox is full and cannot accept any messages at this time. Goodbye.'],
  [after(700), 'The number you have dialled is not in service. Please check the number and dial again.'],
];
const MENU: Part[][] = [
  [after(500), 'Welcome to Acme. For sales, press one. For service, press two.'],
  [after(600), 'Thank you for calling. Please listen to the following options. To make a payment, press three.'],
  [after(500), 'This call may be recorded. Please stay on the line.'],
];
const SCREENING: Part[][] = [
  [after(500), 'Please state your name and why you are calling.'],
  [after(600), 'The person you are calling is using a screening service. Please say your name.'],
];

interface Plan {
  kind: AnswerKind;
  label: AmdVerdict;
  parts: Part[];
  voice: string;
}

function plans(): Plan[] {
  const all: Plan[] = [];
  let beep = 0;
  const add = (kind: AnswerKind, label: AmdVerdict, texts: Part[][]): void => {
    for (const voice of VOICES) for (const parts of texts) all.push({ kind, label, parts, voice });
  };
  add('person', 'human', PERSON);
  add('person at work', 'human', AT_WORK);
  add('voicemail without beep', 'machine', WITHOUT_BEEP);
  add('menu', 'screening', MENU);
  add('call screening', 'screening', SCREENING);
  for (const voice of VOICES) {
    for (const parts of VOICEMAIL) {
      const tone = BEEPS[beep++ % BEEPS.length];
      if (tone) all.push({ kind: 'voicemail with beep', label: 'machine-beep', parts: [...parts, tone], voice });
    }
  }
  for (const tone of BEEPS) {
    all.push({ kind: 'beep alone', label: 'machine-beep', parts: [after(900), tone], voice: 'flite-slt' });
  }
  return all;
}

/** @param every keeps one of `every` answers; 1 for all */
export async function answers(every: number): Promise<Answer[]> {
  const flite = new FliteTts();
  const spoken = new Map<string, Int16Array>();
  const say = async (text: string, voiceId: string): Promise<Int16Array> => {
    const key = `${voiceId} ${text}`;
    const known = spoken.get(key);
    if (known) return known;
    const pieces: Int16Array[] = [];
    const { signal } = new AbortController();
    await flite.speak(
      { text, voiceId, speed: 1, sampleRateHz: 8_000 },
      { signal, onAudio: (samples) => pieces.push(samples.slice()) },
    );
    const speech = trimSilence(joinSamples(pieces));
    spoken.set(key, speech);
    return speech;
  };
  const made: Answer[] = [];
  for (const [index, plan] of plans().entries()) {
    if (index % every !== 0) continue;
    for (const [level, { name: noise, rms }] of NOISES.entries()) {
      // People appear at every noise level, because hanging up on one is the worst mistake; other answers take turns.
      if (plan.label !== 'human' && index % NOISES.length !== level) continue;
      const { audio, ...marks } = await render(plan, say);
      const first = plan.parts.find((part) => typeof part === 'string');
      const name = `${plan.kind}: ${first ?? 'tone'} (${plan.voice}, ${noise})`;
      made.push({ name, kind: plan.kind, label: plan.label, noise, audio: line(audio, rms, index), ...marks });
    }
  }
  for (const [index, { name: noise, rms }] of NOISES.entries()) {
    const quiet = { label: 'uncertain', noise, greetingEndMs: null, beepStartMs: null, beepEndMs: null } as const;
    const nothing = new Int16Array(64_000);
    made.push({ ...quiet, name: `silence (${noise})`, kind: 'silence', audio: line(nothing, rms, 500 + index) });
    made.push({ ...quiet, name: `noise (${noise})`, kind: 'noise', audio: line(nothing, 1_500 + rms, 600 + index) });
    for (const style of MUSIC) {
      const name = `music: ${style.name} (${noise})`;
      made.push({ ...quiet, name, kind: 'music', audio: line(music(style, 700 + index), rms, 800 + index) });
    }
  }
  return made;
}

type Marks = Pick<Answer, 'greetingEndMs' | 'beepStartMs' | 'beepEndMs'>;

async function render(
  { parts, voice }: Plan,
  say: (text: string, voiceId: string) => Promise<Int16Array>,
): Promise<{ audio: Int16Array } & Marks> {
  const pieces: Int16Array[] = [];
  const marks: Marks = { greetingEndMs: null, beepStartMs: null, beepEndMs: null };
  let samples = 0;
  for (const part of parts) {
    const piece = await (typeof part === 'string'
      ? say(part, voice)
      : 'silenceMs' in part
        ? new Int16Array(part.silenceMs * 8)
        : sine([part.beepHz], part.ms, 9_000));
    if (typeof part === 'object' && 'beepHz' in part) marks.beepStartMs = samples / 8;
    pieces.push(piece);
    samples += piece.length;
    if (typeof part === 'object' && 'beepHz' in part) marks.beepEndMs = samples / 8;
    if (typeof part === 'string' && marks.greetingEndMs === null) marks.greetingEndMs = samples / 8;
  }
  pieces.push(new Int16Array(5_000 * 8));
  return { audio: joinSamples(pieces), ...marks };
}

interface Style {
  name: string;
  /** Amplitudes of the fundamental and its overtones. */
  partials: number[];
  voices: number;
  noteMs: number;
}

const MUSIC: Style[] = [
  { name: 'piano chords', partials: [1, 0.5, 0.3, 0.15], voices: 3, noteMs: 600 },
  { name: 'strings', partials: [1, 0.7, 0.5, 0.35, 0.2], voices: 2, noteMs: 900 },
  { name: 'flute alone', partials: [1, 0.25, 0.08], voices: 1, noteMs: 300 },
];
const SCALE_HZ = [262, 294, 330, 392, 440, 523, 587, 659, 784, 880];

function music({ partials, voices, noteMs }: Style, seed: number): Int16Array {
  const random = seededRandom(seed);
  const notes: Int16Array[] = [];
  for (let atMs = 0; atMs < 9_000; atMs += noteMs) {
    const note = new Int16Array(noteMs * 8);
    for (let voice = 0; voice < voices; voice++) {
      const base = SCALE_HZ[Math.floor(random() * SCALE_HZ.length)] ?? 440;
      for (const [overtone, share] of partials.entries()) {
        const step = (2 * Math.PI * base * (overtone + 1)) / 8_000;
        for (let n = 0; n < note.length; n++) {
          const decay = Math.exp(-n / (8 * noteMs)) * Math.min(1, n / 80);
          note[n] = (note[n] ?? 0) + Math.round(((5_000 * share) / voices) * decay * Math.sin(step * n));
        }
      }
    }
    notes.push(note);
  }
  return joinSamples(notes);
}

function sine(frequenciesHz: readonly number[], ms: number, amplitude: number): Int16Array {
  const samples = new Int16Array(ms * 8);
  for (let n = 0; n < samples.length; n++) {
    const edge = Math.min(1, n / 40, (samples.length - n) / 40);
    for (const hz of frequenciesHz)
      samples[n] = (samples[n] ?? 0) + Math.round(amplitude * edge * Math.sin((2 * Math.PI * hz * n) / 8_000));
  }
  return samples;
}

/** The line's effect: room noise on top, then G.711, every other answer in A-law. */
function line(audio: Int16Array, noiseRms: number, seed: number): Int16Array {
  const random = seededRandom(seed);
  const law: Law = seed % 2 === 0 ? 'pcmu' : 'pcma';
  // Uniform noise has an RMS of 1/√3; the 0.7 low-pass lets 0.42 of it through.
  const scale = (noiseRms * Math.sqrt(3)) / 0.42;
  let low = 0;
  const noisy = audio.map((sample) => {
    low = 0.7 * low + 0.3 * (random() * 2 - 1) * scale;
    return Math.max(-32_768, Math.min(32_767, Math.round(sample + low)));
  });
  const coded = new Uint8Array(noisy.length);
  encodeG711(law, noisy, coded);
  decodeG711(law, coded, 0, coded.length, noisy);
  return noisy;
}
