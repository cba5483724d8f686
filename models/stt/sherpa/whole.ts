// Models that decode whole utterances (Whisper, Moonshine, NeMo CTC …), in the order in which the utterances end. They
// run on the worker's own thread: the threads of libuv's pool, which the library could use, are few, also serve files
// and names, and do not yield to audio.

import { messageOf } from '../../../db/domain/unexpected.ts';
import { MODEL_RATE_HZ, type OfflineRecognizer } from '../../sherpa/addon.ts';
import type { RecogniserFiles } from '../../sherpa/model-files.ts';
import type { Decoder, SherpaUtterance } from './utterance.ts';

/** Whisper takes at most 30 s, including some silence at the end. */
const MAX_SAMPLES = 29 * MODEL_RATE_HZ;
/** Shorter audio makes some models fail. */
const MIN_SAMPLES = MODEL_RATE_HZ / 2;

interface Kept {
  blocks: Float32Array[];
  samples: number;
}

export class WholeDecoder implements Decoder {
  readonly #recognizer: OfflineRecognizer;
  readonly #files: RecogniserFiles;
  readonly #open = new Map<SherpaUtterance, Kept>();
  #finished: SherpaUtterance[] = [];
  #language = '';

  constructor(recognizer: OfflineRecognizer, files: RecogniserFiles) {
    this.#recognizer = recognizer;
    this.#files = files;
  }

  open(utterance: SherpaUtterance): void {
    this.#open.set(utterance, { blocks: [], samples: 0 });
  }

  write(utterance: SherpaUtterance, samples: Float32Array): void {
    const kept = this.#open.get(utterance);
    // No audio waits for the decoder before the end.
    utterance.waitingSamples = 0;
    if (!kept || kept.samples + samples.length > MAX_SAMPLES) return;
    kept.blocks.push(samples);
    kept.samples += samples.length;
  }

  finish(utterance: SherpaUtterance): void {
    this.#finished.push(utterance);
  }

  drop(utterance: SherpaUtterance): void {
    this.#open.delete(utterance);
    this.#finished = this.#finished.filter((other) => other !== utterance);
  }

  /** Always 0: audio is decoded only after the utterance, so none counts as late. */
  get backlogSamples(): number {
    return 0;
  }

  /** One utterance. */
  step(): boolean {
    const utterance = this.#finished.shift();
    const kept = utterance && this.#open.get(utterance);
    if (utterance && kept) {
      try {
        const soundMs = (kept.samples * 1_000) / MODEL_RATE_HZ;
        utterance.final(this.#decode(kept, utterance.language), soundMs);
      } catch (error) {
        utterance.lose(`the recogniser failed: ${messageOf(error)}`);
      }
    }
    return this.#finished.length > 0;
  }

  #decode({ blocks, samples: length }: Kept, language: string) {
    if (length === 0) return { text: '' };
    this.#speak(language);
    const samples = new Float32Array(Math.max(length, MIN_SAMPLES));
    let at = 0;
    for (const block of blocks) {
      samples.set(block, at);
      at += block.length;
    }
    const stream = this.#recognizer.createStream();
    stream.acceptWaveform({ samples, sampleRate: MODEL_RATE_HZ });
    this.#recognizer.decode(stream);
    return this.#recognizer.getResult(stream);
  }

  /** Changes the language of a model that has this setting. */
  #speak(language: string): void {
    if (this.#files.forLanguage === null || language === this.#language) return;
    this.#recognizer.setConfig(this.#files.forLanguage(language));
    this.#language = language;
  }
}
