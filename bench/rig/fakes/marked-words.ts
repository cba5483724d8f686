// A recogniser without mistakes: marks in the audio identify the scripted utterance and its frames. A word is heard
// when most of its frames have arrived.
import { type ScriptedWord, ScriptFolder } from '../conversation/script.ts';
import { MarkReader } from '../conversation/watermark.ts';

/** Of its frames. */
export const WORD_SHARE = 0.6;

/** The words of each utterance, read once. */
export class ScriptedWords {
  readonly #folder: ScriptFolder;
  readonly #known = new Map<number, ScriptedWord[]>();

  constructor(path: string) {
    this.#folder = new ScriptFolder(path);
  }

  of(utterance: number): readonly ScriptedWord[] {
    const words = this.#known.get(utterance) ?? this.#folder.readWords(utterance);
    this.#known.set(utterance, words);
    return words;
  }
}

/** One utterance of the recogniser. */
export class MarkedWords {
  readonly #words: ScriptedWords;
  readonly #reader = new MarkReader();
  readonly #frames = new Map<number, Set<number>>();

  constructor(words: ScriptedWords) {
    this.#words = words;
  }

  /** Takes the next audio, PCM16 at 8 kHz. */
  hear(samples: Int16Array): void {
    for (const { utterance, frame } of this.#reader.read(samples)) {
      const frames = this.#frames.get(utterance) ?? new Set();
      this.#frames.set(utterance, frames.add(frame));
    }
  }

  /** The words so far. */
  get text(): string {
    const words: string[] = [];
    for (const [utterance, frames] of this.#frames)
      for (const { text, from, to } of this.#words.of(utterance)) {
        let heard = 0;
        for (let frame = from; frame < to; frame++) if (frames.has(frame)) heard++;
        if (heard >= (to - from) * WORD_SHARE) words.push(text);
      }
    return words.join(' ');
  }
}
