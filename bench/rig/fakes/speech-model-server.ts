// Shared parts of the fake servers of speech-to-speech models: a socket, a script of answers, a voice that is a tone,
// and the faults of real ones. Each wire is a file of its own, written from the vendor's reference; it refuses whatever
// the vendor refuses.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** The model's answer to a turn, or the tools that it calls instead. */
export interface ScriptedAnswer {
  text?: string;
  calls?: ReadonlyArray<{ name: string; arguments: Record<string, unknown> }>;
}

/** The server's input since its last answer. */
export interface ScriptedTurn {
  /** Counts from 1 within a session. */
  turn: number;
  audioMs: number;
  texts: readonly string[];
  results: readonly unknown[];
}

export interface SpeechModelServerOptions {
  script?: (turn: ScriptedTurn) => ScriptedAnswer;
  /** The text that it understands for each utterance. */
  understands?: string;
  /** The only accepted key; null: any. */
  apiKey?: string | null;
  /** The only known model; null: any. */
  model?: string | null;
  /** The only known voices; left out: any. */
  voices?: readonly string[];
  /** Time from the question to the first audio. */
  firstMs?: number;
  /** How much faster than it is spoken the audio is sent. */
  speed?: number;
}

type SpeechModelFault =
  /** Refuses the connection. */
  | 'refuse'
  /** Takes the setup, and never says so. */
  | 'mute'
  /** Answers nothing. */
  | 'stall'
  /** Stops in the middle of an answer. */
  | 'stall-in-answer'
  /** Closes the socket in the middle of an answer. */
  | 'cut-in-answer';

/** Of the model's voice: none of our own voices sounds like it. */
export const MODEL_TONE_HZ = 660;
export const MODEL_MS_PER_CHARACTER = 60;
const LEVEL = 10_000;
const CHUNK_MS = 100;

export abstract class SpeechModelServer {
  fault: SpeechModelFault | null = null;
  readonly options: SpeechModelServerOptions;
  /** Every message of clients, in order. */
  readonly seen: Array<Record<string, unknown>> = [];
  /** The refusals, by their codes. */
  readonly refusals: string[] = [];
  connections = 0;
  /** Answers that it was asked for. */
  answers = 0;
  /** Times of the newest cut, by performance.now(). */
  readonly cutsAtMs: number[] = [];
  readonly #http: Server;
  readonly #sockets = new Set<Socket>();
  readonly #webSockets = new WebSocketServer({ noServer: true });

  constructor(options: SpeechModelServerOptions = {}) {
    this.options = options;
    // The list of models, which a client may ask for to see whether its key is taken.
    this.#http = createServer((request, response) => {
      const { apiKey = null } = this.options;
      const isKnown = request.url === this.modelsPath;
      const isTaken = apiKey === null || this.keyOf(request) === apiKey;
      response.writeHead(isKnown ? (isTaken ? 200 : 401) : 404, { 'content-type': 'application/json' });
      response.end(isTaken ? '{"data":[]}' : '{"error":{"code":"invalid_api_key"}}');
    });
    this.#http.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket as Socket, head));
  }

  /** The path of the vendor's socket; others are 404. */
  protected abstract readonly path: string;
  protected abstract readonly modelsPath: string;
  protected abstract keyOf(request: IncomingMessage): string;
  protected abstract serve(socket: WebSocket, url: URL): void;

  async start(): Promise<this> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return this;
  }

  /** http://127.0.0.1:PORT */
  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Breaks every connection, like a dying server. */
  dropAll(): void {
    this.cutsAtMs.push(performance.now());
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.#http.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#http, 'close').catch(() => undefined);
  }

  knows(model: string | null): boolean {
    const { model: only = null } = this.options;
    return model !== null && (only === null || model === only);
  }

  answerTo(turn: ScriptedTurn): ScriptedAnswer {
    this.answers++;
    return (this.options.script ?? (() => ({ text: 'Certainly, we are open until five today.' })))(turn);
  }

  /** Sends an answer's audio and words piece by piece, until it is stopped. Resolves with whether it was sent whole. */
  async play(
    socket: WebSocket,
    text: string,
    rateHz: number,
    send: (samples: Int16Array, words: string) => void,
    isStopped: () => boolean,
  ): Promise<boolean> {
    const { firstMs = 0, speed = Number.POSITIVE_INFINITY } = this.options;
    if (firstMs > 0) await pause(firstMs);
    const audio = modelTone(text.length * MODEL_MS_PER_CHARACTER, rateHz);
    const chunk = (rateHz * CHUNK_MS) / 1_000;
    const words = text.split(/(?<= )/);
    const chunks = Math.ceil(audio.length / chunk);
    let said = 0;
    for (let n = 0; n < chunks; n++) {
      if (isStopped() || socket.readyState !== socket.OPEN) return false;
      const isMidway = n >= chunks / 2;
      if (this.fault === 'stall-in-answer' && isMidway) return false;
      if (this.fault === 'cut-in-answer' && isMidway) {
        this.dropAll();
        return false;
      }
      const upTo = Math.ceil((words.length * (n + 1)) / chunks);
      send(audio.subarray(n * chunk, (n + 1) * chunk), words.slice(said, upTo).join(''));
      said = upTo;
      await pause(Math.max(1, CHUNK_MS / speed));
    }
    return !isStopped();
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { apiKey = null } = this.options;
    const status =
      url.pathname !== this.path
        ? 404
        : apiKey !== null && this.keyOf(request) !== apiKey
          ? 401
          : this.fault === 'refuse'
            ? 503
            : null;
    if (status !== null) {
      const body = '{"error":{"code":"refused"}}';
      socket.end(
        `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return;
    }
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.connections++;
      webSocket.on('error', () => undefined);
      this.serve(webSocket, url);
    });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Fields of `value` that are not known, with their path; a field that is itself an object is checked by `known`'s. */
export type Known = { readonly [field: string]: Known | true };

export function unknownField(value: unknown, known: Known, at = ''): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  for (const [field, content] of Object.entries(value)) {
    const path = at === '' ? field : `${at}.${field}`;
    const below = known[field];
    if (below === undefined) return path;
    const found = below === true ? null : unknownField(content, below, path);
    if (found !== null) return found;
  }
  return null;
}

function modelTone(ms: number, rateHz: number): Int16Array {
  const samples = new Int16Array(Math.round((ms * rateHz) / 1_000));
  for (let n = 0; n < samples.length; n++)
    samples[n] = Math.round(LEVEL * Math.sin((2 * Math.PI * MODEL_TONE_HZ * n) / rateHz));
  return samples;
}

export function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}
