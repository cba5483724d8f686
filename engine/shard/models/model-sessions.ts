// The shard's ports to the workers of speech-to-speech sessions, and whose session is whose. Where another model, or
// none, is to answer from now on, that holds for new calls: a running call keeps its session until it ends. Sessions
// that were lost with their worker are not opened again: the conversation was on the vendor's server.
import type { MessagePort } from 'node:worker_threads';
import type {
  HeardReply,
  SpeechAsk,
  SpeechEvent,
  SpeechLanguage,
  SpeechReply,
  SpeechRequest,
  SpeechSetup,
} from '../../../models/speech-to-speech/speech-to-speech.ts';
import type { Guard } from './model-client.ts';

const LOST = 'the worker of the sessions was lost';

/** One call as a receiver of what its model says. */
export interface SpeechClient {
  readonly callId: string;
  speechEvent(event: SpeechEvent): void;
  speechAudio(epoch: number, round: number, samples: Int16Array): void;
}

/** One worker, and the calls whose sessions it has. */
interface Host {
  port: MessagePort;
  clients: Map<string, SpeechClient>;
  /** Its worker has ended. */
  isLost: boolean;
}

export class ModelSessions {
  readonly #guard: Guard;
  readonly #hostOf = new Map<string, Host>();
  /** Of new calls; null: no speech-to-speech model answers. */
  #current: Host | null;
  /** Earlier hosts that still have calls. */
  readonly #retired = new Set<Host>();

  /** `port`: null where no speech-to-speech model answers. */
  constructor(port: MessagePort | null, guard: Guard) {
    this.#guard = guard;
    this.#current = port && this.#attach(port);
  }

  /** Without a model, or while its worker is being restarted, the session is lost at once. */
  open(client: SpeechClient, sampleRateHz: 8_000 | 16_000, setup: SpeechSetup): void {
    const host = this.#current;
    if (host === null) return this.#lose(client, 'there is no speech-to-speech model any more');
    if (host.isLost) return this.#lose(client, LOST);
    host.clients.set(client.callId, client);
    this.#hostOf.set(client.callId, host);
    this.#send({ type: 'open', callId: client.callId, sampleRateHz, setup });
  }

  begin({ callId }: SpeechClient, utterance: number): void {
    this.#send({ type: 'begin', callId, utterance });
  }

  /** The array is transferred. */
  hear({ callId }: SpeechClient, utterance: number, samples: Int16Array): void {
    const message: SpeechRequest = { type: 'audio', callId, utterance, samples };
    this.#hostOf.get(callId)?.port.postMessage(message, [samples.buffer as ArrayBuffer]);
  }

  finish({ callId }: SpeechClient, utterance: number): void {
    this.#send({ type: 'finish', callId, utterance });
  }

  cancel({ callId }: SpeechClient, utterance: number): void {
    this.#send({ type: 'cancel', callId, utterance });
  }

  ask({ callId }: SpeechClient, ask: SpeechAsk): void {
    this.#send({ type: 'ask', callId, ask });
  }

  heard({ callId }: SpeechClient, heard: HeardReply): void {
    this.#send({ type: 'heard', callId, ...heard });
  }

  speakIn({ callId }: SpeechClient, { language, voice }: SpeechLanguage): void {
    this.#send({ type: 'speak-in', callId, language, voice });
  }

  close({ callId }: SpeechClient): void {
    const host = this.#hostOf.get(callId);
    if (!host) return;
    this.#send({ type: 'close', callId });
    this.#hostOf.delete(callId);
    host.clients.delete(callId);
    this.#endIfUnused(host);
  }

  /** The worker was lost, and with it all its sessions; the port leads to its successor, for new calls. */
  replace(port: MessagePort): void {
    const former = this.#current;
    this.#current = this.#attach(port);
    former?.port.close();
    if (former) this.#loseAll(former);
  }

  /** Another model answers new calls; null: none does. */
  renew(port: MessagePort | null): void {
    const former = this.#current;
    this.#current = port && this.#attach(port);
    if (!former) return;
    this.#retired.add(former);
    this.#endIfUnused(former);
  }

  stop(): void {
    for (const host of [...this.#retired, ...(this.#current ? [this.#current] : [])]) end(host);
  }

  #attach(port: MessagePort): Host {
    const host: Host = { port, clients: new Map(), isLost: false };
    port.on('message', (message: SpeechReply) => this.#receive(host, message));
    // The worker's end: nobody need wait for its successor.
    port.on('close', () => {
      host.isLost = true;
      this.#loseAll(host);
    });
    return host;
  }

  /** A model that was replaced ends with its last call. */
  #endIfUnused(host: Host): void {
    if (host.clients.size === 0 && this.#retired.delete(host)) end(host);
  }

  #loseAll(host: Host): void {
    const clients = [...host.clients.values()];
    host.clients.clear();
    for (const { callId } of clients) this.#hostOf.delete(callId);
    for (const client of clients) this.#lose(client, LOST);
    this.#endIfUnused(host);
  }

  #lose(client: SpeechClient, message: string): void {
    this.#guard(client, () => client.speechEvent({ type: 'lost', code: 'LLM_UNAVAILABLE', message }));
  }

  #receive(host: Host, message: SpeechReply): void {
    if (message.type === 'ready') return;
    const client = host.clients.get(message.callId);
    if (!client) return;
    this.#guard(client, () => {
      if (message.type === 'event') client.speechEvent(message.event);
      else client.speechAudio(message.epoch, message.round, message.samples);
    });
  }

  #send(message: Exclude<SpeechRequest, { type: 'stop' }>): void {
    this.#hostOf.get(message.callId)?.port.postMessage(message);
  }
}

function end({ port }: Host): void {
  port.postMessage({ type: 'stop' } satisfies SpeechRequest);
  port.close();
}
