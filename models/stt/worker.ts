// An STT worker: hosts the streams of many calls on the shards' ports. It numbers their utterances, gives each a
// deadline, and passes on the engine's events.
import type { MessagePort } from 'node:worker_threads';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { loadStt } from '../engines.ts';
import { nameThread } from '../workers/thread-name.ts';
import { BACKLOG_EVERY_MS, serveUntilStopped, type WorkerStatus, type WorkerTask } from '../workers/worker-task.ts';
import { sttFactor } from './cost-measurement.ts';
import type { SttEngine, SttEvent, SttReply, SttRequest, SttStream, SttVocabulary } from './stt.ts';
import { KeptAudio } from './vendor/kept-audio.ts';
import { closeUnused, type WorkerCall, type WorkerUtterance } from './worker-call.ts';

/** Streams per worker, far more than a core can decode at once. */
const MAX_STREAMS = 1_000;
/** Most audio that may wait while a stream is being opened, in ms. */
const MAX_EARLY_MS = 15_000;
const OPEN_DEADLINE_MS = 10_000;
/** Somebody waits for a change of language, and has the old stream meanwhile. */
const CHANGE_DEADLINE_MS = 4_000;
/** Longest utterance that another stream hears again. The turn machine answers a caller after 20 s. */
const KEPT_MS = 25_000;
/** Added to the engine's own patience: a later answer is useless, so its request is cancelled. */
const FINAL_SLACK_MS = 3_000;

type UtteranceRequest = Extract<SttRequest, { type: 'begin' | 'audio' | 'ask' | 'finish' | 'cancel' }>;

export class SttHost {
  readonly #engine: SttEngine;
  readonly #ports = new Map<MessagePort, Map<string, WorkerCall>>();
  #isStepScheduled = false;
  /** Requests so far: a trial during which one arrives is disturbed. */
  #requests = 0;

  constructor(engine: SttEngine) {
    this.#engine = engine;
  }

  connect(port: MessagePort): void {
    this.#ports.set(port, new Map());
    port.on('message', (message: SttRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  /** Measures the engine's cost as `sttFactor`; null while it listens to calls. */
  async measure(): Promise<number | null> {
    const before = this.#requests;
    if ([...this.#ports.values()].some(({ size }) => size > 0)) return null;
    return sttFactor(this.#engine, () => this.#requests !== before);
  }

  async close(): Promise<void> {
    // Ends a trial.
    this.#requests++;
    for (const port of [...this.#ports.keys()]) this.#disconnect(port);
    await this.#engine.close();
  }

  #receive(port: MessagePort, message: SttRequest): void {
    this.#requests++;
    switch (message.type) {
      case 'stop':
        this.#disconnect(port);
        return;
      case 'open':
        this.#open(port, message);
        return;
      case 'close': {
        const call = this.#ports.get(port)?.get(message.callId);
        if (call) this.#close(call);
        return;
      }
      case 'change': {
        const call = this.#ports.get(port)?.get(message.callId);
        if (call) void this.#change(call, message);
        else reply(port, { ...changedOf(message), message: 'no such session' });
        return;
      }
      case 'begin':
      case 'audio':
      case 'ask':
      case 'finish':
      case 'cancel': {
        const call = this.#ports.get(port)?.get(message.callId);
        if (call) this.#take(call, message);
        // Audio and cancellations of a closed call are only late, not an error.
        else if (message.type === 'finish')
          fail(port, message.callId, message.utterance, 'STT_UNAVAILABLE', 'no such session');
        return;
      }
      default:
        unreachable(message);
        return;
    }
  }

  #open(port: MessagePort, message: Extract<SttRequest, { type: 'open' }>): void {
    const calls = this.#ports.get(port);
    if (!calls) return;
    const { callId, sampleRateHz, vocabulary, keepsAudio = false } = message;
    const old = calls.get(callId);
    if (old) this.#close(old);
    const streams = [...this.#ports.values()].reduce((sum, { size }) => sum + size, 0);
    if (streams >= MAX_STREAMS) {
      fail(port, callId, 0, 'STT_UNAVAILABLE', 'too many sessions');
      return;
    }
    const abort = new AbortController();
    const call: WorkerCall = {
      port,
      callId,
      sampleRateHz,
      keepsAudio,
      abort,
      stream: null,
      early: [],
      earlySamples: 0,
      utterances: new Map(),
      former: new Set(),
      change: 0,
    };
    calls.set(callId, call);
    void this.#opened(call, withDeadline(this.#openStream(call, vocabulary), OPEN_DEADLINE_MS));
  }

  #openStream({ port, callId, sampleRateHz, abort }: WorkerCall, vocabulary: SttVocabulary): Promise<SttStream> {
    return this.#engine.openStream({
      callId,
      sampleRateHz,
      vocabulary,
      signal: abort.signal,
      onFallback: (change) => reply(port, { type: 'fallback', callId, ...change }),
      onHeardAgain: (ms) => reply(port, { type: 'heard-again', callId, ms }),
    });
  }

  /** Until the new stream is there, and if it is not to be had, the old one has the call. */
  async #change(call: WorkerCall, message: Extract<SttRequest, { type: 'change' }>): Promise<void> {
    const { abort, port } = call;
    call.change = message.change;
    const opening = this.#openStream(call, message.vocabulary);
    try {
      const stream = await withDeadline(opening, CHANGE_DEADLINE_MS);
      // Closed meanwhile, or a newer change has overtaken this one.
      if (abort.signal.aborted || call.change !== message.change) return stream.close();
      this.#moveTo(call, stream);
      reply(port, { ...changedOf(message), message: null });
    } catch (error) {
      opening.then((late) => late.close()).catch(() => undefined);
      if (!abort.signal.aborted) reply(port, { ...changedOf(message), message: messageOf(error) });
    }
  }

  /** The utterance that is being spoken begins anew in this stream; finished ones stay where they are. */
  #moveTo(call: WorkerCall, stream: SttStream): void {
    const old = call.stream;
    call.stream = stream;
    if (old === null) {
      for (const request of call.early.splice(0)) this.#take(call, request as UtteranceRequest);
      return;
    }
    call.former.add(old);
    for (const utterance of call.utterances.values()) {
      if (utterance.isFinished || utterance.kept === null || utterance.sink === null) continue;
      utterance.abort.abort();
      utterance.stream = stream;
      this.#hear(call, utterance);
      for (const samples of utterance.kept.pieces) utterance.sink?.write(samples.slice());
      this.#scheduleStep();
    }
    closeUnused(call);
  }

  async #opened(call: WorkerCall, opening: Promise<SttStream>): Promise<void> {
    try {
      const stream = await opening;
      if (call.abort.signal.aborted) {
        stream.close();
        return;
      }
      // A change of language may have been quicker.
      if (call.stream !== null) return stream.close();
      this.#moveTo(call, stream);
    } catch (error) {
      if (call.abort.signal.aborted || call.stream !== null) return;
      const newest = call.early.findLast((request) => request.type === 'begin');
      this.#close(call);
      fail(
        call.port,
        call.callId,
        newest?.type === 'begin' ? newest.utterance : 0,
        'STT_UNAVAILABLE',
        messageOf(error),
      );
    }
  }

  #take(call: WorkerCall, request: UtteranceRequest): void {
    if (call.stream === null) {
      this.#keepForLater(call, request);
      return;
    }
    const utterance = call.utterances.get(request.utterance);
    switch (request.type) {
      case 'begin':
        this.#begin(call, call.stream, request);
        return;
      case 'audio':
        // Engines keep or transfer the array that they get.
        utterance?.kept?.add(request.samples.slice());
        utterance?.sink?.write(request.samples);
        this.#scheduleStep();
        return;
      case 'ask':
        if (utterance) this.#guard(call, utterance, () => utterance.sink?.ask?.(request.number));
        return;
      case 'finish':
        if (utterance) this.#finish(call, utterance, request.asked);
        return;
      case 'cancel':
        if (utterance) this.#forget(call, utterance);
        return;
      default:
        unreachable(request);
    }
  }

  #keepForLater(call: WorkerCall, request: UtteranceRequest): void {
    if (request.type === 'cancel') {
      call.early = call.early.filter((early) => !('utterance' in early) || early.utterance !== request.utterance);
      return;
    }
    if (request.type === 'audio') {
      call.earlySamples += request.samples.length;
      if (call.earlySamples > (call.sampleRateHz * MAX_EARLY_MS) / 1_000) return;
    }
    call.early.push(request);
  }

  #begin(call: WorkerCall, stream: SttStream, request: Extract<SttRequest, { type: 'begin' }>): void {
    const utterance: WorkerUtterance = {
      number: request.utterance,
      abort: new AbortController(),
      expects: request.expects,
      sink: null,
      stream,
      kept: call.keepsAudio ? new KeptAudio(call.sampleRateHz, KEPT_MS) : null,
      isFinished: false,
      deadline: null,
    };
    call.utterances.set(request.utterance, utterance);
    this.#hear(call, utterance);
  }

  #hear(call: WorkerCall, utterance: WorkerUtterance): void {
    const abort = new AbortController();
    utterance.abort = abort;
    this.#guard(call, utterance, () => {
      utterance.sink = utterance.stream.begin({
        expects: utterance.expects,
        signal: abort.signal,
        onEvent: (event) => {
          if (!abort.signal.aborted) this.#report(call, utterance, event);
        },
      });
    });
  }

  #finish(call: WorkerCall, utterance: WorkerUtterance, asked?: number): void {
    utterance.isFinished = true;
    utterance.deadline ??= setTimeout(
      () => this.#lose(call, utterance, 'the recogniser did not answer'),
      this.#engine.patienceMs + FINAL_SLACK_MS,
    );
    this.#guard(call, utterance, () => utterance.sink?.finish(asked));
    this.#scheduleStep();
  }

  #report(call: WorkerCall, utterance: WorkerUtterance, event: SttEvent): void {
    if (!call.utterances.has(utterance.number)) return;
    const of = { callId: call.callId, utterance: utterance.number };
    switch (event.type) {
      case 'partial':
        reply(call.port, { ...event, ...of });
        return;
      case 'turn-end':
        reply(call.port, { type: 'turn-end', ...of });
        return;
      case 'final':
        this.#settle(call, utterance);
        reply(call.port, { type: 'final', ...of, result: event.result });
        return;
      case 'lost':
        this.#lose(call, utterance, event.message);
        return;
      default:
        unreachable(event);
    }
  }

  #lose(call: WorkerCall, utterance: WorkerUtterance, message: string): void {
    this.#forget(call, utterance);
    fail(call.port, call.callId, utterance.number, 'STT_FAILED', message);
  }

  #guard(call: WorkerCall, utterance: WorkerUtterance, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#lose(call, utterance, messageOf(error));
    }
  }

  /** The utterance is over and its result is on its way. */
  #settle(call: WorkerCall, utterance: WorkerUtterance): void {
    call.utterances.delete(utterance.number);
    if (utterance.deadline) clearTimeout(utterance.deadline);
    closeUnused(call);
  }

  /** Nobody waits for the utterance any more: the engine's work for it is cancelled. */
  #forget(call: WorkerCall, utterance: WorkerUtterance): void {
    this.#settle(call, utterance);
    utterance.abort.abort();
  }

  #scheduleStep(): void {
    if (!this.#engine.step || this.#isStepScheduled) return;
    this.#isStepScheduled = true;
    // Runs after all arrived messages: one step decodes them together.
    setImmediate(() => {
      this.#isStepScheduled = false;
      if (this.#engine.step?.()) this.#scheduleStep();
    });
  }

  #close(call: WorkerCall): void {
    this.#ports.get(call.port)?.delete(call.callId);
    for (const utterance of [...call.utterances.values()]) this.#forget(call, utterance);
    call.early = [];
    call.abort.abort();
    call.stream?.close();
    for (const stream of call.former) stream.close();
  }

  #disconnect(port: MessagePort): void {
    for (const call of [...(this.#ports.get(port)?.values() ?? [])]) this.#close(call);
    this.#ports.delete(port);
  }
}

const changedOf = ({ callId, change }: Extract<SttRequest, { type: 'change' }>) =>
  ({ type: 'changed', callId, change }) as const;

/** Runs as the worker's one task, until `stop`. */
export default async function serveStt(task: WorkerTask): Promise<void> {
  nameThread('stt');
  const engine = await loadStt(task.engine, task.environment);
  const { freeText, givesPartials = false, givesInterims = false, hearsTurns = false } = engine;
  const { languages, patienceMs, blockMs, realTimeFactor } = engine;
  const host = new SttHost(engine);
  const stopReports = reportBacklog(engine, (ms) =>
    task.control.postMessage({ type: 'backlog', ms } satisfies WorkerStatus),
  );
  const abilities = { freeText, givesPartials, givesInterims, hearsTurns };
  const description = { ...abilities, languages, patienceMs, blockMs, realTimeFactor };
  await serveUntilStopped(
    task,
    (port) => host.connect(port),
    description,
    () => host.measure(),
  );
  stopReports();
  await host.close();
}

/** Reports the engine's backlog plus the audio that waits outside because the thread is late. */
function reportBacklog(engine: SttEngine, report: (ms: number) => void): () => void {
  let dueMs = performance.now() + BACKLOG_EVERY_MS;
  const timer = setInterval(() => {
    const lateMs = Math.max(0, performance.now() - dueMs);
    report(lateMs + (engine.backlogMs?.() ?? 0));
    dueMs = performance.now() + BACKLOG_EVERY_MS;
  }, BACKLOG_EVERY_MS);
  return () => clearInterval(timer);
}

function withDeadline<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the recogniser did not open in time')), ms);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

function reply(port: MessagePort, message: SttReply): void {
  port.postMessage(message);
}

function fail(
  port: MessagePort,
  callId: string,
  utterance: number,
  code: 'STT_UNAVAILABLE' | 'STT_FAILED',
  message: string,
): void {
  reply(port, { type: 'failed', callId, utterance, code, message });
}
