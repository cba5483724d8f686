// The words with which an agent's model really begins its replies: "Sure,", "Of course,". A voice has them cached once
// they were spoken, so they may be said as a clause of their own while the rest is still being made. They are learned
// for each agent, voice and language, in memory only: no list would be right for every model.

/** Replies that begin with the same words before these count as known. */
const KNOWN_AFTER = 3;
/** Of one agent: so many are counted, and so many of them rendered at the beginning of a call. */
const MAX_COUNTED = 32;
const MAX_KNOWN = 8;
const MAX_AGENTS = 500;
const MAX_CHARS = 24;
/** At most three words, and the mark that ends them. No figure: "5," may be a part of a number. */
const OPENING = /^\p{L}[\p{L}'’]*(?: [\p{L}'’]+){0,2}[,.!](?= |$)/u;

/** The words with which this text begins, as far as a voice can say them by themselves; null if there are none. */
export function openingOf(text: string): string | null {
  const [opening] = OPENING.exec(text.slice(0, MAX_CHARS + 1)) ?? [];
  return opening ?? null;
}

/** Openings of one agent in one voice and language. */
export class AgentOpenings {
  /** Replies by opening, the one used last at the end. */
  readonly #counts = new Map<string, number>();
  #known: readonly string[] = [];

  get known(): readonly string[] {
    return this.#known;
  }

  /** A reply begins like this. Returns its opening if that has become known just now, else null. */
  note(text: string): string | null {
    const opening = openingOf(text);
    if (opening === null) return null;
    const count = (this.#counts.get(opening) ?? 0) + 1;
    this.#counts.delete(opening);
    this.#counts.set(opening, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_COUNTED && oldest !== undefined) this.#counts.delete(oldest);
    const known = [...this.#counts].filter(([, uses]) => uses >= KNOWN_AFTER).map(([each]) => each);
    this.#known = known.slice(-MAX_KNOWN);
    return count === KNOWN_AFTER ? opening : null;
  }
}

/** Openings of all agents that spoke lately. */
export class Openings {
  readonly #agents = new Map<string, AgentOpenings>();

  of({ agentId, voiceId, language }: { agentId: string; voiceId: string; language: string }): AgentOpenings {
    const key = `${agentId} ${voiceId} ${language}`;
    const openings = this.#agents.get(key) ?? new AgentOpenings();
    this.#agents.delete(key);
    this.#agents.set(key, openings);
    const [oldest] = this.#agents.keys();
    if (this.#agents.size > MAX_AGENTS && oldest !== undefined) this.#agents.delete(oldest);
    return openings;
  }
}
