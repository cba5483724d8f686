// Speech with the times of its characters: one JSON object a line, `{audio_base64, alignment: {characters,
// character_end_times_seconds}}`. The audio becomes a stream of bytes, and the ends of words go to the sink.
import { type Vendor, VendorError } from '../../vendors/vendor.ts';
import type { SpeechSink, SpokenWord } from '../tts.ts';

/** Longest line: 10 s of audio are 430 kB in base64. */
const MAX_LINE_CHARS = 4_000_000;

/**
 * The answer as PCM alone. @throws {VendorError} `garbled`, while its body is read, for a line of another format
 */
export function timed(vendor: Vendor, answer: Response, text: string, sink: SpeechSink): Response {
  const words = new WordEnds(text);
  const lines = new Lines(vendor);
  const take = (line: string): Uint8Array => {
    const { audio, characters, endsSeconds } = timedPiece(vendor, line);
    const found = words.take(characters, endsSeconds);
    if (found.length > 0) sink.onWords?.(found);
    return audio;
  };
  const audio = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      for (const line of lines.push(chunk)) controller.enqueue(take(line));
    },
    flush: (controller) => {
      const last = lines.end();
      if (last !== '') controller.enqueue(take(last));
    },
  });
  return new Response(answer.body?.pipeThrough(audio) ?? null, { headers: { 'content-type': 'audio/pcm' } });
}

interface TimedPiece {
  audio: Uint8Array;
  characters: readonly string[];
  endsSeconds: readonly number[];
}

function timedPiece(vendor: Vendor, line: string): TimedPiece {
  try {
    const { audio_base64: audio, alignment } = JSON.parse(line) as {
      audio_base64?: unknown;
      alignment?: { characters?: unknown; character_end_times_seconds?: unknown } | null;
    };
    const { characters, character_end_times_seconds: ends } = alignment ?? {};
    return {
      audio: typeof audio === 'string' ? Buffer.from(audio, 'base64') : new Uint8Array(),
      characters: Array.isArray(characters) ? characters.map(String) : [],
      endsSeconds: Array.isArray(ends) ? ends.map(Number) : [],
    };
  } catch {
    throw new VendorError('garbled', `${vendor.name} answered something else than lines of JSON`);
  }
}

class Lines {
  readonly #vendor: Vendor;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(vendor: Vendor) {
    this.#vendor = vendor;
  }

  push(chunk: Uint8Array): string[] {
    const parts = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = parts.pop() ?? '';
    if (this.#rest.length > MAX_LINE_CHARS)
      throw new VendorError('garbled', `${this.#vendor.name} sent an endless line`);
    return parts.map((part) => part.trim()).filter((part) => part !== '');
  }

  end(): string {
    return this.#rest.trim();
  }
}

/** Matches the characters against the text. After a difference, no further word gets a time. */
class WordEnds {
  readonly #text: string;
  #at = 0;
  #isLost = false;

  constructor(text: string) {
    this.#text = text;
  }

  take(characters: readonly string[], endsSeconds: readonly number[]): SpokenWord[] {
    const words: SpokenWord[] = [];
    for (const [index, character] of characters.entries()) {
      const endMs = Math.round((endsSeconds[index] ?? Number.NaN) * 1_000);
      if (this.#isLost || Number.isNaN(endMs) || !this.#text.startsWith(character, this.#at)) {
        this.#isLost = true;
        break;
      }
      this.#at += character.length;
      const next = this.#text.charAt(this.#at);
      if (character.trim() !== '' && (next === '' || next.trim() === '')) words.push({ endChar: this.#at, endMs });
    }
    return words;
  }
}
