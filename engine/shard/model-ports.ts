// The shard's ports to the model workers. When a worker is lost, a port to its successor replaces the old one. Open calls
// are opened there again. Pending speech is asked for again if none of it has arrived, otherwise it fails.
import type { MessagePort } from 'node:worker_threads';
import type { ClauseKey } from '../../media/playout.ts';
import type { Expectation, SttReply, SttRequest, SttResult, SttVocabulary } from '../../models/stt/stt.ts';
import type { SpeechRequest, TtsReply, TtsRequest } from '../../models/tts/tts.ts';
import { unreachable } from '../../models/unexpected.ts';
import type { VadReply, VadRequest } from '../../models/vad/vad.ts';

/** One call, as the receiver of the models' answers. */
export interface ModelClient {
  readonly callId: string;
  /** What the recogniser is opened with, at first and after its worker was lost. */
  readonly hearing: { sampleRateHz: number; vocabulary: SttVocabulary };
  vadWindow(probability: number, endSample: number): void;
  /** A ring for a new VAD worker, which counts samples from zero. */
  renewVad(): SharedArrayBuffer;
  sttPartial(utterance: number, text: string): void;
  sttFinal(utterance: number, result: SttResult): void;
  /** `utterance` is null when the worker was lost, and the open utterance with it. */
  sttFailed(utterance: number | null, message: string): void;
  speech(clause: ClauseKey, samples: Int16Array, last: boolean): void;
  speechFailed(clause: ClauseKey, message: string): void;
  modelFailed(model: 'vad' | 'stt' | 'tts', message: string): void;
}

/** One clause that the voice is rendering. */
interface SpeechJob {
  client: ModelClient;
  clause: ClauseKey;
  request: SpeechRequest;
  /** Some of its audio has arrived. */
  begun: boolean;
}

/** Runs `action` so that what it throws ends only that call. */
type Guard = (client: ModelClient, action: () => void) => void;

export class ModelPorts {
  /** Open calls by id. */
  readonly #clients = new Map<string, ModelClient>();
  /** Ids of the calls whose ring the VAD reads: those that were answered. */
  readonly #listening = new Set<string>();
  /** Clauses that wait for speech, by the id the voice knows them by. */
  readonly #jobs = new Map<number, SpeechJob>();
  readonly #guard: Guard;
  #vad: MessagePort;
  #stt: MessagePort;
  #tts: MessagePort;
  #nextJob = 1;

  constructor(ports: { vad: MessagePort; stt: MessagePort; tts: MessagePort }, guard: Guard) {
    this.#guard = guard;
    this.#vad = ports.vad;
    this.#stt = ports.stt;
    this.#tts = ports.tts;
    this.#attach('vad', ports.vad);
    this.#attach('stt', ports.stt);
    this.#attach('tts', ports.tts);
  }

  /** Lets the recogniser prepare decoder and grammar before the call is answered. */
  open(client: ModelClient): void {
    this.#clients.set(client.callId, client);
    this.#toStt({ type: 'open', callId: client.callId, ...client.hearing });
  }

  /** From now on the VAD worker reads the call's ring. */
  listen(client: ModelClient, ring: SharedArrayBuffer): void {
    this.#listening.add(client.callId);
    this.#toVad({ type: 'open', callId: client.callId, ring });
  }

  close(client: ModelClient): void {
    if (!this.#clients.delete(client.callId)) return;
    if (this.#listening.delete(client.callId)) this.#toVad({ type: 'close', callId: client.callId });
    this.#toStt({ type: 'close', callId: client.callId });
    this.cancelSpeech(client, null);
  }

  beginUtterance(client: ModelClient, utterance: number, expects: Expectation): void {
    this.#toStt({ type: 'begin', callId: client.callId, utterance, expects });
  }

  hear(client: ModelClient, utterance: number, samples: Int16Array): void {
    const message: SttRequest = { type: 'audio', callId: client.callId, utterance, samples };
    this.#stt.postMessage(message, [samples.buffer as ArrayBuffer]);
  }

  finishUtterance(client: ModelClient, utterance: number): void {
    this.#toStt({ type: 'finish', callId: client.callId, utterance });
  }

  cancelUtterance(client: ModelClient, utterance: number): void {
    this.#toStt({ type: 'cancel', callId: client.callId, utterance });
  }

  speak(client: ModelClient, clause: ClauseKey, request: SpeechRequest): void {
    const id = this.#nextJob++;
    this.#jobs.set(id, { client, clause, request, begun: false });
    this.#toTts({ type: 'speak', id, ...request });
  }

  /** Renders speech ahead of time, so that a later `speak` of the same text is answered at once. */
  prepareSpeech(request: SpeechRequest): void {
    this.#toTts({ type: 'prepare', ...request });
  }

  /** Stops rendering for `epoch`, or for the whole call when null. */
  cancelSpeech(client: ModelClient, epoch: number | null): void {
    for (const [id, job] of this.#jobs) {
      if (job.client !== client || (epoch !== null && job.clause.epoch !== epoch)) continue;
      this.#jobs.delete(id);
      this.#toTts({ type: 'cancel', id });
    }
  }

  replace(model: 'vad' | 'stt' | 'tts', port: MessagePort): void {
    this.#attach(model, port);
    if (model === 'vad') this.#replaceVad(port);
    else if (model === 'stt') this.#replaceStt(port);
    else this.#replaceTts(port);
  }

  stop(): void {
    for (const port of [this.#vad, this.#stt, this.#tts]) {
      port.postMessage({ type: 'stop' });
      port.close();
    }
  }

  #replaceVad(port: MessagePort): void {
    this.#vad.close();
    this.#vad = port;
    for (const client of this.#clients.values()) {
      if (!this.#listening.has(client.callId)) continue;
      this.#guard(client, () => this.#toVad({ type: 'open', callId: client.callId, ring: client.renewVad() }));
    }
  }

  #replaceStt(port: MessagePort): void {
    this.#stt.close();
    this.#stt = port;
    for (const client of this.#clients.values()) {
      this.#toStt({ type: 'open', callId: client.callId, ...client.hearing });
      this.#guard(client, () => client.sttFailed(null, 'the speech recogniser was lost'));
    }
  }

  #replaceTts(port: MessagePort): void {
    this.#tts.close();
    this.#tts = port;
    for (const [id, job] of [...this.#jobs]) {
      if (job.begun) {
        this.#jobs.delete(id);
        this.#guard(job.client, () => job.client.speechFailed(job.clause, 'the voice was lost in mid sentence'));
      } else {
        this.#toTts({ type: 'speak', id, ...job.request });
      }
    }
  }

  #attach(model: 'vad' | 'stt' | 'tts', port: MessagePort): void {
    if (model === 'vad') port.on('message', (message: VadReply) => this.#onVad(message));
    else if (model === 'stt') port.on('message', (message: SttReply) => this.#onStt(message));
    else port.on('message', (message: TtsReply) => this.#onTts(message));
  }

  #onVad(message: VadReply): void {
    switch (message.type) {
      case 'ready':
        return;
      case 'windows':
        for (const { callId, probability, endSample } of message.windows) {
          const client = this.#clients.get(callId);
          if (client) this.#guard(client, () => client.vadWindow(probability, endSample));
        }
        return;
      case 'failed':
        for (const client of this.#clients.values())
          this.#guard(client, () => client.modelFailed('vad', message.message));
        return;
      default:
        unreachable(message);
    }
  }

  #onStt(message: SttReply): void {
    if (message.type === 'ready') return;
    const client = this.#clients.get(message.callId);
    if (!client) return;
    this.#guard(client, () => {
      switch (message.type) {
        case 'partial':
          client.sttPartial(message.utterance, message.text);
          return;
        case 'final':
          client.sttFinal(message.utterance, message.result);
          return;
        case 'failed':
          client.sttFailed(message.utterance, message.message);
          return;
        default:
          unreachable(message);
      }
    });
  }

  #onTts(message: TtsReply): void {
    if (message.type === 'ready') return;
    const job = this.#jobs.get(message.id);
    if (!job) return;
    const { client, clause } = job;
    if (message.type === 'failed') {
      this.#jobs.delete(message.id);
      this.#guard(client, () => client.speechFailed(clause, message.message));
      return;
    }
    job.begun = true;
    if (message.last) this.#jobs.delete(message.id);
    this.#guard(client, () => client.speech(clause, message.samples, message.last));
  }

  #toVad(message: VadRequest): void {
    this.#vad.postMessage(message);
  }

  #toStt(message: SttRequest): void {
    this.#stt.postMessage(message);
  }

  #toTts(message: TtsRequest): void {
    this.#tts.postMessage(message);
  }
}
