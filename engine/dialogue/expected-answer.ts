// Tells the shard what the agent's question asks for: the recogniser and endpointing depend on it.
import { ASKED_NOTHING, type Asked, askedFor } from '../turn/expectation.ts';
import type { DialogueOptions } from './options.ts';

export class ExpectedAnswer {
  readonly #options: Pick<DialogueOptions, 'callId' | 'language' | 'send'>;
  /** The last value sent to the shard. */
  #asked: Asked = ASKED_NOTHING;

  constructor(options: Pick<DialogueOptions, 'callId' | 'language' | 'send'>) {
    this.#options = options;
  }

  /** The agent has asked for digits. */
  get isOfDigits(): boolean {
    return this.#asked.expects === 'digits';
  }

  /** For a process that goes on with the call: empty where it asks for nothing. */
  get state(): { asked?: Asked } {
    return this.#asked.expects === ASKED_NOTHING.expects ? {} : { asked: this.#asked };
  }

  /** Another process has asked; this one's shard listens for anything. */
  goOn({ asked }: { asked?: Asked }): void {
    if (asked !== undefined) this.tell(asked);
  }

  tell(asked: Asked): void {
    this.#asked = asked;
    const { expects, digitCount } = asked;
    const count = digitCount === null ? {} : { digitCount };
    this.#options.send({ type: 'expects', callId: this.#options.callId, expects, ...count });
  }

  /** A model that writes free text does not state what it expects; its question shows it. */
  inferFrom(text: string): void {
    const asked = askedFor(text, this.#options.language);
    const isKnown = asked.expects === this.#asked.expects && asked.digitCount === this.#asked.digitCount;
    if (!isKnown) this.tell(asked);
  }
}
