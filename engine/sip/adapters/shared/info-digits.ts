// Digits that are sent by INFO (application/dtmf-relay), for peers whose media carries none: one request a digit, each
// after the answer to the one before it, so that their order stays.

/** Digits beyond it are dropped: a peer that answers slowly must not hold a list without end. */
const WAITING_MAX = 64;
/** As long as a pressed key; the peer plays it. */
const DIGIT_MS = 160;

export const INFO_DIGITS_TYPE = 'application/dtmf-relay';

export class InfoDigits {
  readonly #waiting: string[] = [];

  /** True if none was waiting: the sender begins. Other characters than digits are left out. */
  add(digits: string): boolean {
    const wasIdle = this.#waiting.length === 0;
    const room = WAITING_MAX - this.#waiting.length;
    this.#waiting.push(...[...digits].filter((digit) => /[0-9A-D*#]/.test(digit)).slice(0, room));
    return wasIdle && this.#waiting.length > 0;
  }

  /** The body of the next INFO; null if no digit waits. */
  get body(): string | null {
    const [digit] = this.#waiting;
    return digit === undefined ? null : `Signal=${digit}\r\nDuration=${DIGIT_MS}\r\n`;
  }

  /** The INFO was answered, or its answer is not to come. */
  sent(): void {
    this.#waiting.shift();
  }
}
