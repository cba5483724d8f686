// A server with the vendors' interfaces for recognition and speech, and with all their possible faults. By itself it
// recognises nothing: it answers `text`, word by word as audio arrives. Its voice is a tone.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Fault, SpeechServerOptions } from './speech-server-options.ts';
import { type ServedSpeech, samplesOf, serveDeepgram, serveRealtime } from './speech-sockets.ts';

interface SeenRequest {
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

/** Milliseconds of tone for each character. */
export const MS_PER_CHARACTER = 60;
const TONE_HZ = 440;
const TONE_LEVEL = 8_000;
const CHUNK_MS = 40;

export class SpeechServer implements ServedSpeech {
  readonly requests: SeenRequest[] = [];
  /** Audio received over sockets, with times by performance.now(). */
  readonly audioSeen: Array<{ atMs: number; bytes: number; isSound: boolean }> = [];
  /** Times of the first byte of each spoken answer. */
  readonly firstBytesAtMs: number[] = [];
  /** Faults of the next requests, one each; then `fault`. */
  readonly nextFaults: Array<Fault | null> = [];
  fault: Fault | null = null;
  /** Requests that have come get their answers after this; null: at once. */
  held: Promise<void> | null = null;
  text: string;
  /** As in the options. */
  language: string | undefined;
  connections = 0;
  readonly options: SpeechServerOptions;
  readonly #http: Server;
  readonly #sockets = new Set<Socket>();
  readonly #webSockets = new WebSocketServer({ noServer: true });

  constructor(options: SpeechServerOptions = {}) {
    this.options = options;
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
    const key = this.options.apiKey;
    const given = String(request.headers.authorization ?? request.headers['xi-api-key'] ?? '').replace(/^\w+ /, '');
    if (key != null && given !== key) return refuse(response, 401, 'invalid_api_key');
    if (url.pathname.endsWith('/audio/voices')) return sendJson(response, { voices: [{ id: 'af_heart' }, 'bf_emma'] });
    if (url.pathname === '/v2/voices') return sendJson(response, ELEVEN_VOICES);
    if (/\/(models|projects)$/.test(url.pathname)) return sendJson(response, { object: 'list', data: [] });
    const fault = this.#takeFault();
    if (this.options.delayMs) await pause(this.options.delayMs);
    await this.held;
    if (await refused(fault, request, response)) return;
    if (url.pathname.endsWith('/audio/transcriptions')) {
      if (this.options.transcript) return sendJson(response, this.options.transcript(seen.fields));
      const ear = this.options.ear?.();
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
    const key = this.options.apiKey;
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
      if (url.pathname.endsWith('/listen')) serveDeepgram(this, webSocket, url, fault);
      else
        serveRealtime(this, webSocket, url, fault, (fields) => {
          seen.fields = fields;
        });
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
