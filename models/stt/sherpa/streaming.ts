// Decodes the open utterances of a worker in batches, one chunk of each at a time.

import { messageOf } from '../../../db/domain/unexpected.ts';
import type { OnlineRecognizer, OnlineStream } from '../../sherpa/addon.ts';
import { MODEL_RATE_HZ } from '../../sherpa/addon.ts';
import type { Decoder, SherpaUtterance } from './utterance.ts';

/**
 * Target duration of one step; the duration of the last steps decides the size of the batch. One chunk of a large model
 * may take longer.
 */
const STEP_MS = 40;
const MAX_BATCH = 64;
/** Weight of the newest measurement of a chunk's time. */
const NEWEST = 0.2;

interface Open {
  stream: OnlineStream;
  isFinished: boolean;
}

export class StreamingDecoder implements Decoder {
  readonly #recognizer: OnlineRecognizer;
  readonly #tail: Float32Array;
  readonly #open = new Map<SherpaUtterance, Open>();
  /** Utterances with new audio, the longest waiting first. */
  readonly #waiting = new Set<SherpaUtterance>();
  #chunkMs = STEP_MS / 8;

  constructor(recognizer: OnlineRecognizer, tailSamples: number) {
    this.#recognizer = recognizer;
    this.#tail = new Float32Array(tailSamples);
  }

  open(utterance: SherpaUtterance): void {
    this.#open.set(utterance, { stream: this.#recognizer.createStream(), isFinished: false });
  }

  write(utterance: SherpaUtterance, samples: Float32Array): void {
    this.#open.get(utterance)?.stream.acceptWaveform({ samples, sampleRate: MODEL_RATE_HZ });
    this.#waiting.add(utterance);
  }

  finish(utterance: SherpaUtterance): void {
    const open = this.#open.get(utterance);
    if (!open) return;
    open.isFinished = true;
    // Silence pushes the last words out of the model's right context.
    open.stream.acceptWaveform({ samples: this.#tail, sampleRate: MODEL_RATE_HZ });
    open.stream.inputFinished();
    this.#waiting.add(utterance);
  }

  drop(utterance: SherpaUtterance): void {
    this.#open.delete(utterance);
    this.#waiting.delete(utterance);
  }

  get backlogSamples(): number {
    let most = 0;
    for (const { waitingSamples } of this.#waiting) most = Math.max(most, waitingSamples);
    return most;
  }

  step(): boolean {
    const batch = this.#nextBatch();
    if (batch.length === 0) return this.#waiting.size > 0;
    const startMs = performance.now();
    try {
      this.#recognizer.decodeStreams(batch.map(({ stream }) => stream));
      for (const { utterance, stream } of batch) utterance.partial(this.#recognizer.getResult(stream));
    } catch (error) {
      for (const { utterance } of batch) utterance.lose(`the recogniser failed: ${messageOf(error)}`);
    }
    const tookMs = (performance.now() - startMs) / batch.length;
    this.#chunkMs += NEWEST * (tookMs - this.#chunkMs);
    return this.#waiting.size > 0;
  }

  /**
   * Settles utterances without a whole chunk, and returns the next ones with a chunk, moved to the end of the queue.
   */
  #nextBatch(): Array<{ utterance: SherpaUtterance; stream: OnlineStream }> {
    const limit = Math.max(1, Math.min(MAX_BATCH, Math.floor(STEP_MS / this.#chunkMs)));
    const batch: Array<{ utterance: SherpaUtterance; stream: OnlineStream }> = [];
    for (const utterance of [...this.#waiting]) {
      if (batch.length === limit) break;
      this.#waiting.delete(utterance);
      const open = this.#open.get(utterance);
      if (!open) continue;
      if (this.#recognizer.isReady(open.stream)) {
        this.#waiting.add(utterance);
        batch.push({ utterance, stream: open.stream });
      } else {
        utterance.waitingSamples = 0;
        if (open.isFinished) utterance.final(this.#recognizer.getResult(open.stream));
      }
    }
    return batch;
  }
}
