// The language that the recogniser has heard a caller speak, for a call that may change its own.
import type { SttResult } from '../../models/stt/stt.ts';
import { speechWords } from '../turn/spoken.ts';
import type { OpenCall, ShardEvent } from './protocol.ts';

/** Null where the call may not change, or the recogniser does not tell. */
export function languageHeard(
  { callId, mayChangeLanguage }: Pick<OpenCall, 'callId' | 'mayChangeLanguage'>,
  { language, understood, text, confidence }: SttResult,
): ShardEvent | null {
  if (!mayChangeLanguage || language === undefined || !understood) return null;
  return { type: 'language-heard', callId, language, words: speechWords(text).length, confidence };
}
