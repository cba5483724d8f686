// Finds the files of a model in its folder: archives use different names for them.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findLocalModel } from '../install/weights.ts';
import { MODEL_RATE_HZ, type RecognizerConfig, type TtsConfig } from './addon.ts';

class ModelFilesError extends Error {
  readonly code = 'MODEL_FILES_MISSING';
}

export interface RecogniserFiles {
  /** Decodes while audio comes in; otherwise when the utterance is over. */
  isStreaming: boolean;
  config: RecognizerConfig;
  /** The configuration for another language; null: the model takes no language. */
  forLanguage: ((language: string) => RecognizerConfig) | null;
}

/** One thread a worker: there is one worker for each core that models may use. */
const COMMON = { numThreads: 1, provider: 'cpu', debug: 0 } as const;
/**
 * How much a VITS voice varies its sound and its durations from one rendering to the next; the library's own values are
 * 0.667 and 0.8. On the telephone a steady voice is misheard less (docs/local-engines.md).
 */
const VITS_VARIATION = { noiseScale: 0.333, noiseScaleW: 0.333 } as const;
const FEATURES = { sampleRate: MODEL_RATE_HZ, featureDim: 80 };
/** Matches the names of the project's streaming models and of their files. */
const STREAMING = /streaming|nemotron|chunk-\d+-left/;

/** Any other language makes the library end the process; without one it detects the language. */
const WHISPER_LANGUAGES = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk ' +
    'te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ' +
    'ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
  ).split(' '),
);

class Folder {
  readonly name: string;
  readonly path: string;
  readonly files: readonly string[];

  constructor(name: string, path: string) {
    this.name = name;
    this.path = path;
    this.files = existsSync(path) ? readdirSync(path).sort() : [];
  }

  /** Path of the file that matches; an int8 one is preferred, or comes last if `fullPrecision`. */
  find(pattern: RegExp, fullPrecision = false): string | null {
    const found = this.files.filter((file) => pattern.test(file));
    const best = found.find((file) => file.includes('int8') !== fullPrecision) ?? found[0];
    return best === undefined ? null : join(this.path, best);
  }

  /** @throws {ModelFilesError} */
  need(pattern: RegExp, what: string, fullPrecision = false): string {
    const path = this.find(pattern, fullPrecision);
    if (path === null) throw this.missing(what);
    return path;
  }

  missing(what: string): ModelFilesError {
    const mend = findLocalModel(this.name)
      ? `run "npm run models -- download ${this.name}"`
      : 'put the whole model there, unpacked';
    const folder = this.files.length > 0 ? `${this.path} has no ${what}` : `there is no model in ${this.path}`;
    return new ModelFilesError(`sherpa:${this.name}: ${folder}: ${mend}`);
  }
}

/** @throws {ModelFilesError} naming the file, the folder and the remedy */
export function recogniserFiles(name: string, path: string): RecogniserFiles {
  const folder = new Folder(name, path);
  if (folder.files.length === 0) throw folder.missing('files');
  const listed = findLocalModel(name);
  const isStreaming =
    listed?.isStreaming ?? (STREAMING.test(name) || folder.files.some((file) => STREAMING.test(file)));
  const label = listed?.archive ?? name;
  if (folder.find(/joiner.*\.onnx$/)) return transducer(folder, isStreaming);
  if (folder.find(/^(preprocess|uncached_decode|cached_decode|decoder_model_merged)/)) return moonshine(folder);
  if (folder.find(/encoder.*\.onnx$/) && !isStreaming) return whisper(folder);
  return ctc(folder, isStreaming, label);
}

function transducer(folder: Folder, isStreaming: boolean): RecogniserFiles {
  const files = {
    encoder: folder.need(/encoder.*\.onnx$/, 'encoder*.onnx'),
    // The decoder is small, and quantisation harms it most.
    decoder: folder.need(/decoder.*\.onnx$/, 'decoder*.onnx', true),
    joiner: folder.need(/joiner.*\.onnx$/, 'joiner*.onnx'),
  };
  return recogniser(folder, isStreaming, { transducer: files });
}

function moonshine(folder: Folder): RecogniserFiles {
  const merged = folder.find(/^decoder_model_merged.*\.(ort|onnx)$/);
  const files = merged
    ? { encoder: folder.need(/^encoder_model.*\.(ort|onnx)$/, 'encoder_model.ort'), mergedDecoder: merged }
    : {
        preprocessor: folder.need(/^preprocess.*\.onnx$/, 'preprocess.onnx'),
        encoder: folder.need(/^encode\b.*\.onnx$/, 'encode.onnx'),
        uncachedDecoder: folder.need(/^uncached_decode.*\.onnx$/, 'uncached_decode.onnx'),
        cachedDecoder: folder.need(/^cached_decode.*\.onnx$/, 'cached_decode.onnx'),
      };
  return recogniser(folder, false, { moonshine: files });
}

function whisper(folder: Folder): RecogniserFiles {
  const encoder = folder.need(/encoder.*\.onnx$/, '*-encoder.onnx');
  const decoder = folder.need(/decoder.*\.onnx$/, '*-decoder.onnx');
  const inLanguage = (language: string) =>
    recogniser(folder, false, { whisper: { encoder, decoder, language, task: 'transcribe' } });
  // English-only models take no language.
  const knowsMany = !/\.en[.-]/.test(basename(encoder));
  const { config } = inLanguage('');
  const forLanguage = (language: string): RecognizerConfig =>
    inLanguage(WHISPER_LANGUAGES.has(language) ? language : '').config;
  return { isStreaming: false, config, forLanguage: knowsMany ? forLanguage : null };
}

function ctc(folder: Folder, isStreaming: boolean, label: string): RecogniserFiles {
  const model = folder.need(/^(?!.*(encoder|decoder)).*\.onnx$/, 'model.onnx, or encoder, decoder and joiner');
  if (isStreaming) {
    const family = /nemo/.test(label) ? 'nemoCtc' : /t-one/.test(label) ? 'toneCtc' : 'zipformer2Ctc';
    return recogniser(folder, true, { [family]: { model } });
  }
  const family = /sense-voice/.test(label) ? 'senseVoice' : /zipformer/.test(label) ? 'zipformerCtc' : 'nemoCtc';
  return recogniser(folder, false, { [family]: { model } });
}

function recogniser(folder: Folder, isStreaming: boolean, family: Record<string, unknown>): RecogniserFiles {
  const tokens = folder.need(/tokens\.txt$/, 'tokens.txt');
  const config: RecognizerConfig = {
    featConfig: FEATURES,
    modelConfig: { ...family, tokens, ...COMMON },
    decodingMethod: 'greedy_search',
    // The service has its own voice activity detection and turn-taking.
    enableEndpoint: false,
  };
  return { isStreaming, config, forLanguage: null };
}

/** @throws {ModelFilesError} naming the file, the folder and the remedy */
export function voiceFiles(name: string, path: string): TtsConfig {
  const folder = new Folder(name, path);
  if (folder.files.length === 0) throw folder.missing('files');
  const model = folder.need(/\.onnx$/, '*.onnx', true);
  const tokens = folder.need(/^tokens\.txt$/, 'tokens.txt');
  const voices = folder.find(/^voices\.bin$/);
  const label = findLocalModel(name)?.archive ?? name;
  const data = folder.files.includes('espeak-ng-data') ? { dataDir: join(path, 'espeak-ng-data') } : {};
  const lexicons = lexiconsOf(folder);
  const lexicon = lexicons.length > 0 ? { lexicon: lexicons.join(',') } : {};
  const files = { model, tokens, ...data, ...lexicon };
  const family = voices === null ? 'vits' : /kitten/.test(label) ? 'kitten' : 'kokoro';
  const own = voices === null ? { ...files, ...VITS_VARIATION } : { ...files, voices };
  // One sentence at a time: the caller of this engine cuts texts into short pieces.
  return { model: { [family]: own, ...COMMON }, maxNumSentences: 1 };
}

/** Kokoro has several lexicons; one English and the Chinese one can be used together. */
function lexiconsOf(folder: Folder): string[] {
  const found = folder.files.filter((file) => /^lexicon.*\.txt$/.test(file) && !/gb-en/.test(file));
  return found.map((file) => join(folder.path, file));
}
