// The words that listeners were last told of one call, as far as they are still being said: a browser its own agent's
// words, live views both sides' words while somebody watches.
import type { TranscriptEntry } from '../../db/records/resources.ts';

/** Words so far, and their start on the call's clock; null while that side is silent. */
interface Saying {
  text: string;
  startedAtMs: number;
}

export class ToldWords {
  #browser = '';
  #views = '[]';
  #caller = '';
  #watchedUntilMs = Number.NEGATIVE_INFINITY;

  watch(untilMs: number): void {
    this.#watchedUntilMs = untilMs;
  }

  isWatched(nowMs: number): boolean {
    return nowMs < this.#watchedUntilMs;
  }

  /** The agent's words, if the browser has not been told; null otherwise. */
  forBrowser(agent: Saying | null): TranscriptEntry | null {
    if (agent === null || agent.text === '' || agent.text === this.#browser) return null;
    this.#browser = agent.text;
    return entryOf('agent', agent);
  }

  /** The caller's words so far, if there are others than before; null otherwise. */
  forSearch(caller: Saying | null): string | null {
    const text = caller?.text ?? '';
    if (text === this.#caller) return null;
    this.#caller = text;
    return text === '' ? null : text;
  }

  /** All that is being said, if it has changed; empty when nothing is said any more, null if views know it. */
  forViews(agent: Saying | null, caller: Saying | null): TranscriptEntry[] | null {
    const words: TranscriptEntry[] = [];
    if (agent !== null && agent.text !== '') words.push(entryOf('agent', agent));
    if (caller !== null && caller.text !== '') words.push(entryOf('caller', caller));
    const told = JSON.stringify(words);
    if (told === this.#views) return null;
    this.#views = told;
    return words;
  }
}

/** The entry of the whole sentence has the same time, and replaces this one. */
function entryOf(speaker: TranscriptEntry['speaker'], { text, startedAtMs }: Saying): TranscriptEntry {
  return { speaker, text, timestamp: Math.max(0, Math.round(startedAtMs)) };
}
