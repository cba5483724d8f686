// What others than the caller want of the agent: that it says nothing, and what clients of the API tell its model.

/** Who wants the agent to say nothing: a client of the API; a person who talks in its place. */
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

  /** What of it another process has to know: a person is not there any more. */
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
