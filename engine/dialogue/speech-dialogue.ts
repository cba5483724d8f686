// A call's dialogue model where a speech-to-speech model answers: the session in the shard while it lasts, then the
// cascade, which gets the same conversation. The rest of the dialogue cannot tell them apart but by `voiced`: words
// that need no voice of ours.
//
// The server keeps a conversation of its own. Before each reply it is told what it has not heard or said itself: notes,
// words in another voice, results of tools.
import { resultText } from '../../models/llm/asides.ts';
import { passagesNote } from '../../models/llm/chat/chat-messages.ts';
import {
  type DialogueChunk,
  type DialogueModel,
  type DialogueRequest,
  LlmError,
  type Message,
} from '../../models/llm/llm.ts';
import type { ReplyEvent, SpeechAsk, SpeechEvent, SpeechItem } from '../../models/speech-to-speech/speech-to-speech.ts';

/** Of a tool call of the model that was never run: the reply that made it was dropped. */
const NOT_RUN = { ok: false, error: 'interrupted', message: 'The caller went on: it was not done.' };

interface SpeechDialogueOptions {
  /** Answers where there is no session. */
  cascade: DialogueModel;
  /** As the session is opened with them. */
  instructions: string | null;
  ask(ask: SpeechAsk): void;
}

/** A round that is being answered. */
interface Stream {
  epoch: number;
  round: number;
  events: ReplyEvent[];
  wake(): void;
}

export class SpeechDialogue implements DialogueModel {
  readonly #options: SpeechDialogueOptions;
  #lost: LlmError | null = null;
  #stream: Stream | null = null;
  readonly #rounds = new Map<number, number>();
  /** Messages that the server has been told, or said itself. */
  readonly #told = new WeakSet<object>();
  /** Messages that another session has heard and said. */
  readonly #before = new WeakSet<object>();
  /** Its tool calls without a result yet, and those that have one. */
  readonly #called = new Map<string, { name: string; isAnswered: boolean }>();
  #instructions: string;

  constructor(options: SpeechDialogueOptions) {
    this.#options = options;
    this.#instructions = options.instructions ?? '';
  }

  /** Failures and successes of turns are the cascade's; the session's loss is told by itself. */
  get name(): string {
    return this.#options.cascade.name;
  }

  get complete(): DialogueModel['complete'] {
    return this.#options.cascade.complete;
  }

  /** Its session may still answer. */
  get isUp(): boolean {
    return this.#lost === null;
  }

  warm(): void {
    this.#options.cascade.warm?.();
  }

  /** Another process had the call, and a session of its own: this one is told the conversation so far. */
  goOn(messages: readonly Message[]): void {
    for (const message of messages) this.#before.add(message);
  }

  /** The call goes on without a session. */
  giveUp(): void {
    this.receive({ type: 'lost', code: 'LLM_UNAVAILABLE', message: 'there is no session' });
  }

  receive(event: SpeechEvent): void {
    switch (event.type) {
      case 'opened':
      case 'caller-said':
      case 'usage':
        return;
      case 'lost':
        this.#lost ??= new LlmError(event.code, event.message);
        return this.#stream?.wake();
      default: {
        const stream = this.#stream;
        if (stream?.epoch !== event.epoch || stream.round !== event.round) return;
        stream.events.push(event);
        stream.wake();
      }
    }
  }

  /** @throws {LlmError} of the cascade */
  async *reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    let isEmpty = true;
    for await (const chunk of this.#answer(request, signal)) {
      isEmpty &&= chunk.type !== 'voiced' && chunk.type !== 'tool-call';
      yield chunk;
    }
    if (isEmpty && !signal.aborted) yield* this.#options.cascade.reply(request, signal);
  }

  /** The session's answer; nothing if it is lost before the first word. Does not throw. */
  async *#answer(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const { epoch } = request;
    if (this.#lost !== null || epoch === undefined || signal.aborted) return;
    const stream = this.#begin(epoch, request);
    signal.addEventListener('abort', () => this.#stop(stream), { once: true });
    yield { type: 'request', byFallback: false };
    let hasSpoken = false;
    for (;;) {
      const event = stream.events.shift();
      if (event?.type === 'done') break;
      if (event !== undefined) {
        hasSpoken ||= event.type === 'sounds';
        yield* this.#chunksOf(event);
      } else if (this.#lost !== null || signal.aborted) break;
      else await this.#next(stream);
    }
    if (this.#stream === stream) this.#stream = null;
    // The shard asks for the answer anew, which drops this reply: what it has said stays said.
    if (this.#lost !== null && hasSpoken) await aborted(signal);
  }

  #begin(epoch: number, request: DialogueRequest): Stream {
    const round = this.#rounds.get(epoch) ?? 0;
    this.#rounds.set(epoch, round + 1);
    const stream: Stream = { epoch, round, events: [], wake: () => {} };
    this.#stream = stream;
    this.#options.ask({ type: 'respond', epoch, round, items: this.#itemsOf(request) });
    return stream;
  }

  #next(stream: Stream): Promise<void> {
    return new Promise((resolve) => {
      stream.wake = resolve;
    });
  }

  #stop(stream: Stream): void {
    if (this.#stream === stream) this.#stream = null;
    this.#options.ask({ type: 'stop', epoch: stream.epoch });
    stream.wake();
  }

  *#chunksOf(event: ReplyEvent): Iterable<DialogueChunk> {
    switch (event.type) {
      case 'sounds':
        return yield { type: 'voiced', text: '' };
      case 'words':
        return yield { type: 'voiced', text: event.text };
      case 'tool-call':
        this.#called.set(event.id, { name: event.name, isAnswered: false });
        return yield { type: 'tool-call', id: event.id, name: event.name, arguments: event.arguments };
      case 'usage':
      case 'done':
        return;
    }
  }

  #itemsOf(request: DialogueRequest): SpeechItem[] {
    const items: SpeechItem[] = [];
    const [told, wanted] = [this.#instructions, request.instructions ?? ''];
    this.#instructions = wanted;
    if (wanted !== told)
      items.push({ kind: 'note', text: wanted.startsWith(told) ? wanted.slice(told.length) : wanted });
    const results = new Set<string>();
    for (const message of request.messages) {
      if (message.role === 'tool-result') results.add(message.id);
      if (this.#told.has(message)) continue;
      this.#told.add(message);
      const isBefore = this.#before.has(message);
      if (message.role === 'note') items.push({ kind: 'note', text: message.text });
      else if (message.role === 'caller' && isBefore) items.push({ kind: 'caller', text: message.text || '…' });
      else if (message.role === 'agent' && (isBefore || !message.isOwnVoice))
        items.push({ kind: 'agent', text: message.text });
      else if (message.role === 'tool-result') items.push(this.#resultItem(message));
    }
    for (const [id, call] of this.#called) {
      if (call.isAnswered || results.has(id)) continue;
      call.isAnswered = true;
      items.push({ kind: 'tool-result', id, name: call.name, result: NOT_RUN });
    }
    const passages = passagesNote(request);
    if (passages !== null) items.push({ kind: 'note', text: passages });
    return items;
  }

  /** A call has one result: what comes later, of a tool that ran beside the talk, is a note. */
  #resultItem({ id, name, result }: { id: string; name: string; result: unknown }): SpeechItem {
    const call = this.#called.get(id);
    if (!call || call.isAnswered) return { kind: 'note', text: `${name}: ${resultText(result)}` };
    call.isAnswered = true;
    return { kind: 'tool-result', id, name, result };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
