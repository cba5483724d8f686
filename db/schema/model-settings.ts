// Which engine listens, thinks and speaks, or does all of it, as an ADMIN set it. One row a kind; without a row nothing
// was set.
import type { ModelKind } from '../domain/model-settings.ts';

export interface ModelSettingsTable {
  kind: ModelKind;
  engine: string | null;
  baseUrl: string | null;
  model: string | null;
  /** Of `tts`: as TTS_VOICES. */
  voices: string | null;
  /** Of `speech-to-speech`: by the vendor's name, as DIALOGUE_VOICE. */
  voice: string | null;
  keySealed: string | null;
  /** The key's last characters, for people who compare keys; null for a short key. */
  keyEnd: string | null;
  fallbackBaseUrl: string | null;
  fallbackModel: string | null;
  fallbackKeySealed: string | null;
  fallbackKeyEnd: string | null;
  /** Grows with every change. */
  revision: number;
  changedAt: number;
}
