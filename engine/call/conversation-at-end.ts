// The conversation of a call that has ended, as its end keeps it.
import type { CallTimeline } from '../../db/domain/calls/timeline.ts';
import type { Use } from '../../db/domain/cost/uses.ts';
import type { CallUsage, CallWaits, EngineFallback, TranscriptEntry } from '../../db/records/resources.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { LegEnd } from '../sip/telephony.ts';
import type { CallFacts } from './going-on/continuation.ts';
import type { CallKeys } from './keys.ts';
import type { CallLanguages } from './languages/languages.ts';
import type { CallRecord } from './record.ts';
import type { CallReports } from './reports.ts';
import type { CallTimings } from './timings.ts';

export interface Conversation {
  transcript: TranscriptEntry[];
  turnLatenciesMs: readonly number[];
  /** Null if nothing was timed. */
  timeline: CallTimeline | null;
  /** Null if every turn began with its answer. */
  waits: CallWaits | null;
  toolsUsed: readonly string[];
  wantsCallBack: boolean;
  failedTurns: number;
  booked: ReadonlyArray<{ service: string | null; startsAtText: string }>;
  isMachine: boolean;
  /** Null without a model server. */
  usage: CallUsage | null;
  /** To be priced. */
  uses: readonly Use[];
  /** BCP 47, in order. */
  languages: readonly string[];
  fallbacks: readonly EngineFallback[];
  /** How the peer's leg ended; null while it is up. */
  legEnd: LegEnd | null;
  /** Wall clock, ms; null for a call that was never answered. */
  answeredAtMs: number | null;
}

/** The parts of a call that know of its conversation. */
interface EndedParts {
  record: Pick<CallRecord, 'transcript'> & { timings: Pick<CallTimings, 'gapsMs' | 'timeline' | 'waits'> };
  languages: Pick<CallLanguages, 'led'>;
  reports: Pick<CallReports, 'fallbacks' | 'legEnd'>;
  dialogue: Pick<Dialogue, 'failed' | 'tools' | 'wantsCallBack'> & { answers: Pick<Dialogue['answers'], 'usage'> };
  keys: Pick<CallKeys, 'isOptedOut'>;
  facts: Pick<CallFacts, 'isMachine' | 'answeredAtMs'>;
  uses: readonly Use[];
}

export function conversationAtEnd(ended: EndedParts): Conversation {
  const { record, languages, reports, dialogue, keys, facts, uses } = ended;
  const { failed, tools, wantsCallBack, answers } = dialogue;
  return {
    transcript: record.transcript,
    turnLatenciesMs: record.timings.gapsMs,
    timeline: record.timings.timeline,
    waits: record.timings.waits,
    toolsUsed: [...tools.used, ...(keys.isOptedOut ? ['opt_out'] : [])],
    wantsCallBack,
    failedTurns: failed.count,
    booked: tools.booked,
    isMachine: facts.isMachine,
    usage: answers.usage,
    uses,
    languages: facts.answeredAtMs === null ? [] : languages.led,
    fallbacks: [...reports.fallbacks, ...failed.fallbacks],
    legEnd: reports.legEnd,
    answeredAtMs: facts.answeredAtMs,
  };
}
