// The switchboard, with the ports to storage, models, shards and telephony that each of its calls gets.
import type { CallStore } from '../call/context.ts';
import { TenantTools } from '../call/own-tools.ts';
import { createTransferPermits } from '../call/persons/transfer-permits.ts';
import { createCallStore } from '../call/store.ts';
import type { TrunkPaces } from '../campaign/pace.ts';
import type { Places } from '../cluster/places.ts';
import { Openings } from '../dialogue/openings.ts';
import { QuestionVectors } from '../models/question-vectors.ts';
import type { Listeners } from '../switchboard/listeners.ts';
import type { RunningCalls } from '../switchboard/running-calls.ts';
import { Switchboard } from '../switchboard/switchboard.ts';
import type { TrunkSync } from '../sync/trunks.ts';
import type { ExpectedCalls } from '../test-runs/expected-calls.ts';
import { billedEngines } from './billed-engines.ts';
import type { Line } from './line.ts';
import type { Media } from './media.ts';
import type { Recordings } from './recordings.ts';
import type { Storage } from './storage.ts';

interface SwitchboardParts {
  line: Line;
  running: RunningCalls;
  listeners: Listeners;
  places: Places;
  trunks: TrunkSync;
  paces: TrunkPaces;
  recordingState: Recordings['state'];
  expectedTests: ExpectedCalls;
}

export function createSwitchboard(storage: Storage, media: Media, parts: SwitchboardParts): Switchboard {
  const { config, clock, log, read, writer, secretKey, engineId, isShared, outage } = storage;
  const { fleet, dialogue, shards, metrics, journal } = media;
  const { admission } = media.load;
  const { line, running, listeners, places, trunks, paces, recordingState, expectedTests: tests } = parts;
  const paceOf = (trunkId: string): number => paces.reserve(trunkId, trunks.limits(trunkId)?.callsPerSecond ?? 1);
  return new Switchboard({
    running,
    listeners,
    tests,
    openings: new Openings(),
    telephony: line.telephony,
    shards,
    writer,
    read,
    store: createCallStore(read, vectorsOf(storage)),
    dialogueOfCall: () => ({ ...dialogue.ofCalls, ...speechToSpeechOf(fleet) }),
    tools: new TenantTools({ secretKey, allowPrivate: config.webhookAllowPrivate, log }),
    billedEngines: () => billedEngines(fleet),
    llmTimeoutMs: config.llmTimeoutMs,
    voices: () => fleet.description.tts.voices ?? [],
    get recogniser() {
      return { ...fleet.recogniser, denoise: config.noiseSuppression };
    },
    recordingsDir: config.recordingsDir,
    recordingState,
    ...(journal ? { journal } : {}),
    clock,
    log,
    metrics,
    engineId,
    admission,
    // SQLite is a file of this machine, which is never away.
    isDatabaseAway: () => isShared && outage.isAway,
    places,
    trunksFor: (phoneNumberId) => trunks.trunksFor(phoneNumberId),
    acceptsRefer: (trunkId) => trunks.acceptsRefer(trunkId),
    permits: createTransferPermits({
      read,
      places: {
        take: () => admission.admit('inbound'),
        adopt: () => admission.adopt(),
        leave: () => admission.release(),
      },
      maxCallsOf: (trunkId) => trunks.limits(trunkId)?.maxConcurrentCalls ?? null,
      paceOf,
      clock,
    }),
    routeOf: (trunkId) => trunks.routeOf(trunkId),
    paceOf,
    onRead: (read) => line.readInvites.add(read),
    onRefused: (refused) => line.refusedCalls.add(refused),
  });
}

/** As it is shown: of a plug-in's path only that it is one. */
export function speechToSpeechOf({ speechToSpeech }: Media['fleet']): { speechToSpeech?: { engine: string } } {
  if (speechToSpeech === null) return {};
  const { name } = speechToSpeech;
  return { speechToSpeech: { engine: name.startsWith('module:') ? 'module' : name } };
}

/** Null: no server makes vectors. */
export function vectorsOf({ config: { embeddings }, clock, log }: Storage): CallStore['vectorOf'] | null {
  if (embeddings === null) return null;
  const vectors = new QuestionVectors(embeddings, clock, log);
  return (words) => vectors.of(words);
}
