// A TTS worker: takes clauses on any number of ports and renders a few at a time in turn, piece by piece, so that a long text
// does not hold up the first words of another call. Text that was rendered before comes from the cache at once.
import type { MessagePort } from 'node:worker_threads';
import { loadTts } from '../engines.ts';
import { lowerThreadPriority } from '../priority.ts';
import { messageOf, unreachable } from '../unexpected.ts';
import { serveUntilStopped, type WorkerTask } from '../worker-task.ts';
import { AudioCache } from './audio-cache.ts';
import { type SpeechRequest, type TtsEngine, TtsError, type TtsReply, type TtsRequest } from './tts.ts';

/** Texts rendered in turn at a time. */
const MAX_ACTIVE = 4;
/** Texts that wait beyond that. A worker this far behind can meet no deadline, so it refuses at once. */
const MAX_WAITING = 128;
/** Cached audio is sent in blocks of this many ms. */
const CACHED_BLOCK_MS = 500;
/** Longest text in one request; a longer one is the requester's fault. */
const MAX_TEXT_CHARS = 4_000;

/** One request that waits for speech. */
interface Listener {
  port: MessagePort;
  id: number;
}

/** One text that waits or is being rendered, for all requests of it. */
interface Rendering {
  key: string;
  request: SpeechRequest;
  listeners: Set<Listener>;
  /** Audio so far, for listeners that join late. */
  pieces: Int16Array[];
  /** Asked for by `prepare`: rendered even without a listener. */
  isPrepared: boolean;
  /** The engine was asked to stop, so no listener may join any more. */
  isAbandoned: boolean;
}

export class TtsHost {
  readonly #engine: TtsEngine;
  readonly #cache: AudioCache;
  readonly #waiting: Rendering[] = [];
  readonly #renderings = new Map<string, Rendering>();
  readonly #ports = new Set<MessagePort>();
  readonly #running = new Set<Promise<void>>();

  constructor(engine: TtsEngine, cache = new AudioCache()) {
    this.#engine = engine;
    this.#cache = cache;
  }

  connect(port: MessagePort): void {
    this.#ports.add(port);
    port.on('message', (message: TtsRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  /** Cancels everything, waits for the pieces in progress and closes the engine. */
  async close(): Promise<void> {
    for (const port of [...this.#ports]) this.#disconnect(port);
    for (const rendering of this.#renderings.values()) rendering.isPrepared = false;
    await Promise.allSettled(this.#running);
    await this.#engine.close();
  }

  #receive(port: MessagePort, message: TtsRequest): void {
    switch (message.type) {
      case 'speak':
        this.#speak(message, { port, id: message.id });
        return;
      case 'prepare':
        this.#prepare(message);
        return;
      case 'cancel':
        this.#cancel((listener) => listener.port === port && listener.id === message.id);
        return;
      case 'stop':
        this.#disconnect(port);
        return;
      default:
        unreachable(message);
        return;
    }
  }

  #speak(request: SpeechRequest, listener: Listener): void {
    const { port, id } = listener;
    if (request.text.length > MAX_TEXT_CHARS) {
      reply(port, { type: 'failed', id, code: 'TTS_FAILED', message: `more than ${MAX_TEXT_CHARS} characters` });
      return;
    }
    const cached = this.#cache.get(keyOf(request));
    if (cached) {
      sendWhole(port, id, cached, request.sampleRateHz);
      return;
    }
    const rendering = this.#rendering(request);
    if (!rendering) {
      reply(port, { type: 'failed', id, code: 'TTS_UNAVAILABLE', message: 'too many texts are waiting' });
      return;
    }
    for (const piece of rendering.pieces) sendAudio(port, id, piece.slice(), false);
    rendering.listeners.add(listener);
    this.#startNext();
  }

  #prepare(request: SpeechRequest): void {
    if (request.text.length > MAX_TEXT_CHARS || this.#cache.get(keyOf(request))) return;
    const rendering = this.#rendering(request);
    if (rendering) rendering.isPrepared = true;
    this.#startNext();
  }

  /** The rendering of this text that can be joined, else a new one; null when too many wait. */
  #rendering(request: SpeechRequest): Rendering | null {
    const key = keyOf(request);
    const open = this.#renderings.get(key);
    if (open && !open.isAbandoned) return open;
    if (this.#waiting.length >= MAX_WAITING) return null;
    const fresh = { key, request, listeners: new Set<Listener>(), pieces: [], isPrepared: false, isAbandoned: false };
    this.#renderings.set(key, fresh);
    this.#waiting.push(fresh);
    return fresh;
  }

  #startNext(): void {
    while (this.#running.size < MAX_ACTIVE) {
      const rendering = this.#waiting.shift();
      if (!rendering) return;
      const run = this.#render(rendering).finally(() => {
        this.#running.delete(run);
        if (this.#renderings.get(rendering.key) === rendering) this.#renderings.delete(rendering.key);
        this.#startNext();
      });
      this.#running.add(run);
    }
  }

  async #render(rendering: Rendering): Promise<void> {
    const { key, request, listeners, pieces } = rendering;
    const isCancelled = (): boolean => {
      if (listeners.size === 0 && !rendering.isPrepared) rendering.isAbandoned = true;
      return rendering.isAbandoned;
    };
    // A cancelled request gets no answer.
    if (isCancelled()) return;
    try {
      await this.#engine.synthesize(
        request,
        (samples) => {
          pieces.push(samples.slice());
          for (const { port, id } of listeners) sendAudio(port, id, samples.slice(), false);
        },
        isCancelled,
      );
      if (rendering.isAbandoned) return;
      this.#cache.put(key, pieces);
      for (const { port, id } of listeners) sendAudio(port, id, new Int16Array(0), true);
    } catch (error) {
      const code = error instanceof TtsError ? error.code : 'TTS_FAILED';
      const message = messageOf(error);
      for (const { port, id } of listeners) reply(port, { type: 'failed', id, code, message });
    }
  }

  #cancel(isMeant: (listener: Listener) => boolean): void {
    for (const { listeners } of this.#renderings.values()) {
      for (const listener of listeners) if (isMeant(listener)) listeners.delete(listener);
    }
  }

  #disconnect(port: MessagePort): void {
    this.#cancel((listener) => listener.port === port);
    this.#ports.delete(port);
  }
}

/** Runs as the worker's one task, until `stop`. */
export default async function serveTts(task: WorkerTask): Promise<void> {
  lowerThreadPriority();
  const host = new TtsHost(await loadTts(task.engine, task.environment));
  await serveUntilStopped(task, (port) => host.connect(port));
  await host.close();
}

function keyOf({ voiceId, speed, sampleRateHz, text }: SpeechRequest): string {
  return `${voiceId} ${speed} ${sampleRateHz} ${text}`;
}

function sendWhole(port: MessagePort, id: number, samples: Int16Array, sampleRateHz: number): void {
  const block = Math.round((sampleRateHz * CACHED_BLOCK_MS) / 1_000);
  for (let at = 0; at < samples.length; at += block) sendAudio(port, id, samples.slice(at, at + block), false);
  sendAudio(port, id, new Int16Array(0), true);
}

function sendAudio(port: MessagePort, id: number, samples: Int16Array, last: boolean): void {
  const { buffer } = samples;
  port.postMessage(
    { type: 'audio', id, samples, last } satisfies TtsReply,
    buffer instanceof ArrayBuffer && samples.byteLength === buffer.byteLength ? [buffer] : [],
  );
}

function reply(port: MessagePort, message: TtsReply): void {
  port.postMessage(message);
}
