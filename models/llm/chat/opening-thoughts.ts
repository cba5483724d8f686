// The beginning of a reply that may be thoughts without an opening mark: the template has opened them, and only their
// end is in the text, or they are harmony's channels without its tokens. Such a beginning is held back until it
// proves to be one or the other; the words of nearly all replies pass at once.

/** About the caller in the third person, or about what is to be done. */
const THINKS =
  /^\W*(?:(?:okay|ok|alright|all right|hmm+|so|well|right|now|first|let me see|wait)[\s,.:]+){0,4}(?:(?:the|this|our) (?:user|caller|customer|person|client)\b|we (?:need to|should|have to|must)\b|let'?s (?:think|see)\b|let me think\b)/i;
const OPENERS: readonly string[] = [
  ...[
    'okay',
    'ok',
    'alright',
    'all',
    'right',
    'hmm',
    'so',
    'well',
    'now',
    'first',
    'let',
    "let's",
    'me',
    'see',
    'wait',
  ],
  ...['the', 'this', 'our', 'user', 'caller', 'customer', 'person', 'client', 'we', 'need', 'should', 'have'],
];
const MAX_OPENERS = 7;
const MAX_CHARS = 100_000;
/** `analysisThe caller wants …assistantfinalSure.` */
const BARE_ANALYSIS = /^\s*analysis(?=[A-Z\s])/;
const BARE_FINAL = /assistant\s*(?:final|commentary)(?=\S)/;

/** Whether the text, which may stop within a word, can go on to be such a beginning. */
function mayThink(text: string): boolean {
  if (!/^[a-z'\s,.:]*$/i.test(text)) return false;
  const words = text.toLowerCase().match(/[a-z']+/g) ?? [];
  const isOpen = /[a-z']$/i.test(text);
  return (
    words.length <= MAX_OPENERS &&
    words.every((word, n) =>
      isOpen && n === words.length - 1 ? OPENERS.some((opener) => opener.startsWith(word)) : OPENERS.includes(word),
    )
  );
}

export class OpeningThoughts {
  readonly #isKnown: boolean;
  /** Null: the reply has begun. */
  #held: string | null = '';
  #isBare = false;

  /** `isKnown`: replies of this model have begun so. */
  constructor(isKnown: boolean) {
    this.#isKnown = isKnown;
  }

  /** @returns what is no thought */
  take(text: string): string {
    if (this.#held === null) return text;
    this.#held = (this.#held + text).slice(0, MAX_CHARS);
    if (this.#isBare || BARE_ANALYSIS.test(this.#held)) {
      this.#isBare = true;
      const final = BARE_FINAL.exec(this.#held);
      return final === null ? '' : this.#release(this.#held.slice(final.index + final[0].length));
    }
    const isHeld =
      this.#isKnown ||
      THINKS.test(this.#held) ||
      mayThink(this.#held) ||
      'analysis'.startsWith(this.#held.trimStart().toLowerCase());
    return isHeld ? '' : this.#release(this.#held);
  }

  /** The mark at the end of thoughts has come. */
  drop(): void {
    this.#held = null;
  }

  /** The reply is over. @returns what was held and is no thought, since no mark has come */
  end(): string {
    return this.#isBare ? '' : this.#release(this.#held ?? '');
  }

  #release(text: string): string {
    this.#held = null;
    this.#isBare = false;
    return text;
  }
}
