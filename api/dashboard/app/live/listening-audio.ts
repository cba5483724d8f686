// The speaker of somebody who listens to a call, and their microphone, which is opened only when they speak.
import { workletAddress } from '../audio/worklet-address.ts';
import { MicrophoneFault, openMicrophone } from '../talk/microphone.ts';
import { t } from '../words/words.ts';

const CALL_RATE_HZ = 16_000;

export class ListeningAudio {
  readonly #context: AudioContext;
  readonly #telephone: AudioWorkletNode;
  #microphone: { stream: MediaStream; source: MediaStreamAudioSourceNode } | null = null;

  private constructor(context: AudioContext, telephone: AudioWorkletNode) {
    this.#context = context;
    this.#telephone = telephone;
  }

  /** @param onSpoken PCM of the microphone, 16 bits mono at 16 kHz, once it is open */
  static async open(onSpoken: (pcm: ArrayBuffer) => void): Promise<ListeningAudio> {
    const context = new AudioContext({ sampleRate: CALL_RATE_HZ });
    await context.audioWorklet.addModule(workletAddress());
    const telephone = new AudioWorkletNode(context, 'telephone');
    telephone.connect(context.destination);
    telephone.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => onSpoken(data);
    await context.resume();
    return new ListeningAudio(context, telephone);
  }

  /** Both sides of the call, one after the other in each pair of samples. */
  play(both: Int16Array): void {
    const mixed = new Int16Array(both.length / 2);
    for (let i = 0; i < mixed.length; i++) {
      const sum = (both[2 * i] ?? 0) + (both[2 * i + 1] ?? 0);
      mixed[i] = Math.max(-32_768, Math.min(32_767, sum));
    }
    this.#telephone.port.postMessage(mixed.buffer, [mixed.buffer]);
  }

  /** @throws {MicrophoneFault} if it cannot be had */
  async openMicrophone(): Promise<void> {
    if (this.#microphone !== null) return;
    const stream = await openMicrophone();
    try {
      const source = this.#context.createMediaStreamSource(stream);
      source.connect(this.#telephone);
      this.#microphone = { stream, source };
    } catch {
      for (const track of stream.getTracks()) track.stop();
      throw new MicrophoneFault(
        'failed',
        t('This browser uses the microphone at its own rate only. Use another one to speak.'),
      );
    }
  }

  /** Nobody hears what is said here. */
  closeMicrophone(): void {
    this.#microphone?.source.disconnect();
    for (const track of this.#microphone?.stream.getTracks() ?? []) track.stop();
    this.#microphone = null;
  }

  close(): void {
    this.closeMicrophone();
    void this.#context.close();
  }
}
