// Turns VAD windows into speech events for the turn machine. The first window over the threshold starts speech, because
// the agent pauses on it and decides later; each further one continues it. A false alarm is speech that stops again.
// Faint windows (`caller-level.ts`) count as silence, unless nobody else has the floor.
import { type HysteresisState, SILENT, stepHysteresis } from '../../../models/vad/hysteresis.ts';
import { VAD_SAMPLE_RATE_HZ, VAD_WINDOW_SAMPLES } from '../../../models/vad/vad.ts';
import type { WindowLoudness } from './caller-level.ts';

export type VoiceEvent =
  /** `faint`: so far too faint to be the caller. */
  | { type: 'speech-started'; speechAtSample: number; faint: boolean }
  | { type: 'speech-continued'; voicedMs: number; faint: boolean }
  /** The first window without voice: speech may go on. */
  | { type: 'speech-paused' }
  | { type: 'speech-stopped'; lastSpeechSample: number; voicedMs: number };

/** One window of the VAD. Positions count samples as the VAD does. */
interface HeardWindow {
  probability: number;
  endSample: number;
  loudness: WindowLoudness;
  /** Faint speech counts, because nobody else has the floor. */
  takesFaint: boolean;
}

export const WINDOW_MS = (VAD_WINDOW_SAMPLES * 1000) / VAD_SAMPLE_RATE_HZ;

export class SpeechDetector {
  #state: HysteresisState = SILENT;
  /** Voiced time since speech started, ms. */
  #voicedMs = 0;
  /** The speech in progress, or else the last, was too faint to be the caller. */
  #faint = false;

  get speaking(): boolean {
    return this.#state.phase !== 'silent';
  }

  get faint(): boolean {
    return this.#faint;
  }

  /** Takes the VAD's next window. Null if nothing changed. */
  window({ probability, endSample, loudness, takesFaint }: HeardWindow): VoiceEvent | null {
    const counts = !loudness.faint || (takesFaint && (!this.speaking || this.#faint));
    const [state, events] = stepHysteresis(this.#state, { probability: counts ? probability : 0, endSample });
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
      this.#faint = loudness.faint;
      return { type: 'speech-started', speechAtSample: state.onsetSample, faint: this.#faint };
    }
    if (state.phase === 'speaking' && state.silentWindows > 0)
      return state.silentWindows === 1 ? { type: 'speech-paused' } : null;
    this.#voicedMs += WINDOW_MS;
    if (loudness.clear) this.#faint = false;
    return { type: 'speech-continued', voicedMs: this.#voicedMs, faint: this.#faint };
  }

  /** For a lost VAD. Speech in progress counts as stopped: returns its voiced time, or null without speech. */
  reset(): { voicedMs: number } | null {
    const was = this.speaking;
    this.#state = SILENT;
    return was ? { voicedMs: this.#voicedMs } : null;
  }
}
