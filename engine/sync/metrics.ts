// The engine's metrics, counted where the events occur and written to the state row every second for `GET /metrics`.
import { stageDurations } from '../../db/domain/calls/timeline.ts';
import { createEngineMetrics, type EngineMetrics, type ModelFault, observe } from '../../db/shared/metrics.ts';
import type { WriterStats } from '../../db/writing/writer.ts';
import type { CallMetrics } from '../call/context.ts';

interface PacingSample {
  errorP50Ms: number;
  errorP99Ms: number;
  errorMaxMs: number;
}

export interface Metrics extends CallMetrics {
  refused(): void;
  pacing(shardIndex: number, sample: PacingSample): void;
  snapshot(
    now: { writer: WriterStats; recordings?: number | null } & Pick<
      EngineMetrics,
      'activeCalls' | 'refusedSip' | 'refusedInvites' | 'eventLoopDelaySeconds'
    >,
  ): EngineMetrics;
}

/** `onModelFault` gets the faults of models as text. */
export function createMetrics(onModelFault: (model: ModelFault['model'], message: string) => void = () => {}): Metrics {
  const metrics = createEngineMetrics();
  const pacing = new Map<number, PacingSample>();
  let operationsSeen = 0;
  return {
    turnLatency: (ms) => observe(metrics.turnLatencySeconds, ms / 1000),
    turnTimed: (turn) => {
      for (const [stage, ms] of stageDurations(turn)) observe(metrics.turnStageSeconds[stage], ms / 1000);
    },
    yieldTimed: (ms) => observe(metrics.yieldSeconds, ms / 1000),
    bargeIn: () => {
      metrics.bargeIns++;
    },
    falseInterruption: () => {
      metrics.falseInterruptions++;
    },
    audioPath: (path) => {
      metrics.audioPaths[path]++;
    },
    modelFailed: (model) => {
      if (model in metrics.modelDeadlinesMissed) metrics.modelDeadlinesMissed[model]++;
      onModelFault(model, 'it failed or came too late on a call');
    },
    turnEndJudged: (outcome, ms) => {
      metrics.turnEnds[outcome]++;
      observe(metrics.turnEndSeconds, ms / 1000);
    },
    modelFallback: (model) => {
      metrics.modelFallbacks[model]++;
      if (model !== 'speech-to-speech') onModelFault(model, 'the built-in engine stood in on a call');
      else onModelFault(model, 'its session was lost on a call, which went on without it');
    },
    modelUsed: (used, isDiscarded) => {
      const { promptTokens, cachedTokens, completionTokens } = used;
      metrics.llmRequests[isDiscarded ? 'discarded' : 'spoken'] += used.requests;
      metrics.llmFallbackRequests += used.fallbackRequests;
      metrics.llmTokens.prompt += promptTokens ?? 0;
      metrics.llmTokens.cached += cachedTokens ?? 0;
      metrics.llmTokens.completion += completionTokens ?? 0;
      if (isDiscarded) metrics.llmTokens.discarded += (promptTokens ?? 0) + (completionTokens ?? 0);
    },
    turnEnded: (end) => {
      metrics.turns++;
      if (end.by !== 'model') metrics.failedTurns[end.isAnswered ? 'receptionist' : 'nobody']++;
    },
    callEnded: (status) => {
      metrics.endedCalls[status]++;
    },
    resumed: ({ cause, gapMs }) => {
      metrics.resumedCalls[cause]++;
      observe(metrics.resumeGapSeconds, gapMs / 1000);
    },
    refused: () => {
      metrics.refusedCalls++;
    },
    pacing: (shardIndex, sample) => {
      pacing.set(shardIndex, sample);
    },
    snapshot({ writer, recordings = null, activeCalls, refusedSip, refusedInvites, eventLoopDelaySeconds }) {
      if (writer.operations !== operationsSeen) observe(metrics.databaseWriteSeconds, writer.lastMs / 1000);
      operationsSeen = writer.operations;
      const shards = [...pacing.values()];
      const worst = (pick: (sample: PacingSample) => number): number => Math.max(0, ...shards.map(pick)) / 1000;
      return {
        ...metrics,
        activeCalls,
        refusedSip,
        refusedInvites: { ...metrics.refusedInvites, ...refusedInvites },
        eventLoopDelaySeconds,
        queueDepths: { writer: writer.queued, ...(recordings === null ? {} : { recordings }) },
        pacingErrorSeconds: {
          p50: worst((sample) => sample.errorP50Ms),
          p99: worst((sample) => sample.errorP99Ms),
          max: worst((sample) => sample.errorMaxMs),
        },
      };
    },
  };
}
