// Recognition by Deepgram's streaming interface, `wss://…/v1/listen`: interim results while the caller speaks, words
// with times. Source: the vendor's API reference, "Live audio", read 2026-11.
import { recordOf } from '../../../db/domain/unexpected.ts';
import { readVendor, socketUrl, type Vendor, VendorError } from '../../vendors/vendor.ts';
import { STT_VENDORS } from '../../vendors/vendors.ts';
import type { SttEngine, SttResult, SttStreamOptions, SttWord } from '../stt.ts';
import { languageCode } from './language-code.ts';
import { SocketStream, type SttWire, type WireLink, type WireUtterance } from './socket-stream.ts';

const PATIENCE_MS = 1_500;
/** Longest wait for the answer to Finalize, which is not guaranteed; then the text so far counts. */
const FINALIZE_MS = 700;
const KEEP_ALIVE_MS = 4_000;
/**
 * Silence within an utterance after which the vendor calls it final, ms. Its default of 10 cuts sentences to pieces.
 */
const ENDPOINTING_MS = 300;
const MAX_KEY_TERMS = 50;
const CREDENTIALS = new Set(['INVALID_AUTH', 'INSUFFICIENT_PERMISSIONS']);

export default async function createDeepgramStt(environment: Record<string, string | undefined>): Promise<SttEngine> {
  const vendor = readVendor(environment, STT_VENDORS.deepgram);
  return {
    name: 'deepgram',
    freeText: true,
    givesPartials: true,
    languages: null,
    patienceMs: PATIENCE_MS,
    blockMs: 20,
    openStream: async (options) => new SocketStream(vendor, options, (link) => new DeepgramWire(vendor, link)),
    close: async () => {},
  };
}

/** The position of an utterance in the connection's audio, in samples, and its recognised text. */
interface Span {
  utterance: WireUtterance;
  from: number;
  /** Null until the utterance ends. */
  to: number | null;
  finals: string[];
  interim: string;
  words: SttWord[];
  /** Words in each language that it has told, by base language. */
  languages: Map<string, number>;
  confidences: number[];
  /** An answer has arrived since Finalize. */
  isAnswered: boolean;
  limit: NodeJS.Timeout | null;
}

class DeepgramWire implements SttWire {
  readonly headers: Record<string, string>;
  readonly keepAlive = { everyMs: KEEP_ALIVE_MS, text: '{"type":"KeepAlive"}' };
  readonly farewell = '{"type":"CloseStream"}';
  readonly #vendor: Vendor;
  readonly #link: WireLink;
  #spans: Span[] = [];
  #sent = 0;

  constructor(vendor: Vendor, link: WireLink) {
    this.#vendor = vendor;
    this.#link = link;
    // A key from the console is a Token, a temporary key a JWT.
    const scheme = vendor.apiKey?.startsWith('eyJ') ? 'Bearer' : 'Token';
    this.headers = { authorization: `${scheme} ${vendor.apiKey}` };
  }

  url(): URL {
    const url = socketUrl(this.#vendor, '/listen', '/v1');
    for (const [name, value] of queryOf(this.#vendor.model, this.#link.options)) url.searchParams.append(name, value);
    return url;
  }

  opened(): void {
    for (const span of this.#spans) if (span.limit) clearTimeout(span.limit);
    this.#spans = [];
    this.#sent = 0;
  }

  begin(utterance: WireUtterance): void {
    this.#spans = this.#spans.filter((span) => this.#link.open.includes(span.utterance) || span.to === null);
    this.#spans.push({
      utterance,
      from: this.#sent,
      to: null,
      finals: [],
      interim: '',
      words: [],
      languages: new Map(),
      confidences: [],
      isAnswered: false,
      limit: null,
    });
  }

  audio(_utterance: WireUtterance, samples: Int16Array): void {
    // An empty frame would close the stream.
    if (samples.length === 0) return;
    this.#sent += samples.length;
    this.#link.send(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  }

  finish(utterance: WireUtterance): void {
    const span = this.#spanOf(utterance);
    if (!span) return;
    span.to = this.#sent;
    if (span.to === span.from) {
      this.#settle(span);
      return;
    }
    this.#link.send('{"type":"Finalize"}');
    span.limit = setTimeout(() => this.#settleLate(span), FINALIZE_MS);
  }

  cancel(utterance: WireUtterance): void {
    const span = this.#spanOf(utterance);
    if (!span) return;
    if (span.limit) clearTimeout(span.limit);
    // The spoken words must not be joined to the next utterance.
    if (span.to === null) this.#link.send('{"type":"Finalize"}');
    span.to ??= this.#sent;
  }

  receive(message: Record<string, unknown>): void {
    if (message.type === 'Results') this.#results(message);
    else if (message.type === 'Error' || typeof message.err_code === 'string') {
      const code = String(message.err_code ?? message.code ?? 'error');
      const fault = CREDENTIALS.has(code) ? 'credentials' : 'broken';
      this.#link.restart(new VendorError(fault, `deepgram reported ${code.slice(0, 40)}`, { code }));
    }
  }

  #results(message: Record<string, unknown>): void {
    const { sampleRateHz } = this.#link.options;
    const start = number(message.start) * sampleRateHz;
    const end = start + number(message.duration) * sampleRateHz;
    const middle = (start + end) / 2;
    const span = this.#spans.findLast(({ from, to }) => from <= middle && (to === null || middle <= to));
    if (span) this.#add(span, message);
    if (message.from_finalize !== true) return;
    // The answer covers all earlier audio; rounding loses a few samples.
    const slack = sampleRateHz / 50;
    for (const done of [...this.#spans]) if (done.to !== null && done.to <= end + slack) this.#settle(done);
  }

  #add(span: Span, message: Record<string, unknown>): void {
    const best = bestAlternative(message);
    span.isAnswered ||= span.to !== null;
    if (message.is_final === true) {
      if (best.transcript) span.finals.push(best.transcript);
      if (best.transcript) span.confidences.push(best.confidence);
      const offsetMs = (span.from / this.#link.options.sampleRateHz) * 1_000;
      for (const language of best.languages) span.languages.set(language, (span.languages.get(language) ?? 0) + 1);
      span.words.push(...best.words.map((word) => shifted(word, -offsetMs)));
      span.interim = '';
    } else span.interim = best.transcript;
    const text = textOf(span);
    if (text) this.#link.partial(span.utterance, text);
    if (message.speech_final === true && span.to === null) this.#link.turnEnd(span.utterance);
  }

  #settleLate(span: Span): void {
    if (span.isAnswered || textOf(span)) this.#settle(span);
    else this.#link.lose(span.utterance, 'deepgram did not answer');
  }

  #settle(span: Span): void {
    this.#spans = this.#spans.filter((other) => other !== span);
    if (span.limit) clearTimeout(span.limit);
    const text = textOf(span);
    const confidence = text ? Math.min(1, ...span.confidences) : 0;
    const [language] = [...span.languages].sort(([, a], [, b]) => b - a)[0] ?? [];
    const told = language === undefined ? {} : { language };
    const result: SttResult = { text, confidence, understood: text !== '', ...told };
    this.#link.final(span.utterance, span.words.length > 0 ? { ...result, words: span.words } : result);
  }

  #spanOf(utterance: WireUtterance): Span | undefined {
    return this.#spans.find((span) => span.utterance === utterance);
  }
}

function queryOf(model: string, { sampleRateHz, vocabulary }: SttStreamOptions): Array<[string, string]> {
  const { language, additionalLanguages = [], businessName, services, keywords = [] } = vocabulary;
  const terms = [...new Set([businessName, ...services, ...keywords])]
    .filter((term) => term !== '')
    .slice(0, MAX_KEY_TERMS);
  const termName = model.startsWith('nova-3') ? 'keyterm' : 'keywords';
  return [
    ['model', model],
    ['language', additionalLanguages.length > 0 ? 'multi' : language],
    ['encoding', 'linear16'],
    ['sample_rate', String(sampleRateHz)],
    ['channels', '1'],
    ['interim_results', 'true'],
    ['endpointing', String(ENDPOINTING_MS)],
    ['punctuate', 'true'],
    ['smart_format', 'true'],
    ...terms.map((term): [string, string] => [termName, term]),
  ];
}

function textOf({ finals, interim }: Span): string {
  return [...finals, interim].filter((part) => part !== '').join(' ');
}

interface Alternative {
  transcript: string;
  /** Of each word, where it is told: with `language=multi`. */
  languages: string[];
  confidence: number;
  words: SttWord[];
}

function bestAlternative(message: Record<string, unknown>): Alternative {
  const channel = recordOf(message.channel);
  const best = recordOf(Array.isArray(channel.alternatives) ? channel.alternatives[0] : null);
  const words = Array.isArray(best.words) ? best.words.map(recordOf) : [];
  return {
    transcript: typeof best.transcript === 'string' ? best.transcript.trim() : '',
    languages: words.map(({ language }) => languageCode(language)).filter((language) => language !== undefined),
    confidence: number(best.confidence),
    words: words.map((word) => ({
      text: String(word.punctuated_word ?? word.word ?? ''),
      startMs: number(word.start) * 1_000,
      endMs: number(word.end) * 1_000,
      confidence: number(word.confidence),
    })),
  };
}

function shifted(word: SttWord, byMs: number): SttWord {
  return {
    ...word,
    startMs: Math.max(0, Math.round(word.startMs + byMs)),
    endMs: Math.max(0, Math.round(word.endMs + byMs)),
  };
}

function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
