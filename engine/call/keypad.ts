// Groups the caller's key presses into entries: up to `#` or a pause. Also decides what a 9 means: "do not call again"
// only if it was offered and pressed alone, since nine may be a room, a menu entry or a digit of a phone number.
import type { Clock } from '../clock.ts';
import { DIGIT_PAUSE_MS } from '../turn/machine.ts';

export interface KeyEntry {
  digits: string;
  /** Of the first key, on the call's clock. */
  atMs: number;
}

export class Keypad {
  readonly #clock: Clock;
  readonly #onEntry: (entry: KeyEntry) => void;
  #entry: KeyEntry | null = null;
  #cancelPause: (() => void) | null = null;

  constructor(clock: Clock, onEntry: (entry: KeyEntry) => void) {
    this.#clock = clock;
    this.#onEntry = onEntry;
  }

  press(digits: string, atMs: number): void {
    this.#cancelPause?.();
    this.#entry = { digits: (this.#entry?.digits ?? '') + digits, atMs: this.#entry?.atMs ?? atMs };
    if (digits.endsWith('#')) this.close();
    else this.#cancelPause = this.#clock.after(DIGIT_PAUSE_MS, () => this.close());
  }

  /** Ends the entry: a pause, somebody's words, or the end of the call. */
  close(): void {
    this.#cancelPause?.();
    this.#cancelPause = null;
    const entry = this.#entry;
    this.#entry = null;
    if (entry) this.#onEntry(entry);
  }
}

/** The key that asks not to be called again. */
const OPT_OUT = /^9#?$/;
const OFFER = /\b(press|dial|hit|push)\s+(the\s+)?(key\s+|number\s+)?(9|nine)\b/i;

/** Whether one of the texts, as configured or as said, offers that key. */
export function offersOptOut(texts: ReadonlyArray<string | null>): boolean {
  return texts.some((text) => text !== null && OFFER.test(text));
}

/** Whether an entry is an opt-out. */
export function isOptOut(digits: string, offers: ReadonlyArray<string | null>): boolean {
  return OPT_OUT.test(digits) && offersOptOut(offers);
}
