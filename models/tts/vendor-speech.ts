// The rules that the voices of all vendors share: how many requests run at a time, the vendor's own name of a voice,
// and how its errors are told.
import { messageOf } from '../../db/domain/unexpected.ts';
import { VendorError } from '../vendors/vendor.ts';
import { TtsError } from './tts.ts';

/** `usual`: of the vendor's smaller plans. */
export function concurrencyOf({ TTS_CONCURRENCY }: Record<string, string | undefined>, usual: number): number {
  const wanted = Number(TTS_CONCURRENCY);
  return wanted >= 1 ? Math.floor(wanted) : usual;
}

/** A voice's id is `ENGINE:VOICE`. */
export const vendorVoice = (voiceId: string): string => voiceId.slice(voiceId.indexOf(':') + 1);

export function ttsError(error: unknown): TtsError {
  const isAway = error instanceof VendorError && (error.fault === 'unreachable' || error.fault === 'credentials');
  return new TtsError(isAway ? 'TTS_UNAVAILABLE' : 'TTS_FAILED', messageOf(error));
}
