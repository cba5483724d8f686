// Recognition by `POST {base}/audio/transcriptions` (multipart/form-data) of OpenAI and compatible servers: speaches,
// vLLM, LocalAI, whisper.cpp. The finished utterance is sent as one WAV file, from the beginning of the turn on. There
// are no partials; where the server is quick, the audio so far is sent too when it is asked for. Source: the vendor's
// API reference, "Create transcription", read 2026-11.

import { messageOf } from '../../../db/domain/unexpected.ts';
import { joinSamples } from '../../../media/frame.ts';
import { encodeWav } from '../../../media/wav.ts';
import { readVendor, type Vendor } from '../../vendors/vendor.ts';
import { STT_VENDORS } from '../../vendors/vendors.ts';
import type { SttEngine, SttResult, SttStream, SttStreamOptions, SttUtterance, SttUtteranceOptions } from '../stt.ts';
import { AnswerTimes } from './answer-times.ts';
import { OneRequest } from './one-request.ts';
import { type AnswerForm, transcribe } from './transcription.ts';

/** The vendor answers a sentence in about a second. */
const PATIENCE_MS = 3_000;
/** The vendor refuses less than 0.1 s. */
const MIN_AUDIO_MS = 100;
/** Longest utterance kept; the turn machine answers a caller after 20 s. */
const MAX_AUDIO_MS = 30_000;
/** Models whose servers tell with `verbose_json` the language that they heard, and how sure they are. */
const IS_VERBOSE = /whisper/i;

export default async function createOpenAiStt(
  environment: Record<string, string | undefined>,
  times = new AnswerTimes(),
): Promise<SttEngine> {
  const vendor = readVendor(environment, STT_VENDORS.openai);
  const server: Server = { vendor, times, form: { isVerbose: IS_VERBOSE.test(vendor.model) } };
  return {
    name: 'openai',
    freeText: true,
    givesPartials: false,
    givesInterims: environment.STT_INTERIMS !== 'off',
    hearsTurns: true,
    languages: null,
    patienceMs: PATIENCE_MS,
    // The utterance is sent as a whole.
    blockMs: 200,
    openStream: async (options) => new HttpStream(server, options),
    close: async () => {},
  };
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
  readonly #requests = new OneRequest();

  constructor(server: Server, options: SttStreamOptions) {
    this.#server = server;
    this.#options = options;
  }

  begin(options: SttUtteranceOptions): SttUtterance {
    return new HttpUtterance(this.#server, this.#requests, this.#options, options);
  }

  close(): void {}
}

/** A request for the words so far. */
interface Interim {
  number: number;
  isSent: boolean;
  result: SttResult | null;
}

class HttpUtterance implements SttUtterance {
  readonly #server: Server;
  readonly #requests: OneRequest;
  readonly #call: SttStreamOptions;
  readonly #options: SttUtteranceOptions;
  readonly #pieces: Int16Array[] = [];
  #length = 0;
  /** The newest words so far: asked for, or answered. */
  #interim: Interim | null = null;
  /** The words so far with this number are the result. */
  #awaited: number | null = null;
  #isOver = false;
  /** Of the answers so far: all their sound, and the longest one's. */
  #sentMs = 0;
  #longestMs = 0;

  constructor(server: Server, requests: OneRequest, call: SttStreamOptions, options: SttUtteranceOptions) {
    this.#server = server;
    this.#requests = requests;
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
    const interim: Interim = { number, isSent: false, result: null };
    this.#interim = interim;
    this.#requests.askWords(async (unwanted) => {
      if (this.#isOver || this.#options.signal.aborted) return;
      interim.isSent = true;
      try {
        interim.result = await this.#request(unwanted, AbortSignal.timeout(PATIENCE_MS));
        if (this.#isOver || unwanted.aborted) return;
        this.#options.onEvent({ type: 'partial', text: interim.result.text, asked: number });
        if (this.#awaited === number) this.#end(interim.result);
      } catch {
        if (this.#interim === interim) this.#interim = null;
        // The result is asked for all the same.
        if (this.#awaited === number) this.#askResult();
      }
    });
  }

  finish(asked?: number): void {
    if (this.#length < this.#samplesIn(MIN_AUDIO_MS)) return this.#end({ text: '', confidence: 0, understood: false });
    const interim = this.#interim;
    if (interim === null || interim.number !== asked || !interim.isSent) return this.#askResult();
    if (interim.result !== null) return this.#end(interim.result);
    this.#awaited = asked;
  }

  #askResult(): void {
    this.#awaited = null;
    const patience = AbortSignal.timeout(PATIENCE_MS);
    this.#requests.askResult(async (unwanted) => {
      if (this.#isOver) return;
      try {
        this.#end(await this.#request(unwanted, patience));
      } catch (error) {
        this.#isOver = true;
        this.#options.onEvent({ type: 'lost', message: messageOf(error) });
      }
    });
  }

  #end(result: SttResult): void {
    this.#isOver = true;
    this.#options.onEvent({ type: 'final', result });
  }

  /** The words of the audio so far. `givenUp` is our own doing and says nothing about the server. */
  async #request(givenUp: AbortSignal, patience: AbortSignal): Promise<SttResult> {
    const { vendor, times, form } = this.#server;
    const { sampleRateHz, vocabulary, signal: ended } = this.#call;
    const unwanted = AbortSignal.any([this.#options.signal, ended, givenUp]);
    const signal = AbortSignal.any([unwanted, patience]);
    const wav = encodeWav({ channels: 1, sampleRateHz }, joinSamples(this.#pieces));
    const sound = { wav, ms: (this.#length * 1_000) / sampleRateHz };
    try {
      const onAnswer = (ms: number): void => {
        times.note(ms);
        this.#answered(sound.ms);
      };
      return await transcribe({ vendor, sound, vocabulary, form, signal, onAnswer });
    } catch (error) {
      // A server that fails or refuses is not asked more than it must be.
      if (!unwanted.aborted) times.failed();
      throw error;
    }
  }

  /** The longest of an utterance's requests is its own: the others are sound that was sent once more. */
  #answered(ms: number): void {
    const before = this.#sentMs - this.#longestMs;
    this.#sentMs += ms;
    this.#longestMs = Math.max(this.#longestMs, ms);
    const again = this.#sentMs - this.#longestMs - before;
    if (again > 0) this.#call.onHeardAgain?.(again);
  }

  #samplesIn(ms: number): number {
    return (this.#call.sampleRateHz * ms) / 1_000;
  }
}
