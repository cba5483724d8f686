// Recognition by `POST {base}/audio/transcriptions` (multipart/form-data) of OpenAI and compatible servers: speaches,
// vLLM, LocalAI, whisper.cpp. The finished utterance is sent as one WAV file. There are no partials; where the server
// is quick, the audio so far is sent too when it is asked for. Source: the vendor's API reference, "Create
// transcription", read 2026-11.

import { messageOf } from '../../../db/domain/unexpected.ts';
import { joinSamples } from '../../../media/frame.ts';
import { encodeWav } from '../../../media/wav.ts';
import { ask, httpUrl, lateOrAborted, readVendor, type Vendor, VendorError } from '../../vendors/vendor.ts';
import { STT_VENDORS } from '../../vendors/vendors.ts';
import type {
  SttEngine,
  SttStream,
  SttStreamOptions,
  SttUtterance,
  SttUtteranceOptions,
  SttVocabulary,
} from '../stt.ts';
import { AnswerTimes } from './answer-times.ts';

/** The vendor answers a sentence in about a second. */
const PATIENCE_MS = 3_000;
/** The vendor refuses less than 0.1 s. */
const MIN_AUDIO_MS = 100;
/** Longest utterance kept; the turn machine answers a caller after 20 s. */
const MAX_AUDIO_MS = 30_000;
/** Longest prompt of expected names. Whisper reads 224 tokens of it. */
const MAX_PROMPT_CHARS = 600;

export default async function createOpenAiStt(environment: Record<string, string | undefined>): Promise<SttEngine> {
  const vendor = readVendor(environment, STT_VENDORS.openai);
  const times = new AnswerTimes();
  return {
    name: 'openai',
    freeText: true,
    givesPartials: false,
    givesInterims: environment.STT_INTERIMS !== 'off',
    languages: null,
    patienceMs: PATIENCE_MS,
    // The utterance is sent as a whole.
    blockMs: 200,
    openStream: async (options) => new HttpStream(vendor, times, options),
    close: async () => {},
  };
}

class HttpStream implements SttStream {
  readonly #vendor: Vendor;
  readonly #times: AnswerTimes;
  readonly #options: SttStreamOptions;

  constructor(vendor: Vendor, times: AnswerTimes, options: SttStreamOptions) {
    this.#vendor = vendor;
    this.#times = times;
    this.#options = options;
  }

  begin(options: SttUtteranceOptions): SttUtterance {
    return new HttpUtterance(this.#vendor, this.#times, this.#options, options);
  }

  close(): void {}
}

class HttpUtterance implements SttUtterance {
  readonly #vendor: Vendor;
  readonly #times: AnswerTimes;
  readonly #call: SttStreamOptions;
  readonly #options: SttUtteranceOptions;
  readonly #pieces: Int16Array[] = [];
  #length = 0;
  /** The newest request for the words so far; null if it was not made. */
  #interim: { text: Promise<string>; abort: AbortController } | null = null;

  constructor(vendor: Vendor, times: AnswerTimes, call: SttStreamOptions, options: SttUtteranceOptions) {
    this.#vendor = vendor;
    this.#times = times;
    this.#call = call;
    this.#options = options;
  }

  write(samples: Int16Array): void {
    if (this.#length >= this.#samplesIn(MAX_AUDIO_MS)) return;
    this.#pieces.push(samples);
    this.#length += samples.length;
  }

  ask(number: number): void {
    this.#interim?.abort.abort();
    this.#interim = null;
    if (!this.#times.areShort || this.#length < this.#samplesIn(MIN_AUDIO_MS)) return;
    const abort = new AbortController();
    const text = this.#request(abort.signal);
    this.#interim = { text, abort };
    text.then(
      (words) => {
        if (!abort.signal.aborted) this.#options.onEvent({ type: 'partial', text: words, asked: number });
      },
      // The result will be asked for.
      () => undefined,
    );
  }

  finish(): void {
    if (this.#length < this.#samplesIn(MIN_AUDIO_MS)) return this.#end('');
    // Words so far that are on their way come all the same: a reply can begin with them.
    this.#request().then(
      (words) => this.#end(words),
      (error: unknown) => this.#options.onEvent({ type: 'lost', message: messageOf(error) }),
    );
  }

  #end(text: string): void {
    this.#interim?.abort.abort();
    this.#interim = null;
    const understood = text !== '';
    this.#options.onEvent({ type: 'final', result: { text, confidence: understood ? 1 : 0, understood } });
  }

  /** The words of the audio so far. */
  async #request(replaced?: AbortSignal): Promise<string> {
    const { sampleRateHz, vocabulary, signal } = this.#call;
    const unwanted = AbortSignal.any([this.#options.signal, signal, ...(replaced ? [replaced] : [])]);
    const ends = AbortSignal.any([unwanted, AbortSignal.timeout(PATIENCE_MS)]);
    const wav = encodeWav({ channels: 1, sampleRateHz }, joinSamples(this.#pieces));
    const sentAtMs = performance.now();
    try {
      const text = await transcribe(this.#vendor, wav, vocabulary, ends);
      this.#times.note(performance.now() - sentAtMs);
      return text;
    } catch (error) {
      // A server that fails or refuses is not asked more than it must be.
      if (!unwanted.aborted) this.#times.failed();
      throw error;
    }
  }

  #samplesIn(ms: number): number {
    return (this.#call.sampleRateHz * ms) / 1_000;
  }
}

async function transcribe(
  vendor: Vendor,
  wav: Buffer,
  vocabulary: SttVocabulary,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'speech.wav');
  form.set('model', vendor.model);
  form.set('response_format', 'json');
  // With several languages the server detects the spoken one.
  if (!vocabulary.additionalLanguages?.length) form.set('language', vocabulary.language.split('-')[0] ?? 'en');
  const prompt = promptOf(vocabulary);
  if (prompt) form.set('prompt', prompt);
  const answer = await ask(vendor, httpUrl(vendor, '/audio/transcriptions'), {
    method: 'POST',
    body: form,
    headers: vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` },
    signal,
  });
  let parsed: unknown;
  try {
    parsed = await answer.json();
  } catch (error) {
    if (signal.aborted) throw lateOrAborted(vendor, signal);
    throw new VendorError(
      'garbled',
      `${vendor.name} answered something else than JSON (${messageOf(error).slice(0, 60)})`,
    );
  }
  if (typeof parsed === 'object' && parsed !== null && 'text' in parsed && typeof parsed.text === 'string')
    return parsed.text.trim();
  throw new VendorError('garbled', `${vendor.name} answered JSON without a text`);
}

/** Names that a general recogniser would misspell. */
function promptOf({ businessName, services }: SttVocabulary): string {
  return [businessName, ...services].join(', ').slice(0, MAX_PROMPT_CHARS);
}
