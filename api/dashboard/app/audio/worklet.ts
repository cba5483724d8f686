// Runs on the browser's audio thread: sends the microphone as 16-bit PCM at the call's rate, queues and plays received
// audio. Both directions are Int16Array buffers, mono.
import { Resampler } from './resample.ts';

declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}
/** The context's rate: the call's if the browser allows it, else the sound card's. */
declare const sampleRate: number;

const CALL_RATE_HZ = 16_000;
/** Most audio that may wait for playing. A call's audio arrives in real time, so more is a fault. */
const QUEUE_SECONDS_MAX = 30;

class Telephone extends AudioWorkletProcessor {
  readonly #fromMicrophone = new Resampler(sampleRate, CALL_RATE_HZ);
  readonly #toSpeaker = new Resampler(CALL_RATE_HZ, sampleRate);
  #queue: Float32Array[] = [];
  #queuedSamples = 0;
  #at = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const pcm = Float32Array.from(new Int16Array(data), (sample) => sample / 32_768);
      const samples = this.#toSpeaker.process(pcm);
      if (this.#queuedSamples + samples.length > QUEUE_SECONDS_MAX * sampleRate) return;
      this.#queue.push(samples);
      this.#queuedSamples += samples.length;
    };
  }

  process([input]: Float32Array[][], [output]: Float32Array[][]): boolean {
    const microphone = input?.[0];
    if (microphone !== undefined) {
      const samples = this.#fromMicrophone.process(microphone);
      const pcm = Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767);
      this.port.postMessage(pcm.buffer, [pcm.buffer]);
    }
    const speaker = output?.[0];
    if (speaker !== undefined) this.#play(speaker);
    return true;
  }

  #play(speaker: Float32Array): void {
    for (let i = 0; i < speaker.length; i++) {
      const [first] = this.#queue;
      if (first === undefined) return;
      speaker[i] = first[this.#at++] ?? 0;
      this.#queuedSamples--;
      if (this.#at < first.length) continue;
      this.#queue.shift();
      this.#at = 0;
    }
  }
}

registerProcessor('telephone', Telephone);
