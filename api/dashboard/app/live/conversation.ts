// The state of a running call from its events: the transcript, the current turn, the duration of each response gap.
import type { TranscriptEntry } from '../api-types.ts';

export interface SaidEntry extends TranscriptEntry {
  /** The caller's wait for this reply; null if nobody waited. */
  gapMs: number | null;
}

export interface Conversation {
  said: readonly SaidEntry[];
  /** The words that are being said right now, as far as they are known. */
  saying: readonly TranscriptEntry[];
  /** `listening`, `thinking`, `speaking`; null before the call is answered. */
  state: string | null;
  gapsMs: readonly number[];
  /** A measured gap whose reply has no words yet. */
  waitingGapMs: number | null;
}

export type CallEvent =
  | ({ type: 'transcript' } & TranscriptEntry)
  | { type: 'words'; said: readonly TranscriptEntry[] }
  | { type: 'state'; state: string }
  | { type: 'latency'; ms: number };

export const SILENT: Conversation = { said: [], saying: [], state: null, gapsMs: [], waitingGapMs: null };

export function follow(conversation: Conversation, event: CallEvent): Conversation {
  switch (event.type) {
    case 'state':
      return { ...conversation, state: event.state };
    case 'words':
      return { ...conversation, saying: event.said };
    case 'latency':
      return measured({ ...conversation, gapsMs: [...conversation.gapsMs, event.ms] }, event.ms);
    case 'transcript':
      return heard({ ...conversation, saying: conversation.saying.filter((entry) => !isSame(entry, event)) }, event);
    default:
      // A newer service may tell more.
      return conversation;
  }
}

/** A line of a live transcript. */
export interface LiveLine extends SaidEntry {
  /** It is being said: more words may come, and a recogniser may think again. */
  isUnfinished: boolean;
}

/** The finished and the running sentences as lines. A sentence that goes on is shown once, with all its words. */
export function linesOf({ said, saying }: Conversation): LiveLine[] {
  const isGoingOn = (entry: TranscriptEntry): boolean => {
    const known = said.find((other) => isSame(other, entry));
    return known === undefined || entry.text.length > known.text.length;
  };
  const unfinished = saying.filter(isGoingOn);
  return [
    ...said
      .filter((entry) => !unfinished.some((other) => isSame(other, entry)))
      .map((entry) => ({ ...entry, isUnfinished: false })),
    ...unfinished.map((entry) => ({ ...entry, gapMs: null, isUnfinished: true })),
  ].sort((a, b) => a.timestamp - b.timestamp);
}

const isSame = (one: TranscriptEntry, other: TranscriptEntry): boolean =>
  one.speaker === other.speaker && one.line === other.line && one.timestamp === other.timestamp;

/** The words of a reply arrive before or after its measured gap. */
function measured(conversation: Conversation, gapMs: number): Conversation {
  const { said } = conversation;
  const newest = said.at(-1);
  const isReply = newest?.speaker === 'agent' && newest.gapMs === null && said.at(-2)?.speaker === 'caller';
  if (!isReply) return { ...conversation, waitingGapMs: gapMs };
  return { ...conversation, said: [...said.slice(0, -1), { ...newest, gapMs }] };
}

/** An entry with the same speaker and time replaces the earlier one: the speaker continued. */
function heard(conversation: Conversation, { speaker, text, timestamp, line }: TranscriptEntry): Conversation {
  const { said, waitingGapMs } = conversation;
  const of = { speaker, text, timestamp, ...(line === undefined ? {} : { line }) };
  const known = said.findIndex((entry) => isSame(entry, of));
  if (known !== -1) {
    return { ...conversation, said: said.map((entry, index) => (index === known ? { ...entry, text } : entry)) };
  }
  const takesGap = speaker === 'agent' && line === undefined && waitingGapMs !== null;
  const entry: SaidEntry = { ...of, gapMs: takesGap ? waitingGapMs : null };
  return {
    ...conversation,
    said: [...said, entry].sort((a, b) => a.timestamp - b.timestamp),
    waitingGapMs: takesGap ? null : waitingGapMs,
  };
}

/** The median; null of no values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
