// Google's Gemini Live API, `wss://…/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`. Its
// detection of activity is off, and our begin of a sound does not interrupt it: our turn machine decides. Words that
// the caller did not hear cannot be taken out of the server's conversation, so the model is told what they heard;
// that message also ends an answer that is still being made.
// Source: the vendor's reference "Live API - WebSockets", its page on gemini-3.8-live, and the types of its JavaScript
// library, read 2026-11.
import { recordOf } from '../../db/domain/unexpected.ts';
import type { Timers } from '../llm/timers.ts';
import { readVendor, socketUrl, type Vendor } from '../vendors/vendor.ts';
import { DIALOGUE_VENDORS } from '../vendors/vendors.ts';
import { setupOf, turnOf } from './gemini-messages.ts';
import { base64Of, RateStream, WHOLE_WITHIN_MS } from './rates.ts';
import { SessionSocket } from './session-socket.ts';
import type {
  AskedReply,
  HeardReply,
  SpeechEvent,
  SpeechItem,
  SpeechLanguage,
  SpeechSession,
  SpeechSessionOptions,
  SpeechToSpeechEngine,
} from './speech-to-speech.ts';

const PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
/** The rate that it hears natively; its own voice has 24 kHz. */
const INPUT_RATE_HZ = 16_000;
const OUTPUT_RATE_HZ = 24_000;

export default async function createGeminiLive(
  environment: Record<string, string | undefined>,
  timers?: Timers,
): Promise<SpeechToSpeechEngine> {
  const vendor = readVendor(environment, DIALOGUE_VENDORS['gemini-live']);
  const voice = environment.DIALOGUE_VOICE?.trim() || null;
  return {
    name: 'gemini-live',
    open: (session) => new GeminiSession(vendor, voice, session, timers),
    close: async () => {},
  };
}

/** One answer that the server makes: a round of a reply. The server ends each with `turnComplete`. */
interface Answer {
  epoch: number;
  round: number;
  isStale: boolean;
  /** Something of it has come. */
  hasBegun: boolean;
  /** `done` was told, and `turnComplete` is still to come. */
  isTold: boolean;
  hasSound: boolean;
}

class GeminiSession implements SpeechSession {
  readonly #vendor: Vendor;
  readonly #configuredVoice: string | null;
  /** The language of the next connection; the vendor takes no change on one that stands. */
  #language: SpeechLanguage;
  readonly #options: SpeechSessionOptions;
  #socket: SessionSocket;
  readonly #input: RateStream;
  #output: RateStream;
  readonly #timers: Timers | undefined;
  /** With which the conversation goes on over another connection; null: the server has given none. */
  #handle: string | null = null;
  /** An activity of the caller is open: it ends when an answer is wanted. */
  #isActive = false;
  #utterance: number | null = null;
  /** Answers that the server has yet to complete, oldest first. */
  #answers: Answer[] = [];
  /** How much audio of a reply's rounds has come, ms, for the question whether all of it was heard. */
  readonly #received = new Map<number, Map<number, number>>();
  /** Calls that the server waits for. */
  readonly #calls = new Map<string, string>();
  /** The reply that the newest activity is answered by, and what was understood of it. */
  #turn: { epoch: number | null; text: string } = { epoch: null, text: '' };
  #isOpened = false;
  /** The server has announced the end of the connection. */
  #isEnding = false;
  /** The connection was opened in another language than the call is in now. */
  #isOtherLanguage = false;
  /** Of the newest answer, as far as the server has told it. */
  #usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

  constructor(vendor: Vendor, voice: string | null, options: SpeechSessionOptions, timers: Timers | undefined) {
    this.#vendor = vendor;
    this.#configuredVoice = voice;
    this.#language = options.setup;
    this.#options = options;
    this.#input = new RateStream(options.sampleRateHz, INPUT_RATE_HZ);
    this.#output = new RateStream(OUTPUT_RATE_HZ, options.sampleRateHz);
    this.#timers = timers;
    this.#socket = this.#connect();
  }

  #connect(): SessionSocket {
    const vendor = this.#vendor;
    const socket: SessionSocket = new SessionSocket({
      vendor,
      url: socketUrl(vendor, PATH),
      headers: vendor.apiKey === null ? {} : { 'x-goog-api-key': vendor.apiKey },
      onOpen: () => socket.sendFirst({ setup: this.#setup() }),
      onMessage: (message) => {
        if (this.#socket === socket) this.#receive(message);
      },
      onLost: (code, message) => {
        if (this.#socket === socket) this.#options.onEvent({ type: 'lost', code, message });
      },
      timers: this.#timers,
    });
    return socket;
  }

  begin(utterance: number): void {
    this.#utterance = utterance;
    if (this.#isActive) return;
    this.#isActive = true;
    this.#turn = { epoch: null, text: '' };
    this.#socket.send({ realtimeInput: { activityStart: {} } });
  }

  audio(utterance: number, samples: Int16Array): void {
    if (this.#utterance !== utterance || samples.length === 0) return;
    const data = base64Of(this.#input.take(samples));
    this.#socket.sendText(
      `{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=${INPUT_RATE_HZ}","data":"${data}"}}}`,
    );
  }

  /** The activity stays open, as its end asks for an answer. */
  finish(utterance: number): void {
    if (this.#utterance === utterance) this.#utterance = null;
  }

  /** Audio that was sent cannot be taken back: it counts as heard until the next answer. */
  cancel(utterance: number): void {
    this.finish(utterance);
  }

  respond({ epoch, round, items }: AskedReply): void {
    for (const answer of this.#answers) if (answer.epoch !== epoch) answer.isStale = true;
    // The caller went on while its tools ran: the server takes the calls back, and is told their results in words.
    if (round === 0) this.#calls.clear();
    const results = items.filter((item) => item.kind === 'tool-result' && this.#calls.has(item.id));
    const told = items.filter((item) => !results.includes(item));
    this.#output = new RateStream(OUTPUT_RATE_HZ, this.#options.sampleRateHz);
    this.#answers.push({ epoch, round, isStale: false, hasBegun: false, isTold: false, hasSound: false });
    this.#socket.isAnswerDue = true;
    if (results.length > 0) return this.#answerCalls(results, told);
    if (!this.#isActive) return this.#sendContent(told, true);
    if (told.length > 0) this.#sendContent(told, false);
    this.#isActive = false;
    this.#turn.epoch = epoch;
    if (this.#turn.text !== '') this.#tellCaller();
    this.#socket.send({ realtimeInput: { activityEnd: {} } });
  }

  stop(epoch: number): void {
    for (const answer of this.#answers) if (answer.epoch === epoch) answer.isStale = true;
  }

  /** The conversation goes on over another connection, as when the server ends one, once there is a handle for it. */
  speakIn(language: SpeechLanguage): void {
    this.#language = language;
    this.#isOtherLanguage = true;
    if (this.#handle !== null) this.#leave();
  }

  heard({ epoch, text, rounds, isWhole }: HeardReply): void {
    const received = this.#received.get(epoch);
    this.#received.delete(epoch);
    const isUnfinished = this.#answers.some((answer) => answer.epoch === epoch && !answer.isTold);
    this.stop(epoch);
    const missed = [...(received ?? [])].some(
      ([round, ms]) => (rounds.find((each) => each.round === round)?.ms ?? 0) < ms - WHOLE_WITHIN_MS,
    );
    if (isWhole || !(missed || isUnfinished)) return;
    // The server takes its calls back when an answer is ended.
    this.#calls.clear();
    const words =
      text === ''
        ? 'The caller heard nothing of your last answer.'
        : `The caller heard of your last answer only this: “${text}”`;
    this.#sendContent([{ kind: 'note', text: words }], false);
  }

  close(): void {
    this.#socket.close();
  }

  #setup(): Record<string, unknown> {
    const { setup } = this.#options;
    const { language } = this.#language;
    const [model, voice] = [setup.model ?? this.#vendor.model, this.#language.voice ?? this.#configuredVoice];
    return setupOf({ ...setup, language }, { model, voice, handle: this.#handle });
  }

  #answerCalls(results: readonly SpeechItem[], told: readonly SpeechItem[]): void {
    const functionResponses = results.flatMap((item) => {
      if (item.kind !== 'tool-result') return [];
      this.#calls.delete(item.id);
      return [{ id: item.id, name: item.name, response: { output: item.result ?? null } }];
    });
    if (told.length > 0) this.#sendContent(told, false);
    this.#socket.send({ toolResponse: { functionResponses } });
  }

  /** Ends an answer that is being made. `asks`: a new one is to be made. */
  #sendContent(items: readonly SpeechItem[], asks: boolean): void {
    this.#socket.send({ clientContent: { turns: items.map(turnOf), turnComplete: asks } });
  }

  /** One message may hold several things; the audio before the end of its turn. */
  #receive(message: Record<string, unknown>): void {
    if (message.setupComplete !== undefined) {
      this.#socket.stands();
      if (!this.#isOpened) this.#tell({ type: 'opened' });
      this.#isOpened = true;
    }
    if (message.usageMetadata !== undefined) this.#count(recordOf(message.usageMetadata));
    if (message.serverContent !== undefined) this.#onContent(recordOf(message.serverContent));
    if (message.toolCall !== undefined) this.#onCalls(recordOf(message.toolCall));
    if (message.toolCallCancellation !== undefined)
      for (const id of listOf(recordOf(message.toolCallCancellation).ids)) this.#calls.delete(String(id));
    const { newHandle, resumable } = recordOf(message.sessionResumptionUpdate);
    if (resumable === true && typeof newHandle === 'string') this.#handle = newHandle;
    if (this.#isOtherLanguage && this.#handle !== null && !this.#isEnding) this.#leave();
    if (message.goAway !== undefined) this.#leave();
  }

  #onContent(content: Record<string, unknown>): void {
    const heard = recordOf(content.inputTranscription).text;
    if (typeof heard === 'string') {
      this.#turn.text += heard;
      if (this.#turn.epoch !== null) this.#tellCaller();
    }
    // It had been told whole, and its end has been left out.
    if (content.modelTurn !== undefined && this.#answers.length > 1 && this.#answers[0]?.isTold) this.#answers.shift();
    const answer = this.#answers[0];
    if (!answer) return;
    for (const part of listOf(recordOf(content.modelTurn).parts)) this.#onPart(answer, recordOf(part));
    const said = recordOf(content.outputTranscription).text;
    if (typeof said === 'string' && said !== '') {
      answer.hasBegun = true;
      if (!answer.isStale) this.#tell({ type: 'words', ...numbers(answer), text: said });
    }
    if (content.generationComplete === true || content.interrupted === true) this.#done(answer);
    if (content.turnComplete === true) this.#complete(answer, content.interrupted === true);
  }

  #onPart(answer: Answer, part: Record<string, unknown>): void {
    const { data } = recordOf(part.inlineData);
    if (typeof data !== 'string') return;
    const bytes = Buffer.from(data, 'base64');
    answer.hasBegun = true;
    if (answer.isStale) return;
    const { epoch, round } = answer;
    const received = this.#received.get(epoch) ?? new Map<number, number>();
    this.#received.set(epoch, received);
    received.set(round, (received.get(round) ?? 0) + (bytes.length / 2 / OUTPUT_RATE_HZ) * 1_000);
    if (!answer.hasSound) {
      this.#socket.sounds();
      this.#tell({ type: 'sounds', epoch, round });
    }
    answer.hasSound = true;
    this.#pass(answer, this.#output.takeBytes(bytes));
  }

  #pass({ epoch, round }: Answer, samples: Int16Array): void {
    if (samples.length > 0) this.#options.onAudio(epoch, round, samples);
  }

  /** The calls end the round; what the server says after their results is the next one. */
  #onCalls({ functionCalls }: Record<string, unknown>): void {
    const answer = this.#answers[0];
    if (!answer) return;
    for (const call of listOf(functionCalls).map(recordOf)) {
      const [id, name] = [String(call.id), String(call.name)];
      if (answer.isStale) continue;
      this.#calls.set(id, name);
      this.#tell({ type: 'tool-call', ...numbers(answer), id, name, arguments: recordOf(call.args) });
    }
    this.#done(answer);
    this.#over(answer);
    this.#socket.isAnswerDue = this.#answers.length > 0;
  }

  #done(answer: Answer): void {
    if (answer.isTold) return;
    answer.isTold = true;
    if (this.#answers.at(-1) === answer) this.#socket.isAnswerDue = false;
    if (answer.isStale) return;
    this.#pass(answer, this.#output.end());
    this.#tell({ type: 'done', ...numbers(answer) });
  }

  #complete(answer: Answer, isInterrupted: boolean): void {
    // The end of the turn that made calls may come after their results: the answer to these has not begun.
    const isOfCalls = answer.round > 0 && !answer.hasBegun && !isInterrupted && !answer.isStale;
    if (isOfCalls) return;
    this.#done(answer);
    this.#over(answer);
    if (this.#isEnding) this.#leave();
  }

  #over(answer: Answer): void {
    this.#answers.shift();
    const used = this.#usage;
    this.#usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    if (used.inputTokens + used.outputTokens > 0) this.#tell({ type: 'usage', ...numbers(answer), ...used });
  }

  /**
   * The connection will end. Once nothing is being said or heard, the conversation goes on over another one, as the
   * server lets it. The caller is heard all the while: what they say waits for the new connection.
   */
  #leave(): void {
    this.#isEnding = true;
    if (this.#answers.length > 0 || this.#calls.size > 0 || this.#isActive) return;
    if (this.#handle === null)
      return this.#socket.lose('LLM_UNAVAILABLE', `${this.#vendor.name} ends the session (goAway)`);
    this.#isEnding = false;
    this.#isOtherLanguage = false;
    const former = this.#socket;
    this.#socket = this.#connect();
    former.close();
  }

  #count(usage: Record<string, unknown>): void {
    const of = (name: string): number => Number(usage[name]) || 0;
    this.#usage = {
      inputTokens: of('promptTokenCount') + of('toolUsePromptTokenCount'),
      outputTokens: of('responseTokenCount') + of('thoughtsTokenCount'),
      cachedTokens: of('cachedContentTokenCount'),
    };
  }

  #tellCaller(): void {
    const { epoch, text } = this.#turn;
    if (epoch !== null && text.trim() !== '') this.#tell({ type: 'caller-said', epoch, text: text.trim() });
  }

  #tell(event: SpeechEvent): void {
    this.#options.onEvent(event);
  }
}

const numbers = ({ epoch, round }: Answer): { epoch: number; round: number } => ({ epoch, round });

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
