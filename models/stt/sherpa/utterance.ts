// One utterance of a local recogniser: passes audio to the decoder and the decoder's results to the caller.
import { Resampler } from '../../../media/resample.ts';
import { MODEL_RATE_HZ, type SherpaResult } from '../../sherpa/addon.ts';
import type { SttEvent, SttResult, SttUtterance, SttUtteranceOptions } from '../stt.ts';
import { believable } from '../unsaid/unsaid.ts';
import { wordsOf } from './words.ts';

/** Most audio that may wait for the decoder. With more, the worker is too late for a conversation. */
const MAX_BACKLOG_SAMPLES = 15 * MODEL_RATE_HZ;
/** Decodes the utterances of one worker. */
export interface Decoder {
  open(utterance: SherpaUtterance): void;
  /** PCM16 at 16 kHz as -1..1. */
  write(utterance: SherpaUtterance, samples: Float32Array): void;
  finish(utterance: SherpaUtterance): void;
  drop(utterance: SherpaUtterance): void;
  /** True while more waits. */
  step(): boolean;
  /** Of the utterance that is furthest behind. */
  readonly backlogSamples: number;
}

export class SherpaUtterance implements SttUtterance {
  /** Base language; empty: the model should detect it. */
  readonly language: string;
  readonly #decoder: Decoder;
  readonly #options: SttUtteranceOptions;
  /** Our own: the library would print three lines for each utterance that it resamples. */
  readonly #resampler: Resampler;
  #partial = '';
  #isFinished = false;
  isOver = false;
  /** Samples written since the decoder last had no work for this utterance. */
  waitingSamples = 0;
  onOver: () => void = () => {};

  constructor(decoder: Decoder, options: SttUtteranceOptions, sampleRateHz: number, language: string) {
    this.#decoder = decoder;
    this.#options = options;
    this.#resampler = new Resampler(sampleRateHz, MODEL_RATE_HZ);
    this.language = language;
    options.signal.addEventListener('abort', () => this.drop(), { once: true });
  }

  write(samples: Int16Array): void {
    if (this.isOver || this.#isFinished || samples.length === 0) return;
    const converted = floats(this.#resampler.convert(samples));
    this.waitingSamples += converted.length;
    if (this.waitingSamples > MAX_BACKLOG_SAMPLES) this.lose('the recogniser is too far behind');
    else if (converted.length > 0) this.#decoder.write(this, converted);
  }

  finish(): void {
    if (this.isOver || this.#isFinished) return;
    this.#isFinished = true;
    this.#decoder.finish(this);
  }

  partial({ text }: SherpaResult): void {
    const written = spelled(text);
    if (this.isOver || written === '' || written === this.#partial) return;
    this.#partial = written;
    this.#options.onEvent({ type: 'partial', text: written });
  }

  /** @param soundMs length of the sound that a model of whole utterances heard, which may write what nobody said */
  final(result: SherpaResult, soundMs: number | null = null): void {
    const heard = resultOf(result);
    this.#end({ type: 'final', result: soundMs === null ? heard : believable(heard, { soundMs }) });
  }

  lose(message: string): void {
    this.#end({ type: 'lost', message });
  }

  /** Nobody waits for this utterance any more. */
  drop(): void {
    this.#end(null);
  }

  #end(event: SttEvent | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onOver();
    this.#decoder.drop(this);
    if (event) this.#options.onEvent(event);
  }
}

/** PCM16 as -1..1. */
function floats(samples: Int16Array): Float32Array {
  const out = new Float32Array(samples.length);
  for (let n = 0; n < samples.length; n++) out[n] = (samples[n] ?? 0) / 32_768;
  return out;
}

function resultOf(result: SherpaResult): SttResult {
  const text = spelled(result.text);
  if (text === '') return { text, confidence: 0, understood: false };
  // Same case as the text: models without case write capitals only.
  const words = wordsOf(result).map((word) =>
    text === result.text.trim() ? word : { ...word, text: spelled(word.text) },
  );
  const language = result.lang?.replace(/[<|>]/g, '');
  const { ys_probs: logProbabilities = [] } = result;
  return {
    text,
    confidence: confidenceOf(logProbabilities),
    understood: true,
    ...(words.length > 0 ? { words } : {}),
    ...(language ? { language } : {}),
  };
}

/** The geometric mean over the tokens; 1 if the decoder keeps none, as with other engines without confidence. */
function confidenceOf(logProbabilities: readonly number[]): number {
  if (logProbabilities.length === 0) return 1;
  const mean = logProbabilities.reduce((sum, value) => sum + value, 0) / logProbabilities.length;
  return Math.min(1, Math.exp(mean));
}

function spelled(text: string): string {
  const trimmed = text.trim();
  return trimmed === trimmed.toUpperCase() ? trimmed.toLowerCase() : trimmed;
}
