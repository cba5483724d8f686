// How the peer is set up: each of these is a column of the tables.
import type { inference, Vad, voice } from '@livekit/agents';

/** Silence after which a turn ends, where both sides use a fixed one. */
export const THRESHOLD_MS = 600;

export const SETTINGS = ['default', 'fixed', 'sensitive'] as const;
export type Setting = (typeof SETTINGS)[number];

export const SETTING_NAMES: Record<Setting, string> = {
  default: 'peer, as it comes',
  fixed: `peer, fixed ${THRESHOLD_MS} ms`,
  sensitive: `peer, fixed ${THRESHOLD_MS} ms, most sensitive`,
};

export const isSetting = (text: string | undefined): text is Setting => SETTINGS.some((each) => each === text);

/** Probability from which its VAD hears speech; null: its own VAD with its own default. */
export const VAD_THRESHOLD: Record<Setting, number | null> = { default: null, fixed: 0.5, sensitive: 0.3 };

/** Of what its line hears: as a room would give it to its own models, or as it came from the telephone. */
export const LINE_RATE_HZ: Record<Setting, 8_000 | 16_000> = { default: 16_000, fixed: 8_000, sensitive: 8_000 };

type Options = Omit<voice.SessionOptions, 'stt' | 'llm' | 'tts'>;

interface Parts {
  vad: Vad | null;
  detector(): inference.TurnDetector;
}

/**
 * As it comes: its bundled VAD and local model of turn ends, and no interruption in the first 3 s. Else Silero at 8 kHz
 * and a fixed silence, the reply prepared with its voice while the silence lasts.
 */
export function sessionOptions(setting: Setting, { vad, detector }: Parts): Options {
  if (setting === 'default' || vad === null) return { turnHandling: { turnDetection: detector() } };
  return {
    vad,
    aecWarmupDuration: null,
    turnHandling: {
      turnDetection: 'vad',
      endpointing: { mode: 'fixed', minDelay: THRESHOLD_MS, maxDelay: THRESHOLD_MS },
      // 1 ms: 0 would be taken for "not set".
      interruption: setting === 'sensitive' ? { mode: 'vad', minDuration: 1 } : { mode: 'vad' },
      preemptiveGeneration: { enabled: true, preemptiveTts: true },
    },
  };
}
