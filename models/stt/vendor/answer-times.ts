// How soon a server answers, by its newest answers: whether it is worth asking before the answer is needed.

/** Answers that are remembered. */
const NEWEST = 9;
/** Fewer say nothing. */
const LEAST = 3;
/** A later answer to a question about words over the agent, or before the end of a turn, gains nothing. */
const SHORT_MS = 450;

export class AnswerTimes {
  #newestMs: number[] = [];

  note(ms: number): void {
    this.#newestMs = [...this.#newestMs, ms].slice(-NEWEST);
  }

  /** It has refused or failed: what was known of it is forgotten. */
  failed(): void {
    this.#newestMs = [];
  }

  /** Most of the newest answers came soon. False before there are enough. */
  get areShort(): boolean {
    const sorted = [...this.#newestMs].sort((a, b) => a - b);
    return sorted.length >= LEAST && (sorted[Math.floor(sorted.length * 0.75)] ?? 0) <= SHORT_MS;
  }
}
