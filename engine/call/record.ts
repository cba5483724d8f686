// What a call leaves behind while it runs: its transcript, which the live views see entry by entry, and its latencies.
import type { CallLatency, TranscriptEntry } from '../../db/resources.ts';
import type { Writer } from '../../db/writer.ts';

export type LiveState = 'ringing' | 'listening' | 'thinking' | 'speaking' | 'ended';

/** A caller's turn in which nothing could be recognised is an entry too: something was said. */
export const UNINTELLIGIBLE = '(unintelligible)';

export type RecordChange = { type: 'transcript'; entry: TranscriptEntry } | { type: 'state'; state: LiveState };

const DIGITS_PAUSE_MS = 2_000;

export class CallRecord {
  readonly #writer: Writer;
  readonly #accountId: string;
  readonly #callId: string;
  readonly #now: () => number;
  readonly #onLost: (error: unknown) => void;
  readonly #entries: TranscriptEntry[] = [];
  #state: LiveState = 'ringing';
  #digits: { text: string; atMs: number } | null = null;
  #digitsTimer: NodeJS.Timeout | undefined;
  #listener: ((change: RecordChange) => void) | null = null;

  constructor(options: {
    writer: Writer;
    accountId: string;
    callId: string;
    now: () => number;
    onLost: (error: unknown) => void;
  }) {
    this.#writer = options.writer;
    this.#accountId = options.accountId;
    this.#callId = options.callId;
    this.#now = options.now;
    this.#onLost = options.onLost;
  }

  /** A browser call hears of its own transcript and state. */
  onChange(listener: (change: RecordChange) => void): void {
    this.#listener = listener;
  }

  /** By the position of the first word; entries may come late (a caller's turn is known when it ends). */
  get transcript(): TranscriptEntry[] {
    return [...this.#entries].sort((a, b) => a.timestamp - b.timestamp);
  }

  add(entry: TranscriptEntry): void {
    const clean = { ...entry, timestamp: Math.max(0, Math.round(entry.timestamp)) };
    // A turn that went on after its reply was dropped comes again, whole: the later text replaces the earlier.
    const same = this.#entries.findIndex(
      (other) => other.speaker === clean.speaker && other.timestamp === clean.timestamp,
    );
    if (same >= 0) this.#entries.splice(same, 1);
    this.#entries.push(clean);
    this.#feed('transcript', clean);
    this.#listener?.({ type: 'transcript', entry: clean });
  }

  /** Keys come one by one; those pressed together are one entry: up to `#`, a pause of 2 s, or somebody's words. */
  digits(digits: string, atMs: number): void {
    if (this.#digits) this.#digits.text += digits;
    else this.#digits = { text: digits, atMs };
    clearTimeout(this.#digitsTimer);
    if (digits.endsWith('#')) return this.#flushDigits();
    this.#digitsTimer = setTimeout(() => this.#flushDigits(), DIGITS_PAUSE_MS);
  }

  /** The call is over: nothing more is pressed. */
  finish(): void {
    this.#flushDigits();
  }

  #flushDigits(): void {
    clearTimeout(this.#digitsTimer);
    const digits = this.#digits;
    this.#digits = null;
    if (digits) this.add({ speaker: 'caller', text: digits.text, timestamp: digits.atMs });
  }

  state(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    // `ended` is written with the end itself.
    if (state !== 'ended') this.#feed('state', { state });
    this.#listener?.({ type: 'state', state });
  }

  latency(ms: number): void {
    this.#feed('latency', { ms: Math.round(ms) });
  }

  #feed(type: 'transcript' | 'state' | 'latency', data: unknown): void {
    this.#writer
      .run('appendFeed', { accountId: this.#accountId, callId: this.#callId, type, data, nowMs: this.#now() })
      .catch(this.#onLost);
  }
}

/** Median and 95th percentile of a call's turns; null without one. */
export function latencyOf(turnsMs: readonly number[]): CallLatency | null {
  if (turnsMs.length === 0) return null;
  const sorted = [...turnsMs].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { turns: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95) };
}
