// The microphone of a test's browser: it hears a caller who asks for the opening hours, several times.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { renderSpeech, resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { encodeWav } from '../../../media/wav.ts';

const MICROPHONE_HZ = 48_000;
/** The greeting is over at the first; a busy machine may mishear several. */
const QUESTIONS_AT_S = [8, 24, 40, 56, 72, 88, 104];
/** After the last one, before the file begins anew. */
const REST_S = 16;
/** Until the last one is understood, if all others were not. */
export const UNDERSTOOD_MS = 130_000;

export const question = await renderSpeech('What are your opening hours?', 'flite-slt');

/** The path of a WAV file with the question at these times. */
export function questions(atS: readonly number[] = QUESTIONS_AT_S): string {
  const path = join(temporaryFolder('voice-microphone'), 'question.wav');
  const spoken = resampleWhole(question, 8_000, MICROPHONE_HZ);
  const heard = new Int16Array(MICROPHONE_HZ * (Math.max(...atS) + REST_S));
  for (const seconds of atS) heard.set(spoken, MICROPHONE_HZ * seconds);
  writeFileSync(path, encodeWav({ sampleRateHz: MICROPHONE_HZ, channels: 1 }, heard));
  return path;
}
