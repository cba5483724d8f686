// Adapts a voice of the bench to the peer's interface: text streams in, and each complete clause is rendered at once.
import { tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { joinSamples } from '../../media/frame.ts';
import type { TtsEngine } from '../../models/tts/tts.ts';
import { SpokenClauses, VOICE } from './spoken-clauses.ts';

/** 100 ms, as in the peer's own plug-ins. */
const FRAME_SAMPLES = 800;

export class Voice extends tts.TTS {
  readonly label = 'bench.TTS';
  readonly #engine: TtsEngine;

  constructor(engine: TtsEngine) {
    super(VOICE.sampleRateHz, 1, { streaming: true });
    this.#engine = engine;
  }

  stream(): tts.SynthesizeStream {
    return new VoiceStream(this, this.#engine);
  }

  synthesize(): never {
    throw new Error('it takes streams only');
  }
}

class VoiceStream extends tts.SynthesizeStream {
  readonly label = 'bench.SynthesizeStream';
  readonly #engine: TtsEngine;
  /** Resolves when all clauses requested so far have been sent. */
  #sent: Promise<void> = Promise.resolve();

  constructor(owner: tts.TTS, engine: TtsEngine) {
    super(owner);
    this.#engine = engine;
  }

  protected async run(): Promise<void> {
    const clauses = new SpokenClauses();
    for await (const text of this.input) if (typeof text === 'string') this.#speak(clauses.push(text));
    this.#speak(clauses.end());
    await this.#sent;
    if (!this.queue.closed) this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }

  /** Renders clauses in parallel and sends them in order. */
  #speak(clauses: readonly string[]): void {
    for (const clause of clauses) {
      const rendered = this.#render(clause);
      const before = this.#sent;
      this.#sent = (async () => {
        const samples = await rendered;
        await before;
        this.#send(samples);
      })();
    }
  }

  async #render(text: string): Promise<Int16Array> {
    const pieces: Int16Array[] = [];
    const { signal } = this.abortController;
    await this.#engine.speak({ text, ...VOICE }, { signal, onAudio: (samples) => pieces.push(samples) });
    return joinSamples(pieces);
  }

  #send(samples: Int16Array): void {
    for (let at = 0; at < samples.length && !this.queue.closed; at += FRAME_SAMPLES) {
      const piece = samples.slice(at, at + FRAME_SAMPLES);
      const frame = new AudioFrame(piece, VOICE.sampleRateHz, 1, piece.length);
      this.queue.put({ requestId: 'reply', segmentId: 'reply', frame, final: at + FRAME_SAMPLES >= samples.length });
    }
  }
}
