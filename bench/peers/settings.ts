// The settings of the peer, each a column of the tables.
import type { inference, Vad, voice } from '@livekit/agents';

/** Silence after which a turn ends, if both sides use a fixed one. */
export const THRESHOLD_MS = 600;

export const SETTINGS = ['default', 'fixed', 'sensitive'] as const;
export type Setting = (typeof SETTINGS)[number];

export const SETTING_NAMES: Record<Setting, string> = {
  default: 'peer, as it comes',
  fixed: `peer, fixed ${THRESHOLD_MS} ms`,
  sensitive: `peer, fixed ${THRESHOLD_MS} ms, most sensitive`,
};

export const isSetting = (text: string | undefined): text is Setting => SETTINGS.some((each) => each === text);

/** The VAD's speech threshold; null: the peer's own VAD with its own default. */
export const VAD_THRESHOLD: Record<Setting, number | null> = { default: null, fixed: 0.5, sensitive: 0.3 };

/** Rate of the line's audio: 16 kHz as the peer's own models expect, or 8 kHz as from the telephone. */
export const LINE_RATE_HZ: Record<Setting, 8_000 | 16_000> = { default: 16_000, fixed: 8_000, sensitive: 8_000 };

type Options = Omit<voice.SessionOptions, 'stt' | 'llm' | 'tts'>;

interface Parts {
  vad: Vad | null;
  detector(): inference.TurnDetector;
}

/**
 * `default`: the peer's bundled VAD and local turn-end model, and no interruption in the first 3 s. Others: Silero at
 * 8 kHz and a fixed silence, during which the reply and its speech are prepared.
 */
export function sessionOptions(setting: Setting, { vad, detector }: Parts): Options {
  if (setting === 'default' || vad === null) return { turnHandling: { turnDetection: detector() } };
  return {
    vad,
    aecWarmupDuration: null,
    turnHandling: {
      turnDetection: 'vad',
      endpointing: { mode: 'fixed', minDelay: THRESHOLD_MS, maxDelay: THRESHOLD_MS },
      // 1 ms: 0 would mean "not set".
      interruption: setting === 'sensitive' ? { mode: 'vad', minDuration: 1 } : { mode: 'vad' },
      preemptiveGeneration: { enabled: true, preemptiveTts: true },
    },
  };
}
