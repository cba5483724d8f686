// The engine's news of itself once a second: for the API, for other engines, for metrics and status.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { modelVariablesSet } from '../../db/domain/model-settings.ts';
import { watchEventLoop } from '../../db/shared/process/event-loop.ts';
import { EngineHeart } from '../sync/heartbeat.ts';
import type { Calls } from './calls.ts';
import type { Media } from './media.ts';
import type { Storage } from './storage.ts';

const { version: VERSION } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export function createHeart(storage: Storage, media: Media, calls: Calls): EngineHeart {
  const { engineId, home, skewMs, machineSkewMs, writer, clock, log, outage } = storage;
  const { fleet, load, dialogue, modelHealth, choices, carriedCalls, metrics } = media;
  const { admission } = load;
  const eventLoop = watchEventLoop();
  return new EngineHeart({
    engineId,
    home,
    hostname: hostname(),
    release: VERSION,
    skewMs,
    machineSkewMs,
    onTakenForDead: () => {
      log.fatal('another engine took this one for dead and has ended its calls');
      process.kill(process.pid, 'SIGKILL');
    },
    writer,
    clock,
    log,
    outage,
    snapshot: () => ({
      maxCalls: admission.maxCalls,
      activeCalls: admission.active,
      isLate: load.isClosed,
      models: {
        stt: fleet.stt,
        tts: fleet.tts,
        llm: dialogue.model.name,
        ...(fleet.speechToSpeech === null ? {} : { 'speech-to-speech': fleet.speechToSpeech.name }),
        freeText: fleet.description.stt.freeText ?? true,
        faults: modelHealth.faults,
        learned: (dialogue.model.learned?.() ?? []).map(({ ageMs, ...refused }) => ({
          ...refused,
          atMs: clock.nowMs() - ageMs,
        })),
        variables: modelVariablesSet(process.env),
        settings: choices.taken,
        callLimit: carriedCalls.limit,
      },
      metrics: metrics.snapshot({
        writer: writer.stats(),
        recordings: calls.recordings.waiting(),
        activeCalls: calls.running.countByDirection(),
        refusedSip: calls.refusedSip(),
        refusedInvites: calls.refusedCalls.counts,
        eventLoopDelaySeconds: eventLoop.read(),
      }),
    }),
  });
}
