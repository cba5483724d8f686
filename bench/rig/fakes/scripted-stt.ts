// A recogniser without mistakes (marked-words.ts) that gives each word while it is spoken. Partials and the final
// follow after FAKE_STT_FINAL_MS (150).

import type { SttEngineFactory, SttUtterance, SttUtteranceOptions } from '../../../models/stt/stt.ts';
import { SCRIPT_FOLDER } from '../conversation/script.ts';
import { MarkedWords, ScriptedWords } from './marked-words.ts';

class ScriptedUtterance implements SttUtterance {
  readonly #options: SttUtteranceOptions;
  readonly #delayMs: number;
  readonly #heard: MarkedWords;
  #shown = '';

  constructor(options: SttUtteranceOptions, delayMs: number, words: ScriptedWords) {
    this.#options = options;
    this.#delayMs = delayMs;
    this.#heard = new MarkedWords(words);
  }

  write(samples: Int16Array): void {
    this.#heard.hear(samples);
    const { text } = this.#heard;
    if (text === this.#shown) return;
    this.#shown = text;
    this.#later(() => this.#options.onEvent({ type: 'partial', text }));
  }

  finish(): void {
    const { text } = this.#heard;
    const understood = text !== '';
    const result = { text, confidence: understood ? 0.98 : 0, understood };
    this.#later(() => this.#options.onEvent({ type: 'final', result }));
  }

  #later(action: () => void): void {
    setTimeout(() => {
      if (!this.#options.signal.aborted) action();
    }, this.#delayMs);
  }
}

const createStt: SttEngineFactory = async (environment) => {
  const words = new ScriptedWords(environment[SCRIPT_FOLDER] ?? '');
  const delayMs = Number(environment.FAKE_STT_FINAL_MS ?? 150);
  return {
    name: 'scripted',
    freeText: true,
    givesPartials: true,
    languages: null,
    patienceMs: 1_500,
    blockMs: 20,
    async openStream() {
      return { begin: (options) => new ScriptedUtterance(options, delayMs, words), close: () => {} };
    },
    close: async () => {},
  };
};

export default createStt;
