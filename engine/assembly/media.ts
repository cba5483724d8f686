// The models that hear, think and speak: their workers, the media threads, and how many calls they carry.
import { rm } from 'node:fs/promises';
import { availableParallelism, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { ModelKind } from '../../db/domain/model-settings.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { watchLongestDelay } from '../../db/shared/process/event-loop.ts';
import { loadDialogueModel } from '../../models/engines.ts';
import { listedVoices, mediaCalls } from '../../models/install/catalogue.ts';
import { probeSpeechToSpeech, probeVendors } from '../../models/vendors/server-probe.ts';
import { ModelBreakers } from '../dialogue/model-breakers.ts';
import { Journal } from '../journal/journal.ts';
import { watchAudioShare } from '../load/audio-share.ts';
import { createLoad } from '../load/load.ts';
import { planThreads } from '../load/sizing.ts';
import { CarriedCalls } from '../models/carried-calls.ts';
import { type EngineChoice, ModelChoices } from '../models/choices.ts';
import { CurrentDialogue } from '../models/current-dialogue.ts';
import { loadFirstDialogue } from '../models/first-dialogue.ts';
import { ModelFleet } from '../models/fleet.ts';
import { ModelHealth } from '../models/health.ts';
import { renderPreview } from '../models/trials/preview.ts';
import { callItself } from '../self-call.ts';
import { ShardPool } from '../shard/pool.ts';
import { createMetrics } from '../sync/metrics.ts';
import type { Storage } from './storage.ts';

export type Media = Awaited<ReturnType<typeof startMedia>>;

/**
 * `mayGoOn`: calls of a dead process may wait to go on, which they do before the models are loaded.
 * @throws the last model's own error when none of a kind can be loaded
 */
export async function startMedia(storage: Storage, { mayGoOn }: { mayGoOn: boolean }) {
  const { config, clock, log, read, secretKey } = storage;
  const cores = availableParallelism();
  const journal = openJournal(storage);
  const choices = new ModelChoices({ read, secretKey, dataDir: config.dataDir, environment: process.env, log });
  const firstChoices = await choices.atStart();
  // The threads of a start stay; the number of calls may still grow to what the cores carry.
  const shardCount = config.shards ?? planThreads(cores, config.maxCalls ?? mediaCalls(cores)).shards;
  const threads = ShardPool.prepare(shardCount);
  const remembered =
    mayGoOn && journal !== null && journal.files.calls().length > 0 ? journal.files.readEngines() : null;
  const { fleet, dialogue, modelHealth } = await loadModels(storage, choices, { firstChoices, remembered });
  const metrics = createMetrics((model, message) => modelHealth.failed(model, message));
  const load = watchLoad(storage, fleet, cores);
  const { admission } = load;
  const carriedCalls = new CarriedCalls({ fleet, admission, setCalls: config.maxCalls, clock, log });
  const shards = await startShards(storage, { shardCount, threads, fleet, journal, metrics, load });
  const remember = (): void => rememberEngines(storage, fleet, journal);
  const loading = fleet.isEarly ? fleet.load() : Promise.resolve();
  // The fault is told to whoever waits for `loaded`; the next process is not to believe in these engines.
  loading.then(remember, () => journal?.files.forgetEngines());
  const { voices, writeVoices, renderSample } = voicesOf(storage, fleet);

  return {
    metrics,
    journal,
    choices,
    fleet,
    /** @throws the last model's own error when none of a kind can be loaded */
    loaded: () => loading,
    load,
    carriedCalls,
    shards,
    modelHealth,
    dialogue,
    /** Where browsers and audio forks reach this engine's media threads. */
    get socketUrl() {
      return config.mediaWsPublicUrl ?? `ws://${config.mediaWsHost}:${shards.socket?.port}`;
    },
    writeVoices,
    /** @throws Error when media threads, voice or sockets do not work */
    callItself: (): Promise<void> =>
      callItself({
        shards,
        voice: { voiceId: voices()[0]?.id ?? '', speed: 1 },
        sttDeadlineMs: fleet.recogniser.patienceMs,
        sttBlockMs: fleet.recogniser.blockMs,
        after: (delayMs, action) => clock.after(delayMs, action),
      }),
    renderSample,
    followSettings: (): void =>
      followSettings({
        ...{ dataDir: config.dataDir, choices, dialogue, fleet, modelHealth, carriedCalls, writeVoices, remember },
      }),
    async stop(): Promise<void> {
      await shards.stop();
      await fleet.stop();
      await journal?.stop();
    },
  };
}

/** The first that can be loaded of each kind; the fleet's may still be loading. @throws the last one's own error */
async function loadModels(
  { config, clock, log }: Storage,
  choices: ModelChoices,
  {
    firstChoices,
    remembered,
  }: Pick<ConstructorParameters<typeof ModelFleet>[0], 'remembered'> & {
    firstChoices: Awaited<ReturnType<ModelChoices['atStart']>>;
  },
) {
  const fleet = new ModelFleet({
    ...{ config, choices: firstChoices, clock, log, remembered },
    onFailed: (kind, choice, message) => choices.failedAtStart(kind, choice, message),
  });
  const [firstDialogue] = await Promise.all([
    loadFirstDialogue(firstChoices.llm, (choice, message) => choices.failedAtStart('llm', choice, message)),
    fleet.isEarly ? null : fleet.load(),
  ]);
  const modelHealth = new ModelHealth({ dialogue: firstDialogue, probe: () => probeModels(fleet), clock, log });
  const dialogue = new CurrentDialogue(firstDialogue, modelHealth, () => new ModelBreakers(clock));
  return { fleet, dialogue, modelHealth };
}

function watchLoad({ config, clock, log }: Storage, fleet: ModelFleet, cores: number): ReturnType<typeof createLoad> {
  return createLoad({
    maxCalls: config.maxCalls ?? fleet.callLimit(false).carries,
    mediaCalls: mediaCalls(cores),
    refusesWhenLate: config.refusesWhenLate,
    sttBacklogMs: () => fleet.sttBacklogMs,
    takeDelayMs: watchLongestDelay(),
    takeAudioShare: watchAudioShare(cores, () => clock.monotonicMs()),
    clock,
    log,
  });
}

function voicesOf({ clock, writer }: Storage, fleet: ModelFleet) {
  const voices = () => listedVoices(fleet.description.tts.voices ?? [], fleet.tts);
  return {
    voices,
    writeVoices: (): Promise<void> => writer.run('writeEngineVoices', { voices: JSON.stringify(voices()) }),
    /** A WAV file in which the voice speaks a sample sentence. */
    renderSample: (voiceId: string): Promise<Buffer> => renderPreview(voiceId, fleet.connect('tts'), clock),
  };
}

interface SettingsParts {
  dataDir: string;
  choices: ModelChoices;
  dialogue: CurrentDialogue<ModelBreakers>;
  fleet: ModelFleet;
  modelHealth: ModelHealth;
  carriedCalls: CarriedCalls;
  writeVoices(): Promise<void>;
  /** Notes the engines for the next process. */
  remember(): void;
}

/** Another model is taken as soon as the settings say so. */
function followSettings(parts: SettingsParts): void {
  const { dataDir, choices, dialogue, fleet, modelHealth, carriedCalls, writeVoices, remember } = parts;
  const take = async (kind: ModelKind, choice: EngineChoice): Promise<void> => {
    if (kind === 'llm') dialogue.replace(await loadDialogueModel(choice.name, choice.environment));
    else {
      await fleet.replace(kind, choice);
      remember();
      modelHealth.forget(kind);
      if (kind !== 'speech-to-speech') carriedCalls.replaced(kind);
    }
    if (kind === 'tts') {
      // The samples were spoken by the former voice, perhaps under the same id.
      await rm(join(dataDir, 'previews'), { recursive: true, force: true });
      await writeVoices();
    }
    void modelHealth.ask();
  };
  choices.watch({
    take,
    // An operator presses the button that forgets what the model's server refused.
    enteredAgain: (kind) => {
      if (kind === 'llm') dialogue.model.forget?.();
    },
  });
}

/** Calls go on without it: later then, when the models are loaded. */
function rememberEngines({ log }: Storage, { remembered }: ModelFleet, journal: Journal | null): void {
  try {
    if (remembered === null) journal?.files.forgetEngines();
    else journal?.files.writeEngines(JSON.stringify(remembered));
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'the journal cannot note the engines');
  }
}

/** Null: calls end with their process. */
function openJournal({ config, clock, log, secretKey }: Storage): Journal | null {
  if (!config.resumeCalls) return null;
  return new Journal({
    folder: join(config.dataDir, 'journal'),
    key: secretKey,
    clock,
    onFault: (message) => log.error({ error: message }, 'the journal of the calls cannot be written'),
  });
}

async function probeModels(fleet: ModelFleet): ReturnType<typeof probeVendors> {
  const { name = null, environment = {} } = fleet.speechToSpeech ?? {};
  const speech = await probeSpeechToSpeech(name, environment);
  const found = await probeVendors(
    { stt: fleet.stt, tts: fleet.tts },
    { stt: fleet.environmentOf('stt'), tts: fleet.environmentOf('tts') },
  );
  return speech === null ? found : [...found, speech];
}

/** Where browsers reach our UDP port: by EXTERNAL_IP alone, or at each address that it is bound to. */
function announcedAddresses({ externalIp, sipHost }: Storage['config']): string[] {
  if (externalIp !== null) return [externalIp];
  if (sipHost !== '0.0.0.0' && sipHost !== '::') return [sipHost];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const usable = all.filter(({ family, scopeid }) => (family === 'IPv4' || sipHost === '::') && !scopeid);
  return usable.sort((a, b) => Number(a.internal) - Number(b.internal)).map(({ address }) => address);
}

interface ShardParts {
  shardCount: number;
  threads: ReturnType<typeof ShardPool.prepare>;
  fleet: ModelFleet;
  journal: Journal | null;
  metrics: ReturnType<typeof createMetrics>;
  load: ReturnType<typeof createLoad>;
}

async function startShards(
  { config, clock, log, isShared }: Storage,
  { shardCount, threads, fleet, journal, metrics, load }: ShardParts,
): Promise<ShardPool> {
  const shards = await ShardPool.start({
    shards: shardCount,
    threads,
    rtpAddress: config.sipHost,
    rtpPortMin: config.rtpPortMin,
    rtpPortMax: config.rtpPortMax,
    connectModels: (shardIndex) => fleet.connectAll(shardIndex),
    realTime: config.realTime,
    isFenced: isShared,
    mediaSocket: {
      host: config.mediaWsHost,
      port: config.mediaWsPort,
      acceptsForks: config.telephony.kind === 'freeswitch' && config.telephony.media === 'fork',
      proxies: config.trustProxy,
      webRtc: config.webRtc && {
        host: config.sipHost,
        port: config.webRtc.port,
        announced: announcedAddresses(config),
      },
    },
    clock,
    onShardEvent(event) {
      if (event.type === 'pulse') journal?.pulse(event.shardIndex, event.atMs, event.calls);
      else if (event.type === 'pacing') metrics.pacing(event.shardIndex, event);
      else load.sample(event.shardIndex, event);
    },
    onShardLost: (shardIndex, error) => log.error({ shardIndex, error: error.message }, 'shard lost, restarting it'),
  });
  log.debug({ priority: shards.priority }, 'media threads');
  fleet.observe({
    onRestarted: (kind, index, connect) => shards.replaceModel(kind, index, connect),
    onReplaced: (kind, connect) => shards.renewModels(kind, connect),
  });
  return shards;
}
