// Records when each stage of a reply was reached and how fast the agent yields: the parts of a call's latency. It only
// notes times, a few per turn at most.
import type { BargeInTiming, TurnTiming } from '../../db/domain/calls/timeline.ts';

type Stages = Pick<
  TurnTiming,
  'recognisedAtMs' | 'turnEndAtMs' | 'firstTokenAtMs' | 'firstClauseAtMs' | 'firstAudioAtMs' | 'guessed'
> & { askedAtMs: number };

interface Yielding {
  onsetAtMs: number;
  delayMs: number;
  /** The first packet with lowered volume, or with none. */
  atMs: number;
  silentAtMs: number;
}

/** As many as replies can be open. */
const MAX_OPEN = 16;

export class TurnStages {
  readonly #nowMs: () => number;
  /** By epoch. */
  readonly #open = new Map<number, Stages>();
  /** The newest final text that belongs to no turn yet. */
  #recognisedAtMs: number | null = null;
  /** The caller's newest onset; `delayMs`: how far the recording lags behind its arrival. */
  #onset: { atMs: number; delayMs: number } | null = null;
  /** The same lag for the end of the caller's newest speech. */
  #speechDelayMs = 0;
  #yielding: Yielding | null = null;

  /** `nowMs`: on the call's clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  recognised(): void {
    this.#recognisedAtMs = this.#nowMs();
  }

  asked(epoch: number, committed: boolean): void {
    if (this.#open.size >= MAX_OPEN) this.#open.clear();
    this.#open.set(epoch, {
      recognisedAtMs: null,
      askedAtMs: this.#nowMs(),
      turnEndAtMs: null,
      firstTokenAtMs: null,
      firstClauseAtMs: null,
      firstAudioAtMs: null,
      guessed: !committed,
    });
    if (committed) this.committed(epoch);
  }

  committed(epoch: number): void {
    const stages = this.#open.get(epoch);
    if (!stages) return;
    stages.turnEndAtMs = this.#nowMs();
    stages.recognisedAtMs = this.#recognisedAtMs;
    this.#recognisedAtMs = null;
  }

  /** Only the first time counts. */
  reached(epoch: number, stage: 'firstTokenAtMs' | 'firstClauseAtMs' | 'firstAudioAtMs'): void {
    const stages = this.#open.get(epoch);
    if (stages) stages[stage] ??= this.#nowMs();
  }

  forget(epoch: number): void {
    this.#open.delete(epoch);
  }

  /** The caller's newest speech is over; in the recording its end lags `delayMs` behind its arrival. */
  speechEnded(delayMs: number): void {
    this.#speechDelayMs = delayMs;
  }

  /** The reply's first packet was sent; its position in the recording is `recordedAtMs`. */
  started(epoch: number, speechEndAtMs: number, recordedAtMs: number): TurnTiming | null {
    const stages = this.#open.get(epoch);
    if (!stages) return null;
    const firstPacketAtMs = this.#nowMs();
    const gapMs = Math.max(0, Math.round(firstPacketAtMs - speechEndAtMs));
    return {
      speechEndAtMs: Math.round(speechEndAtMs),
      recognisedAtMs: rounded(stages.recognisedAtMs),
      askedAtMs: Math.round(stages.askedAtMs),
      turnEndAtMs: rounded(stages.turnEndAtMs),
      firstTokenAtMs: rounded(stages.firstTokenAtMs),
      firstClauseAtMs: rounded(stages.firstClauseAtMs),
      firstAudioAtMs: rounded(stages.firstAudioAtMs),
      firstPacketAtMs: Math.round(firstPacketAtMs),
      guessed: stages.guessed,
      gapMs,
      measuredOn: 'line',
      unrecordedMs: Math.round(this.#speechDelayMs + firstPacketAtMs - recordedAtMs),
    };
  }

  /** The caller begins to speak at `recordedAtMs` of the recording, which lags `delayMs` behind the arrival. */
  onset(recordedAtMs: number, delayMs: number): void {
    this.#onset = { atMs: Math.max(0, recordedAtMs - delayMs), delayMs };
  }

  /** The agent's volume is lowered from the packet at `packetAtMs` on. */
  ducked(packetAtMs: number): void {
    this.#beginYield(packetAtMs);
  }

  /** The agent falls silent at `silentAtMs`. */
  paused(silentAtMs: number): void {
    this.#beginYield(silentAtMs).silentAtMs = silentAtMs;
  }

  /** The agent goes on, or speaks again: nobody took the floor. */
  resumed(): void {
    this.#yielding = null;
  }

  /**
   * The caller has the floor. Without an earlier pause the agent is silent from the packet at `packetAtMs` on, at
   * `recordedAtMs` in the recording.
   */
  yielded(packetAtMs: number, recordedAtMs: number): BargeInTiming {
    const { onsetAtMs, delayMs, atMs, silentAtMs } = this.#beginYield(packetAtMs);
    this.#yielding = null;
    const silent = Math.min(silentAtMs, packetAtMs);
    return {
      onsetAtMs: Math.round(onsetAtMs),
      yieldingAtMs: Math.round(Math.min(atMs, silent)),
      silentAtMs: Math.round(silent),
      yieldMs: Math.max(0, Math.round(silent - onsetAtMs)),
      measuredOn: 'line',
      unrecordedMs: Math.round(delayMs + packetAtMs - recordedAtMs),
    };
  }

  #beginYield(atMs: number): Yielding {
    const { atMs: onsetAtMs, delayMs } = this.#onset ?? { atMs, delayMs: 0 };
    this.#yielding ??= { onsetAtMs, delayMs, atMs, silentAtMs: Number.POSITIVE_INFINITY };
    return this.#yielding;
  }
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
