// A simulated caller's person, line and words, as they go to its thread, and as news comes back.
import type { SimulatedLine } from '../../../db/domain/tests/definitions.ts';

export interface CallerPlan {
  /** `sip:USER@HOST:PORT` */
  address: string;
  /** The caller's number. */
  from: string;
  /** The same seed speaks with the same voice, over the same noise, with the same losses. */
  seed: number;
  /** Null: by seed and language. */
  voice: string | null;
  language: string;
  line: SimulatedLine;
  /** It hangs up after so long. */
  limitMs: number;
}

/** A sentence in the caller's own voice, as it was recorded. */
export interface OwnVoice {
  samples: Int16Array;
  sampleRateHz: number;
}

export type CallerCommand =
  /** `clip`: said in place of a voice's rendering. `index` counts the caller's sentences. */
  { type: 'say'; index: number; text: string; clip?: OwnVoice; afterMs: number } | { type: 'hang-up' };

export type CallerNews =
  | { type: 'answered' }
  | { type: 'agent-started' }
  | { type: 'agent-stopped' }
  | { type: 'said'; index: number }
  | { type: 'ended'; report: CallerReport }
  | { type: 'failed'; message: string };

/** Times in ms from the answer, by the packets at the caller's end of the line. */
export interface SaidSentence {
  index: number;
  text: string;
  startMs: number;
  /** Its last packet. */
  endMs: number;
  /** The first sound of the agent after it, from its end; null: none. */
  gapMs: number | null;
  /** The agent was silent as it began, and spoke before it ended. */
  isCutOff: boolean;
  /** FNV-1a of the µ-law codes of its packets, in hexadecimal: room and echo are in it. */
  sum: string;
}

export interface CallerReport {
  /** SIP status of the end: 200 for a call that was answered. */
  status: number;
  reason: string;
  endedBy: 'caller' | 'agent';
  isAnswered: boolean;
  durationMs: number;
  said: SaidSentence[];
  packetsReceived: number;
}
