// Recognition by `POST {base}/audio/transcriptions` (multipart/form-data) of OpenAI and compatible servers: speaches,
// vLLM, LocalAI, whisper.cpp. The finished utterance is sent as one WAV file. There are no partials; where the server
// is quick, the audio so far is sent too when it is asked for. Source: the vendor's API reference, "Create
// transcription", read 2026-11.

import { messageOf, recordOf } from '../../../db/domain/unexpected.ts';
import { joinSamples } from '../../../media/frame.ts';
import { encodeWav } from '../../../media/wav.ts';
import { ask, httpUrl, lateOrAborted, readVendor, type Vendor, VendorError } from '../../vendors/vendor.ts';
import { STT_VENDORS } from '../../vendors/vendors.ts';
import type {
  SttEngine,
  SttResult,
  SttStream,
  SttStreamOptions,
  SttUtterance,
  SttUtteranceOptions,
  SttVocabulary,
} from '../stt.ts';
import { AnswerTimes } from './answer-times.ts';
import { languageCode } from './language-code.ts';

/** The vendor answers a sentence in about a second. */
const PATIENCE_MS = 3_000;
/** The vendor refuses less than 0.1 s. */
const MIN_AUDIO_MS = 100;
/** Longest utterance kept; the turn machine answers a caller after 20 s. */
const MAX_AUDIO_MS = 30_000;
/** Models whose servers tell the language that they heard, with `verbose_json`. */
const TELLS_LANGUAGE = /whisper/i;
/** Longest prompt of expected names. Whisper reads 224 tokens of it. */
const MAX_PROMPT_CHARS = 600;

export default async function createOpenAiStt(environment: Record<string, string | undefined>): Promise<SttEngine> {
  const vendor = readVendor(environment, STT_VENDORS.openai);
  const server: Server = { vendor, times: new AnswerTimes(), form: { isVerbose: TELLS_LANGUAGE.test(vendor.model) } };
  return {
    name: 'openai',
    freeText: true,
    givesPartials: false,
    givesInterims: environment.STT_INTERIMS !== 'off',
    languages: null,
    patienceMs: PATIENCE_MS,
    // The utterance is sent as a whole.
    blockMs: 200,
    openStream: async (options) => new HttpStream(server, options),
    close: async () => {},
  };
}

/** How an answer is asked for; a server that refuses the long form is asked for the short one from then on. */
interface AnswerForm {
  isVerbose: boolean;
}

/** The server's known properties, which serve all calls. */
interface Server {
  vendor: Vendor;
  times: AnswerTimes;
  form: AnswerForm;
}

class HttpStream implements SttStream {
  readonly #server: Server;
  readonly #options: SttStreamOptions;

  constructor(server: Server, options: SttStreamOptions) {
    this.#server = server;
    this.#options = options;
  }

  begin(options: SttUtteranceOptions): SttUtterance {
    return new HttpUtterance(this.#server, this.#options, options);
  }

  close(): void {}
}

class HttpUtterance implements SttUtterance {
  readonly #server: Server;
  readonly #call: SttStreamOptions;
  readonly #options: SttUtteranceOptions;
  readonly #pieces: Int16Array[] = [];
  #length = 0;
  /** Ends the requests for the words so far. Several may be on their way: an earlier one is answered sooner. */
  readonly #interims = new AbortController();

  constructor(server: Server, call: SttStreamOptions, options: SttUtteranceOptions) {
    this.#server = server;
    this.#call = call;
    this.#options = options;
  }

  write(samples: Int16Array): void {
    if (this.#length >= this.#samplesIn(MAX_AUDIO_MS)) return;
    this.#pieces.push(samples);
    this.#length += samples.length;
  }

  ask(number: number): void {
    if (!this.#server.times.areShort || this.#length < this.#samplesIn(MIN_AUDIO_MS)) return;
    const { signal } = this.#interims;
    this.#request(signal).then(
      ({ text }) => {
        if (!signal.aborted) this.#options.onEvent({ type: 'partial', text, asked: number });
      },
      // The result will be asked for.
      () => undefined,
    );
  }

  finish(): void {
    if (this.#length < this.#samplesIn(MIN_AUDIO_MS)) return this.#end({ text: '', confidence: 0, understood: false });
    // Words so far that are on their way come all the same: a reply can begin with them.
    this.#request().then(
      (result) => this.#end(result),
      (error: unknown) => this.#options.onEvent({ type: 'lost', message: messageOf(error) }),
    );
  }

  #end(result: SttResult): void {
    this.#interims.abort();
    this.#options.onEvent({ type: 'final', result });
  }

  /** The words of the audio so far. `interims`: nobody wants them once this is aborted. */
  async #request(interims?: AbortSignal): Promise<SttResult> {
    const { vendor, times, form } = this.#server;
    const { sampleRateHz, vocabulary, signal } = this.#call;
    const unwanted = AbortSignal.any([this.#options.signal, signal, ...(interims ? [interims] : [])]);
    const ends = AbortSignal.any([unwanted, AbortSignal.timeout(PATIENCE_MS)]);
    const wav = encodeWav({ channels: 1, sampleRateHz }, joinSamples(this.#pieces));
    const sentAtMs = performance.now();
    try {
      const result = await transcribe(vendor, wav, vocabulary, form, ends);
      times.note(performance.now() - sentAtMs);
      return result;
    } catch (error) {
      // A server that fails or refuses is not asked more than it must be.
      if (!unwanted.aborted) times.failed();
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
  answers: AnswerForm,
  signal: AbortSignal,
): Promise<SttResult> {
  const detects = (vocabulary.additionalLanguages ?? []).length > 0;
  if (!detects || !answers.isVerbose) return transcribeAs('json', vendor, wav, vocabulary, signal);
  try {
    return await transcribeAs('verbose_json', vendor, wav, vocabulary, signal);
  } catch (error) {
    if (!(error instanceof VendorError) || error.fault !== 'refused') throw error;
    answers.isVerbose = false;
    return transcribeAs('json', vendor, wav, vocabulary, signal);
  }
}

async function transcribeAs(
  responseFormat: 'json' | 'verbose_json',
  vendor: Vendor,
  wav: Buffer,
  vocabulary: SttVocabulary,
  signal: AbortSignal,
): Promise<SttResult> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'speech.wav');
  form.set('model', vendor.model);
  form.set('response_format', responseFormat);
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
    return resultOf(parsed.text.trim(), recordOf(parsed));
  throw new VendorError('garbled', `${vendor.name} answered JSON without a text`);
}

/** Of a long answer also the language, and how sure the model was of its words. */
function resultOf(text: string, { language, segments }: Record<string, unknown>): SttResult {
  const heard = languageCode(language);
  const result = { text, understood: text !== '', ...(heard === undefined ? {} : { language: heard }) };
  if (text === '') return { ...result, confidence: 0 };
  const logprobs = (Array.isArray(segments) ? segments : [])
    .map((segment) => recordOf(segment).avg_logprob)
    .filter((value) => typeof value === 'number');
  const mean = logprobs.reduce((sum, value) => sum + value, 0) / Math.max(1, logprobs.length);
  return { ...result, confidence: Math.min(1, Math.exp(mean)) };
}

/** Names that a general recogniser would misspell. */
function promptOf({ businessName, services, keywords = [] }: SttVocabulary): string {
  return [businessName, ...services, ...keywords].join(', ').slice(0, MAX_PROMPT_CHARS);
}
