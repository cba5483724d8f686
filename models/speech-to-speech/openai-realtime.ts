// OpenAI's Realtime API, `wss://…/v1/realtime?model=…`, and compatible servers. Its turn detection is off: an utterance
// is committed when our own detection has ended it, and an answer is asked for when our turn machine wants one. What
// the caller did not hear of an answer is taken out of the server's conversation (conversation.item.truncate).
// Source: the vendor's API reference, "Realtime" (the GA interface), and the types of its Node library, read 2026-11.
import { recordOf } from '../../db/domain/unexpected.ts';
import { decodeG711, encodeG711 } from '../../media/g711.ts';
import type { Timers } from '../llm/timers.ts';
import { readVendor, socketUrl, type Vendor } from '../vendors/vendor.ts';
import { DIALOGUE_VENDORS, OPENAI_MIN_COMMIT_MS } from '../vendors/vendors.ts';
import {
  codeOf,
  itemOf,
  languageOf,
  lossOf,
  PCM_RATE_HZ,
  parsed,
  sessionOf,
  tokensOf,
  wordsOf,
} from './openai-messages.ts';
import { base64Of, RateStream, WHOLE_WITHIN_MS } from './rates.ts';
import { SessionSocket } from './session-socket.ts';
import type {
  AskedReply,
  HeardReply,
  SpeechEvent,
  SpeechLanguage,
  SpeechSession,
  SpeechSessionOptions,
  SpeechToSpeechEngine,
} from './speech-to-speech.ts';

/** A turn is of few utterances. */
const COMMITS_MAX = 50;

export default async function createOpenAiRealtime(
  environment: Record<string, string | undefined>,
  timers?: Timers,
): Promise<SpeechToSpeechEngine> {
  const vendor = readVendor(environment, DIALOGUE_VENDORS['openai-realtime']);
  const voice = environment.DIALOGUE_VOICE?.trim() || null;
  return {
    name: 'openai-realtime',
    open: (session) => new OpenAiSession(vendor, voice, session, timers),
    close: async () => {},
  };
}

/** One response of the server: a round of a reply. */
interface Round {
  epoch: number;
  round: number;
  /** Null until the server has created it. */
  responseId: string | null;
  /** The server is still at it. */
  isActive: boolean;
  /** Nothing more of it is wanted. */
  isStale: boolean;
  /** Of its words and audio; null in rounds without any. */
  itemId: string | null;
  /** Audio received, ms. */
  receivedMs: number;
  /** How much of it the caller heard; null: it is not over for them, or they heard all of it. */
  cutAtMs: number | null;
  stream: RateStream | null;
}

/** An utterance that was committed. */
interface Commit {
  /** Null until the server has named it. */
  itemId: string | null;
  /** The reply that answers it; null: none was asked for yet. */
  epoch: number | null;
  /** The caller's words; null until they are transcribed. */
  text: string | null;
}

class OpenAiSession implements SpeechSession {
  readonly #vendor: Vendor;
  readonly #model: string;
  readonly #voice: string | null;
  readonly #options: SpeechSessionOptions;
  readonly #socket: SessionSocket;
  /** The utterance that is being sent, and how much of it. */
  #utterance: { number: number; samples: number; stream: RateStream } | null = null;
  /** Of the newest reply, and of one before it that is not over for the caller. */
  #rounds: Round[] = [];
  /** Waits for the end of a response that was cancelled: the server makes one at a time. */
  #waiting: AskedReply | null = null;
  /** The newest committed utterances, in order. */
  readonly #commits: Commit[] = [];
  #names = new Map<string, string>();
  #hasSpoken = false;

  constructor(vendor: Vendor, voice: string | null, options: SpeechSessionOptions, timers: Timers | undefined) {
    this.#vendor = vendor;
    this.#model = options.setup.model ?? vendor.model;
    this.#voice = options.setup.voice ?? voice;
    this.#options = options;
    const url = socketUrl(vendor, '/realtime', '/v1');
    url.searchParams.set('model', this.#model);
    this.#socket = new SessionSocket({
      vendor,
      url,
      headers: vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` },
      onOpen: () =>
        this.#socket.sendFirst({
          type: 'session.update',
          session: sessionOf(options.setup, this.#isTelephone, this.#voice),
        }),
      onMessage: (message) => this.#receive(message),
      onLost: (code, message) => options.onEvent({ type: 'lost', code, message }),
      timers,
    });
  }

  begin(utterance: number): void {
    const { sampleRateHz } = this.#options;
    this.#utterance = { number: utterance, samples: 0, stream: new RateStream(sampleRateHz, this.#wireRateHz) };
  }

  audio(utterance: number, samples: Int16Array): void {
    const open = this.#utterance;
    if (open?.number !== utterance || samples.length === 0) return;
    open.samples += samples.length;
    this.#socket.sendText(`{"type":"input_audio_buffer.append","audio":"${this.#encoded(open.stream.take(samples))}"}`);
  }

  finish(utterance: number): void {
    const open = this.#utterance;
    if (open?.number !== utterance) return;
    const isTooShort = open.samples < (this.#options.sampleRateHz * OPENAI_MIN_COMMIT_MS) / 1_000;
    this.#utterance = null;
    if (isTooShort) return this.#socket.send({ type: 'input_audio_buffer.clear' });
    this.#commits.push({ itemId: null, epoch: null, text: null });
    if (this.#commits.length > COMMITS_MAX) this.#commits.shift();
    this.#socket.send({ type: 'input_audio_buffer.commit' });
  }

  cancel(utterance: number): void {
    if (this.#utterance?.number !== utterance) return;
    this.#utterance = null;
    this.#socket.send({ type: 'input_audio_buffer.clear' });
  }

  respond(reply: AskedReply): void {
    // Speech that comes while an answer is asked for belongs to the next turn: it is not committed here.
    for (const round of this.#rounds) if (round.epoch !== reply.epoch) this.#end(round);
    if (this.#rounds.some(({ isActive }) => isActive)) this.#waiting = reply;
    else this.#create(reply);
  }

  stop(epoch: number): void {
    if (this.#waiting?.epoch === epoch) this.#waiting = null;
    for (const round of this.#rounds) if (round.epoch === epoch) this.#end(round);
  }

  /** The vendor refuses another voice once its own was heard. */
  speakIn({ language, voice }: SpeechLanguage): void {
    const session = languageOf(language, this.#hasSpoken ? null : voice);
    this.#socket.send({ type: 'session.update', session });
  }

  heard({ epoch, rounds, isWhole }: HeardReply): void {
    this.stop(epoch);
    for (const round of this.#rounds) {
      if (round.epoch !== epoch) continue;
      const heardMs = rounds.find((each) => each.round === round.round)?.ms ?? 0;
      if (!isWhole && (round.isActive || heardMs < round.receivedMs - WHOLE_WITHIN_MS)) round.cutAtMs = heardMs;
      this.#cut(round);
    }
    this.#rounds = this.#rounds.filter((round) => round.epoch !== epoch || round.isActive);
  }

  close(): void {
    this.#socket.close();
  }

  /** A telephone's samples are sent in µ-law, without resampling. */
  get #isTelephone(): boolean {
    return this.#options.sampleRateHz === 8_000;
  }

  get #wireRateHz(): number {
    return this.#isTelephone ? 8_000 : PCM_RATE_HZ;
  }

  #create(reply: AskedReply): void {
    const { epoch, round, items } = reply;
    for (const item of items) this.#socket.send({ type: 'conversation.item.create', item: itemOf(item) });
    for (const commit of this.#commits) commit.epoch ??= epoch;
    this.#tellCaller(epoch);
    this.#rounds.push({
      ...{ epoch, round, responseId: null, isActive: true, isStale: false, itemId: null, receivedMs: 0, cutAtMs: null },
      stream: this.#isTelephone ? null : new RateStream(PCM_RATE_HZ, this.#options.sampleRateHz),
    });
    this.#socket.send({ type: 'response.create', response: { metadata: { reply: `${epoch}/${round}` } } });
    this.#socket.isAnswerDue = true;
  }

  /** The server stops, and what still comes of it is dropped. */
  #end(round: Round): void {
    if (round.isStale) return;
    round.isStale = true;
    if (!round.isActive) return;
    const of = round.responseId === null ? {} : { response_id: round.responseId };
    this.#socket.send({ type: 'response.cancel', ...of });
  }

  /** Takes what was not heard out of the server's conversation, once there is an item that holds it. */
  #cut(round: Round): void {
    const { itemId, cutAtMs, receivedMs } = round;
    if (itemId === null || cutAtMs === null) return;
    round.cutAtMs = null;
    if (cutAtMs < 1) return this.#socket.send({ type: 'conversation.item.delete', item_id: itemId });
    // The server refuses more than there is.
    const audioEndMs = Math.floor(Math.min(cutAtMs, receivedMs));
    this.#socket.send({
      ...{ type: 'conversation.item.truncate', item_id: itemId, content_index: 0 },
      audio_end_ms: audioEndMs,
    });
  }

  #receive(message: Record<string, unknown>): void {
    switch (message.type) {
      case 'session.updated':
        this.#socket.stands();
        return this.#tell({ type: 'opened' });
      case 'input_audio_buffer.committed':
        return this.#committed(String(message.item_id));
      case 'conversation.item.input_audio_transcription.completed':
        return this.#transcribed(String(message.item_id), String(message.transcript ?? '').trim());
      case 'response.created':
        return this.#created(recordOf(message.response));
      case 'response.output_item.added': {
        const item = recordOf(message.item);
        if (item.type === 'function_call') this.#names.set(String(item.id), String(item.name));
        const round = this.#rounds.find(({ responseId }) => responseId === message.response_id);
        if (round && item.type === 'message') round.itemId = String(item.id);
        return;
      }
      case 'response.output_audio.delta':
        return this.#sound(message);
      case 'response.output_audio_transcript.delta': {
        const round = this.#wanted(message.response_id);
        if (round) this.#tell({ type: 'words', ...numbers(round), text: String(message.delta ?? '') });
        return;
      }
      case 'response.function_call_arguments.done':
        return this.#called(message);
      case 'response.done':
        return this.#done(recordOf(message.response));
      case 'error':
        return this.#failed(recordOf(message.error));
      default:
        // Others say nothing that is needed here: rate_limits.updated, conversation.item.added, …
        return;
    }
  }

  #created(response: Record<string, unknown>): void {
    const name = String(recordOf(response.metadata).reply ?? '');
    const round = this.#rounds.find((each) => `${each.epoch}/${each.round}` === name && each.responseId === null);
    if (!round) return;
    round.responseId = String(response.id);
    // It was cancelled before it had a name.
    if (round.isStale) this.#socket.send({ type: 'response.cancel', response_id: round.responseId });
  }

  #sound(message: Record<string, unknown>): void {
    const round = this.#rounds.find(({ responseId }) => responseId === message.response_id);
    if (!round) return;
    const bytes = Buffer.from(String(message.delta ?? ''), 'base64');
    const isFirst = round.receivedMs === 0;
    this.#hasSpoken = true;
    round.receivedMs += this.#isTelephone ? bytes.length / 8 : (bytes.length / 2 / PCM_RATE_HZ) * 1_000;
    if (round.isStale) return;
    if (isFirst) {
      this.#socket.sounds();
      this.#tell({ type: 'sounds', ...numbers(round) });
    }
    this.#pass(round, this.#decoded(round, bytes));
  }

  #pass({ epoch, round }: Round, samples: Int16Array): void {
    if (samples.length > 0) this.#options.onAudio(epoch, round, samples);
  }

  #called(message: Record<string, unknown>): void {
    const round = this.#wanted(message.response_id);
    if (!round) return;
    const name = typeof message.name === 'string' ? message.name : this.#names.get(String(message.item_id));
    const given = parsed(String(message.arguments ?? ''));
    if (name === undefined || given === null)
      return this.#socket.lose('LLM_GARBAGE', `${this.#vendor.name} called a tool with arguments that are no object`);
    this.#tell({ type: 'tool-call', ...numbers(round), id: String(message.call_id), name, arguments: given });
  }

  #done(response: Record<string, unknown>): void {
    const round = this.#rounds.find(({ responseId }) => responseId === response.id);
    if (!round) return;
    round.isActive = false;
    this.#socket.isAnswerDue = false;
    this.#cut(round);
    if (round.isStale) this.#rounds = this.#rounds.filter((each) => each !== round);
    const usage = recordOf(response.usage);
    if (Object.keys(usage).length > 0) this.#tell({ type: 'usage', ...numbers(round), ...tokensOf(usage) });
    const { status } = response;
    if (status === 'failed') {
      const error = recordOf(recordOf(response.status_details).error);
      const why = `${this.#vendor.name} could not answer: ${wordsOf(error, this.#model)}`;
      return this.#socket.lose('LLM_UNAVAILABLE', why);
    }
    if (!round.isStale) {
      if (round.stream) this.#pass(round, round.stream.end());
      this.#tell({ type: 'done', ...numbers(round) });
    }
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) this.#create(waiting);
  }

  #failed(error: Record<string, unknown>): void {
    const code = codeOf(error);
    // A response had ended, or an item was gone, just as it was to be cut: nothing is lost.
    if (code === 'response_cancel_not_active' || error.param === 'audio_end_ms') return;
    if (/^item_(truncate|delete)/.test(code)) return;
    if (code === 'input_audio_buffer_commit_empty') {
      const at = this.#commits.findIndex(({ itemId }) => itemId === null);
      if (at >= 0) this.#commits.splice(at, 1);
      return;
    }
    const why = `${this.#vendor.name}: ${wordsOf(error, this.#model)}`;
    return this.#socket.lose(lossOf(code, String(error.type)), why);
  }

  /** The round of a response, if it is wanted. */
  #wanted(responseId: unknown): Round | undefined {
    return this.#rounds.find((round) => round.responseId === responseId && !round.isStale);
  }

  #committed(itemId: string): void {
    const commit = this.#commits.find((each) => each.itemId === null);
    if (commit) commit.itemId = itemId;
  }

  /** It may come before the reply is asked for. */
  #transcribed(itemId: string, text: string): void {
    const commit = this.#commits.find((each) => each.itemId === itemId);
    if (!commit) return;
    commit.text = text;
    if (commit.epoch !== null) this.#tellCaller(commit.epoch);
  }

  #tellCaller(epoch: number): void {
    const texts = this.#commits.flatMap((commit) => (commit.epoch === epoch && commit.text ? [commit.text] : []));
    if (texts.length > 0) this.#tell({ type: 'caller-said', epoch, text: texts.join(' ') });
  }

  #encoded(samples: Int16Array): string {
    if (!this.#isTelephone) return base64Of(samples);
    const bytes = Buffer.alloc(samples.length);
    encodeG711('pcmu', samples, bytes);
    return bytes.toString('base64');
  }

  #decoded({ stream }: Round, bytes: Buffer): Int16Array {
    if (stream) return stream.takeBytes(bytes);
    const samples = new Int16Array(bytes.length);
    decodeG711('pcmu', bytes, 0, bytes.length, samples);
    return samples;
  }

  #tell(event: SpeechEvent): void {
    this.#options.onEvent(event);
  }
}

const numbers = ({ epoch, round }: Round): { epoch: number; round: number } => ({ epoch, round });
