// Recognition by `POST {base}/audio/transcriptions` (multipart/form-data) of OpenAI and compatible servers: speaches,
// vLLM, LocalAI, whisper.cpp. The finished utterance is sent as one WAV file. There are no partials. Source: the
// vendor's API reference, "Create transcription", read 2026-11.

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
  return {
    name: 'openai',
    freeText: true,
    givesPartials: false,
    languages: null,
    patienceMs: PATIENCE_MS,
    // The utterance is sent as a whole.
    blockMs: 200,
    openStream: async (options) => new HttpStream(vendor, options),
    close: async () => {},
  };
}

class HttpStream implements SttStream {
  readonly #vendor: Vendor;
  readonly #options: SttStreamOptions;

  constructor(vendor: Vendor, options: SttStreamOptions) {
    this.#vendor = vendor;
    this.#options = options;
  }

  begin(options: SttUtteranceOptions): SttUtterance {
    const { sampleRateHz, vocabulary, signal: callSignal } = this.#options;
    const maxSamples = (sampleRateHz * MAX_AUDIO_MS) / 1_000;
    const pieces: Int16Array[] = [];
    let length = 0;
    return {
      write: (samples) => {
        if (length >= maxSamples) return;
        pieces.push(samples);
        length += samples.length;
      },
      finish: () => {
        if (length < (sampleRateHz * MIN_AUDIO_MS) / 1_000) {
          options.onEvent({ type: 'final', result: { text: '', confidence: 0, understood: false } });
          return;
        }
        const signal = AbortSignal.any([options.signal, callSignal, AbortSignal.timeout(PATIENCE_MS)]);
        const wav = encodeWav({ channels: 1, sampleRateHz }, joinSamples(pieces));
        transcribe(this.#vendor, wav, vocabulary, signal).then(
          (text) =>
            options.onEvent({ type: 'final', result: { text, confidence: text ? 1 : 0, understood: text !== '' } }),
          (error: unknown) => options.onEvent({ type: 'lost', message: messageOf(error) }),
        );
      },
    };
  }

  close(): void {}
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
