// An STT worker: hosts the sessions of many calls on the shards' ports. Messages only queue work. A scheduler gives each
// waiting session one block per round, so that a cancellation takes effect within a block although engines are synchronous,
// and a long utterance does not hold up the others.
import type { MessagePort } from 'node:worker_threads';
import { loadStt } from '../engines.ts';
import { lowerThreadPriority } from '../priority.ts';
import { messageOf, unreachable } from '../unexpected.ts';
import { serveUntilStopped, type WorkerTask } from '../worker-task.ts';
import type { SttEngine, SttReply, SttRequest, SttSession } from './stt.ts';

/** Sessions per worker, far more than a core can decode at once. */
const MAX_SESSIONS = 1_000;
/** Audio that may wait for the engine, in ms. Beyond it the worker is too late for a conversation. */
const MAX_BACKLOG_MS = 15_000;
/** New audio after which a partial is asked for, in ms. */
const PARTIAL_EVERY_MS = 100;

type Work =
  | { type: 'begin'; request: Extract<SttRequest, { type: 'begin' }> }
  | { type: 'audio'; samples: Int16Array; utterance: number }
  | { type: 'finish'; utterance: number };

interface HostedCall {
  port: MessagePort;
  callId: string;
  sampleRateHz: number;
  session: SttSession | null;
  work: Work[];
  backlogSamples: number;
  /** The utterance that is being decoded; work of any other is stale. */
  utterance: number;
  cancelledUtterance: number;
  samplesSincePartial: number;
  partial: string;
  isBusy: boolean;
  isClosed: boolean;
}

export class SttHost {
  readonly #engine: SttEngine;
  readonly #ports = new Map<MessagePort, Map<string, HostedCall>>();
  readonly #ready: HostedCall[] = [];
  #isScheduled = false;

  constructor(engine: SttEngine) {
    this.#engine = engine;
  }

  connect(port: MessagePort): void {
    this.#ports.set(port, new Map());
    port.on('message', (message: SttRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  async close(): Promise<void> {
    for (const port of [...this.#ports.keys()]) this.#disconnect(port);
    await this.#engine.close();
  }

  #receive(port: MessagePort, message: SttRequest): void {
    if (message.type === 'stop') {
      this.#disconnect(port);
      return;
    }
    if (message.type === 'open') {
      this.#open(port, message);
      return;
    }
    const call = this.#ports.get(port)?.get(message.callId);
    if (!call) {
      // Audio and cancellations of a closed call are late, not wrong.
      if (message.type === 'finish')
        fail(port, message.callId, message.utterance, 'STT_UNAVAILABLE', 'no such session');
      return;
    }
    switch (message.type) {
      case 'begin':
        this.#add(call, { type: 'begin', request: message });
        return;
      case 'audio':
        this.#addAudio(call, message.samples, message.utterance);
        return;
      case 'finish':
        this.#add(call, { type: 'finish', utterance: message.utterance });
        return;
      case 'cancel':
        this.#cancel(call, message.utterance);
        return;
      case 'close':
        this.#close(call);
        return;
      default:
        unreachable(message);
        return;
    }
  }

  #open(port: MessagePort, message: Extract<SttRequest, { type: 'open' }>): void {
    const calls = this.#ports.get(port);
    if (!calls) return;
    const { callId, sampleRateHz, vocabulary } = message;
    const old = calls.get(callId);
    if (old) this.#close(old);
    const sessions = [...this.#ports.values()].reduce((sum, { size }) => sum + size, 0);
    if (sessions >= MAX_SESSIONS) {
      fail(port, callId, 0, 'STT_UNAVAILABLE', 'too many sessions');
      return;
    }
    const call: HostedCall = {
      port,
      callId,
      sampleRateHz,
      session: null,
      work: [],
      backlogSamples: 0,
      utterance: 0,
      cancelledUtterance: -1,
      samplesSincePartial: 0,
      partial: '',
      isBusy: true,
      isClosed: false,
    };
    calls.set(callId, call);
    this.#engine.open({ callId, sampleRateHz, vocabulary }).then(
      (session) => {
        if (call.isClosed) return session.close();
        call.session = session;
        call.isBusy = false;
        this.#schedule(call);
      },
      (error: unknown) => {
        calls.delete(callId);
        fail(port, callId, call.utterance, 'STT_UNAVAILABLE', messageOf(error));
      },
    );
  }

  #addAudio(call: HostedCall, samples: Int16Array, utterance: number): void {
    if (utterance === call.cancelledUtterance) return;
    call.backlogSamples += samples.length;
    if (call.backlogSamples > (call.sampleRateHz * MAX_BACKLOG_MS) / 1_000) {
      this.#cancel(call, utterance);
      fail(call.port, call.callId, utterance, 'STT_FAILED', 'the recogniser is too far behind');
      return;
    }
    this.#add(call, { type: 'audio', samples, utterance });
  }

  #add(call: HostedCall, work: Work): void {
    call.work.push(work);
    this.#schedule(call);
  }

  #cancel(call: HostedCall, utterance: number): void {
    call.cancelledUtterance = utterance;
    call.work = call.work.filter((work) => utteranceOf(work) !== utterance);
    call.backlogSamples = call.work.reduce((sum, work) => sum + (work.type === 'audio' ? work.samples.length : 0), 0);
    if (call.utterance === utterance && !call.isBusy) call.session?.cancel();
  }

  #close(call: HostedCall): void {
    call.isClosed = true;
    call.work = [];
    this.#ports.get(call.port)?.delete(call.callId);
    if (!call.isBusy) call.session?.close();
  }

  #disconnect(port: MessagePort): void {
    for (const call of [...(this.#ports.get(port)?.values() ?? [])]) this.#close(call);
    this.#ports.delete(port);
  }

  #schedule(call: HostedCall): void {
    if (call.isBusy || call.isClosed || call.work.length === 0) return;
    call.isBusy = true;
    this.#ready.push(call);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  /** Handles one block of each waiting session. Messages come in before the next round. */
  #turn(): void {
    this.#isScheduled = false;
    for (const call of this.#ready.splice(0)) {
      void this.#step(call)
        .catch((error: unknown) => {
          call.session?.cancel();
          fail(call.port, call.callId, call.utterance, 'STT_FAILED', messageOf(error));
        })
        .finally(() => {
          call.isBusy = false;
          if (call.isClosed) call.session?.close();
          else this.#schedule(call);
        });
    }
  }

  async #step(call: HostedCall): Promise<void> {
    const work = call.work.shift();
    const { session } = call;
    if (!work || !session || call.isClosed) return;
    switch (work.type) {
      case 'begin':
        call.utterance = work.request.utterance;
        call.partial = '';
        call.samplesSincePartial = 0;
        return session.begin(work.request.expects);
      case 'audio':
        call.backlogSamples -= work.samples.length;
        if (work.utterance !== call.utterance) return;
        session.write(work.samples);
        return this.#offerPartial(call, session, work.samples.length);
      case 'finish': {
        if (work.utterance !== call.utterance) return;
        const result = await session.finish();
        if (call.isClosed || call.cancelledUtterance === work.utterance) return;
        return reply(call.port, { type: 'final', callId: call.callId, utterance: work.utterance, result });
      }
      default:
        return unreachable(work);
    }
  }

  #offerPartial(call: HostedCall, session: SttSession, samples: number): void {
    call.samplesSincePartial += samples;
    if (call.samplesSincePartial < (call.sampleRateHz * PARTIAL_EVERY_MS) / 1_000) return;
    call.samplesSincePartial = 0;
    const text = session.partial();
    if (text === call.partial) return;
    call.partial = text;
    reply(call.port, { type: 'partial', callId: call.callId, utterance: call.utterance, text });
  }
}

/** Runs as the worker's one task, until `stop`. */
export default async function serveStt(task: WorkerTask): Promise<void> {
  lowerThreadPriority();
  const host = new SttHost(await loadStt(task.engine, task.environment));
  await serveUntilStopped(task, (port) => host.connect(port));
  await host.close();
}

function utteranceOf(work: Work): number {
  return work.type === 'begin' ? work.request.utterance : work.utterance;
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
