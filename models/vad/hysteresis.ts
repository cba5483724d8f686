// Turns the VAD's probabilities into speech events; pure. One window over the threshold raises a suspicion: the turn
// machine may pause playout. The next window confirms it. Speech ends after a run of windows under a lower threshold.
// Positions count samples of the stream, so silence is measured in the audio and not by the arrival time of events.

import { unreachable } from '../../db/domain/unexpected.ts';
import { VAD_WINDOW_SAMPLES } from './vad.ts';

/** Probability at which a window counts as speech while nobody speaks: Silero's own threshold. */
const ONSET = 0.5;
/** Probability below which a window counts as silence while somebody speaks: 0.15 under the onset, as in Silero. */
export const RELEASE = 0.35;
/** Consecutive speech windows that confirm speech. */
const CONFIRM_WINDOWS = 2;
/** Consecutive silent windows (96 ms) that end speech. Shorter gaps are stop consonants, about 60-100 ms. */
const RELEASE_WINDOWS = 3;

export type HysteresisState =
  | { phase: 'silent' }
  | { phase: 'suspecting'; onsetSample: number; windows: number }
  | { phase: 'speaking'; onsetSample: number; lastSpeechSample: number; silentWindows: number };

type SpeechEvent =
  /** First window over the threshold. */
  | { type: 'speech-suspected'; onsetSample: number }
  /** The suspicion was not confirmed. */
  | { type: 'speech-denied'; onsetSample: number }
  | { type: 'speech-started'; onsetSample: number }
  /** `lastSpeechSample` is the end of the last speech window; silence counts from there. */
  | { type: 'speech-stopped'; onsetSample: number; lastSpeechSample: number };

export const SILENT: HysteresisState = { phase: 'silent' };

/**
 * Takes one window. `probability` of speech is 0..1; `endSample` is its end in the stream, in samples at 8 kHz.
 */
export function stepHysteresis(
  state: HysteresisState,
  window: { probability: number; endSample: number },
): [HysteresisState, SpeechEvent[]] {
  const { probability, endSample } = window;
  switch (state.phase) {
    case 'silent': {
      if (!(probability >= ONSET)) return [state, []];
      const onsetSample = endSample - VAD_WINDOW_SAMPLES;
      return suspect(onsetSample, 1, endSample, [{ type: 'speech-suspected', onsetSample }]);
    }
    case 'suspecting':
      if (probability >= ONSET) return suspect(state.onsetSample, state.windows + 1, endSample, []);
      return [SILENT, [{ type: 'speech-denied', onsetSample: state.onsetSample }]];
    case 'speaking': {
      if (probability >= RELEASE) return [{ ...state, lastSpeechSample: endSample, silentWindows: 0 }, []];
      const silentWindows = state.silentWindows + 1;
      if (silentWindows < RELEASE_WINDOWS) return [{ ...state, silentWindows }, []];
      const { onsetSample, lastSpeechSample } = state;
      return [SILENT, [{ type: 'speech-stopped', onsetSample, lastSpeechSample }]];
    }
    default:
      return unreachable(state);
  }
}

function suspect(
  onsetSample: number,
  windows: number,
  endSample: number,
  events: SpeechEvent[],
): [HysteresisState, SpeechEvent[]] {
  if (windows < CONFIRM_WINDOWS) return [{ phase: 'suspecting', onsetSample, windows }, events];
  const speaking: HysteresisState = { phase: 'speaking', onsetSample, lastSpeechSample: endSample, silentWindows: 0 };
  return [speaking, [...events, { type: 'speech-started', onsetSample }]];
}
