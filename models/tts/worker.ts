// A TTS worker: takes clauses on any number of ports and speaks a few at a time in turn, piece by piece, so that one long
// text does not hold up the first words of another call. What was said before comes from the cache at once.
import type { MessagePort } from 'node:worker_threads';
import { loadTts } from '../engines.ts';
import { lowerThreadPriority } from '../priority.ts';
import { serveUntilStopped, type WorkerTask } from '../worker-task.ts';
import { AudioCache } from './audio-cache.ts';
import { type SpeechRequest, type TtsEngine, TtsError, type TtsReply, type TtsRequest } from './tts.ts';

/** Spoken in turn at a time. */
const MAX_ACTIVE = 4;
/** Waiting beyond that; a worker this far behind cannot meet any deadline, so it refuses at once. */
const MAX_WAITING = 128;
/** Cached audio is handed on in pieces of this many ms. */
const CACHED_BLOCK_MS = 500;
/** What a model may ask for at once; longer text is a fault of its caller. */
const MAX_TEXT_CHARS = 4_000;

interface Job {
  port: MessagePort;
  id: number;
  request: SpeechRequest;
  isCancelled: boolean;
}

export class TtsHost {
  readonly #engine: TtsEngine;
  readonly #cache: AudioCache;
  readonly #waiting: Job[] = [];
  readonly #jobs = new Map<MessagePort, Map<number, Job>>();
  readonly #running = new Set<Promise<void>>();

  constructor(engine: TtsEngine, cache = new AudioCache()) {
    this.#engine = engine;
    this.#cache = cache;
  }

  connect(port: MessagePort): void {
    this.#jobs.set(port, new Map());
    port.on('message', (message: TtsRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  /** Cancels everything and waits for the pieces that are being rendered. */
  async close(): Promise<void> {
    for (const port of [...this.#jobs.keys()]) this.#disconnect(port);
    await Promise.allSettled(this.#running);
    await this.#engine.close();
  }

  #receive(port: MessagePort, message: TtsRequest): void {
    switch (message.type) {
      case 'speak':
        this.#enqueue({ port, id: message.id, request: message, isCancelled: false });
        return;
      case 'cancel': {
        const job = this.#jobs.get(port)?.get(message.id);
        if (job) job.isCancelled = true;
        return;
      }
      case 'stop':
        this.#disconnect(port);
        return;
      default:
        unreachable(message);
        return;
    }
  }

  #enqueue(job: Job): void {
    const { port, id, request } = job;
    if (this.#waiting.length >= MAX_WAITING) {
      reply(port, { type: 'failed', id, code: 'TTS_UNAVAILABLE', message: 'too many texts are waiting' });
      return;
    }
    if (request.text.length > MAX_TEXT_CHARS) {
      reply(port, { type: 'failed', id, code: 'TTS_FAILED', message: `more than ${MAX_TEXT_CHARS} characters` });
      return;
    }
    this.#jobs.get(port)?.set(id, job);
    this.#waiting.push(job);
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running.size < MAX_ACTIVE) {
      const job = this.#waiting.shift();
      if (!job) return;
      const run = this.#speak(job).finally(() => {
        this.#running.delete(run);
        this.#jobs.get(job.port)?.delete(job.id);
        this.#startNext();
      });
      this.#running.add(run);
    }
  }

  async #speak(job: Job): Promise<void> {
    const { port, id, request } = job;
    // A cancelled job owes its caller nothing: the id is stale there.
    if (job.isCancelled) return;
    const key = `${request.voiceId} ${request.speed} ${request.sampleRateHz} ${request.text}`;
    const cached = this.#cache.get(key);
    if (cached) return sendWhole(port, id, cached, request.sampleRateHz);
    const pieces: Int16Array[] = [];
    try {
      await this.#engine.synthesize(
        request,
        (samples) => {
          pieces.push(samples.slice());
          if (!job.isCancelled) sendAudio(port, id, samples, false);
        },
        () => job.isCancelled,
      );
      if (job.isCancelled) return;
      this.#cache.put(key, pieces);
      sendAudio(port, id, new Int16Array(0), true);
    } catch (error) {
      const code = error instanceof TtsError ? error.code : 'TTS_FAILED';
      const message = error instanceof Error ? error.message : String(error);
      if (!job.isCancelled) reply(port, { type: 'failed', id, code, message });
    }
  }

  #disconnect(port: MessagePort): void {
    for (const job of this.#jobs.get(port)?.values() ?? []) job.isCancelled = true;
    this.#jobs.delete(port);
  }
}

/** Runs as the worker's one task, until `stop`. */
export default async function serveTts(task: WorkerTask): Promise<void> {
  lowerThreadPriority();
  const host = new TtsHost(await loadTts(task.engine, task.environment));
  await serveUntilStopped(task, (port) => host.connect(port));
  await host.close();
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

function unreachable(message: never): never {
  throw new Error(`unknown TTS request ${JSON.stringify(message)}`);
}
