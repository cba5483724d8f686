// Groups the caller's key presses into entries, by the rule of the turn. Also decides what a 9 means: "do not call
// again" only if it was offered and pressed alone, since nine may be a room, a menu entry or a digit of a phone number.

import { phraseLanguage, phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { Phrases } from '../../models/llm/phrases/phrases.ts';
import type { Clock } from '../clock.ts';
import { DIGIT_PAUSE_MS, isWholeEntry } from '../turn/key-entry.ts';

export interface KeyEntry {
  digits: string;
  /** Time of the first key, on the call's clock. */
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

  /** Keys of an entry that has not ended. */
  get pressed(): string {
    return this.#entry?.digits ?? '';
  }

  press(digits: string, atMs: number): void {
    this.#cancelPause?.();
    this.#entry = { digits: (this.#entry?.digits ?? '') + digits, atMs: this.#entry?.atMs ?? atMs };
    if (isWholeEntry(this.#entry.digits)) this.close();
    else this.#cancelPause = this.#clock.after(DIGIT_PAUSE_MS, () => this.close());
  }

  /** Ends the entry: after a pause, at speech, or at the end of the call. */
  close(): void {
    this.#cancelPause?.();
    this.#cancelPause = null;
    const entry = this.#entry;
    this.#entry = null;
    if (entry) this.#onEntry(entry);
  }
}

/** The key that means "do not call me again". */
const OPT_OUT = /^9#?$/;
const OFFER = /\b(press|dial|hit|push)\s+(the\s+)?(key\s+|number\s+)?(9|nine)\b/i;

/** Whether one of the texts, configured or spoken, offers that key. */
export function offersOptOut(texts: ReadonlyArray<string | null>, language = 'en'): boolean {
  const offers = [OFFER, ...(phraseLanguage(language) === 'en' ? [] : offersIn(phrasesFor(language).keys))];
  return texts.some((text) => text !== null && offers.some((offer) => offer.test(text)));
}

/** "Drücken Sie bitte die 9", "die 9 drücken". */
function offersIn({ press, nine }: Phrases['keys']): RegExp[] {
  const [pressed, key] = [press.join('|'), nine.join('|')];
  // Up to four words may stand between the two, but no other number and no comma: "drücken Sie die 1, um 9 Uhr …".
  return [
    new RegExp(`(?<!\\p{L})(${pressed})(\\s+\\p{L}+){0,4}\\s+(${key})(?![\\p{L}\\d-])`, 'iu'),
    new RegExp(`(?<![\\p{L}\\d])(${key})(\\s+\\p{L}+){0,1}\\s+(${pressed})(?!\\p{L})`, 'iu'),
  ];
}

/** Whether an entry is an opt-out. */
export function isOptOut(digits: string, offers: ReadonlyArray<string | null>, language = 'en'): boolean {
  return OPT_OUT.test(digits) && offersOptOut(offers, language);
}
