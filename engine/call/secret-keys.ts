// Numbers that a caller keys in and nobody reads: not the model, the transcript, the log, an event or the recording.
// While keys are secret, the shard gives them to this file alone, and both channels of the recording are silent. What
// was keyed in stays in this process's memory under a reference, which a tool of the tenant gets in its place once.
import { randomBytes } from 'node:crypto';
import { isLuhn } from '../../db/domain/redaction/checks.ts';
import type { SecretWish } from '../../db/domain/secret-digits.ts';
import type { Clock } from '../clock.ts';
import type { SecretAnswer } from '../dialogue/tools/tool.ts';

/** A caller looks for the card first. */
const FIRST_KEY_MS = 90_000;
const NEXT_KEY_MS = 20_000;
/** The last key's tone may still sound, and a caller may press one key too many. */
const AFTERWARDS_MS = 3_000;
/** A caller who has to begin anew, or has only paused, may key on before the agent has said so. */
const AFTER_FAILURE_MS = 30_000;
/** A shorter number is in many texts that do not mean it. */
const HIDDEN_DIGITS_MIN = 6;
const REFERENCE = /secret:[\w-]{16}/g;
const HIDDEN = '[secret]';

const MESSAGES = {
  nothing_keyed: 'The caller has keyed in nothing.',
  too_short: 'The caller has keyed in too few digits: ask again.',
  wrong_check_digit: 'What the caller has keyed in cannot be right, a digit is wrong: ask again.',
  busy: 'The caller is keying in something already.',
  over: 'The call is over.',
} as const;

const failed = (error: keyof typeof MESSAGES): SecretAnswer => ({ ok: false, error, message: MESSAGES[error] });

interface Options {
  clock: Clock;
  /** Keys are secret from now on, or no longer. */
  setSecret(isSecret: boolean): void;
}

export class SecretKeys {
  readonly #options: Options;
  readonly #kept = new Map<string, string>();
  /** All that were keyed in on this call: no answer may repeat them. */
  readonly #numbers = new Set<string>();
  #entry: { wish: SecretWish; digits: string; done: (answer: SecretAnswer) => void } | null = null;
  /** Null: keys are not secret. */
  #cancelTimer: (() => void) | null = null;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when the caller has keyed it in, or will not. `#` ends an entry, `*` begins it anew. */
  collect(wish: SecretWish): Promise<SecretAnswer> {
    if (this.#isClosed) return Promise.resolve(failed('over'));
    if (this.#entry !== null) return Promise.resolve(failed('busy'));
    return new Promise((resolve) => {
      this.#entry = { wish, digits: '', done: resolve };
      this.#staySecret(FIRST_KEY_MS);
    });
  }

  /** Keys are secret just now. */
  get isSecret(): boolean {
    return this.#cancelTimer !== null;
  }

  /** A number is being keyed in. */
  get isCollecting(): boolean {
    return this.#entry !== null;
  }

  /** Another process was being told a number: what is still keyed in is nobody's to see, and of no use any more. */
  discard(): void {
    this.#staySecret(FIRST_KEY_MS);
  }

  press(key: string): void {
    const entry = this.#entry;
    if (entry === null) return;
    this.#staySecret(NEXT_KEY_MS);
    if (key === '#') return this.#finish();
    if (key === '*') entry.digits = '';
    else if (/^\d$/.test(key)) entry.digits += key;
    if (entry.digits.length === entry.wish.maxDigits) this.#finish();
  }

  /** The arguments of a tool with what its references stand for. */
  revealed<T>(args: T): T {
    if (this.#kept.size === 0) return args;
    return mapTexts(args, (text) => text.replace(REFERENCE, (reference) => this.#kept.get(reference) ?? reference));
  }

  /** An answer without what it was told, should it repeat it: as text, in groups, as a number, or as a name. */
  hidden<T>(answer: T): T {
    if (this.#numbers.size === 0) return answer;
    const short = new Set([...this.#numbers].filter(({ length }) => length < HIDDEN_DIGITS_MIN));
    const long = [...this.#numbers].filter(({ length }) => length >= HIDDEN_DIGITS_MIN);
    const forms = long.map((number) => new RegExp([...number].join('[\\s.-]?'), 'g'));
    return mapTexts(answer, (text) =>
      short.has(text) ? HIDDEN : forms.reduce((all, form) => all.replace(form, HIDDEN), text),
    );
  }

  /** A tool has taken what stands under the references in its arguments: they stand for nothing any more. */
  spent(args: unknown): void {
    mapTexts(args, (text) => {
      for (const reference of text.match(REFERENCE) ?? []) this.#kept.delete(reference);
      return text;
    });
  }

  /** The call is over, or another process has it: nothing is kept. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#entry?.done(failed('over'));
    this.#entry = null;
    this.#kept.clear();
    this.#numbers.clear();
  }

  #staySecret(ms: number): void {
    if (this.#cancelTimer === null) this.#options.setSecret(true);
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.after(ms, () => {
      if (this.#entry !== null) return this.#finish();
      this.#cancelTimer = null;
      this.#options.setSecret(false);
    });
  }

  #finish(): void {
    const entry = this.#entry;
    if (entry === null) return;
    this.#entry = null;
    const answer = this.#judged(entry.digits, entry.wish);
    this.#staySecret(answer.ok ? AFTERWARDS_MS : AFTER_FAILURE_MS);
    entry.done(answer);
  }

  #judged(digits: string, { minDigits, hasCheckDigit }: SecretWish): SecretAnswer {
    if (digits === '') return failed('nothing_keyed');
    if (digits.length < minDigits) return failed('too_short');
    if (hasCheckDigit && !isLuhn(digits)) return failed('wrong_check_digit');
    const reference = `secret:${randomBytes(12).toString('base64url')}`;
    this.#kept.set(reference, digits);
    this.#numbers.add(digits);
    return { ok: true, reference, digits: digits.length };
  }
}

/** A number that changes as a text becomes that text; so do names of members. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (typeof part === 'number') return change(String(part)) === String(part) ? part : change(String(part));
    if (Array.isArray(part)) return part.map(visit);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [change(name), visit(each)]));
  };
  return visit(value) as T;
}
