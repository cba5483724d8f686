// Adapts our audio to mod_audio_fork, so that the caller hears all of it, and in time. The module plays nothing before
// it has 2,560 bytes, and later plays messages of 1,280 bytes or more at once; a shorter one stays until the next
// utterance. So frames are gathered into whole blocks, and only sound starts a block, because the module plays silence
// by itself.
//
//   frame (20 ms) ─► block (1,280 bytes: 80 ms at 8 kHz, 40 ms at 16 kHz; the last one ends in silence) ─► message

import { bytesToSamples } from '../frame.ts';
import type { AudioSocket } from './audio-socket.ts';

const PRIMING_BYTES = 2560;
const BLOCK_SAMPLES = 640;
// Audio sent between the order to drop audio and its execution is dropped as well. The module executes the order with
// its next frame, 20 ms later at most, and reports the mark as cleared.
const FLUSH_MS = 25;
// The blocks that gather in that time, and the frame at its end.
const MAX_WAITING_BLOCKS = 4;
// The module takes this sample value for a mark and removes it.
const MARK = -1;

export class ForkSocket implements AudioSocket {
  readonly #socket: AudioSocket;
  readonly #now: () => number;
  readonly #block = new Int16Array(BLOCK_SAMPLES);
  #filled = 0;
  /** Whole blocks that wait for the end of a flush, oldest first. */
  readonly #waiting: Uint8Array[] = [];
  /** The mark of the flush that may still be running. */
  #flush: { mark: string; overAtMs: number } | null = null;
  #flushes = 0;

  /** `now`: any monotonic clock, ms. */
  constructor(socket: AudioSocket, now: () => number) {
    this.#socket = socket;
    this.#now = now;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  /** Fills the module's first buffer with silence; once, before any frame. */
  prime(): void {
    this.#socket.sendBinary(new Uint8Array(PRIMING_BYTES));
  }

  /** Takes one frame of PCM16. */
  sendBinary(bytes: Uint8Array): void {
    if (this.#flush && this.#now() >= this.#flush.overAtMs) this.#endFlush();
    const samples = bytesToSamples(bytes);
    if (this.#filled === 0 && samples.every((sample) => sample === 0)) return;
    for (const sample of samples) {
      this.#block[this.#filled++] = sample === MARK ? 0 : sample;
      if (this.#filled === BLOCK_SAMPLES) this.#sendBlock();
    }
  }

  /** The module supports no other texts and would log each as an error. */
  sendText(): void {}

  flush(): void {
    this.#filled = 0;
    this.#waiting.length = 0;
    const mark = `flush-${++this.#flushes}`;
    // A mark before the order: its report is the only sign that the order was executed.
    this.#socket.sendText(JSON.stringify({ type: 'mark', data: { name: mark } }));
    this.#socket.sendText(JSON.stringify({ type: 'killAudio' }));
    this.#flush = { mark, overAtMs: this.#now() + FLUSH_MS };
  }

  /** Handles a text of the module: `{"type": "mark", "data": {"name": …, "event": "cleared"}}`; others are ignored. */
  receiveText(text: string): void {
    if (this.#flush && clearedMark(text) === this.#flush.mark) this.#endFlush();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #sendBlock(): void {
    this.#filled = 0;
    const bytes = new Uint8Array(this.#block.slice().buffer);
    if (!this.#flush) this.#socket.sendBinary(bytes);
    else if (this.#waiting.length < MAX_WAITING_BLOCKS) this.#waiting.push(bytes);
  }

  #endFlush(): void {
    this.#flush = null;
    for (const block of this.#waiting.splice(0)) this.#socket.sendBinary(block);
  }
}

function clearedMark(text: string): string | null {
  try {
    const { type, data } = JSON.parse(text) as { type?: unknown; data?: { name?: unknown; event?: unknown } };
    return type === 'mark' && data?.event === 'cleared' && typeof data.name === 'string' ? data.name : null;
  } catch {
    return null;
  }
}
