// The shard's ports to the model workers: one of the VAD workers, all recognisers and voices, and the turn-end worker
// if there is one. A call keeps its recogniser, which is the one with the fewest calls of this shard; each clause goes
// to the least busy voice. When a worker is lost, a port to its successor replaces the old one, and its calls are
// opened there again. Pending speech is requested again if none of it has arrived; otherwise it fails.
import type { MessagePort } from 'node:worker_threads';
import { unreachable } from '../../db/domain/unexpected.ts';
import { Doorbell } from '../../media/doorbell.ts';
import type { ClauseKey } from '../../media/playout.ts';
import type { Expectation, SttReply, SttRequest, SttResult, SttVocabulary } from '../../models/stt/stt.ts';
import type { SpeechRequest, SpokenWord, TtsReply, TtsRequest } from '../../models/tts/tts.ts';
import type { TurnEndReply, TurnEndRequest } from '../../models/turn-end/turn-end.ts';
import { eachWindow, type VadReply, type VadRequest } from '../../models/vad/vad.ts';
import type { WorkerKind } from '../../models/workers/model-worker.ts';

/** One call as a receiver of the models' answers. */
export interface ModelClient {
  readonly callId: string;
  /** Settings for opening the recogniser, at first and after its worker was lost. */
  readonly hearing: { sampleRateHz: number; vocabulary: SttVocabulary };
  vadWindow(probability: number, endSample: number): void;
  /** A ring for a new VAD worker, which counts samples from zero. */
  renewVad(): SharedArrayBuffer;
  /** End times of further words of a clause in its audio. */
  speechWords(clause: ClauseKey, words: readonly SpokenWord[]): void;
  /** The recogniser itself reports that the caller's turn is over. */
  turnEnded(utterance: number): void;
  sttPartial(utterance: number, text: string): void;
  sttFinal(utterance: number, result: SttResult): void;
  /** `utterance` is null if the worker was lost together with the open utterance. */
  sttFailed(utterance: number | null, message: string): void;
  /** An engine other than the chosen one listens or speaks. */
  modelFallback(model: 'stt' | 'tts', change: ModelChange): void;
  /** The turn-end model's judgement of that pause; null if it failed. */
  turnEndJudged(pause: number, likelihood: number | null): void;
  speech(clause: ClauseKey, samples: Int16Array, last: boolean): void;
  speechFailed(clause: ClauseKey, message: string): void;
  modelFailed(model: 'vad' | 'stt' | 'tts', message: string): void;
}

export interface ModelChange {
  from: string;
  to: string;
  message: string;
}

/** One clause that the voice is rendering. */
interface SpeechJob {
  voice: VoiceWorker;
  client: ModelClient;
  clause: ClauseKey;
  request: SpeechRequest;
  /** Some of its audio has arrived. */
  begun: boolean;
}

interface Recogniser {
  port: MessagePort;
  calls: Set<ModelClient>;
}

interface VoiceWorker {
  port: MessagePort;
  jobs: number;
}

export interface ModelPortSet {
  vad: MessagePort;
  /** Index of this VAD worker. */
  vadIndex: number;
  stt: readonly MessagePort[];
  tts: readonly MessagePort[];
  /** Null if only the rules judge. */
  turnEnd: MessagePort | null;
}

/** Texts whose voice worker is remembered, because it may have cached them. */
const MAX_REMEMBERED_TEXTS = 500;

/** Runs `action` so that an exception ends only that call. */
type Guard = (client: ModelClient, action: () => void) => void;

export class ModelPorts {
  /** Open calls by id. */
  readonly #clients = new Map<string, ModelClient>();
  /** The calls whose ring the VAD reads (the answered ones), by their stream number, and the reverse. */
  readonly #streams = new Map<number, ModelClient>();
  readonly #streamOf = new Map<ModelClient, number>();
  #nextStream = 1;
  readonly #vadBell = new Doorbell();
  /** Clauses that wait for speech, by the voice's job id. */
  readonly #jobs = new Map<number, SpeechJob>();
  readonly #guard: Guard;
  #vad: MessagePort;
  readonly #vadIndex: number;
  #turnEnd: MessagePort | null;
  readonly #recognisers: Recogniser[];
  readonly #recogniserOf = new Map<ModelClient, Recogniser>();
  readonly #voices: VoiceWorker[];
  /** The voice worker that rendered a text last. */
  readonly #renderedBy = new Map<string, VoiceWorker>();
  #nextJob = 1;
  readonly #first: number;

  /** `first`: the first worker that this shard uses, so that several shards do not all begin with the same one. */
  constructor(ports: ModelPortSet, guard: Guard, first = 0) {
    this.#guard = guard;
    this.#vad = ports.vad;
    this.#vadIndex = ports.vadIndex;
    this.#recognisers = rotated(ports.stt, first).map((port) => ({ port, calls: new Set() }));
    this.#voices = rotated(ports.tts, first).map((port) => ({ port, jobs: 0 }));
    this.#first = first;
    this.#turnEnd = ports.turnEnd;
    if (ports.turnEnd) this.#attachTurnEnd(ports.turnEnd);
    this.#attachVad(ports.vad);
    for (const { port } of this.#recognisers) this.#attachStt(port);
    for (const { port } of this.#voices) this.#attachTts(port);
  }

  /** Whether a model judges turn ends; while it is being restarted, questions to it get no answer. */
  get judgesTurnEnds(): boolean {
    return this.#turnEnd !== null;
  }

  /** Lets the recogniser prepare decoder and grammar before the call is answered. */
  open(client: ModelClient): void {
    this.#clients.set(client.callId, client);
    const recogniser = least(this.#recognisers, ({ calls }) => calls.size);
    recogniser.calls.add(client);
    this.#recogniserOf.set(client, recogniser);
    this.#toStt(client, { type: 'open', callId: client.callId, ...client.hearing });
  }

  /** From now on the VAD worker reads the call's ring. */
  listen(client: ModelClient, ring: SharedArrayBuffer): void {
    const stream = this.#nextStream++;
    this.#streams.set(stream, client);
    this.#streamOf.set(client, stream);
    this.#toVad({ type: 'open', stream, ring });
  }

  /** Tells the VAD worker that calls have written to their rings. */
  ringVad(): void {
    if (this.#streams.size > 0) this.#vadBell.ring();
  }

  close(client: ModelClient): void {
    if (!this.#clients.delete(client.callId)) return;
    this.#stopListening(client);
    this.#toStt(client, { type: 'close', callId: client.callId });
    this.#recogniserOf.get(client)?.calls.delete(client);
    this.#recogniserOf.delete(client);
    this.cancelSpeech(client, null);
  }

  beginUtterance(client: ModelClient, utterance: number, expects: Expectation): void {
    this.#toStt(client, { type: 'begin', callId: client.callId, utterance, expects });
  }

  hear(client: ModelClient, utterance: number, samples: Int16Array): void {
    const message: SttRequest = { type: 'audio', callId: client.callId, utterance, samples };
    this.#recogniserOf.get(client)?.port.postMessage(message, [samples.buffer as ArrayBuffer]);
  }

  finishUtterance(client: ModelClient, utterance: number): void {
    this.#toStt(client, { type: 'finish', callId: client.callId, utterance });
  }

  cancelUtterance(client: ModelClient, utterance: number): void {
    this.#toStt(client, { type: 'cancel', callId: client.callId, utterance });
  }

  /** Answered by `turnEndJudged`, unless the worker is lost. Another question replaces this one. */
  judgeTurnEnd(client: ModelClient, question: { pause: number; samples: Int16Array; withinMs: number }): void {
    const { callId, hearing } = client;
    const { sampleRateHz } = hearing;
    const message: TurnEndRequest = { type: 'judge', callId, sampleRateHz, ...question };
    this.#turnEnd?.postMessage(message, [question.samples.buffer as ArrayBuffer]);
  }

  cancelTurnEnd({ callId }: ModelClient): void {
    this.#turnEnd?.postMessage({ type: 'cancel', callId } satisfies TurnEndRequest);
  }

  speak(client: ModelClient, clause: ClauseKey, request: SpeechRequest): void {
    const id = this.#nextJob++;
    const voice = this.#voiceFor(request);
    voice.jobs++;
    this.#jobs.set(id, { client, clause, request, voice, begun: false });
    toTts(voice, { type: 'speak', id, ...request });
  }

  /** Renders speech ahead of time, so that a later `speak` of the same text is answered at once. */
  prepareSpeech(request: SpeechRequest): void {
    toTts(this.#voiceFor(request), { type: 'prepare', ...request });
  }

  /** Stops rendering for `epoch`, or for the whole call when null. */
  cancelSpeech(client: ModelClient, epoch: number | null): void {
    for (const [id, job] of this.#jobs) {
      if (job.client !== client || (epoch !== null && job.clause.epoch !== epoch)) continue;
      this.#forget(id, job);
      toTts(job.voice, { type: 'cancel', id });
    }
  }

  /** `index`: the recogniser or voice that was lost, as in the constructor's `ports`. */
  replace(model: WorkerKind, index: number, port: MessagePort): void {
    switch (model) {
      case 'vad':
        // A shard keeps one VAD worker from start to end.
        return index === this.#vadIndex ? this.#replaceVad(port) : port.close();
      case 'stt':
        return this.#replaceStt(port, index);
      case 'tts':
        return this.#replaceTts(port, index);
      case 'turn-end':
        this.#turnEnd?.close();
        this.#turnEnd = port;
        return this.#attachTurnEnd(port);
      default:
        unreachable(model);
    }
  }

  stop(): void {
    const single = [this.#vad, this.#turnEnd].filter((port) => port !== null).map((port) => ({ port }));
    for (const { port } of [...single, ...this.#recognisers, ...this.#voices]) {
      port.postMessage({ type: 'stop' });
      port.close();
    }
  }

  #stopListening(client: ModelClient): void {
    const stream = this.#streamOf.get(client);
    if (stream === undefined) return;
    this.#streamOf.delete(client);
    this.#streams.delete(stream);
    this.#toVad({ type: 'close', stream });
  }

  #replaceVad(port: MessagePort): void {
    this.#vad.close();
    this.#vad = port;
    this.#attachVad(port);
    for (const [stream, client] of this.#streams)
      this.#guard(client, () => this.#toVad({ type: 'open', stream, ring: client.renewVad() }));
  }

  #replaceStt(port: MessagePort, index: number): void {
    const recogniser = this.#recognisers[this.#placeOf(index, this.#recognisers.length)];
    if (!recogniser) return;
    recogniser.port.close();
    recogniser.port = port;
    this.#attachStt(port);
    for (const client of recogniser.calls) {
      this.#toStt(client, { type: 'open', callId: client.callId, ...client.hearing });
      this.#guard(client, () => client.sttFailed(null, 'the speech recogniser was lost'));
    }
  }

  #replaceTts(port: MessagePort, index: number): void {
    const voice = this.#voices[this.#placeOf(index, this.#voices.length)];
    if (!voice) return;
    voice.port.close();
    voice.port = port;
    this.#attachTts(port);
    for (const [id, job] of [...this.#jobs]) {
      if (job.voice !== voice) continue;
      if (job.begun) {
        this.#forget(id, job);
        this.#guard(job.client, () => job.client.speechFailed(job.clause, 'the voice was lost in mid sentence'));
      } else {
        toTts(voice, { type: 'speak', id, ...job.request });
      }
    }
  }

  /** Position of the worker with this index after the rotation. */
  #placeOf(index: number, count: number): number {
    return (((index - this.#first) % count) + count) % count;
  }

  #voiceFor({ voiceId, text }: SpeechRequest): VoiceWorker {
    const key = `${voiceId} ${text}`;
    const voice = this.#renderedBy.get(key) ?? least(this.#voices, ({ jobs }) => jobs);
    this.#renderedBy.delete(key);
    this.#renderedBy.set(key, voice);
    const [oldest] = this.#renderedBy.keys();
    if (this.#renderedBy.size > MAX_REMEMBERED_TEXTS && oldest !== undefined) this.#renderedBy.delete(oldest);
    return voice;
  }

  #forget(id: number, job: SpeechJob): void {
    if (this.#jobs.delete(id)) job.voice.jobs--;
  }

  #attachVad(port: MessagePort): void {
    port.on('message', (message: VadReply) => this.#onVad(message));
    port.postMessage({ type: 'doorbell', shared: this.#vadBell.shared } satisfies VadRequest);
  }

  #attachStt(port: MessagePort): void {
    port.on('message', (message: SttReply) => this.#onStt(message));
  }

  #attachTts(port: MessagePort): void {
    port.on('message', (message: TtsReply) => this.#onTts(message));
  }

  #attachTurnEnd(port: MessagePort): void {
    port.on('message', (message: TurnEndReply) => this.#onTurnEnd(message));
  }

  #onTurnEnd(message: TurnEndReply): void {
    if (message.type === 'ready') return;
    const client = this.#clients.get(message.callId);
    const likelihood = message.type === 'judged' ? message.likelihood : null;
    if (client) this.#guard(client, () => client.turnEndJudged(message.pause, likelihood));
  }

  #onVad(message: VadReply): void {
    switch (message.type) {
      case 'ready':
        return;
      case 'windows':
        eachWindow(message.windows, (stream, probability, endSample) => {
          const client = this.#streams.get(stream);
          if (client) this.#guard(client, () => client.vadWindow(probability, endSample));
        });
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
        case 'fallback':
          client.modelFallback('stt', message);
          return;
        case 'turn-end':
          client.turnEnded(message.utterance);
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
    if (message.type === 'fallback') {
      this.#guard(client, () => client.modelFallback('tts', message));
      return;
    }
    if (message.type === 'words') {
      this.#guard(client, () => client.speechWords(clause, message.words));
      return;
    }
    if (message.type === 'failed') {
      this.#forget(message.id, job);
      this.#guard(client, () => client.speechFailed(clause, message.message));
      return;
    }
    job.begun = true;
    if (message.last) this.#forget(message.id, job);
    this.#guard(client, () => client.speech(clause, message.samples, message.last));
  }

  #toVad(message: VadRequest): void {
    this.#vad.postMessage(message);
  }

  #toStt(client: ModelClient, message: SttRequest): void {
    this.#recogniserOf.get(client)?.port.postMessage(message);
  }
}

function toTts({ port }: VoiceWorker, message: TtsRequest): void {
  port.postMessage(message);
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  return items.map((_, index) => items[(index + by) % items.length] as Item);
}

/** The item with the smallest load, the first of several. @throws {RangeError} when there is none */
function least<Item>(items: readonly Item[], load: (item: Item) => number): Item {
  const [first] = items;
  if (first === undefined) throw new RangeError('there is no worker');
  return items.reduce((best, item) => (load(item) < load(best) ? item : best), first);
}
