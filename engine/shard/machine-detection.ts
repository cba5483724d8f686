// Answering-machine detection of one outbound call: feeds what the shard hears to the detector, and tells its verdicts.
import type { AmdEffect } from '../../models/amd/amd.ts';
import { AnsweringMachineWatch } from '../../models/amd/watch.ts';
import type { Clock } from '../clock.ts';
import type { ShardEvent } from './protocol.ts';

interface DetectionEdge {
  emit(event: ShardEvent): void;
  clock: Clock;
}

// A greeting of a machine is told by its first words; the bound only keeps a long call's text from growing.
const MAX_TEXT_CHARS = 2000;

export class MachineDetection {
  readonly #callId: string;
  readonly #edge: DetectionEdge;
  readonly #nowMs: () => number;
  readonly #watch = new AnsweringMachineWatch();
  #cancelTick: (() => void) | null = null;
  #dueMs: number | null = null;
  #said = '';

  /** `nowMs`: the call's clock. */
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

  /** The callee's audio at 8 kHz, without gaps; the array is read at once. */
  audio(samples: Int16Array): void {
    if (this.#watch.isDone) return;
    const effects = this.#watch.audio(samples, this.#nowMs());
    // A pause that its loudness shows is no effect, but moves the time of the verdict.
    if (effects.length > 0 || this.#watch.deadlineMs !== this.#dueMs) this.#perform(effects);
  }

  speechStarted(speechAtMs: number): void {
    this.#perform(this.#watch.speechStarted(speechAtMs, this.#nowMs()));
  }

  speechStopped(lastSpeechAtMs: number): void {
    this.#perform(this.#watch.speechStopped(lastSpeechAtMs, this.#nowMs()));
  }

  /**
   * What an utterance came to, where it was understood. Guesses on the way do not count: a recogniser with a grammar forces
   * whatever it hears onto some phrase of it, and only at the end knows how far off it was.
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
