// `npm run bench -- vad`: speed of speech detection on one core, ours and the peers', on the same audio in one run; and
// whether they decide alike.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSound, speech, withGain } from '../../engine/test-runs/caller/sounds.ts';
import { resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { joinSamples } from '../../media/frame.ts';
import { requirePeers } from '../peers/packages.ts';
import { agreement, unsmoothed } from '../peers/vad-agreement.ts';
import { DETECTORS, type Detector, type Measured } from '../peers/vad-process.ts';
import { type Report, table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { SENTENCES } from './turn-latency.ts';

const USAGE = `usage: npm run bench -- vad [--rounds N]
  N rounds (default 5) of about two minutes of audio, each detector in turn
  needs: npm --prefix bench/peers install`;

const PROCESS = fileURLToPath(new URL('../peers/vad-process.ts', import.meta.url));
const VOICES = ['flite-slt', 'flite-awb', 'flite-kal16', 'flite-rms'];
/** Background under the voices, dB: a quiet room, a radio, people talking. */
const ROOMS = [
  { sound: null, levelDb: 0 },
  { sound: 'radio', levelDb: -25 },
  { sound: 'babble', levelDb: -15 },
] as const;
const PAUSE_SAMPLES = 9_600;
const RATE_HZ = 8_000;
const NAMES = Object.keys(DETECTORS) as Detector[];

export default part(USAGE, { rounds: 5 }, async ({ rounds }) => {
  requirePeers();
  const audio = await makeAudio();
  const folder = mkdtempSync(join(tmpdir(), 'vad-'));
  const runs = new Map(NAMES.map((name) => [name, [] as Measured[]]));
  try {
    for (const rateHz of [8_000, 16_000]) writeFileSync(fileOf(folder, rateHz), bytesOf(audio, rateHz));
    for (let round = 0; round < rounds; round++) {
      for (const name of NAMES) runs.get(name)?.push(await measure(name, fileOf(folder, DETECTORS[name].rateHz)));
      process.stderr.write(`\rround ${round + 1} of ${rounds} `);
    }
    process.stderr.write('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return reportOf(runs, audio.length / RATE_HZ);
});

/** The callers' sentences by all voices, in three rooms. */
async function makeAudio(): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  for (const { sound, levelDb } of ROOMS) {
    const said: Int16Array[] = [];
    for (const voice of VOICES) {
      for (const sentence of SENTENCES) said.push(await speech(sentence, voice), new Int16Array(PAUSE_SAMPLES));
    }
    const voices = joinSamples(said);
    const room = sound && withGain(await makeSound(sound, (voices.length * 1_000) / RATE_HZ, 1), levelDb);
    pieces.push(voices.map((sample, n) => Math.max(-32_768, Math.min(32_767, sample + (room?.[n] ?? 0)))));
  }
  return joinSamples(pieces);
}

const fileOf = (folder: string, rateHz: number): string => join(folder, `${rateHz}.pcm`);

function bytesOf(audio: Int16Array, rateHz: number): Uint8Array {
  const samples = rateHz === RATE_HZ ? audio : resampleWhole(audio, RATE_HZ, rateHz);
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

function measure(detector: Detector, file: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = fork(PROCESS, [detector, file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('message', (measured: Measured) => resolve(measured));
    child.once('exit', (code) => reject(new Error(`${detector} ended with ${code}`)));
  });
}

interface Speed {
  windowsPerSecond: number;
  /** Seconds of audio per second of a core. */
  audioSeconds: number;
}

/** The speed of the fastest run: other work of the machine can only add time. */
function speedOf(name: Detector, runs: readonly Measured[]): Speed {
  const windowsPerSecond = Math.max(...runs.map(({ windows, cpuMs }) => (1_000 * windows) / cpuMs));
  return { windowsPerSecond, audioSeconds: (windowsPerSecond * DETECTORS[name].windowMs) / 1_000 };
}

function reportOf(runs: ReadonlyMap<Detector, readonly Measured[]>, seconds: number): Report {
  const probabilitiesOf = (name: Detector): readonly number[] => runs.get(name)?.[0]?.probabilities ?? [];
  const speeds = new Map([...runs].map(([name, measured]) => [name, speedOf(name, measured)]));
  const rows = [...speeds].map(([name, { windowsPerSecond, audioSeconds }]) => {
    const theirs = probabilitiesOf(name);
    const isPlugin = name === 'silero-8k' || name === 'silero-16k';
    const ours = probabilitiesOf('ours');
    const span = DETECTORS[name].windowMs / DETECTORS.ours.windowMs;
    return [
      DETECTORS[name].name,
      `${DETECTORS[name].windowMs}`,
      `${Math.round(windowsPerSecond)}`,
      `${Math.round(audioSeconds)}`,
      name === 'ours' ? '' : percent(agreement(ours, theirs, span)),
      isPlugin ? percent(agreement(ours, unsmoothed(theirs), span)) : '',
    ];
  });
  const peers = [...speeds].filter(([name]) => !name.startsWith('ours'));
  const best = Math.max(...peers.map(([, { audioSeconds }]) => audioSeconds));
  const factor = (speeds.get('ours')?.audioSeconds ?? 0) / best;
  const lines = [
    ...table(
      [
        'detector',
        'window (ms)',
        'windows a second and core',
        'seconds of audio',
        'decides as ours',
        'before its smoothing',
      ],
      rows,
    ),
    '',
    `${seconds.toFixed(0)} s of audio. Ours gets ${factor.toFixed(1)} times as much audio done as the best peer (target: >= 2).`,
  ];
  return { title: 'Detecting speech', lines, data: { speeds: Object.fromEntries(speeds), seconds } };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
