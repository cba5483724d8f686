// Adapts the bench's scripted recogniser to the peer's interface: a stream that stays open during a call and decides
// itself when an utterance is over.
import { stt } from '@livekit/agents';
import type { SttEvent, SttStream, SttUtterance } from '../../models/stt/stt.ts';
import { MarkReader } from '../rig/conversation/watermark.ts';
import createScripted from '../rig/fakes/scripted-stt.ts';
import { originalSamples } from './phone-line.ts';

/** Frames of 20 ms without scripted speech after which the utterance is over. */
const QUIET_FRAMES = 3;

type Environment = Record<string, string | undefined>;

export async function openScriptedStream(environment: Environment): Promise<SttStream> {
  const engine = await createScripted(environment);
  if (!('openStream' in engine)) throw new Error('the scripted recogniser has no streams');
  return engine.openStream({
    callId: '',
    sampleRateHz: 8_000,
    vocabulary: { language: 'en-US', businessName: '', services: [], questions: [], phrases: [] },
    signal: new AbortController().signal,
    onFallback: () => undefined,
  });
}

export class Recogniser extends stt.STT {
  readonly label = 'bench.STT';
  readonly #scripted: SttStream;

  constructor(scripted: SttStream) {
    super({ streaming: true, interimResults: true });
    this.#scripted = scripted;
  }

  stream(): stt.SpeechStream {
    return new RecogniserStream(this, this.#scripted);
  }

  protected _recognize(): Promise<stt.SpeechEvent> {
    throw new Error('it takes streams only');
  }
}

class RecogniserStream extends stt.SpeechStream {
  readonly label = 'bench.SpeechStream';
  readonly #scripted: SttStream;
  readonly #marks = new MarkReader();
  #utterance: SttUtterance | null = null;
  #quietFrames = 0;

  constructor(owner: stt.STT, scripted: SttStream) {
    super(owner);
    this.#scripted = scripted;
  }

  protected async run(): Promise<void> {
    for await (const frame of this.input)
      if (typeof frame !== 'symbol') this.#hear(originalSamples.get(frame) ?? frame.data);
  }

  #hear(samples: Int16Array): void {
    const isSpeech = this.#marks.read(samples).length > 0;
    if (isSpeech && this.#utterance === null) {
      this.#utterance = this.#begin();
      this.#send(stt.SpeechEventType.START_OF_SPEECH, null);
    }
    this.#quietFrames = isSpeech ? 0 : this.#quietFrames + 1;
    this.#utterance?.write(samples);
    if (this.#quietFrames < QUIET_FRAMES || this.#utterance === null) return;
    this.#utterance.finish();
    this.#utterance = null;
  }

  #begin(): SttUtterance {
    const { signal } = this.abortController;
    return this.#scripted.begin({ expects: 'anything', signal, onEvent: (event) => this.#report(event) });
  }

  #report(event: SttEvent): void {
    if (event.type === 'partial') this.#send(stt.SpeechEventType.INTERIM_TRANSCRIPT, event.text);
    if (event.type !== 'final') return;
    if (event.result.text !== '') this.#send(stt.SpeechEventType.FINAL_TRANSCRIPT, event.result.text);
    this.#send(stt.SpeechEventType.END_OF_SPEECH, null);
  }

  #send(type: stt.SpeechEventType, text: string | null): void {
    if (this.queue.closed) return;
    const heard: stt.SpeechData = { language: 'en', text: text ?? '', startTime: 0, endTime: 0, confidence: 0.98 };
    this.queue.put(text === null ? { type } : { type, alternatives: [heard] });
  }
}
