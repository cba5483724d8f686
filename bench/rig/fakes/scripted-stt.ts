// A recogniser without mistakes: marks in the audio identify the scripted utterance and its frames. A word is
// recognised when most of its frames have arrived. Partials and the final follow after FAKE_STT_FINAL_MS (150).

import type { SttEngineFactory, SttUtterance, SttUtteranceOptions } from '../../../models/stt/stt.ts';
import { SCRIPT_FOLDER, type ScriptedWord, ScriptFolder } from '../script.ts';
import { MarkReader } from '../watermark.ts';

const WORD_SHARE = 0.6;

class ScriptedUtterance implements SttUtterance {
  readonly #options: SttUtteranceOptions;
  readonly #delayMs: number;
  readonly #wordsOf: (utterance: number) => readonly ScriptedWord[];
  readonly #reader = new MarkReader();
  readonly #frames = new Map<number, Set<number>>();
  #shown = '';

  constructor(options: SttUtteranceOptions, delayMs: number, wordsOf: (utterance: number) => readonly ScriptedWord[]) {
    this.#options = options;
    this.#delayMs = delayMs;
    this.#wordsOf = wordsOf;
  }

  write(samples: Int16Array): void {
    const marks = this.#reader.read(samples);
    if (marks.length === 0) return;
    for (const { utterance, frame } of marks) {
      const frames = this.#frames.get(utterance) ?? new Set();
      this.#frames.set(utterance, frames.add(frame));
    }
    const text = this.#text();
    if (text === this.#shown) return;
    this.#shown = text;
    this.#later(() => this.#options.onEvent({ type: 'partial', text }));
  }

  finish(): void {
    const text = this.#text();
    const understood = text !== '';
    const result = { text, confidence: understood ? 0.98 : 0, understood };
    this.#later(() => this.#options.onEvent({ type: 'final', result }));
  }

  #text(): string {
    const words: string[] = [];
    for (const [utterance, frames] of this.#frames)
      for (const { text, from, to } of this.#wordsOf(utterance)) {
        let heard = 0;
        for (let frame = from; frame < to; frame++) if (frames.has(frame)) heard++;
        if (heard >= (to - from) * WORD_SHARE) words.push(text);
      }
    return words.join(' ');
  }

  #later(action: () => void): void {
    setTimeout(() => {
      if (!this.#options.signal.aborted) action();
    }, this.#delayMs);
  }
}

const createStt: SttEngineFactory = async (environment) => {
  const folder = new ScriptFolder(environment[SCRIPT_FOLDER] ?? '');
  const delayMs = Number(environment.FAKE_STT_FINAL_MS ?? 150);
  const known = new Map<number, ScriptedWord[]>();
  const wordsOf = (utterance: number): ScriptedWord[] => {
    const words = known.get(utterance) ?? folder.readWords(utterance);
    known.set(utterance, words);
    return words;
  };
  return {
    name: 'scripted',
    freeText: true,
    givesPartials: true,
    languages: null,
    patienceMs: 1_500,
    blockMs: 20,
    async openStream() {
      return { begin: (options) => new ScriptedUtterance(options, delayMs, wordsOf), close: () => {} };
    },
    close: async () => {},
  };
};

export default createStt;
