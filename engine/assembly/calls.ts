// Where calls come from and go to: telephony, trunks, the switchboard, the dialler, and the other engines.
import { join } from 'node:path';
import { messageOf } from '../../db/domain/unexpected.ts';
import { isLiveCredential } from '../../db/rules/live-credential.ts';
import { Reruns } from '../after-call/reruns.ts';
import { ApiRequests } from '../api-requests.ts';
import type { CallStore } from '../call/context.ts';
import { isMovable } from '../call/going-on/moved.ts';
import { TenantTools } from '../call/own-tools.ts';
import { createTransferPermits } from '../call/persons/transfer-permits.ts';
import { createCallStore } from '../call/store.ts';
import { Dialler } from '../campaign/dialler.ts';
import { TrunkPaces } from '../campaign/pace.ts';
import { every } from '../clock.ts';
import { answersAnyhow } from '../cluster/ask-engine.ts';
import { startControl } from '../cluster/control-server.ts';
import { Coordinator } from '../cluster/coordinator.ts';
import { Places } from '../cluster/places.ts';
import { RemoteCalls } from '../cluster/remote-calls.ts';
import { Openings } from '../dialogue/openings.ts';
import { Fence } from '../fence.ts';
import { Listeners } from '../listeners.ts';
import { ModelDownloads } from '../models/downloads.ts';
import { writePreview } from '../models/preview.ts';
import { QuestionVectors } from '../models/question-vectors.ts';
import { ModelTrials } from '../models/trial.ts';
import { BEAT_EVERY_MS } from '../silence.ts';
import { createTelephony } from '../sip/adapters/create.ts';
import { MovedCalls } from '../succession/by-database.ts';
import { rehearseTakeOver, type Setups, takeOverCalls } from '../succession/by-journal.ts';
import { LostCalls, recoverCall, recoverCalls } from '../succession/close.ts';
import { FailureDetector, type FailureDetectorOptions } from '../succession/failure-detector.ts';
import { Switchboard } from '../switchboard.ts';
import { RefusedCalls } from '../sync/refused-calls.ts';
import { SipAccountSync } from '../sync/sip-accounts.ts';
import { TrunkSync } from '../sync/trunks.ts';
import type { Media } from './media.ts';
import { openRecordings } from './recordings.ts';
import type { Storage } from './storage.ts';

export type Calls = Awaited<ReturnType<typeof connectCalls>>;

/** Nothing is called, and nobody can call, before `telephony` and `coordinator` are started. */
export async function connectCalls(storage: Storage, media: Media) {
  const { config, clock, log, outage, read, writer, secretKey, engineId, home, isShared, skewMs } = storage;
  const { fleet, dialogue, shards, metrics, journal } = media;
  const { admission } = media.load;
  const { recordingsDir } = config;
  const now = (): number => clock.nowMs();

  const fence = isShared ? new Fence(() => clock.monotonicMs()) : null;
  const refusedCalls = new RefusedCalls({ writer, clock, log });
  const { telephony, registrar, refusedSip } = await createTelephony(config, {
    installation: secretKey,
    engineId,
    log,
    onRefused: (refused) => refusedCalls.add(refused),
    fence,
  });
  const coordinator = new Coordinator({
    config,
    clock,
    log,
    outage,
    isLast: () => !places.hasOthers,
    onChange(leads) {
      if (leads) dialler.start();
      else dialler.stop();
      remoteCalls.clear();
      trunks.refresh().catch(logged('could not read the trunks'));
      requests.take().catch(logged('could not claim requests'));
    },
  });
  const trunks = new TrunkSync({
    read,
    writer,
    telephony,
    secretKey,
    leads: () => coordinator.leads,
    edge: config.sipEdge,
    now,
    log,
  });
  const sipAccounts = new SipAccountSync({ read, writer, registrar, secretKey, now, log });
  const recordings = await openRecordings(storage, media, (callId) => switchboard.has(callId));
  const { state: recordingState, afterCall } = recordings;
  const reruns = new Reruns({
    read,
    writer,
    get model() {
      return dialogue.model;
    },
    leads: () => coordinator.leads,
    whenFree: () => afterCall.whenModelIsFree(),
    clock,
    log,
    outage,
  });
  const paces = new TrunkPaces(clock);
  const ownTools = new TenantTools({ secretKey, allowPrivate: config.webhookAllowPrivate, log });
  const places = new Places({ read, engineId, admission, clock, skewMs });
  const listeners: Listeners = new Listeners({
    atDoor: (command) => shards.atDoor(command),
    shards,
    writer,
    isLive: (credential) => isLiveCredential(read, credential),
    call: (callId) => switchboard.listened(callId),
    clock,
    log,
  });
  media.onListener((event) => listeners.onEvent(event));
  const paceOf = (trunkId: string): number => paces.reserve(trunkId, trunks.limits(trunkId)?.callsPerSecond ?? 1);
  const switchboard: Switchboard = new Switchboard({
    listeners,
    openings: new Openings(),
    telephony,
    shards,
    writer,
    read,
    store: createCallStore(read, vectorsOf(storage)),
    dialogueOfCall: () => ({ ...dialogue.ofCalls, ...speechToSpeechOf(fleet) }),
    tools: ownTools,
    llmTimeoutMs: config.llmTimeoutMs,
    voices: () => fleet.description.tts.voices ?? [],
    get recogniser() {
      return { ...fleet.recogniser, denoise: config.noiseSuppression };
    },
    recordingsDir,
    recordingState,
    ...(journal ? { journal } : {}),
    clock,
    log,
    metrics,
    engineId,
    admission,
    places,
    trunksFor: (phoneNumberId) => trunks.trunksFor(phoneNumberId),
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
    onRefused: (refused) => refusedCalls.add(refused),
    onCallEnded: (ended, recorded) => {
      dialler.onCallEnded(ended);
      afterCall.expect(ended.callId);
      void recorded.then(() => afterCall.add(ended.accountId, ended.callId));
    },
  });
  const downloads = new ModelDownloads(join(config.dataDir, 'models'), log);
  const trials = new ModelTrials({ environment: process.env, dataDir: config.dataDir, secretKey, clock });
  const requests = new ApiRequests({
    read,
    writer,
    clock,
    engineId,
    log,
    calls: switchboard,
    places: () => coordinator.leads,
    renderPreview: async ({ voiceId, path }) => writePreview(path, await media.renderSample(voiceId)),
    downloadModel: (engine) => downloads.add(engine),
    admitListener: (wish) => listeners.admit(wish),
    testModel: (sealed) => trials.run(sealed),
  });
  const dialler: Dialler = new Dialler({
    read,
    writer,
    trunks,
    paces,
    places,
    release: () => admission.release(),
    clock,
    log,
    dial: (callId) => switchboard.dialClaimed(callId),
    lease: () => coordinator.lease,
    onGiven: (call) => remoteCalls.add(call),
  });
  const remoteCalls = new RemoteCalls(read, (trunkId, terminal) =>
    dialler.onCallEnded({ trunkId, isOutbound: true, terminal }),
  );
  const taking =
    journal === null ? null : { journal, read, writer, telephony, switchboard, engineId, isShared, clock, log };
  let rehearsed: Promise<Setups> | undefined;
  if (taking !== null) telephony.expectCalls?.(true);
  const recovery = { read, writer, telephony, engineId, recordingsDir, recordingState, now, log };
  const movedCalls = new MovedCalls({
    ...{ read, writer, telephony, switchboard, admission, places, engineId, home, recordingsDir, clock, skewMs, log },
    sealingKey: secretKey,
    isOn: journal !== null,
    close: (orphan) => recoverCall(orphan, recovery),
  });
  // With one engine there is nobody else who could go on.
  const recover = () =>
    recoverCalls(isShared ? { ...recovery, claim: (orphans) => movedCalls.claim(orphans) } : recovery);
  if (isShared)
    journal?.share({
      skewMs,
      isMovable,
      write: (callId, sealed) =>
        writer.run('writeContinuation', { callId, engineId, sealed, writtenAt: now() + skewMs() }),
      remove: (callId) => writer.run('deleteContinuation', { callId }),
    });

  function logged(message: string): (error: unknown) => void {
    return (error) => outage.explains(error) || log.error({ error: messageOf(error) }, message);
  }

  return {
    telephony,
    refusedSip,
    refusedCalls,
    coordinator,
    trunks,
    sipAccounts,
    recordings,
    reruns,
    places,
    switchboard,
    listeners,
    requests,
    dialler,
    remoteCalls,
    /** Goes on with the calls of the engine that had this folder before. */
    takeOver: async (): Promise<void> => {
      if (taking !== null) await takeOverCalls(taking, await rehearsed);
      telephony.expectCalls?.(false);
    },
    /** Before that engine leaves them. */
    rehearse: async (): Promise<void> => {
      if (taking !== null) rehearsed = rehearseTakeOver(taking);
      await rehearsed;
    },
    /** Goes on with calls of engines that were lost with their machines. */
    takeMoved: () => movedCalls.look(),
    /** Closes the calls that engines which have ended left open. */
    recover,
    lostCalls: new LostCalls(recovery, (callId) => switchboard.has(callId) || movedCalls.has(callId)),
    /** Finds out which other engines have died. */
    failureDetector: ({ sipUri, soundSince }: { sipUri: string } & Pick<FailureDetectorOptions, 'soundSince'>) =>
      new FailureDetector({
        read,
        writer,
        engineId,
        clock,
        log,
        outage,
        skewMs,
        soundSince,
        answers: (engine) => answersAnyhow(engine, { sealingKey: secretKey, nowMs: now, telephony, sipUri }),
        closeCalls: recover,
      }),
    /** From now on an engine that stood still ends. */
    raiseFence(): void {
      if (fence === null) return;
      fence.raise();
      every(clock, BEAT_EVERY_MS, () => fence.pass());
    },
    /** Where APIs and other engines ask this one; null with SQLite, where there is nobody else to ask. */
    control: () =>
      isShared
        ? startControl({
            ...config.control,
            sealingKey: secretKey,
            now,
            renderSample: media.renderSample,
            endCall: (callId) => switchboard.endCall(callId),
            disk: { id: home, recordingsDir },
          })
        : null,
  };
}

/** As it is shown: of a plug-in's path only that it is one. */
function speechToSpeechOf({ speechToSpeech }: Media['fleet']): { speechToSpeech?: { engine: string } } {
  if (speechToSpeech === null) return {};
  const { name } = speechToSpeech;
  return { speechToSpeech: { engine: name.startsWith('module:') ? 'module' : name } };
}

/** Null: no server makes vectors. */
function vectorsOf({ config: { embeddings }, clock, log }: Storage): CallStore['vectorOf'] | null {
  if (embeddings === null) return null;
  const vectors = new QuestionVectors(embeddings, clock, log);
  return (words) => vectors.of(words);
}
