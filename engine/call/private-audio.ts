// Where in a recording something private was said, as no recogniser tells the times of all words: the speaker's channel
// is silent over the whole utterance, from just before its first word to their next one. It is found in the transcript,
// which has been redacted or not, so that an engine that goes on with the call, or closes it, knows it as well.
import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { findPrivate, type RedactionRules } from '../../db/domain/redaction/find.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import { type AudioPart, silenceWav } from '../../media/wav-silence.ts';

/** A recogniser may hear the beginning of a word late. */
const BEFORE_MS = 300;
const CALLER = 0;
/** The agent, and whoever speaks in its place. */
const OTHERS = 1;

const channelOf = ({ speaker }: TranscriptEntry): number => (speaker === 'caller' ? CALLER : OTHERS);

/**
 * @param transcript its times are ms from the beginning of the recording
 * @param cutsMs where an engine was lost: what was being said then has no entry
 */
export function privateParts(
  transcript: readonly TranscriptEntry[],
  rules: RedactionRules,
  cutsMs: readonly number[] = [],
): AudioPart[] {
  const heard = transcript.filter(({ line }) => line === undefined).sort((a, b) => a.timestamp - b.timestamp);
  const replaced = new RegExp(`\\[(?:${rules.kinds.join('|')})\\]`);
  const nextOf = (channel: number, afterMs: number): number | null =>
    heard.find((entry) => channelOf(entry) === channel && entry.timestamp > afterMs)?.timestamp ?? null;
  const parts = heard.flatMap((entry): AudioPart[] => {
    const { text, timestamp } = entry;
    if (!replaced.test(text) && findPrivate(text, rules).length === 0) return [];
    const fromMs = Math.max(0, timestamp - BEFORE_MS);
    const own = channelOf(entry);
    const part = (channel: number) => ({ fromMs, toMs: nextOf(channel, timestamp), channel });
    // A line may send our voice back.
    return own === CALLER ? [part(CALLER)] : [part(OTHERS), part(CALLER)];
  });
  const cuts = cutsMs.map((cutMs): AudioPart => {
    const last = heard.findLast(({ timestamp }) => timestamp < cutMs);
    return { fromMs: last?.timestamp ?? 0, toMs: Number.isFinite(cutMs) ? cutMs : null, channel: CALLER };
  });
  return [...parts, ...cuts];
}

/** Silences it in the file. False where that fails: then the file is removed, as nobody may hear it. */
export async function silencePrivate(
  path: string,
  parts: readonly AudioPart[],
  log: Pick<Logger, 'error'>,
): Promise<boolean> {
  try {
    await silenceWav(path, parts);
    return true;
  } catch (error) {
    log.error({ error: messageOf(error) }, 'the recording could not be silenced: it is removed');
    await rm(path, { force: true }).catch(() => undefined);
    return false;
  }
}
