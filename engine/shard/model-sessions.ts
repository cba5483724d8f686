// The shard's port to the worker of speech-to-speech sessions, and whose session is whose. Sessions that were lost with
// their worker are not opened again: the conversation was on the vendor's server.
import type { MessagePort } from 'node:worker_threads';
import type {
  HeardReply,
  SpeechAsk,
  SpeechEvent,
  SpeechLanguage,
  SpeechReply,
  SpeechRequest,
  SpeechSetup,
} from '../../models/speech-to-speech/speech-to-speech.ts';
import type { Guard } from './model-client.ts';

/** One call as a receiver of what its model says. */
export interface SpeechClient {
  readonly callId: string;
  speechEvent(event: SpeechEvent): void;
  speechAudio(epoch: number, round: number, samples: Int16Array): void;
}

export class ModelSessions {
  readonly #guard: Guard;
  readonly #clients = new Map<string, SpeechClient>();
  #port: MessagePort | null = null;

  /** `port`: null where no speech-to-speech model is configured. */
  constructor(port: MessagePort | null, guard: Guard) {
    this.#guard = guard;
    if (port) this.#attach(port);
  }

  open(client: SpeechClient, sampleRateHz: 8_000 | 16_000, setup: SpeechSetup): void {
    this.#clients.set(client.callId, client);
    this.#send({ type: 'open', callId: client.callId, sampleRateHz, setup });
  }

  begin({ callId }: SpeechClient, utterance: number): void {
    this.#send({ type: 'begin', callId, utterance });
  }

  /** The array is transferred. */
  hear({ callId }: SpeechClient, utterance: number, samples: Int16Array): void {
    const message: SpeechRequest = { type: 'audio', callId, utterance, samples };
    this.#port?.postMessage(message, [samples.buffer as ArrayBuffer]);
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
    if (this.#clients.delete(callId)) this.#send({ type: 'close', callId });
  }

  /** The worker was lost, and with it all sessions; the port leads to its successor, for new calls. */
  replace(port: MessagePort): void {
    this.#port?.close();
    this.#attach(port);
    this.#loseAll();
  }

  stop(): void {
    this.#send({ type: 'stop' });
    this.#port?.close();
  }

  #attach(port: MessagePort): void {
    this.#port = port;
    port.on('message', (message: SpeechReply) => this.#receive(message));
    // The worker's end: nobody need wait for its successor.
    port.on('close', () => {
      if (this.#port === port) this.#loseAll();
    });
  }

  #loseAll(): void {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    for (const client of clients)
      this.#guard(client, () =>
        client.speechEvent({ type: 'lost', code: 'LLM_UNAVAILABLE', message: 'the worker of the sessions was lost' }),
      );
  }

  #receive(message: SpeechReply): void {
    if (message.type === 'ready') return;
    const client = this.#clients.get(message.callId);
    if (!client) return;
    this.#guard(client, () => {
      if (message.type === 'event') client.speechEvent(message.event);
      else client.speechAudio(message.epoch, message.round, message.samples);
    });
  }

  #send(message: SpeechRequest): void {
    this.#port?.postMessage(message);
  }
}
