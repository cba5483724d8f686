// The worker of speech-to-speech sessions: hosts those of all calls on the shards' ports. The sockets, their JSON and
// base64 are kept off the threads of audio and control.
import type { MessagePort } from 'node:worker_threads';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { loadSpeechToSpeech } from '../engines.ts';
import { VoiceLevels } from '../tts/audio/loudness.ts';
import { nameThread } from '../workers/thread-name.ts';
import { serveUntilStopped, type WorkerStatus, type WorkerTask } from '../workers/worker-task.ts';
import type {
  SpeechAsk,
  SpeechEvent,
  SpeechReply,
  SpeechRequest,
  SpeechSession,
  SpeechToSpeechEngine,
} from './speech-to-speech.ts';

export class SpeechToSpeechHost {
  readonly #engine: SpeechToSpeechEngine;
  /** As loud as our own voices. */
  readonly #levels = new VoiceLevels();
  readonly #ports = new Map<MessagePort, Map<string, SpeechSession>>();

  constructor(engine: SpeechToSpeechEngine) {
    this.#engine = engine;
  }

  connect(port: MessagePort): void {
    this.#ports.set(port, new Map());
    port.on('message', (message: SpeechRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  async close(): Promise<void> {
    for (const port of [...this.#ports.keys()]) this.#disconnect(port);
    await this.#engine.close();
  }

  #receive(port: MessagePort, message: SpeechRequest): void {
    if (message.type === 'stop') return this.#disconnect(port);
    if (message.type === 'open') return this.#open(port, message);
    const sessions = this.#ports.get(port);
    const session = sessions?.get(message.callId);
    // A command after the end of a session is late, and no error.
    if (!session) return;
    try {
      this.#take(session, message);
    } catch (error) {
      session.close();
      return this.#fail(port, message.callId, error);
    }
    if (message.type === 'close') sessions?.delete(message.callId);
  }

  #take(session: SpeechSession, message: Exclude<SpeechRequest, { type: 'open' | 'stop' }>): void {
    switch (message.type) {
      case 'begin':
        return session.begin(message.utterance);
      case 'audio':
        return session.audio(message.utterance, message.samples);
      case 'finish':
        return session.finish(message.utterance);
      case 'cancel':
        return session.cancel(message.utterance);
      case 'ask':
        return ask(session, message.ask);
      case 'heard':
        return session.heard(message);
      case 'speak-in':
        return session.speakIn?.(message);
      case 'close':
        return session.close();
      default:
        return unreachable(message);
    }
  }

  #open(port: MessagePort, { callId, sampleRateHz, setup }: Extract<SpeechRequest, { type: 'open' }>): void {
    const sessions = this.#ports.get(port);
    if (!sessions) return;
    sessions.get(callId)?.close();
    sessions.delete(callId);
    try {
      const session = this.#engine.open({
        callId,
        sampleRateHz,
        setup,
        onEvent: (event) => {
          if (event.type === 'lost') sessions.delete(callId);
          reply(port, { type: 'event', callId, event });
        },
        onAudio: (epoch, round, samples) => {
          const voice = { voiceId: `${setup.model} ${setup.voice}`, sampleRateHz };
          this.#levels.level({ name: this.#engine.name }, voice, samples);
          const message: SpeechReply = { type: 'audio', callId, epoch, round, samples };
          port.postMessage(message, [samples.buffer as ArrayBuffer]);
        },
      });
      sessions.set(callId, session);
    } catch (error) {
      // A plug-in may throw; its fault is this call's alone.
      this.#fail(port, callId, error);
    }
  }

  #fail(port: MessagePort, callId: string, error: unknown): void {
    this.#ports.get(port)?.delete(callId);
    const event: SpeechEvent = { type: 'lost', code: 'LLM_GARBAGE', message: messageOf(error) };
    reply(port, { type: 'event', callId, event });
  }

  #disconnect(port: MessagePort): void {
    const sessions = this.#ports.get(port);
    this.#ports.delete(port);
    for (const session of sessions?.values() ?? []) session.close();
    port.close();
  }
}

function ask(session: SpeechSession, message: SpeechAsk): void {
  if (message.type === 'respond') session.respond(message);
  else session.stop(message.epoch);
}

function reply(port: MessagePort, message: SpeechReply): void {
  port.postMessage(message);
}

export default async function serve(task: WorkerTask): Promise<void> {
  nameThread('speech-model');
  let engine: SpeechToSpeechEngine;
  try {
    engine = await loadSpeechToSpeech(task.engine, task.environment);
  } catch (error) {
    task.control.postMessage({ type: 'failed', message: messageOf(error) } satisfies WorkerStatus);
    return;
  }
  const host = new SpeechToSpeechHost(engine);
  await serveUntilStopped(task, (port) => host.connect(port));
  await host.close();
}
