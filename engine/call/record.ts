// A running call's record: its transcript, which the live views receive entry by entry, and its latencies.
import type { TranscriptEntry } from '../../db/resources.ts';
import { type BargeInTiming, type CallTimeline, TIMELINE_MAX, type TurnTiming } from '../../db/shared/call-timeline.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock } from '../clock.ts';

export type LiveState = 'ringing' | 'listening' | 'thinking' | 'speaking' | 'ended';

/** A turn with no recognisable words is still an entry: something was said. */
export const UNINTELLIGIBLE = '(unintelligible)';

export type RecordChange = { type: 'transcript'; entry: TranscriptEntry } | { type: 'state'; state: LiveState };

export class CallRecord {
  readonly #writer: Pick<Writer, 'run'>;
  readonly #accountId: string;
  readonly #callId: string;
  readonly #clock: Clock;
  readonly #onLost: (error: unknown) => void;
  readonly #entries: TranscriptEntry[] = [];
  readonly #turns: TurnTiming[] = [];
  readonly #bargeIns: BargeInTiming[] = [];
  #state: LiveState = 'ringing';
  #listener: ((change: RecordChange) => void) | null = null;

  constructor(options: {
    writer: Pick<Writer, 'run'>;
    accountId: string;
    callId: string;
    clock: Clock;
    onLost: (error: unknown) => void;
  }) {
    this.#writer = options.writer;
    this.#accountId = options.accountId;
    this.#callId = options.callId;
    this.#clock = options.clock;
    this.#onLost = options.onLost;
  }

  /** A browser call follows its own transcript and state. */
  onChange(listener: (change: RecordChange) => void): void {
    this.#listener = listener;
  }

  /** Ordered by each entry's first word; entries may arrive late (a caller's turn is known only when it ends). */
  get transcript(): TranscriptEntry[] {
    return [...this.#entries].sort((a, b) => a.timestamp - b.timestamp);
  }

  add(entry: TranscriptEntry): void {
    const clean = { ...entry, timestamp: Math.max(0, Math.round(entry.timestamp)) };
    // A turn that went on after its reply was dropped comes again in full: the later text replaces the earlier.
    const same = this.#entries.findIndex(
      (other) => other.speaker === clean.speaker && other.timestamp === clean.timestamp,
    );
    if (same >= 0) this.#entries.splice(same, 1);
    this.#entries.push(clean);
    this.#feed('transcript', clean);
    this.#listener?.({ type: 'transcript', entry: clean });
  }

  state(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    // The write of the call's end adds `ended`.
    if (state !== 'ended') this.#feed('state', { state });
    this.#listener?.({ type: 'state', state });
  }

  latency(ms: number): void {
    this.#feed('latency', { ms: Math.round(ms) });
  }

  turnTimed(turn: TurnTiming): void {
    if (this.#turns.length < TIMELINE_MAX) this.#turns.push(turn);
  }

  bargeInTimed(bargeIn: BargeInTiming): void {
    if (this.#bargeIns.length < TIMELINE_MAX) this.#bargeIns.push(bargeIn);
  }

  /** Null if nothing was timed. */
  get timeline(): CallTimeline | null {
    const [turns, bargeIns] = [this.#turns, this.#bargeIns];
    return turns.length + bargeIns.length === 0 ? null : { turns, bargeIns, speech: null };
  }

  #feed(type: 'transcript' | 'state' | 'latency', data: unknown): void {
    this.#writer
      .run('appendFeed', { accountId: this.#accountId, callId: this.#callId, type, data, nowMs: this.#clock.nowMs() })
      .catch(this.#onLost);
  }
}
