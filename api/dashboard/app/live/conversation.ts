// The state of a running call from its events: the transcript, the current turn, the duration of each response gap.
import type { TranscriptEntry } from '../api-types.ts';

export interface SaidEntry extends TranscriptEntry {
  /** The caller's wait for this reply; null if nobody waited. */
  gapMs: number | null;
}

export interface Conversation {
  said: readonly SaidEntry[];
  /** `listening`, `thinking`, `speaking`; null before the call is answered. */
  state: string | null;
  gapsMs: readonly number[];
  /** A measured gap whose reply has no words yet. */
  waitingGapMs: number | null;
}

export type CallEvent =
  | ({ type: 'transcript' } & TranscriptEntry)
  | { type: 'state'; state: string }
  | { type: 'latency'; ms: number };

export const SILENT: Conversation = { said: [], state: null, gapsMs: [], waitingGapMs: null };

export function follow(conversation: Conversation, event: CallEvent): Conversation {
  switch (event.type) {
    case 'state':
      return { ...conversation, state: event.state };
    case 'latency':
      return measured({ ...conversation, gapsMs: [...conversation.gapsMs, event.ms] }, event.ms);
    case 'transcript':
      return heard(conversation, event);
  }
}

/** The words of a reply arrive before or after its measured gap. */
function measured(conversation: Conversation, gapMs: number): Conversation {
  const { said } = conversation;
  const newest = said.at(-1);
  const isReply = newest?.speaker === 'agent' && newest.gapMs === null && said.at(-2)?.speaker === 'caller';
  if (!isReply) return { ...conversation, waitingGapMs: gapMs };
  return { ...conversation, said: [...said.slice(0, -1), { ...newest, gapMs }] };
}

/** An entry with the same speaker and time replaces the earlier one: the speaker continued. */
function heard(conversation: Conversation, { speaker, text, timestamp }: TranscriptEntry): Conversation {
  const { said, waitingGapMs } = conversation;
  const known = said.findIndex((entry) => entry.speaker === speaker && entry.timestamp === timestamp);
  if (known !== -1) {
    return { ...conversation, said: said.map((entry, index) => (index === known ? { ...entry, text } : entry)) };
  }
  const takesGap = speaker === 'agent' && waitingGapMs !== null;
  const entry: SaidEntry = { speaker, text, timestamp, gapMs: takesGap ? waitingGapMs : null };
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
