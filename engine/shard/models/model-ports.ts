// The shard's ports to the model workers: one of the VAD workers, all recognisers and voices, and the turn-end worker
// if there is one. A call keeps its recogniser, which is the one with the fewest calls of this shard; each clause goes
// to the least busy voice. When a worker is lost, a port to its successor replaces the old one, and its calls are
// opened there again. Pending speech is requested again if none of it has arrived; otherwise it fails. When another
// engine replaces the recogniser or the voice, new calls use its workers; a running call keeps its own until it ends.
import type { MessagePort } from 'node:worker_threads';
import type { WorkerModel } from '../../../db/domain/model-settings.ts';
import { unreachable } from '../../../db/domain/unexpected.ts';
import { Doorbell } from '../../../media/doorbell.ts';
import type { ClauseKey } from '../../../media/playout.ts';
import type { Expectation, SttReply, SttRequest, SttVocabulary } from '../../../models/stt/stt.ts';
import type { SpeechRequest } from '../../../models/tts/tts.ts';
import type { TurnEndReply, TurnEndRequest } from '../../../models/turn-end/turn-end.ts';
import { eachWindow, type VadReply, type VadRequest } from '../../../models/vad/vad.ts';
import type { WorkerKind } from '../../../models/workers/model-worker.ts';
import type { Guard, ModelClient } from './model-client.ts';
import { ModelSessions } from './model-sessions.ts';
import { Speech } from './speech.ts';
import { least } from './voices.ts';

interface Recogniser {
  port: MessagePort;
  calls: Set<ModelClient>;
  /** Another engine has replaced it: it takes no new calls. */
  isRetired: boolean;
  /** Its worker has ended. */
  isLost: boolean;
}

export interface ModelPortSet {
  vad: MessagePort;
  /** Index of this VAD worker. */
  vadIndex: number;
  stt: readonly MessagePort[];
  tts: readonly MessagePort[];
  /** Null if only the rules judge. */
  turnEnd: MessagePort | null;
  /** Null unless a speech-to-speech model is configured. */
  speechModel: MessagePort | null;
}

export class ModelPorts {
  /** Open calls by id. */
  readonly #clients = new Map<string, ModelClient>();
  /** The calls whose ring the VAD reads (the answered ones), by their stream number, and the reverse. */
  readonly #streams = new Map<number, ModelClient>();
  readonly #streamOf = new Map<ModelClient, number>();
  #nextStream = 1;
  readonly #vadBell = new Doorbell();
  readonly #guard: Guard;
  #vad: MessagePort;
  readonly #vadIndex: number;
  #turnEnd: MessagePort | null;
  /** The recognisers of new calls. */
  #recognisers: Recogniser[];
  readonly #recogniserOf = new Map<ModelClient, Recogniser>();
  readonly #speech: Speech;
  readonly #first: number;
  /** Of speech-to-speech models. */
  readonly sessions: ModelSessions;

  /** `first`: the first worker that this shard uses, so that several shards do not all begin with the same one. */
  constructor(ports: ModelPortSet, guard: Guard, first = 0) {
    this.#guard = guard;
    this.#vad = ports.vad;
    this.#vadIndex = ports.vadIndex;
    this.#first = first;
    this.#recognisers = this.#newRecognisers(ports.stt);
    this.#speech = new Speech(rotated(ports.tts, first), guard);
    this.#turnEnd = ports.turnEnd;
    if (ports.turnEnd) this.#attachTurnEnd(ports.turnEnd);
    this.#attachVad(ports.vad);
    this.sessions = new ModelSessions(ports.speechModel, guard);
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
    this.#speech.open(client);
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
    const recogniser = this.#recogniserOf.get(client);
    this.#recogniserOf.delete(client);
    if (recogniser) {
      recogniser.calls.delete(client);
      endIfUnused(recogniser);
    }
    this.#speech.close(client);
  }

  beginUtterance(client: ModelClient, utterance: number, expects: Expectation): void {
    this.#toStt(client, { type: 'begin', callId: client.callId, utterance, expects });
  }

  hear(client: ModelClient, utterance: number, samples: Int16Array): void {
    const message: SttRequest = { type: 'audio', callId: client.callId, utterance, samples };
    client.uses.heardMs += (samples.length * 1_000) / client.hearing.sampleRateHz;
    this.#recogniserOf.get(client)?.port.postMessage(message, [samples.buffer as ArrayBuffer]);
  }

  askWords(client: ModelClient, utterance: number, number: number): void {
    this.#toStt(client, { type: 'ask', callId: client.callId, utterance, number });
  }

  finishUtterance(client: ModelClient, utterance: number, asked?: number): void {
    const same = asked === undefined ? {} : { asked };
    this.#toStt(client, { type: 'finish', callId: client.callId, utterance, ...same });
  }

  cancelUtterance(client: ModelClient, utterance: number): void {
    this.#toStt(client, { type: 'cancel', callId: client.callId, utterance });
  }

  /** Answered by `hearingChanged`, unless the worker is lost. */
  changeHearing(client: ModelClient, change: number, vocabulary: SttVocabulary): void {
    this.#toStt(client, { type: 'change', callId: client.callId, change, vocabulary });
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
    this.#speech.speak(client, clause, request);
  }

  /** Renders speech ahead of time, so that a later `speak` of the same text is answered at once. */
  prepareSpeech(client: ModelClient, request: SpeechRequest): void {
    this.#speech.prepare(client, request);
  }

  /** Stops rendering for `epoch`, or for the whole call when null. */
  cancelSpeech(client: ModelClient, epoch: number | null): void {
    this.#speech.cancel(client, epoch);
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
        return this.#speech.replace(this.#placeOf(index, this.#speech.voices), port);
      case 'turn-end':
        this.#turnEnd?.close();
        this.#turnEnd = port;
        return this.#attachTurnEnd(port);
      case 'speech-to-speech':
        return this.sessions.replace(port);
      default:
        unreachable(model);
    }
  }

  /** Another engine's workers take all new calls. No port: no speech-to-speech model any more. */
  renew(model: WorkerModel, ports: readonly MessagePort[]): void {
    if (model === 'speech-to-speech') return this.sessions.renew(ports[0] ?? null);
    if (model === 'tts') return this.#speech.renew(rotated(ports, this.#first));
    const former = this.#recognisers;
    this.#recognisers = this.#newRecognisers(ports);
    for (const recogniser of former) {
      recogniser.isRetired = true;
      if (recogniser.isLost) this.#moveCalls(recogniser);
      endIfUnused(recogniser);
    }
  }

  stop(): void {
    const single = [this.#vad, this.#turnEnd].filter((port) => port !== null).map((port) => ({ port }));
    const recognisers = new Set([...this.#recognisers, ...this.#recogniserOf.values()]);
    for (const { port } of [...single, ...recognisers]) {
      port.postMessage({ type: 'stop' });
      port.close();
    }
    this.#speech.stop();
    this.sessions.stop();
  }

  #newRecognisers(ports: readonly MessagePort[]): Recogniser[] {
    return rotated(ports, this.#first).map((port) => {
      const recogniser = { port, calls: new Set<ModelClient>(), isRetired: false, isLost: false };
      this.#attachStt(recogniser);
      return recogniser;
    });
  }

  /** A recogniser that was replaced has ended before its calls: they go on with the new one. */
  #moveCalls(former: Recogniser): void {
    for (const client of [...former.calls]) {
      const next = least(this.#recognisers, ({ calls }) => calls.size);
      former.calls.delete(client);
      next.calls.add(client);
      this.#recogniserOf.set(client, next);
      this.#reopenStt(client);
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
    recogniser.isLost = false;
    this.#attachStt(recogniser);
    for (const client of recogniser.calls) this.#reopenStt(client);
  }

  #reopenStt(client: ModelClient): void {
    this.#toStt(client, { type: 'open', callId: client.callId, ...client.hearing });
    this.#guard(client, () => client.sttFailed(null, 'the speech recogniser was lost'));
  }

  /** Position of the worker with this index after the rotation. */
  #placeOf(index: number, count: number): number {
    return (((index - this.#first) % count) + count) % count;
  }

  #attachVad(port: MessagePort): void {
    port.on('message', (message: VadReply) => this.#onVad(message));
    port.postMessage({ type: 'doorbell', shared: this.#vadBell.shared } satisfies VadRequest);
  }

  #attachStt(recogniser: Recogniser): void {
    const { port } = recogniser;
    port.on('message', (message: SttReply) => this.#onStt(message));
    port.on('close', () => {
      if (recogniser.port !== port) return;
      recogniser.isLost = true;
      if (recogniser.isRetired) this.#moveCalls(recogniser);
    });
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
          client.sttPartial(message.utterance, message.text, message.asked);
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
        case 'changed':
          client.hearingChanged(message.change, message.message);
          return;
        case 'heard-again':
          client.uses.heardMs += message.ms;
          return;
        case 'turn-end':
          client.turnEnded(message.utterance);
          return;
        default:
          unreachable(message);
      }
    });
  }

  #toVad(message: VadRequest): void {
    this.#vad.postMessage(message);
  }

  #toStt(client: ModelClient, message: SttRequest): void {
    this.#recogniserOf.get(client)?.port.postMessage(message);
  }
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  return items.map((_, index) => items[(index + by) % items.length] as Item);
}

/** A recogniser that was replaced ends with its last call. */
function endIfUnused({ port, calls, isRetired }: Recogniser): void {
  if (!isRetired || calls.size > 0) return;
  port.postMessage({ type: 'stop' } satisfies SttRequest);
  port.close();
}
