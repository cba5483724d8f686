// A fake of OpenAI's Realtime API (the GA interface), from the vendor's reference and the types of its Node library,
// read 2026-11: one conversation a socket, one response at a time, errors by the vendor's codes.
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { recordOf } from '../../../db/domain/unexpected.ts';
import { encodeG711 } from '../../../media/g711.ts';
import { bytesOf, type Known, SpeechModelServer, unknownField } from './speech-model-server.ts';

const ANY = true;
const FORMAT: Known = { type: ANY, rate: ANY };
const SESSION: Known = {
  ...{ type: ANY, model: ANY, instructions: ANY, output_modalities: ANY, tools: ANY, tool_choice: ANY, tracing: ANY },
  ...{ truncation: ANY, include: ANY, prompt: ANY, max_output_tokens: ANY, parallel_tool_calls: ANY, reasoning: ANY },
  audio: {
    input: { format: FORMAT, noise_reduction: ANY, transcription: ANY, turn_detection: ANY },
    output: { format: FORMAT, speed: ANY, voice: ANY },
  },
};
const RESPONSE: Known = {
  ...{ audio: ANY, conversation: ANY, input: ANY, instructions: ANY, max_output_tokens: ANY, metadata: ANY },
  ...{ output_modalities: ANY, parallel_tool_calls: ANY, prompt: ANY, reasoning: ANY, tool_choice: ANY, tools: ANY },
};
const ITEM: Known = {
  ...{ id: ANY, object: ANY, type: ANY, role: ANY, status: ANY, content: ANY },
  ...{ call_id: ANY, name: ANY, arguments: ANY, output: ANY },
};
const EVENTS: Record<string, Known> = {
  'session.update': { session: SESSION },
  'input_audio_buffer.append': { audio: ANY },
  'input_audio_buffer.commit': {},
  'input_audio_buffer.clear': {},
  'conversation.item.create': { item: ITEM, previous_item_id: ANY },
  'conversation.item.truncate': { item_id: ANY, content_index: ANY, audio_end_ms: ANY },
  'conversation.item.delete': { item_id: ANY },
  'conversation.item.retrieve': { item_id: ANY },
  'response.create': { response: RESPONSE },
  'response.cancel': { response_id: ANY },
};
const CONTENT_OF: Record<string, readonly string[]> = {
  system: ['input_text'],
  user: ['input_text', 'input_audio', 'input_image'],
  assistant: ['output_text', 'output_audio'],
};
const MIN_COMMIT_MS = 100;

/** An item of the conversation, as the server holds it. */
interface HeldItem {
  id: string;
  kind: 'audio' | 'text' | 'answer' | 'call' | 'result';
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Of audio, ms; of an answer as far as it is sent, or as it was cut. */
  audioMs: number;
  isCut: boolean;
}

export class OpenAiRealtimeServer extends SpeechModelServer {
  protected readonly path = '/v1/realtime';
  protected readonly modelsPath = '/v1/models';
  /** Of the newest session. */
  items: HeldItem[] = [];
  session: Record<string, unknown> = {};

  protected keyOf(request: IncomingMessage): string {
    return String(request.headers.authorization ?? '').replace(/^Bearer /, '');
  }

  protected serve(socket: WebSocket, url: URL): void {
    this.items = [];
    this.session = {};
    new Conversation(this, socket, url.searchParams.get('model'));
  }
}

interface RunningResponse {
  id: string;
  isCancelled: boolean;
  metadata: unknown;
}

class Conversation {
  readonly #server: OpenAiRealtimeServer;
  readonly #socket: WebSocket;
  readonly #items: HeldItem[];
  #count = 0;
  #turns = 0;
  #bufferedMs = 0;
  #response: RunningResponse | null = null;
  /** Items since the last answer. */
  #fresh: HeldItem[] = [];

  constructor(server: OpenAiRealtimeServer, socket: WebSocket, model: string | null) {
    this.#server = server;
    this.#socket = socket;
    this.#items = server.items;
    if (model === null) this.#refuse('missing_required_parameter', 'model');
    else if (!server.knows(model)) {
      this.#refuse('model_not_found', 'model');
      socket.close(4000, 'invalid_request_error.model_not_found');
    } else this.#send({ type: 'session.created', session: { type: 'realtime', model } });
    socket.on('message', (data) => this.#receive(recordOf(JSON.parse(String(data)))));
  }

  #receive(message: Record<string, unknown>): void {
    const { type, event_id: _id, ...fields } = message;
    this.#server.seen.push(message);
    const known = EVENTS[String(type)];
    if (known === undefined) return this.#refuse('invalid_value', 'type');
    const unknown = unknownField(fields, known);
    if (unknown !== null) return this.#refuse('unknown_parameter', unknown);
    switch (type) {
      case 'session.update':
        return this.#configure(recordOf(message.session));
      case 'input_audio_buffer.append':
        this.#bufferedMs += this.#msOf(Buffer.from(String(message.audio), 'base64').length, 'input');
        return;
      case 'input_audio_buffer.clear':
        this.#bufferedMs = 0;
        return this.#send({ type: 'input_audio_buffer.cleared' });
      case 'input_audio_buffer.commit':
        return this.#commit();
      case 'conversation.item.create':
        return this.#create(recordOf(message.item));
      case 'conversation.item.truncate':
        return this.#truncate(message);
      case 'conversation.item.delete': {
        const at = this.#items.findIndex(({ id }) => id === message.item_id);
        if (at < 0) return this.#refuse('item_delete_invalid_item_id', 'item_id');
        this.#items.splice(at, 1);
        return this.#send({ type: 'conversation.item.deleted', item_id: message.item_id });
      }
      case 'response.create':
        return this.#respond(recordOf(message.response));
      case 'response.cancel': {
        const running = this.#response;
        const isIt = running !== null && (message.response_id === undefined || message.response_id === running.id);
        if (!isIt) return this.#refuse('response_cancel_not_active', null);
        running.isCancelled = true;
        return;
      }
      default:
        return;
    }
  }

  /** A setting that is left out stays as it was. */
  #configure(change: Record<string, unknown>): void {
    if (change.type !== 'realtime') return this.#refuse('missing_required_parameter', 'session.type');
    const before = recordOf(this.#server.session.audio);
    const changed = recordOf(change.audio);
    const sideOf = (side: string) => ({ ...recordOf(before[side]), ...recordOf(changed[side]) });
    const audio = { input: sideOf('input'), output: sideOf('output') };
    const session: Record<string, unknown> = { ...this.#server.session, ...change, audio };
    const hasSpoken = this.#items.some(({ kind }) => kind === 'answer');
    if (hasSpoken && recordOf(before.output).voice !== recordOf(audio.output).voice)
      return this.#refuse('cannot_update_voice', 'session.audio.output.voice');
    const { voices } = this.#server.options;
    const { voice } = recordOf(audio.output);
    if (voices !== undefined && voice !== undefined && !voices.includes(String(voice)))
      return this.#refuse('invalid_value', 'session.audio.output.voice');
    for (const side of ['input', 'output'] as const) {
      const format = recordOf(recordOf(audio[side]).format);
      const isPcm = format.type === 'audio/pcm';
      const isKnown = isPcm ? format.rate === 24_000 : format.type === 'audio/pcmu' || format.type === 'audio/pcma';
      if (!isKnown) return this.#refuse('invalid_value', `session.audio.${side}.format`);
    }
    if (recordOf(audio.input).turn_detection !== null)
      return this.#refuse('unsupported_by_this_fake', 'turn_detection');
    for (const tool of (session.tools ?? []) as Array<Record<string, unknown>>) {
      if (tool.type !== 'function' || typeof tool.name !== 'string')
        return this.#refuse('invalid_value', 'session.tools');
    }
    this.#server.session = session;
    if (this.#server.fault === 'mute') return;
    this.#send({ type: 'session.updated', session });
  }

  #commit(): void {
    if (this.#bufferedMs < MIN_COMMIT_MS) return this.#refuse('input_audio_buffer_commit_empty', null);
    const item = this.#add({ kind: 'audio', role: 'user', text: '', audioMs: this.#bufferedMs });
    this.#bufferedMs = 0;
    this.#send({ type: 'input_audio_buffer.committed', item_id: item.id, previous_item_id: null });
    const { understands } = this.#server.options;
    if (understands === undefined) return;
    const of = { item_id: item.id, content_index: 0 };
    const kind = 'conversation.item.input_audio_transcription';
    // It comes from another model, while this one answers.
    setTimeout(() => {
      this.#send({ type: `${kind}.delta`, ...of, delta: understands });
      this.#send({ type: `${kind}.completed`, ...of, transcript: understands, usage: { type: 'tokens' } });
    }, 20);
  }

  #create(item: Record<string, unknown>): void {
    if (item.type === 'function_call_output') {
      if (!this.#items.some(({ kind, id }) => kind === 'call' && id === item.call_id))
        return this.#refuse('invalid_tool_call_id', 'item.call_id');
      if (typeof item.output !== 'string') return this.#refuse('invalid_type', 'item.output');
      this.#add({ kind: 'result', role: 'tool', text: item.output, audioMs: 0 });
      return;
    }
    if (item.type !== 'message') return this.#refuse('invalid_value', 'item.type');
    const allowed = CONTENT_OF[String(item.role)];
    const parts = (Array.isArray(item.content) ? item.content : []).map(recordOf);
    if (!allowed || parts.length === 0 || parts.some((part) => !allowed.includes(String(part.type))))
      return this.#refuse('invalid_value', 'item.content');
    const text = parts.map((part) => String(part.text ?? '')).join('');
    this.#add({ kind: 'text', role: item.role as HeldItem['role'], text, audioMs: 0 });
  }

  #truncate({ item_id, content_index, audio_end_ms }: Record<string, unknown>): void {
    const item = this.#items.find(({ id, kind }) => id === item_id && kind === 'answer');
    if (!item || content_index !== 0) return this.#refuse('item_truncate_invalid_item_id', 'item_id');
    if (!Number.isInteger(audio_end_ms) || Number(audio_end_ms) > item.audioMs)
      return this.#refuse('invalid_value', 'audio_end_ms');
    Object.assign(item, { audioMs: audio_end_ms, text: '', isCut: true });
    this.#send({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms });
  }

  #respond({ metadata = null }: Record<string, unknown>): void {
    if (this.#response) return this.#refuse('conversation_already_has_active_response', null);
    const response: RunningResponse = { id: `resp_${++this.#count}`, isCancelled: false, metadata };
    this.#response = response;
    void this.#answer(response);
  }

  async #answer(response: RunningResponse): Promise<void> {
    const fresh = this.#fresh.splice(0);
    const audio = fresh.filter(({ kind }) => kind === 'audio');
    const answer = this.#server.answerTo({
      turn: ++this.#turns,
      audioMs: audio.reduce((sum, { audioMs }) => sum + audioMs, 0),
      texts: fresh.filter(({ kind }) => kind === 'text').map(({ text }) => text),
      results: fresh.filter(({ kind }) => kind === 'result').map(({ text }) => JSON.parse(text) as unknown),
    });
    const { id: response_id, metadata } = response;
    this.#send({ type: 'response.created', response: { id: response_id, status: 'in_progress', metadata } });
    if (this.#server.fault === 'stall') return;
    for (const call of answer.calls ?? []) this.#call(response_id, call);
    const isWhole = answer.text === undefined || (await this.#say(response, answer.text));
    if (!isWhole && !response.isCancelled) return;
    const status = response.isCancelled ? 'cancelled' : 'completed';
    const usage = {
      ...{ total_tokens: 150, input_tokens: 120, output_tokens: 30 },
      input_token_details: { cached_tokens: 64, text_tokens: 80, audio_tokens: 40 },
    };
    this.#response = null;
    this.#send({ type: 'response.done', response: { id: response_id, status, metadata, usage } });
    this.#send({ type: 'rate_limits.updated', rate_limits: [] });
  }

  #call(response_id: string, { name, arguments: given }: { name: string; arguments: Record<string, unknown> }): void {
    const item = this.#add({ kind: 'call', role: 'assistant', text: name, audioMs: 0 });
    const of = { response_id, output_index: 0 };
    const call = { id: item.id, type: 'function_call', name, call_id: item.id, arguments: JSON.stringify(given) };
    this.#send({ type: 'response.output_item.added', ...of, item: { ...call, arguments: '' } });
    this.#send({
      ...{ type: 'response.function_call_arguments.done', ...of, item_id: item.id },
      ...{ call_id: item.id, name, arguments: call.arguments },
    });
    this.#send({ type: 'response.output_item.done', ...of, item: call });
  }

  async #say(response: RunningResponse, text: string): Promise<boolean> {
    const item = this.#add({ kind: 'answer', role: 'assistant', text: '', audioMs: 0 });
    const of = { response_id: response.id, item_id: item.id, output_index: 0, content_index: 0 };
    this.#send({
      type: 'response.output_item.added',
      ...of,
      item: { id: item.id, type: 'message', role: 'assistant' },
    });
    const { hz, isLaw } = this.#format('output');
    return this.#server.play(
      this.#socket,
      text,
      hz,
      (samples, words) => {
        item.audioMs += (samples.length / hz) * 1_000;
        item.text += words;
        const delta = isLaw ? lawOf(samples) : bytesOf(samples);
        if (words !== '') this.#send({ type: 'response.output_audio_transcript.delta', ...of, delta: words });
        this.#send({ type: 'response.output_audio.delta', ...of, delta: delta.toString('base64') });
      },
      () => response.isCancelled,
    );
  }

  #add(item: Omit<HeldItem, 'id' | 'isCut'>): HeldItem {
    const held = { ...item, id: `item_${++this.#count}`, isCut: false };
    this.#items.push(held);
    this.#fresh.push(held);
    this.#send({ type: 'conversation.item.added', item: { id: held.id, role: held.role } });
    return held;
  }

  #format(side: 'input' | 'output'): { hz: number; isLaw: boolean } {
    const format = recordOf(recordOf(recordOf(this.#server.session.audio)[side]).format);
    return format.type === 'audio/pcm' ? { hz: 24_000, isLaw: false } : { hz: 8_000, isLaw: true };
  }

  #msOf(bytes: number, side: 'input' | 'output'): number {
    const { hz, isLaw } = this.#format(side);
    return ((isLaw ? bytes : bytes / 2) / hz) * 1_000;
  }

  #refuse(code: string, param: string | null): void {
    this.#server.refusals.push(code);
    this.#send({ type: 'error', error: { type: 'invalid_request_error', code, message: code, param } });
  }

  #send(message: Record<string, unknown>): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify({ event_id: `event_${++this.#count}`, ...message }));
  }
}

function lawOf(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length);
  encodeG711('pcmu', samples, bytes);
  return bytes;
}
