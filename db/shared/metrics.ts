// The engine's figures for `GET /metrics`: one JSON snapshot in its state row, written every second; the API reads and
// exposes it. Counters start at 0 with the engine; Prometheus handles their reset.

import { INVITE_REFUSALS } from '../domain/calls/invite-refusals.ts';
import { type Resumption, TURN_STAGES, type TurnStage } from '../domain/calls/timeline.ts';

import type { EventLoopDelay } from './process/event-loop.ts';

/** A histogram: the buckets become cumulative when the API exposes them. */
export interface Histogram {
  /** Upper bounds, ascending. */
  bounds: number[];
  /** One per bound and one for +Inf; not cumulative: each observation is in one bucket. */
  counts: number[];
  sum: number;
}

export interface EngineMetrics {
  /** Calls with media or ringing now, by direction. */
  activeCalls: { inbound: number; outbound: number; browser: number };
  /** Calls that ended since the start, by final status. */
  endedCalls: { COMPLETED: number; FAILED: number; VOICEMAIL: number };
  /**
   * Calls of a process that has ended with which this one went on, by cause, and how long their callers heard
   * nothing.
   */
  resumedCalls: Record<Resumption['cause'], number>;
  resumeGapSeconds: Histogram;
  /** Calls refused because MAX_CALLS was reached, or no model worker was running. */
  refusedCalls: number;
  /** Calls refused before there was one, by reason; older engines have none. */
  refusedInvites?: Record<string, number>;
  /** SIP that was refused: unknown sources answered and dropped, overload, connections closed at accept. */
  refusedSip: { stranger: number; dropped: number; overload: number; connection: number };
  /** Caller's last speech frame to the agent's first, in seconds. */
  turnLatencySeconds: Histogram;
  /** Duration of the stages of an answered turn, in seconds. */
  turnStageSeconds: Record<TurnStage, Histogram>;
  /** From the onset of an interrupting caller to the agent's silence, in seconds. */
  yieldSeconds: Histogram;
  /** Confirmed interruptions of the agent by the caller. */
  bargeIns: number;
  /** Pauses of playout that were not an interruption (a cough, "uh-huh") and were resumed. */
  falseInterruptions: number;
  /** How often a browser's audio began to take that path after another one. */
  audioPaths: { webrtc: number; socket: number };
  /** Deadlines that a model missed, by port. */
  modelDeadlinesMissed: { stt: number; tts: number; llm: number; vad: number };
  /** Requests to the turn-end model about callers' pauses, by outcome, and their duration in seconds. */
  turnEnds: { judged: number; late: number; failed: number };
  turnEndSeconds: Histogram;
  /** Utterances and texts for which the built-in engine replaced the chosen one. */
  modelFallbacks: { stt: number; tts: number; 'speech-to-speech': number };
  /** Turns of callers that have ended, and those in which the model failed, by who answered them. */
  turns: number;
  failedTurns: { receptionist: number; nobody: number };
  /** Requests to the dialogue model's server; those discarded were guesses that nobody heard. */
  llmRequests: { spoken: number; discarded: number };
  /** Requests to the fallback model among them. */
  llmFallbackRequests: number;
  /** As reported by the servers. `cached` is part of `prompt`, `discarded` of prompt and completion. */
  llmTokens: { prompt: number; cached: number; completion: number; discarded: number };
  /** |time between two packets sent - 20 ms| over the last minute, in seconds. */
  pacingErrorSeconds: { p50: number; p99: number; max: number };
  /** How late timers of the engine's main thread fire, over the last minute, in seconds. */
  eventLoopDelaySeconds: EventLoopDelay;
  /** Items that wait now, by queue, e.g. `stt`, `tts`, `vad`, `writer`, `requests`. */
  queueDepths: Record<string, number>;
  /** One grouped commit of the engine's writer, in seconds. */
  databaseWriteSeconds: Histogram;
}

/** The fault of a model in the engine's state row, for `GET /admin/status`. */
export interface ModelFault {
  model: 'llm' | 'stt' | 'tts' | 'vad' | 'speech-to-speech';
  /** Found by a request to its server, or on a call. */
  source: 'server' | 'call';
  message: string;
  atMs: number;
}

/** Parts of a request that a model refuses, in the engine's state row: requests are sent without them. */
export interface LearnedOfServer {
  /** Host and path of its base URL. */
  server: string;
  model: string;
  refused: string[];
  atMs: number;
}

/** Turn latency: the targets are 45 and 80 ms for the engine alone, 650 ms with models. */
const TURN_LATENCY_BOUNDS_SECONDS = [0.025, 0.05, 0.08, 0.12, 0.2, 0.35, 0.5, 0.65, 0.8, 1, 1.5, 2, 3, 5];
/** The answer is needed within the 180 ms between a noticed pause and the shortest turn end. */
const TURN_END_BOUNDS_SECONDS = [0.01, 0.02, 0.04, 0.06, 0.1, 0.18, 0.3, 0.6, 1.6];
/** The wire takes less than 20 ms, a large model seconds. */
const STAGE_BOUNDS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.5, 2, 3, 5];
/** 95 ms is the target; half a second of voice interrupts without words. */
const YIELD_BOUNDS_SECONDS = [0.02, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.5, 2];
/** A start of an engine takes one to three seconds; after thirty nobody goes on. */
const RESUME_GAP_BOUNDS_SECONDS = [0.1, 0.2, 0.4, 1, 1.5, 2, 2.5, 3, 4, 6, 10, 20];
/** A commit takes 0.1-10 ms; a locked database seconds. */
const DATABASE_WRITE_BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** A histogram without observations. @param bounds ascending upper bounds */
export function createHistogram(bounds: readonly number[]): Histogram {
  return { bounds: [...bounds], counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
}

/** Counts one observation, in the unit of the bounds. */
export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram;
  let bucket = 0;
  for (const bound of bounds) {
    if (value <= bound) break;
    bucket++;
  }
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  histogram.sum += value;
}

const stageHistograms = () =>
  Object.fromEntries(TURN_STAGES.map((stage) => [stage, createHistogram(STAGE_BOUNDS_SECONDS)])) as Record<
    TurnStage,
    Histogram
  >;

/** All figures at zero, for the start of an engine. */
export function createEngineMetrics(): EngineMetrics {
  return {
    activeCalls: { inbound: 0, outbound: 0, browser: 0 },
    endedCalls: { COMPLETED: 0, FAILED: 0, VOICEMAIL: 0 },
    resumedCalls: { crash: 0, upgrade: 0, moved: 0 },
    resumeGapSeconds: createHistogram(RESUME_GAP_BOUNDS_SECONDS),
    refusedCalls: 0,
    refusedInvites: Object.fromEntries(INVITE_REFUSALS.map((reason) => [reason, 0])),
    refusedSip: { stranger: 0, dropped: 0, overload: 0, connection: 0 },
    turnLatencySeconds: createHistogram(TURN_LATENCY_BOUNDS_SECONDS),
    turnStageSeconds: stageHistograms(),
    yieldSeconds: createHistogram(YIELD_BOUNDS_SECONDS),
    bargeIns: 0,
    falseInterruptions: 0,
    audioPaths: { webrtc: 0, socket: 0 },
    modelDeadlinesMissed: { stt: 0, tts: 0, llm: 0, vad: 0 },
    turnEnds: { judged: 0, late: 0, failed: 0 },
    turnEndSeconds: createHistogram(TURN_END_BOUNDS_SECONDS),
    modelFallbacks: { stt: 0, tts: 0, 'speech-to-speech': 0 },
    turns: 0,
    failedTurns: { receptionist: 0, nobody: 0 },
    llmRequests: { spoken: 0, discarded: 0 },
    llmFallbackRequests: 0,
    llmTokens: { prompt: 0, cached: 0, completion: 0, discarded: 0 },
    pacingErrorSeconds: { p50: 0, p99: 0, max: 0 },
    eventLoopDelaySeconds: { p50: 0, p99: 0, max: 0 },
    queueDepths: {},
    databaseWriteSeconds: createHistogram(DATABASE_WRITE_BOUNDS_SECONDS),
  };
}
