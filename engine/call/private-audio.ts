// Where in a recording something private was said: the whole utterance, from just before its first word to the next
// utterance, as no recogniser tells the times of all words. It is found in the transcript, which has been redacted or
// not, so that an engine that went on with the call after another one knows it as well.
import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { findPrivate, type RedactionRules } from '../../db/domain/redaction/find.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { TranscriptEntry } from '../../db/resources.ts';
import { type AudioPart, silenceWav } from '../../media/wav-silence.ts';

/** A recogniser may hear the beginning of a word late. */
const BEFORE_MS = 300;

/** @param transcript its times are ms from the beginning of the recording */
export function privateParts(transcript: readonly TranscriptEntry[], rules: RedactionRules): AudioPart[] {
  const inOrder = [...transcript].sort((a, b) => a.timestamp - b.timestamp);
  const replaced = new RegExp(`\\[(?:${rules.kinds.join('|')})\\]`);
  return inOrder.flatMap(({ text, timestamp, speaker }, at) => {
    if (!replaced.test(text) && findPrivate(text, rules).length === 0) return [];
    const next = inOrder.slice(at + 1).find((later) => later.timestamp > timestamp);
    // Who is interrupted has said the rest of it over the other's first words.
    const isCut = next !== undefined && next.speaker !== speaker && speaker === 'agent';
    const toMs = next === undefined ? null : next.timestamp + (isCut ? BEFORE_MS : 0);
    return [{ fromMs: Math.max(0, timestamp - BEFORE_MS), toMs }];
  });
}

/** Silences it in the file. Where that fails the file is removed: nobody may hear what should be silent. */
export async function silencePrivate(
  path: string | null,
  transcript: readonly TranscriptEntry[],
  rules: RedactionRules | null,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  if (path === null || rules === null) return;
  try {
    await silenceWav(path, privateParts(transcript, rules));
  } catch (error) {
    log.error({ error: messageOf(error) }, 'the recording could not be silenced: it is removed');
    await rm(path, { force: true }).catch(() => undefined);
  }
}
