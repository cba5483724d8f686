// Recognition by OpenAI's realtime transcription, `wss://…/v1/realtime?intent=transcription`, and compatible servers
// (speaches). Our own voice activity detection finds the start and end of an utterance; each is committed separately.
// Source: the vendor's API reference, "Realtime", and its guide on transcription, read 2026-11.

import { recordOf } from '../../../db/domain/unexpected.ts';
import { encodeG711 } from '../../../media/g711.ts';
import { Resampler } from '../../../media/resample.ts';
import { readVendor, socketUrl, type Vendor, VendorError } from '../../vendors/vendor.ts';
import { OPENAI_MIN_COMMIT_MS, STT_VENDORS } from '../../vendors/vendors.ts';
import type { SttEngine, SttResult } from '../stt.ts';
import { SocketStream, type SttWire, type WireLink, type WireUtterance } from './socket-stream.ts';

const PATIENCE_MS = 2_500;
/** The only rate of `audio/pcm`. */
const PCM_RATE_HZ = 24_000;
/** Models that transcribe during speech. The others transcribe after the commit, and take a prompt. */
const LIVE_MODELS = /^(gpt-live-transcribe|gpt-realtime-whisper)/;

export default async function createOpenAiRealtimeStt(
  environment: Record<string, string | undefined>,
): Promise<SttEngine> {
  const vendor = readVendor(environment, STT_VENDORS['openai-realtime']);
  const dialect: Dialect = { isFlat: false };
  return {
    name: 'openai-realtime',
    freeText: true,
    givesPartials: true,
    languages: null,
    patienceMs: PATIENCE_MS,
    blockMs: 20,
    openStream: async (options) => new SocketStream(vendor, options, (link) => new RealtimeWire(vendor, link, dialect)),
    close: async () => {},
  };
}

/** The server's observed dialect; shared by all calls of the worker. */
interface Dialect {
  /** The model is in the address and the session's fields are on one level, as in the beta: speaches. */
  isFlat: boolean;
}

class RealtimeWire implements SttWire {
  readonly headers: Record<string, string>;
  readonly keepAlive = null;
  readonly farewell = null;
  readonly #vendor: Vendor;
  readonly #link: WireLink;
  readonly #dialect: Dialect;
  #resampler: Resampler | null = null;
  /** Committed utterances without a named item, in the order of their commits. */
  #committed: WireUtterance[] = [];
  readonly #byItem = new Map<string, WireUtterance>();
  readonly #texts = new Map<WireUtterance, string>();

  constructor(vendor: Vendor, link: WireLink, dialect: Dialect) {
    this.#vendor = vendor;
    this.#link = link;
    this.#dialect = dialect;
    this.headers = vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` };
  }

  url(): URL {
    const url = socketUrl(this.#vendor, '/realtime', '/v1');
    url.searchParams.set('intent', 'transcription');
    // The vendor refuses an address with a model, speaches one without.
    if (this.#dialect.isFlat) url.searchParams.set('model', this.#vendor.model);
    return url;
  }

  opened(): void {
    this.#committed = [];
    this.#byItem.clear();
    this.#texts.clear();
    this.#resampler = null;
    this.#link.send(JSON.stringify({ type: 'session.update', session: this.#session() }));
  }

  refused(error: VendorError): boolean {
    const isAboutForm = error.fault === 'refused' && error.status !== null && error.status !== 404;
    if (this.#dialect.isFlat || !isAboutForm) return false;
    this.#dialect.isFlat = true;
    return true;
  }

  begin(_utterance: WireUtterance): void {
    // Each utterance has its own resampler, which starts from silence.
    const { sampleRateHz } = this.#link.options;
    this.#resampler = this.#isTelephone() ? null : new Resampler(sampleRateHz, PCM_RATE_HZ);
  }

  audio(_utterance: WireUtterance, samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#link.send(`{"type":"input_audio_buffer.append","audio":"${this.#encoded(samples).toString('base64')}"}`);
  }

  finish(utterance: WireUtterance): void {
    if (utterance.samples < (this.#link.options.sampleRateHz * OPENAI_MIN_COMMIT_MS) / 1_000) {
      this.#link.send('{"type":"input_audio_buffer.clear"}');
      this.#link.final(utterance, { text: '', confidence: 0, understood: false });
      return;
    }
    this.#committed.push(utterance);
    this.#link.send('{"type":"input_audio_buffer.commit"}');
  }

  cancel(utterance: WireUtterance): void {
    if (!utterance.isFinished) this.#link.send('{"type":"input_audio_buffer.clear"}');
    this.#texts.delete(utterance);
  }

  receive(message: Record<string, unknown>): void {
    switch (message.type) {
      case 'input_audio_buffer.committed':
        this.#name(String(message.item_id));
        return;
      case 'conversation.item.input_audio_transcription.delta':
        this.#delta(String(message.item_id), String(message.delta ?? ''));
        return;
      case 'conversation.item.input_audio_transcription.completed':
        this.#completed(String(message.item_id), message);
        return;
      case 'conversation.item.input_audio_transcription.failed': {
        const utterance = this.#byItem.get(String(message.item_id));
        if (utterance) this.#link.lose(utterance, `openai-realtime could not transcribe (${codeOf(message)})`);
        return;
      }
      case 'error':
        this.#failed(codeOf(message), message);
        return;
      default:
    }
  }

  #session(): Record<string, unknown> {
    const { vocabulary } = this.#link.options;
    const { model } = this.#vendor;
    const language = vocabulary.additionalLanguages?.length ? {} : { language: vocabulary.language.split('-')[0] };
    const prompt = LIVE_MODELS.test(model)
      ? {}
      : { prompt: [vocabulary.businessName, ...vocabulary.services, ...(vocabulary.keywords ?? [])].join(', ') };
    const transcription = { model, ...language, ...prompt };
    if (this.#dialect.isFlat) {
      return { input_audio_format: 'pcm16', input_audio_transcription: transcription, turn_detection: null };
    }
    const format = this.#isTelephone() ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: PCM_RATE_HZ };
    return {
      type: 'transcription',
      audio: { input: { format, noise_reduction: null, transcription, turn_detection: null } },
    };
  }

  /** A telephone's samples are sent in µ-law, without resampling. */
  #isTelephone(): boolean {
    return this.#link.options.sampleRateHz === 8_000 && !this.#dialect.isFlat;
  }

  #encoded(samples: Int16Array): Buffer {
    if (this.#isTelephone()) {
      const bytes = Buffer.alloc(samples.length);
      encodeG711('pcmu', samples, bytes);
      return bytes;
    }
    this.#resampler ??= new Resampler(this.#link.options.sampleRateHz, PCM_RATE_HZ);
    const out = new Int16Array(this.#resampler.maxOutput(samples.length));
    const length = this.#resampler.process(samples, out);
    return Buffer.from(out.buffer, 0, length * 2);
  }

  #name(itemId: string): void {
    const utterance = this.#committed.shift();
    if (utterance) this.#byItem.set(itemId, utterance);
  }

  #delta(itemId: string, delta: string): void {
    // Models that transcribe during speech name an item before its commit.
    const utterance = this.#byItem.get(itemId) ?? this.#link.open.find(({ isFinished }) => !isFinished);
    if (!utterance) return;
    const text = (this.#texts.get(utterance) ?? '') + delta;
    this.#texts.set(utterance, text);
    this.#link.partial(utterance, text.trim());
  }

  #completed(itemId: string, message: Record<string, unknown>): void {
    const utterance = this.#byItem.get(itemId);
    if (!utterance) return;
    this.#byItem.delete(itemId);
    this.#texts.delete(utterance);
    const text = typeof message.transcript === 'string' ? message.transcript.trim() : '';
    const result: SttResult = { text, confidence: confidenceOf(message.logprobs, text), understood: text !== '' };
    this.#link.final(utterance, result);
  }

  #failed(code: string, message: Record<string, unknown>): void {
    if (code === 'input_audio_buffer_commit_empty') {
      const utterance = this.#committed.shift();
      if (utterance) this.#link.final(utterance, { text: '', confidence: 0, understood: false });
      return;
    }
    const error = recordOf(message.error);
    if (code === 'invalid_api_key' || error.type === 'authentication_error') {
      const text = 'openai-realtime refused the key: STT_API_KEY is not accepted';
      this.#link.restart(new VendorError('credentials', text, { code }));
      return;
    }
    const isAboutForm =
      /model|session/.test(String(error.param ?? '')) || /model_not_found|invalid_value|unknown_parameter/.test(code);
    if (isAboutForm) {
      const text = `openai-realtime refused the session (${code}): is STT_MODEL (${this.#vendor.model}) right?`;
      this.#link.restart(new VendorError('refused', text, { code, status: 400 }));
      return;
    }
    if (code === 'session_expired') {
      this.#link.restart(new VendorError('broken', 'openai-realtime ended the session', { code }));
    }
    // Other errors concern one message; the utterance's own deadline handles them.
  }
}

/** The mean of the tokens' probabilities; 1 if the server sends none. */
function confidenceOf(logprobs: unknown, text: string): number {
  if (text === '') return 0;
  if (!Array.isArray(logprobs) || logprobs.length === 0) return 1;
  const values = logprobs.map((entry) => Math.exp(Number(recordOf(entry).logprob) || 0));
  return Math.min(1, values.reduce((sum, value) => sum + value, 0) / values.length);
}

function codeOf(message: Record<string, unknown>): string {
  const error = recordOf(message.error);
  const code = error.code ?? error.type;
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'error';
}
