// A server with the vendors' interfaces for recognition and speech, and with all their possible faults. By itself it
// recognises nothing: it answers `text`, word by word as audio arrives. Its voice is a tone.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export type Fault =
  /** Takes the request and never answers. */
  | 'hang'
  /** Sends half of the answer, then nothing. */
  | 'hang-in-stream'
  | 'unauthorised'
  /** 429 with Retry-After: 0.2 s. */
  | 'too-many'
  /** 429 with Retry-After: 30 s. */
  | 'quota'
  | 'broken'
  /** 400: a field that it does not know. */
  | 'bad-request'
  /** A proxy's page, with status 200. */
  | 'garbage'
  | 'reset'
  /** Audio at half of its own speed. */
  | 'half-speed'
  /** Half a sample at the end, and chunks that cut samples in two. */
  | 'odd-chunks'
  /** No audio, no words. */
  | 'empty';

export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** Fields of a form, or the JSON body. */
  fields: Record<string, unknown>;
  /** Milliseconds of audio in the request, and its samples. */
  audioMs: number;
  samples: Int16Array;
  /** The client disconnected before the answer was complete. */
  isAborted: boolean;
}

/** Hears the audio of one utterance, PCM16 at 8 kHz. */
export interface ServerEar {
  hear(samples: Int16Array): void;
  readonly text: string;
}

export interface SpeechServerOptions {
  /** Recognises the audio in place of `text`, an ear for each utterance. */
  ear?: () => ServerEar;
  /** The text of every utterance. */
  text?: string;
  /** The language that it tells with a text where it is left to find out: `verbose_json`, `language=multi`. */
  language?: string;
  /** Wait before the first byte of an answer. */
  delayMs?: number;
  /** The only accepted key; null: any. */
  apiKey?: string | null;
  /** Refuses an address without `model=`, as speaches does. */
  wantsModelInUrl?: boolean;
}

/** Milliseconds of tone for each character. */
export const MS_PER_CHARACTER = 60;
const TONE_HZ = 440;
const TONE_LEVEL = 8_000;
const CHUNK_MS = 40;
const WORD_MS = 200;
const SOUND_RMS = 150;

export class SpeechServer {
  readonly requests: SeenRequest[] = [];
  /** Audio received over sockets, with times by performance.now(). */
  readonly audioSeen: Array<{ atMs: number; bytes: number; isSound: boolean }> = [];
  /** Times of the first byte of each spoken answer. */
  readonly firstBytesAtMs: number[] = [];
  /** Faults of the next requests, one each; then `fault`. */
  readonly nextFaults: Array<Fault | null> = [];
  fault: Fault | null = null;
  text: string;
  /** As in the options. */
  language: string | undefined;
  connections = 0;
  readonly #options: SpeechServerOptions;
  readonly #http: Server;
  readonly #sockets = new Set<Socket>();
  readonly #webSockets = new WebSocketServer({ noServer: true });

  constructor(options: SpeechServerOptions = {}) {
    this.#options = options;
    this.language = options.language;
    this.text = options.text ?? 'what are your opening hours today';
    this.#http = createServer((request, response) => void this.#answer(request, response));
    this.#http.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket as Socket, head));
  }

  async start(port = 0): Promise<this> {
    this.#http.listen(port, '127.0.0.1');
    await once(this.#http, 'listening');
    return this;
  }

  /** http://127.0.0.1:PORT, without /v1. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Breaks every connection, like a dying server. */
  dropAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    // New connections are refused first: a client whose connection breaks may try again at once.
    this.#http.close();
    // Not reset: Node may not end its process after a reset of a socket that is closing.
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#http, 'close').catch(() => undefined);
  }

  #see(request: IncomingMessage, url: URL): SeenRequest {
    const { headers } = request;
    const seen: SeenRequest = {
      path: url.pathname + url.search,
      headers,
      fields: {},
      audioMs: 0,
      samples: NO_SAMPLES,
      isAborted: false,
    };
    this.requests.push(seen);
    return seen;
  }

  #takeFault(): Fault | null {
    return this.nextFaults.length > 0 ? (this.nextFaults.shift() ?? null) : this.fault;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = await readBody(request).catch(() => null);
    if (body === null) return;
    const seen = this.#see(request, url);
    response.on('close', () => {
      seen.isAborted = !response.writableFinished;
    });
    await readFields(request, body, seen);
    const key = this.#options.apiKey;
    const given = String(request.headers.authorization ?? request.headers['xi-api-key'] ?? '').replace(/^\w+ /, '');
    if (key != null && given !== key) return refuse(response, 401, 'invalid_api_key');
    if (url.pathname.endsWith('/audio/voices')) return sendJson(response, { voices: [{ id: 'af_heart' }, 'bf_emma'] });
    if (url.pathname === '/v2/voices') return sendJson(response, ELEVEN_VOICES);
    if (/\/(models|projects)$/.test(url.pathname)) return sendJson(response, { object: 'list', data: [] });
    const fault = this.#takeFault();
    if (this.#options.delayMs) await pause(this.#options.delayMs);
    if (await refused(fault, request, response)) return;
    if (url.pathname.endsWith('/audio/transcriptions')) {
      const ear = this.#options.ear?.();
      ear?.hear(seen.samples);
      const text = fault === 'empty' ? '' : (ear?.text ?? this.text);
      const isVerbose = seen.fields.response_format === 'verbose_json' && this.language !== undefined;
      const told = isVerbose ? { language: this.language, segments: [{ avg_logprob: -0.05 }] } : {};
      sendJson(response, { text, usage: { type: 'duration', seconds: 1 }, ...told });
      return;
    }
    const text = String(seen.fields.input ?? seen.fields.text ?? '');
    const format = url.searchParams.get('output_format');
    const rateHz = format ? Number(format.replace('pcm_', '')) : 24_000;
    if (url.pathname.endsWith('/stream/with-timestamps')) this.#speakTimed(response, text, rateHz);
    else if (/\/audio\/speech$|\/text-to-speech\/[^/]+\/stream$/.test(url.pathname))
      await this.#speak(response, text, rateHz, fault);
    else refuse(response, 404, 'not_found');
  }

  async #speak(response: ServerResponse, text: string, rateHz: number, fault: Fault | null): Promise<void> {
    response.writeHead(200, { 'content-type': 'audio/pcm' });
    if (fault === 'empty') {
      response.end();
      return;
    }
    const audio = tone(text.length * MS_PER_CHARACTER, rateHz);
    const chunk = fault === 'odd-chunks' ? 1_001 : ((rateHz * CHUNK_MS) / 1_000) * 2;
    this.firstBytesAtMs.push(performance.now());
    for (let at = 0; at < audio.length; at += chunk) {
      if (response.destroyed) return;
      if (fault === 'hang-in-stream' && at >= audio.length / 2) return;
      response.write(audio.subarray(at, at + chunk));
      if (fault === 'half-speed') await pause(CHUNK_MS * 2);
      // A vendor sends faster than real time.
      else await pause(1);
    }
    response.end(fault === 'odd-chunks' ? Buffer.of(7) : undefined);
  }

  /** Two characters a line, each with its time. */
  #speakTimed(response: ServerResponse, text: string, rateHz: number): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    this.firstBytesAtMs.push(performance.now());
    const bytesPerCharacter = ((rateHz * MS_PER_CHARACTER) / 1_000) * 2;
    const audio = tone(text.length * MS_PER_CHARACTER, rateHz);
    for (let at = 0; at < text.length; at += 2) {
      const characters = [...text.slice(at, at + 2)];
      const ends = characters.map((_, index) => ((at + index + 1) * MS_PER_CHARACTER) / 1_000);
      const piece = audio.subarray(at * bytesPerCharacter, (at + 2) * bytesPerCharacter);
      const alignment = { characters, character_end_times_seconds: ends };
      response.write(`${JSON.stringify({ audio_base64: piece.toString('base64'), alignment })}\n`);
    }
    response.end();
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const seen = this.#see(request, url);
    const fault = this.#takeFault();
    const key = this.#options.apiKey;
    const given = String(request.headers.authorization ?? '').replace(/^\w+ /, '');
    if (fault === 'hang') return;
    if (fault === 'reset') {
      socket.resetAndDestroy();
      return;
    }
    const status = (key != null && given !== key) || fault === 'unauthorised' ? 401 : UPGRADE_STATUS[fault ?? 'empty'];
    if (status !== undefined) {
      const body = JSON.stringify({ err_code: status === 401 ? 'INVALID_AUTH' : 'BUSY', error: { code: 'refused' } });
      socket.end(
        `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nretry-after: 1\r\n\r\n${body}`,
      );
      return;
    }
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.connections++;
      webSocket.on('error', () => undefined);
      if (url.pathname.endsWith('/listen')) this.#deepgram(webSocket, url, fault);
      else this.#realtime(webSocket, url, fault, seen);
    });
  }

  /** Deepgram: interim results as audio arrives, a final one for `Finalize`. */
  #deepgram(socket: WebSocket, url: URL, fault: Fault | null): void {
    const rateHz = Number(url.searchParams.get('sample_rate') ?? 8_000);
    const isMulti = url.searchParams.get('language') === 'multi';
    const newSpan = (): { from: number; to: number; words: string[]; ear: ServerEar | undefined } => {
      const ear = this.#options.ear?.();
      return { from: total, to: total, words: ear ? [] : this.text.split(' '), ear };
    };
    let total = 0;
    let span = newSpan();
    let sentWords = 0;
    /** As the span is now. */
    const results = (isFinal: boolean, count: number, extra: Record<string, unknown> = {}): void => {
      const shown = span.words.slice(0, count);
      const start = span.from / rateHz;
      const duration = (span.to - span.from) / rateHz;
      const step = duration / Math.max(1, shown.length);
      const message = JSON.stringify({
        type: 'Results',
        channel_index: [0, 1],
        start,
        duration,
        is_final: isFinal,
        speech_final: false,
        from_finalize: false,
        channel: {
          alternatives: [
            {
              transcript: shown.join(' '),
              confidence: 0.98,
              words: shown.map((word, index) => ({
                word,
                ...(isMulti && this.language !== undefined ? { language: this.language } : {}),
                punctuated_word: word,
                start: start + index * step,
                end: start + (index + 1) * step,
                confidence: 0.98,
              })),
            },
          ],
        },
        ...extra,
      });
      if (this.#options.delayMs) setTimeout(() => socket.send(message), this.#options.delayMs);
      else socket.send(message);
    };
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        const bytes = (data as Buffer).length;
        if (bytes === 0) {
          socket.close(1000);
          return;
        }
        this.audioSeen.push({ atMs: performance.now(), bytes, isSound: isSound(data as Buffer) });
        total += bytes / 2;
        if (fault === 'hang-in-stream') return;
        span.to = total;
        if (span.ear) {
          span.ear.hear(samplesOf(data as Buffer));
          span.words = span.ear.text.split(' ').filter((word) => word !== '');
        }
        const spoken = Math.floor(((total - span.from) / rateHz) * (1_000 / WORD_MS));
        const count = span.ear ? span.words.length : Math.min(span.words.length, spoken);
        if (count > sentWords) {
          sentWords = count;
          results(false, count);
        }
        return;
      }
      const message = JSON.parse(String(data)) as { type: string };
      if (message.type === 'CloseStream') socket.close(1000);
      if (message.type !== 'Finalize' || fault === 'hang-in-stream') return;
      if (fault === 'garbage') {
        socket.send('<html>');
        return;
      }
      results(true, fault === 'empty' ? 0 : span.words.length, { from_finalize: true });
      span = newSpan();
      sentWords = 0;
    });
  }

  /** OpenAI's realtime transcription: one item for each commit. */
  #realtime(socket: WebSocket, url: URL, fault: Fault | null, seen: SeenRequest): void {
    const send = (message: Record<string, unknown>): void => socket.send(JSON.stringify(message));
    const hasModel = url.searchParams.has('model');
    if (this.#options.wantsModelInUrl && !hasModel) {
      send({ type: 'error', error: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' } });
      socket.close(1008);
      return;
    }
    if (!this.#options.wantsModelInUrl && hasModel) {
      send({ type: 'error', error: { type: 'invalid_request_error', code: 'invalid_value', param: 'model' } });
      return;
    }
    send({ type: 'session.created', session: {} });
    let bytes = 0;
    let items = 0;
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      if (message.type === 'session.update') {
        seen.fields = message;
        send({ type: 'session.updated', session: message.session });
      } else if (message.type === 'input_audio_buffer.append') {
        const size = Buffer.from(String(message.audio), 'base64').length;
        this.audioSeen.push({ atMs: performance.now(), bytes: size, isSound: true });
        bytes += size;
      } else if (message.type === 'input_audio_buffer.clear') bytes = 0;
      else if (message.type === 'input_audio_buffer.commit' && fault !== 'hang-in-stream') {
        if (bytes === 0) {
          send({ type: 'error', error: { type: 'invalid_request_error', code: 'input_audio_buffer_commit_empty' } });
          return;
        }
        bytes = 0;
        const itemId = `item_${++items}`;
        send({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: null });
        const of = { item_id: itemId, content_index: 0 };
        const kind = 'conversation.item.input_audio_transcription';
        const answer = (): void => {
          if (fault === 'broken') {
            send({ type: `${kind}.failed`, ...of, error: { type: 'server_error', code: 'audio_unintelligible' } });
            return;
          }
          const transcript = fault === 'empty' ? '' : this.text;
          for (const word of transcript.split(/(?<= )/)) send({ type: `${kind}.delta`, ...of, delta: word });
          send({ type: `${kind}.completed`, ...of, transcript, usage: { type: 'tokens', total_tokens: 9 } });
        };
        if (this.#options.delayMs) setTimeout(answer, this.#options.delayMs);
        else answer();
      }
    });
  }
}

const NO_SAMPLES = new Int16Array(0);

const UPGRADE_STATUS: Partial<Record<Fault, number>> = { 'too-many': 429, quota: 429 };

const ELEVEN_VOICES = {
  voices: [
    {
      voice_id: 'JBFqnCBsd6RMkjVDRZzb',
      name: 'George',
      category: 'premade',
      labels: { gender: 'male' },
      verified_languages: [{ language: 'en', locale: 'en-GB', model_id: 'eleven_flash_v2_5' }],
    },
    { voice_id: 'XB0fDUnXU5powFXDhCwa', name: 'Charlotte', category: 'premade', labels: { gender: 'female' } },
  ],
  has_more: false,
  total_count: 2,
  next_page_token: null,
};

/** True when the fault has answered the request or leaves it unanswered. */
async function refused(fault: Fault | null, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  switch (fault) {
    case 'hang':
      return true;
    case 'unauthorised':
      refuse(response, 401, 'invalid_api_key');
      return true;
    case 'too-many':
      refuse(response, 429, 'rate_limit_exceeded', { 'retry-after': '0.2' });
      return true;
    case 'quota':
      refuse(response, 429, 'rate_limit_exceeded', { 'retry-after': '30' });
      return true;
    case 'bad-request':
      refuse(response, 400, 'invalid_value');
      return true;
    case 'broken':
      refuse(response, 500, 'server_error');
      return true;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Sign in</body></html>');
      return true;
    case 'reset':
      request.socket.resetAndDestroy();
      return true;
    default:
      return false;
  }
}

function refuse(response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(
    JSON.stringify({ error: { message: `refused: ${code}`, type: 'invalid_request_error', param: null, code } }),
  );
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readFields(request: IncomingMessage, body: Buffer, seen: SeenRequest): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) seen.fields = JSON.parse(body.toString()) as Record<string, unknown>;
  if (!type.startsWith('multipart/form-data')) return;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') seen.fields[name] = value;
    else {
      const wav = Buffer.from(await value.arrayBuffer());
      seen.fields[name] = { name: value.name, type: value.type };
      seen.samples = samplesOf(wav.subarray(44));
      seen.audioMs = ((wav.length - 44) / 2 / wav.readUInt32LE(24)) * 1_000;
    }
  }
}

function samplesOf(bytes: Buffer): Int16Array {
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** PCM16 above the level at which the bench trims its clips. */
function isSound(bytes: Buffer): boolean {
  let energy = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) energy += bytes.readInt16LE(at) ** 2;
  return Math.sqrt(energy / (bytes.length / 2)) > SOUND_RMS;
}

const tones = new Map<number, Buffer>();

/** A second of tone is a whole number of its periods, so that it can be repeated. */
function tone(ms: number, rateHz: number): Buffer {
  let second = tones.get(rateHz);
  if (!second) {
    second = Buffer.alloc(rateHz * 2);
    for (let n = 0; n < rateHz; n++)
      second.writeInt16LE(Math.round(TONE_LEVEL * Math.sin((2 * Math.PI * TONE_HZ * n) / rateHz)), n * 2);
    tones.set(rateHz, second);
  }
  return Buffer.alloc(Math.round((ms * rateHz) / 1_000) * 2, second);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
