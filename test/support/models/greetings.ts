// Labelled audio of answered calls: people, machines with beeps of several tones, menus, screening, music, silence.

import { tone } from '../../../bench/rig/conversation/tones.ts';
import { joinSamples } from '../../../media/frame.ts';
import type { AmdVerdict } from '../../../models/amd/amd.ts';
import { mix, noise, say, silence } from './sounds.ts';

interface Greeting {
  name: string;
  label: AmdVerdict;
  /** PCM16 at 8 kHz, starting at the answer. */
  audio: Int16Array;
  /** End of the (first) greeting, in ms. */
  greetingEndMs: number;
}

type Part = { say: string; voiceId?: string } | { silenceMs: number } | { beepHz: number; ms?: number };

const HUMAN: Array<[string, Part[]]> = [
  ['hello', [{ silenceMs: 500 }, { say: 'Hello?' }]],
  ['yes', [{ silenceMs: 300 }, { say: 'Yes?', voiceId: 'flite-awb' }]],
  ['name', [{ silenceMs: 800 }, { say: 'David Miller.', voiceId: 'flite-kal16' }]],
  ['hello twice', [{ silenceMs: 400 }, { say: 'Hello?' }, { silenceMs: 1_800 }, { say: 'Hello?' }]],
  ['this is', [{ silenceMs: 600 }, { say: 'Hello, this is Sarah speaking.' }]],
  ['business', [{ silenceMs: 500 }, { say: 'Good morning, Acme Plumbing.', voiceId: 'flite-awb' }]],
  ['business long', [{ silenceMs: 400 }, { say: 'Acme Plumbing, how can I help you?' }]],
  ['late', [{ silenceMs: 1_700 }, { say: 'Hello, who is this?', voiceId: 'flite-rms' }]],
];

const MACHINE: Array<[string, AmdVerdict, Part[]]> = [
  [
    'short voicemail',
    'machine-beep',
    [
      { silenceMs: 600 },
      { say: "Hi, you've reached Tom. Please leave a message after the tone." },
      { silenceMs: 500 },
      { beepHz: 1_000 },
    ],
  ],
  [
    'long voicemail',
    'machine-beep',
    [
      { silenceMs: 900 },
      { say: "You've reached the voicemail of Sarah Johnson.", voiceId: 'flite-awb' },
      { silenceMs: 700 },
      {
        say: "I can't come to the phone right now, but if you leave your name and number I will call you back.",
        voiceId: 'flite-awb',
      },
      { silenceMs: 900 },
      { beepHz: 1_400, ms: 400 },
    ],
  ],
  [
    'carrier voicemail',
    'machine-beep',
    [
      { silenceMs: 700 },
      {
        say: 'Your call has been forwarded to an automatic voice message system. At the tone, please record your message.',
        voiceId: 'flite-kal16',
      },
      { silenceMs: 400 },
      { beepHz: 480, ms: 600 },
    ],
  ],
  [
    'office closed',
    'machine',
    [
      { silenceMs: 500 },
      {
        say: 'Thank you for calling Acme Plumbing. Our office is closed at the moment. Our opening hours are nine to five from Monday to Friday.',
      },
    ],
  ],
  ['beep alone', 'machine-beep', [{ silenceMs: 1_500 }, { beepHz: 850, ms: 300 }]],
  [
    'menu',
    'screening',
    [
      { silenceMs: 500 },
      { say: 'Welcome to Acme. For sales, press one. For service, press two.', voiceId: 'flite-rms' },
    ],
  ],
  [
    'screening',
    'screening',
    [{ silenceMs: 500 }, { say: 'Please state your name and why you are calling.', voiceId: 'flite-slt' }],
  ],
];

async function render(parts: readonly Part[]): Promise<{ audio: Int16Array; greetingEndMs: number }> {
  const pieces: Int16Array[] = [];
  let samples = 0;
  let greetingEndMs = 0;
  for (const part of parts) {
    const piece =
      'say' in part
        ? trimEnd(await say(part.say, { leadMs: 0, tailMs: 0, ...(part.voiceId ? { voiceId: part.voiceId } : {}) }))
        : 'silenceMs' in part
          ? silence(part.silenceMs)
          : tone([part.beepHz], part.ms ?? 500, 9_000);
    pieces.push(piece);
    samples += piece.length;
    if ('say' in part && greetingEndMs === 0) greetingEndMs = samples / 8;
  }
  // The line stays open for a while, with a little noise.
  pieces.push(silence(6_000));
  const audio = joinSamples(pieces);
  return { audio: mix(audio, noise(1_000, 40, 9)), greetingEndMs };
}

function trimEnd(samples: Int16Array): Int16Array {
  const last = samples.findLastIndex((sample) => Math.abs(sample) > 300);
  return samples.subarray(0, last + 1);
}

/** The whole set; the same on every run. */
export async function greetings(): Promise<Greeting[]> {
  const all: Greeting[] = [];
  for (const [name, parts] of HUMAN) all.push({ name, label: 'human', ...(await render(parts)) });
  for (const [name, label, parts] of MACHINE) all.push({ name, label, ...(await render(parts)) });
  all.push({ name: 'nothing', label: 'uncertain', audio: noise(8_000, 30, 4), greetingEndMs: 0 });
  return all;
}
