// Answering-machine detection of one outbound call: feeds the detector with audio, speech and words, and emits its
// verdicts.
import type { AmdEffect } from '../../../models/amd/amd.ts';
import { AnsweringMachineWatch } from '../../../models/amd/watch.ts';
import type { Clock } from '../../clock.ts';
import type { ShardEvent } from '../protocol.ts';

interface DetectionEdge {
  emit(event: ShardEvent): void;
  clock: Clock;
}

// A machine shows itself in its first words. The bound limits the text of a long call.
const MAX_TEXT_CHARS = 2000;

export class MachineDetection {
  readonly #callId: string;
  readonly #edge: DetectionEdge;
  readonly #nowMs: () => number;
  readonly #watch = new AnsweringMachineWatch();
  /** Cancels the detector's next tick; null before the first. */
  #cancelTick: (() => void) | null = null;
  /** When that tick is due, on the call's clock; null if none is. */
  #dueMs: number | null = null;
  /** All text understood since the answer. */
  #said = '';

  /** `nowMs` reads the call's clock, which starts with the answer. */
  constructor(callId: string, edge: DetectionEdge, nowMs: () => number) {
    this.#callId = callId;
    this.#edge = edge;
    this.#nowMs = nowMs;
  }

  /** No further verdict will come. */
  get isDone(): boolean {
    return this.#watch.isDone;
  }

  answered(): void {
    this.#perform(this.#watch.answered(this.#nowMs()));
  }

  /** The callee's audio at 8 kHz, without gaps. The array is not kept. */
  audio(samples: Int16Array): void {
    if (this.#watch.isDone) return;
    const effects = this.#watch.audio(samples, this.#nowMs());
    // A pause found by level has no effect yet, but it moves the time of the verdict.
    if (effects.length > 0 || this.#watch.deadlineMs !== this.#dueMs) this.#perform(effects);
  }

  speechStarted(speechAtMs: number): void {
    this.#perform(this.#watch.speechStarted(speechAtMs, this.#nowMs()));
  }

  speechStopped(lastSpeechAtMs: number): void {
    this.#perform(this.#watch.speechStopped(lastSpeechAtMs, this.#nowMs()));
  }

  /**
   * The final text of an understood utterance. Partials do not count: a grammar recogniser forces every sound onto one
   * of its phrases, and knows only at the end how bad the match was.
   */
  words(text: string): void {
    if (this.#watch.isDone) return;
    this.#said = `${this.#said} ${text}`.trim().slice(0, MAX_TEXT_CHARS);
    this.#perform(this.#watch.words(this.#said, this.#nowMs()));
  }

  stop(): void {
    this.#cancelTick?.();
  }

  #perform(effects: AmdEffect[]): void {
    const callId = this.#callId;
    for (const effect of effects) {
      const atMs = Math.round(effect.atMs);
      if (effect.type === 'verdict') this.#edge.emit({ type: 'amd', callId, verdict: effect.verdict, atMs });
      else this.#edge.emit({ type: 'beep', callId, atMs });
    }
    this.#cancelTick?.();
    const dueMs = this.#watch.deadlineMs;
    this.#dueMs = dueMs;
    if (dueMs === null) return;
    const delayMs = Math.max(0, dueMs - this.#nowMs());
    const tick = () => this.#perform(this.#watch.tick(Math.max(dueMs, this.#nowMs())));
    this.#cancelTick = this.#edge.clock.after(delayMs, tick);
  }
}
