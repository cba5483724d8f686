// What the agent's question asks for, told to the shard: the recogniser and the end of the caller's turn depend on it.
import { ASKED_NOTHING, type Asked, askedFor } from '../turn/expectation.ts';
import type { DialogueOptions } from './options.ts';

export class ExpectedAnswer {
  readonly #options: Pick<DialogueOptions, 'callId' | 'language' | 'send'>;
  /** What the shard was last told. */
  #asked: Asked = ASKED_NOTHING;

  constructor(options: Pick<DialogueOptions, 'callId' | 'language' | 'send'>) {
    this.#options = options;
  }

  tell(asked: Asked): void {
    this.#asked = asked;
    const { expects, digitCount } = asked;
    const count = digitCount === null ? {} : { digitCount };
    this.#options.send({ type: 'expects', callId: this.#options.callId, expects, ...count });
  }

  /** A model in free text does not say what it expects; its question does. */
  inferFrom(text: string): void {
    const asked = askedFor(text, this.#options.language);
    const isKnown = asked.expects === this.#asked.expects && asked.digitCount === this.#asked.digitCount;
    if (!isKnown) this.tell(asked);
  }
}
