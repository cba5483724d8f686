// The shard's ports to the model workers. A worker that was lost is replaced by a port to its successor: what is open is
// opened there again, and what was being asked is asked again where nothing of the answer has come, else it has failed.
import type { MessagePort } from 'node:worker_threads';
import type { ClauseKey } from '../../media/playout.ts';
import type { Expectation, SttReply, SttRequest, SttResult, SttVocabulary } from '../../models/stt/stt.ts';
import type { SpeechRequest, TtsReply, TtsRequest } from '../../models/tts/tts.ts';
import { unreachable } from '../../models/unexpected.ts';
import type { VadReply, VadRequest } from '../../models/vad/vad.ts';

/** One call, as the models' answers reach it. */
export interface ModelClient {
  readonly callId: string;
  /** What STT is opened with, now and after a worker's loss. */
  readonly hearing: { sampleRateHz: number; vocabulary: SttVocabulary };
  vadWindow(probability: number, endSample: number): void;
  /** Memory for a new VAD worker, which counts from zero. */
  renewVad(): SharedArrayBuffer;
  sttPartial(utterance: number, text: string): void;
  sttFinal(utterance: number, result: SttResult): void;
  /** `utterance` null: whatever was open is lost with the worker. */
  sttFailed(utterance: number | null, message: string): void;
  speech(clause: ClauseKey, samples: Int16Array, last: boolean): void;
  speechFailed(clause: ClauseKey, message: string): void;
  modelFailed(model: 'vad' | 'stt' | 'tts', message: string): void;
}

interface SpeechJob {
  client: ModelClient;
  clause: ClauseKey;
  request: SpeechRequest;
  begun: boolean;
}

type Guard = (client: ModelClient, action: () => void) => void;

export class ModelPorts {
  readonly #clients = new Map<string, ModelClient>();
  readonly #listening = new Set<string>();
  readonly #jobs = new Map<number, SpeechJob>();
  /** Runs a callback of one call so that what it throws ends that call alone. */
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

  /** Lets the STT engine prepare for a call (a decoder, a grammar) before it is answered. */
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

  /** Has the voice rendered before it is wanted; nobody is answered, and the speech comes at once when it is. */
  prepareSpeech(request: SpeechRequest): void {
    this.#toTts({ type: 'prepare', ...request });
  }

  /** Stops what is being made for `epoch` (null: for the whole call). */
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
