// Turns the VAD's windows into the turn machine's speech events. The first window over the threshold starts speech, because
// the agent pauses on it and decides later; each further one continues it. A false alarm is speech that stops again.
import { type HysteresisState, SILENT, stepHysteresis } from '../../models/vad/hysteresis.ts';
import { VAD_SAMPLE_RATE_HZ, VAD_WINDOW_SAMPLES } from '../../models/vad/vad.ts';

export type VoiceEvent =
  | { type: 'speech-started'; speechAtSample: number }
  | { type: 'speech-continued'; voicedMs: number }
  | { type: 'speech-stopped'; lastSpeechSample: number; voicedMs: number };

const WINDOW_MS = (VAD_WINDOW_SAMPLES * 1000) / VAD_SAMPLE_RATE_HZ;

export class SpeechDetector {
  #state: HysteresisState = SILENT;
  /** Voiced time since speech started, ms. */
  #voicedMs = 0;

  get speaking(): boolean {
    return this.#state.phase !== 'silent';
  }

  /** Takes the VAD's next window. Null when nothing changed. Positions count samples as the VAD does. */
  window(probability: number, endSample: number): VoiceEvent | null {
    const [state, events] = stepHysteresis(this.#state, { probability, endSample });
    const before = this.#state;
    this.#state = state;
    const last = events.at(-1);
    if (last?.type === 'speech-denied') {
      return { type: 'speech-stopped', lastSpeechSample: endSample - VAD_WINDOW_SAMPLES, voicedMs: this.#voicedMs };
    }
    if (last?.type === 'speech-stopped') {
      return { type: 'speech-stopped', lastSpeechSample: last.lastSpeechSample, voicedMs: this.#voicedMs };
    }
    if (state.phase === 'silent') return null;
    if (before.phase === 'silent') {
      this.#voicedMs = WINDOW_MS;
      return { type: 'speech-started', speechAtSample: state.onsetSample };
    }
    if (state.phase === 'speaking' && state.silentWindows > 0) return null;
    this.#voicedMs += WINDOW_MS;
    return { type: 'speech-continued', voicedMs: this.#voicedMs };
  }

  /** After the VAD was lost. Speech in progress counts as stopped: its voiced time, or null when there was none. */
  reset(): { voicedMs: number } | null {
    const was = this.speaking;
    this.#state = SILENT;
    return was ? { voicedMs: this.#voicedMs } : null;
  }
}
