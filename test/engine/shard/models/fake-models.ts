// Models for the shard's tests, on the real workers' ports: a VAD that judges by loudness, a recogniser with a preset
// answer, a voice that renders every text as a tone of 60 ms per word.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ModelPortSet } from '../../../../engine/shard/models/model-ports.ts';
import { rms } from '../../../../media/frame.ts';
import { SampleRing } from '../../../../media/ring.ts';
import type { SttReply, SttRequest } from '../../../../models/stt/stt.ts';
import type { TtsReply, TtsRequest } from '../../../../models/tts/tts.ts';
import { packWindows, VAD_WINDOW_SAMPLES, type VadReply, type VadRequest } from '../../../../models/vad/vad.ts';
import { tone } from '../../../media/signals.ts';

export const AGENT_HZ = 1000;

export class FakeModels {
  /** The recogniser's result for every utterance. */
  understands = 'hello';
  /** Audio given to each utterance, by call and number. */
  readonly heardSamples = new Map<string, number>();
  readonly spoken: string[] = [];
  failSpeech = false;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #ports = new Set<MessagePort>();

  connect = (model: 'vad' | 'stt' | 'tts'): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    this.#ports.add(port2);
    if (model === 'vad') this.#vad(port2);
    else if (model === 'stt') this.#stt(port2);
    else this.#tts(port2);
    return port1;
  };

  /** One port to each, as a shard gets them. */
  connectAll = (): ModelPortSet => ({
    vad: this.connect('vad'),
    vadIndex: 0,
    stt: [this.connect('stt')],
    tts: [this.connect('tts')],
    turnEnd: null,
    speechModel: null,
  });

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const port of this.#ports) port.close();
  }

  #vad(port: MessagePort): void {
    const streams = new Map<number, NodeJS.Timeout>();
    const reply = (message: VadReply) => port.postMessage(message);
    port.on('message', (request: VadRequest) => {
      if (request.type === 'open') {
        const { stream } = request;
        const ring = new SampleRing(request.ring);
        const window = new Int16Array(VAD_WINDOW_SAMPLES);
        let endSample = 0;
        const timer = setInterval(() => {
          while (ring.read(window)) {
            endSample += window.length;
            const probability = rms(window) > 500 ? 0.9 : 0.01;
            reply({ type: 'windows', windows: packWindows([{ stream, probability, endSample }]) });
          }
        }, 5);
        this.#timers.add(timer);
        streams.set(stream, timer);
      } else if (request.type === 'close') {
        clearInterval(streams.get(request.stream));
      }
    });
  }

  #stt(port: MessagePort): void {
    const reply = (message: SttReply) => port.postMessage(message);
    port.on('message', (request: SttRequest) => {
      if (request.type === 'audio') {
        const key = `${request.callId} ${request.utterance}`;
        this.heardSamples.set(key, (this.heardSamples.get(key) ?? 0) + request.samples.length);
      } else if (request.type === 'finish') {
        const result = { text: this.understands, confidence: 1, understood: true };
        reply({ type: 'final', callId: request.callId, utterance: request.utterance, result });
      }
    });
  }

  #tts(port: MessagePort): void {
    const reply = (message: TtsReply) => port.postMessage(message);
    port.on('message', (request: TtsRequest) => {
      if (request.type !== 'speak') return;
      this.spoken.push(request.text);
      if (this.failSpeech) {
        reply({ type: 'failed', id: request.id, code: 'TTS_FAILED', message: 'no voice' });
        return;
      }
      const samples = tone(AGENT_HZ, request.sampleRateHz, 60 * request.text.split(' ').length);
      const half = Math.floor(samples.length / 2);
      reply({ type: 'audio', id: request.id, samples: samples.slice(0, half), last: false });
      reply({ type: 'audio', id: request.id, samples: samples.slice(half), last: true });
    });
  }
}
