// Local speech by sherpa-onnx, `sherpa:NAME`: Piper and other VITS voices, Kokoro, Kitten. A model renders a sentence
// as a whole, so text is cut at sentences and clauses, and a cancellation takes effect between them. It runs on the
// worker's own thread: the library's asynchronous calls would use libuv's pool, whose few threads also serve files and
// names and do not yield to audio.
import { basename, join } from 'node:path';
import { Resampler } from '../../media/resample.ts';
import { localEngine, localName, localVoices, modelsDirOf, unlistedVoices } from '../install/local-models.ts';
import { findLocalModel } from '../install/weights.ts';
import { loadSherpa, type OfflineTts, type TtsConfig } from '../sherpa/addon.ts';
import { voiceFiles } from '../sherpa/model-files.ts';
import { forEspeak, readAloud } from './text/read-aloud.ts';
import { splitForSpeech } from './text/speech-pieces.ts';
import { type SpeechRequest, type SpeechSink, type TtsEngine, TtsError, type Voice } from './tts.ts';

/** Audio is handed on in blocks of 100 ms, so that a long piece does not arrive as one message. */
const BLOCK_MS = 100;

/**
 * @throws Error when the package, the model or one of its files is missing. A broken model may end the process.
 */
export default async function createSherpaTts(
  name: string,
  environment: Record<string, string | undefined>,
): Promise<TtsEngine> {
  return new SherpaTts(name, voiceFiles(name, join(modelsDirOf(environment), name)));
}

export class SherpaTts implements TtsEngine {
  readonly name: string;
  readonly voices: readonly Voice[];
  readonly concurrency = 1;
  readonly patienceMs = null;
  readonly #model: OfflineTts;

  constructor(name: string, config: TtsConfig) {
    this.name = localEngine(name);
    const { OfflineTts } = loadSherpa();
    this.#model = new OfflineTts(config);
    this.voices = voicesOf(name, this.#model, config);
  }

  async speak(request: SpeechRequest, { signal, onAudio }: SpeechSink): Promise<void> {
    const sid = this.#speakerOf(request.voiceId);
    const { sampleRate } = this.#model;
    const resampler = new Resampler(sampleRate, request.sampleRateHz);
    const blockSamples = Math.round((request.sampleRateHz * BLOCK_MS) / 1_000);
    const language = this.voices.find(({ id }) => id === request.voiceId)?.language ?? this.voices[0]?.language ?? '';
    const pieces = splitForSpeech(forEspeak(readAloud(request.text, language), language));
    for (const [index, piece] of pieces.entries()) {
      // Handles messages: a cancellation cannot arrive while the model runs.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) return;
      const isLast = index === pieces.length - 1;
      const samples = resampler.convert(
        this.#render(piece, sid, request.speed, isLast ? resampler.delayInputSamples : 0),
      );
      for (let at = 0; at < samples.length; at += blockSamples) {
        if (signal.aborted) return;
        onAudio(samples.slice(at, at + blockSamples));
      }
    }
  }

  async close(): Promise<void> {}

  /** PCM16 at the model's rate, followed by `padding` samples of silence. */
  #render(text: string, sid: number, speed: number, padding: number): Int16Array {
    // With external buffers, V8's garbage collector would decide when the library's memory is freed.
    const { samples } = this.#model.generate({ text, sid, speed, enableExternalBuffer: false });
    if (samples.length === 0) throw new TtsError('TTS_FAILED', `${this.name} gave no audio`);
    const pcm = new Int16Array(samples.length + padding);
    for (let n = 0; n < samples.length; n++) pcm[n] = Math.round(Math.max(-1, Math.min(1, samples[n] ?? 0)) * 32_767);
    return pcm;
  }

  /** `sherpa:NAME` is the model's first voice, `sherpa:NAME:SID` speaker SID. */
  #speakerOf(voiceId: string): number {
    if (voiceId === this.name) return findLocalModel(localName(this.name) ?? '')?.voices[0]?.sid ?? 0;
    const sid = voiceId.startsWith(`${this.name}:`) ? Number(voiceId.slice(this.name.length + 1)) : Number.NaN;
    if (!Number.isInteger(sid) || sid < 0 || sid >= Math.max(1, this.#model.numSpeakers))
      throw new TtsError('TTS_VOICE_UNKNOWN', `${this.name} has no voice ${voiceId}`);
    return sid;
  }
}

function voicesOf(name: string, { sampleRate, numSpeakers }: OfflineTts, { model }: TtsConfig): Voice[] {
  const listed = findLocalModel(name);
  if (listed) return localVoices(listed, localEngine(name), sampleRate);
  const networks = textsIn(model).filter((text) => text.endsWith('.onnx'));
  return unlistedVoices(
    name,
    networks.map((path) => basename(path)),
    { speakers: numSpeakers, sampleRateHz: sampleRate },
  );
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
