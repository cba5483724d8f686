// Where calls come from and go to: the line, trunks, the switchboard, the dialler, and the other engines. Each part is
// made before those that use it; what flows back is told to listeners that are added afterwards.
import { join } from 'node:path';
import { messageOf } from '../../db/domain/unexpected.ts';
import { isLiveCredential } from '../../db/rules/live-credential.ts';
import { Reruns } from '../after-call/reruns.ts';
import { TrunkPaces } from '../campaign/pace.ts';
import { startControl } from '../cluster/control-server.ts';
import { Coordinator } from '../cluster/coordinator.ts';
import { Places } from '../cluster/places.ts';
import { ModelDownloads } from '../models/downloads.ts';
import { writePreview } from '../models/trials/preview.ts';
import { ModelTrials } from '../models/trials/trial.ts';
import { ApiRequests } from '../switchboard/api-requests.ts';
import { Listeners } from '../switchboard/listeners.ts';
import { RunningCalls } from '../switchboard/running-calls.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';
import { SipAccountSync } from '../sync/sip-accounts.ts';
import { TrunkSync } from '../sync/trunks.ts';
import { ExpectedCalls } from '../test-runs/expected-calls.ts';
import { createSwitchboard } from './call-ports.ts';
import { connectDialling } from './dialling.ts';
import { connectSuccession } from './left-calls.ts';
import { openLine } from './line.ts';
import type { Media } from './media.ts';
import { openRecordings } from './recordings.ts';
import type { Storage } from './storage.ts';

export type Calls = Awaited<ReturnType<typeof connectCalls>>;

/** Nothing is called, and nobody can call, before `telephony` and the coordinator are started. */
export async function connectCalls(storage: Storage, media: Media) {
  const { config, clock, log, outage, read, writer, secretKey, engineId, skewMs } = storage;
  const { admission } = media.load;
  const now = (): number => clock.nowMs();

  const line = await openLine(storage);
  const { telephony } = line;
  const places = new Places({ read, engineId, admission, clock, skewMs });
  const coordinator = new Coordinator({ config, clock, log, outage, isLast: () => !places.hasOthers });
  const leads = (): boolean => coordinator.leads;
  const trunks = new TrunkSync({ read, writer, telephony, secretKey, leads, edge: config.sipEdge, now, log });
  const sipAccounts = new SipAccountSync({ read, writer, registrar: line.registrar, secretKey, now, log });
  const running = new RunningCalls();
  const listeners = createListeners(storage, media, running);
  const recordings = await openRecordings(storage, media, (callId) => running.has(callId));
  const { state: recordingState, afterCall } = recordings;
  const reruns = createReruns(storage, media, { leads, whenFree: () => afterCall.whenModelIsFree() });
  const paces = new TrunkPaces(clock);
  const expectedTests = new ExpectedCalls();
  const callParts = { line, running, listeners, places, trunks, paces, recordingState, expectedTests };
  const switchboard = createSwitchboard(storage, media, callParts);
  const dialling = connectDialling({
    ...{ read, writer, trunks, paces, places, clock, log, coordinator },
    release: () => admission.release(),
    dial: (callId) => switchboard.dialClaimed(callId),
  });
  running.onEnded((ended, recorded) => {
    dialling.dialler.onCallEnded(ended);
    afterCall.expect(ended.callId);
    void recorded.then(() => afterCall.add(ended.accountId, ended.callId));
  });
  const requests = createRequests(storage, media, { switchboard, listeners, leads });
  const succession = connectSuccession(storage, media, { telephony, switchboard, running, places, recordingState });

  const logged = (message: string) => (error: unknown) =>
    outage.explains(error) || log.error({ error: messageOf(error) }, message);
  return {
    ...line,
    ...succession,
    coordinator,
    /** This engine places calls as soon as no other one does. */
    coordinate: () =>
      coordinator.start((isLeading) => {
        dialling.lead(isLeading);
        trunks.refresh().catch(logged('could not read the trunks'));
        requests.take().catch(logged('could not claim requests'));
      }),
    trunks,
    sipAccounts,
    recordings,
    reruns,
    places,
    running,
    switchboard,
    expectedTests,
    listeners,
    requests,
    dialling,
    control: () => openControl(storage, media, switchboard),
  };
}

function createListeners({ clock, log, read, writer }: Storage, media: Media, running: RunningCalls): Listeners {
  const { shards } = media;
  const listeners = new Listeners({
    atDoor: (command) => shards.atDoor(command),
    shards,
    writer,
    isLive: (credential) => isLiveCredential(read, credential, clock.nowMs()),
    call: (callId) => running.listened(callId),
    clock,
    log,
  });
  shards.onListener((event) => listeners.onEvent(event));
  return listeners;
}

function createReruns(
  { clock, log, outage, read, writer }: Storage,
  { dialogue }: Media,
  of: { leads(): boolean; whenFree(): Promise<void> },
): Reruns {
  return new Reruns({
    ...{ read, writer, clock, log, outage, ...of },
    get model() {
      return dialogue.model;
    },
  });
}

function createRequests(
  { config, clock, log, read, writer, secretKey, engineId }: Storage,
  media: Media,
  { switchboard, listeners, leads }: { switchboard: Switchboard; listeners: Listeners; leads(): boolean },
): ApiRequests {
  const { dataDir } = config;
  const downloads = new ModelDownloads(join(dataDir, 'models'), log);
  const trials = new ModelTrials({ environment: process.env, dataDir, secretKey, clock });
  return new ApiRequests({
    ...{ read, writer, clock, engineId, log },
    calls: switchboard,
    places: leads,
    renderPreview: async ({ voiceId, path }) => writePreview(path, await media.renderSample(voiceId)),
    downloadModel: (engine) => downloads.add(engine),
    admitListener: (wish) => listeners.admit(wish),
    testModel: (sealed) => trials.run(sealed),
  });
}

/** Where APIs and other engines ask this one; null with SQLite, where there is nobody else to ask. */
function openControl({ config, clock, secretKey, home, isShared }: Storage, media: Media, switchboard: Switchboard) {
  if (!isShared) return null;
  return startControl({
    ...config.control,
    sealingKey: secretKey,
    now: () => clock.nowMs(),
    renderSample: media.renderSample,
    endCall: (callId) => switchboard.endCall(callId),
    disk: { id: home, recordingsDir: config.recordingsDir },
  });
}
