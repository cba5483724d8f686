// Wishes of others than the caller: that the agent says nothing, and instructions from clients of the API to its model.

/** The source of the wish for silence: a client of the API, or a person who talks in its place. */
export type SilencedBy = 'client' | 'person';

/** Instructions of clients, in one call. */
const TOLD_MAX = 20;

export class OutsideWishes {
  readonly #silencedBy = new Set<SilencedBy>();
  readonly #told: string[] = [];

  get isSilenced(): boolean {
    return this.#silencedBy.size > 0;
  }

  isSilencedBy(who: SilencedBy): boolean {
    return this.#silencedBy.has(who);
  }

  silence(who: SilencedBy): void {
    this.#silencedBy.add(who);
  }

  letSpeak(who: SilencedBy): void {
    this.#silencedBy.delete(who);
  }

  get told(): readonly string[] {
    return this.#told;
  }

  /** For the rest of the call; of many only the newest. */
  instruct(text: string): void {
    this.#told.push(text);
    if (this.#told.length > TOLD_MAX) this.#told.shift();
  }

  /** The part that another process has to know: a person is not there any more. */
  get state(): { isSilenced?: true; told?: string[] } {
    return {
      ...(this.isSilencedBy('client') ? { isSilenced: true } : {}),
      ...(this.#told.length === 0 ? {} : { told: [...this.#told] }),
    };
  }

  goOn({ isSilenced = false, told = [] }: { isSilenced?: boolean | undefined; told?: string[] | undefined }): void {
    if (isSilenced) this.silence('client');
    for (const text of told) this.instruct(text);
  }
}
