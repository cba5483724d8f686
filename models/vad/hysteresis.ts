// Turns the VAD's probabilities into speech events, purely. One window over the threshold is a suspicion (the turn machine
// may pause playout on it), the next confirms it; speech ends after a run of windows under a lower threshold. Positions
// are sample counts of the stream, so that silence is measured from the audio and not from when an event arrived.

import { unreachable } from '../unexpected.ts';
import { VAD_WINDOW_SAMPLES } from './vad.ts';

export interface HysteresisConfig {
  /** Probability at which a window counts as speech while nobody speaks. */
  onset: number;
  /** Probability under which a window counts as silence while somebody speaks. */
  release: number;
  /** Consecutive speech windows that confirm speech. */
  confirmWindows: number;
  /** Consecutive silent windows that end it; shorter gaps are stops of consonants (about 60-100 ms). */
  releaseWindows: number;
}

/** Silero's own thresholds (0.5, and 0.15 under it); 2 windows confirm, 3 windows (96 ms) end. */
export const DEFAULT_HYSTERESIS: HysteresisConfig = { onset: 0.5, release: 0.35, confirmWindows: 2, releaseWindows: 3 };

export type HysteresisState =
  | { phase: 'silent' }
  | { phase: 'suspecting'; onsetSample: number; windows: number }
  | { phase: 'speaking'; onsetSample: number; lastSpeechSample: number; silentWindows: number };

export type SpeechEvent =
  /** First window over the threshold. */
  | { type: 'speech-suspected'; onsetSample: number }
  /** The suspicion came to nothing. */
  | { type: 'speech-denied'; onsetSample: number }
  | { type: 'speech-started'; onsetSample: number }
  /** `lastSpeechSample` is where the last speech window ended; silence counts from there. */
  | { type: 'speech-stopped'; onsetSample: number; lastSpeechSample: number };

export const SILENT: HysteresisState = { phase: 'silent' };

/** One window: `endSample` is the stream position (samples at 8 kHz) at which it ends. */
export function stepHysteresis(
  state: HysteresisState,
  window: { probability: number; endSample: number },
  config: HysteresisConfig = DEFAULT_HYSTERESIS,
): [HysteresisState, SpeechEvent[]] {
  const { probability, endSample } = window;
  switch (state.phase) {
    case 'silent': {
      if (!(probability >= config.onset)) return [state, []];
      const onsetSample = endSample - VAD_WINDOW_SAMPLES;
      return suspect(onsetSample, 1, endSample, [{ type: 'speech-suspected', onsetSample }], config);
    }
    case 'suspecting':
      if (probability >= config.onset) return suspect(state.onsetSample, state.windows + 1, endSample, [], config);
      return [SILENT, [{ type: 'speech-denied', onsetSample: state.onsetSample }]];
    case 'speaking': {
      if (probability >= config.release) return [{ ...state, lastSpeechSample: endSample, silentWindows: 0 }, []];
      const silentWindows = state.silentWindows + 1;
      if (silentWindows < config.releaseWindows) return [{ ...state, silentWindows }, []];
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
  config: HysteresisConfig,
): [HysteresisState, SpeechEvent[]] {
  if (windows < config.confirmWindows) return [{ phase: 'suspecting', onsetSample, windows }, events];
  const speaking: HysteresisState = { phase: 'speaking', onsetSample, lastSpeechSample: endSample, silentWindows: 0 };
  return [speaking, [...events, { type: 'speech-started', onsetSample }]];
}
