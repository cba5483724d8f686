// A shard's handling of a callee's audio during machine detection, on a virtual clock and faster than real time: the
// same detector, the same VAD windows, and the same recogniser and vocabulary.

import { UNKNOWN_LOUDNESS } from '../../engine/shard/ear/caller-level.ts';
import { MachineDetection } from '../../engine/shard/ear/machine-detection.ts';
import { SpeechDetector } from '../../engine/shard/ear/speech-detector.ts';
import type { ShardEvent } from '../../engine/shard/protocol.ts';
import type { AmdVerdict } from '../../models/amd/amd.ts';
import type { PolledSttEngine, PolledSttSession, SttVocabulary } from '../../models/stt/stt.ts';
import { type Silero, VadStream } from '../../models/vad/silero.ts';
import { VAD_WINDOW_SAMPLES } from '../../models/vad/vad.ts';
import { VirtualClock } from '../rig/clock.ts';

const FRAME = 160;
/** From the end of a window to its result at 256 calls, p50. */
const VAD_RESULT_MS = 12;
/** Silence before a turn's words are requested: 350 ms before the default threshold of 700 ms ends the turn. */
const FINISH_MS = 350;
/** An utterance includes this much audio from before its onset. */
const LEAD_SAMPLES = 1_600;
/** The longest possible detection: the verdict, the time for revision, and the wait for a beep. */
const GIVE_UP_MS = 45_000;

export interface Detected {
  verdicts: Array<{ verdict: AmdVerdict; atMs: number }>;
  messageAtMs: number | null;
  heard: string;
}

export async function detect(
  audio: Int16Array,
  models: { silero: Silero; stt: PolledSttEngine },
  vocabulary: SttVocabulary,
): Promise<Detected> {
  const found: Detected = { verdicts: [], messageAtMs: null, heard: '' };
  const clock = new VirtualClock();
  const onEvent = (event: ShardEvent): void => {
    if (event.type === 'amd') found.verdicts.push({ verdict: event.verdict, atMs: event.atMs });
    if (event.type === 'beep') found.messageAtMs = event.atMs;
  };
  const detection = new MachineDetection('bench', { emit: onEvent, clock }, () => clock.monotonicMs());
  const session = await models.stt.open({ callId: 'bench', sampleRateHz: 8_000, vocabulary });
  const words = new Words(session, audio, (text) => {
    found.heard = `${found.heard} ${text}`.trim();
    detection.words(text);
  });
  const speech = new SpeechDetector();
  const stream = new VadStream();
  let window = 0;
  detection.answered();
  for (let at = 0; at + FRAME <= audio.length && !detection.isDone; at += FRAME) {
    clock.advanceTo((at + FRAME) / 8);
    detection.audio(audio.subarray(at, at + FRAME));
    await words.advance(at + FRAME);
    while ((window + 1) * VAD_WINDOW_SAMPLES <= at + FRAME) {
      const samples = audio.subarray(window * VAD_WINDOW_SAMPLES, (window + 1) * VAD_WINDOW_SAMPLES);
      const [probability = 0] = await models.silero.score([{ stream, samples }]);
      window++;
      clock.advanceTo((at + FRAME) / 8 + VAD_RESULT_MS);
      const endSample = window * VAD_WINDOW_SAMPLES;
      const event = speech.window({ probability, endSample, loudness: UNKNOWN_LOUDNESS, takesFaint: true });
      if (event?.type === 'speech-started') {
        detection.speechStarted(event.speechAtSample / 8);
        words.begin(event.speechAtSample);
      } else if (event?.type === 'speech-stopped') {
        detection.speechStopped(event.lastSpeechSample / 8);
        words.silentFrom(event.lastSpeechSample);
      }
    }
  }
  clock.advanceTo(GIVE_UP_MS);
  detection.stop();
  session.close();
  return found;
}

/** The utterances of a call, as the shard cuts them. */
class Words {
  readonly #session: PolledSttSession;
  readonly #audio: Int16Array;
  readonly #tell: (text: string) => void;
  #written: number | null = null;
  #silentFrom: number | null = null;

  constructor(session: PolledSttSession, audio: Int16Array, tell: (text: string) => void) {
    this.#session = session;
    this.#audio = audio;
    this.#tell = tell;
  }

  begin(onsetSample: number): void {
    this.#silentFrom = null;
    if (this.#written !== null) return;
    this.#session.begin('anything');
    this.#written = Math.max(0, onsetSample - LEAD_SAMPLES);
  }

  silentFrom(sample: number): void {
    this.#silentFrom = sample;
  }

  async advance(toSample: number): Promise<void> {
    if (this.#written === null) return;
    this.#session.write(this.#audio.subarray(this.#written, toSample));
    this.#written = toSample;
    if (this.#silentFrom === null || toSample - this.#silentFrom < FINISH_MS * 8) return;
    this.#written = null;
    const result = await this.#session.finish();
    if (result.understood) this.#tell(result.text);
  }
}
