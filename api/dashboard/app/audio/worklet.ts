// Runs on the browser's audio thread, at the call's rate: the microphone goes out as 16-bit PCM, what arrives is queued and played.
// Out and in are Int16Array buffers, mono.

declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

/** What may wait to be played: 30 s at 16 kHz. A call's audio comes in its own time, so more is a fault. */
const QUEUE_SAMPLES_MAX = 16_000 * 30;

class Telephone extends AudioWorkletProcessor {
  #queue: Int16Array[] = [];
  #queuedSamples = 0;
  #at = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const samples = new Int16Array(data);
      if (this.#queuedSamples + samples.length > QUEUE_SAMPLES_MAX) return;
      this.#queue.push(samples);
      this.#queuedSamples += samples.length;
    };
  }

  process([input]: Float32Array[][], [output]: Float32Array[][]): boolean {
    const microphone = input?.[0];
    if (microphone !== undefined) {
      const pcm = Int16Array.from(microphone, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767);
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
      speaker[i] = (first[this.#at++] ?? 0) / 32_768;
      this.#queuedSamples--;
      if (this.#at < first.length) continue;
      this.#queue.shift();
      this.#at = 0;
    }
  }
}

registerProcessor('telephone', Telephone);
