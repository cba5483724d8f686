// The texts that a browser sends beside its audio: keys of the telephone. Anything else is a sign of life and no more.

const PER_SECOND = 20;
const MAX_CHARS = 200;
const DIGIT = /^[0-9*#]$/;

export class BrowserTexts {
  readonly #now: () => number;
  readonly #onDigit: (digit: string) => void;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** `now`: any monotonic clock, ms. */
  constructor(now: () => number, onDigit: (digit: string) => void) {
    this.#now = now;
    this.#onDigit = onDigit;
  }

  /** One that comes too soon after others is not read. */
  take(text: string): void {
    const nowMs = this.#now();
    if (nowMs - this.#sinceMs > 1_000) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    if (++this.#count > PER_SECOND || text.length > MAX_CHARS) return;
    const digit = digitIn(text);
    if (digit !== null) this.#onDigit(digit);
  }
}

function digitIn(text: string): string | null {
  try {
    const { type, digit } = JSON.parse(text) as { type?: unknown; digit?: unknown };
    return type === 'digit' && typeof digit === 'string' && DIGIT.test(digit) ? digit : null;
  } catch {
    return null;
  }
}
