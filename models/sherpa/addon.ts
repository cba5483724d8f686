// Types of the part of sherpa-onnx-node that is used here. The package is optional: it has builds for Linux, macOS and
// Windows on x64 and for Linux and macOS on arm64.
import { createRequire } from 'node:module';

interface Waveform {
  /** -1..1. */
  samples: Float32Array;
  sampleRate: number;
}

export interface SherpaResult {
  text: string;
  /** Parts of words; a new word begins with a space or `▁`. */
  tokens?: string[];
  /** Of each token, s from the stream's first sample. */
  timestamps?: number[];
  /** Log probability of each token, if the decoder keeps it. */
  ys_probs?: number[];
  /** Whisper: the detected language, `en` or `<|en|>`. */
  lang?: string;
}

export interface OnlineStream {
  acceptWaveform(waveform: Waveform): void;
  inputFinished(): void;
}

export interface OnlineRecognizer {
  createStream(): OnlineStream;
  isReady(stream: OnlineStream): boolean;
  /** Decodes one chunk of each stream; all must be ready. */
  decodeStreams(streams: readonly OnlineStream[]): void;
  getResult(stream: OnlineStream): SherpaResult;
}

interface OfflineStream {
  acceptWaveform(waveform: Waveform): void;
}

export interface OfflineRecognizer {
  createStream(): OfflineStream;
  setConfig(config: RecognizerConfig): void;
  decode(stream: OfflineStream): void;
  getResult(stream: OfflineStream): SherpaResult;
}

export interface OfflineTts {
  readonly numSpeakers: number;
  readonly sampleRate: number;
  generate(request: { text: string; sid: number; speed: number; enableExternalBuffer: boolean }): Waveform;
}

/** `modelConfig` names the files of one model family. */
export interface RecognizerConfig {
  featConfig: { sampleRate: number; featureDim: number };
  modelConfig: Record<string, unknown>;
  decodingMethod?: string;
  enableEndpoint?: boolean;
}

export interface TtsConfig {
  model: Record<string, unknown>;
  maxNumSentences: number;
}

interface Sherpa {
  readonly version: string;
  OnlineRecognizer: new (config: RecognizerConfig) => OnlineRecognizer;
  OfflineRecognizer: new (config: RecognizerConfig) => OfflineRecognizer;
  OfflineTts: new (config: TtsConfig) => OfflineTts;
}

const SHERPA_PACKAGE = 'sherpa-onnx-node';
export const MODEL_RATE_HZ = 16_000;

/** @throws Error when the package is not installed or has no build for this machine */
export function loadSherpa(): Sherpa {
  try {
    return createRequire(import.meta.url)(SHERPA_PACKAGE) as Sherpa;
  } catch (error) {
    throw new Error(`${SHERPA_PACKAGE} is not installed for this machine: run "npm ci --include=optional"`, {
      cause: error,
    });
  }
}
