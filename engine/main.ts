// The engine process: the composition root. Connects the parts, reports to the API that the engine is up, and shuts
// everything down in order.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { databaseVariable, isPostgres, migrateDatabase, openDatabase } from '../db/database.ts';
import { modelVariablesSet } from '../db/domain/model-settings.ts';
import { onDisk } from '../db/domain/recording-state.ts';
import { messageOf } from '../db/domain/unexpected.ts';
import { UnsuitableDatabaseError } from '../db/migration-files.ts';
import { Outage } from '../db/outage.ts';
import { sealingKeyFault } from '../db/sealing-key.ts';
import { ConfigError, configOrExit, exitForConfig, sendLastWords } from '../db/shared/environment.ts';
import { watchEventLoop, watchLongestDelay } from '../db/shared/event-loop.ts';
import { openFiles } from '../db/shared/files/open-files.ts';
import { PRIVATE_FIELDS } from '../db/shared/private-fields.ts';
import { sealingKeyOf } from '../db/shared/secret-box.ts';
import { StopSignals } from '../db/shared/stop-signals.ts';
import { misspeltVariables } from '../db/shared/variables.ts';
import { startWriter } from '../db/writer.ts';
import { loadDialogueModel } from '../models/engines.ts';
import { listedVoices, mediaCalls } from '../models/install/catalogue.ts';
import { probeVendors } from '../models/vendors/probe.ts';
import { AfterCallQueue } from './after-call/after-call-queue.ts';
import { RecordingUploads } from './after-call/recording-uploads.ts';
import { ApiRequests } from './api-requests.ts';
import { EngineHeart } from './books/heart.ts';
import { createMetrics } from './books/metrics.ts';
import { RefusedCalls } from './books/refused-calls.ts';
import { SipAccountBook } from './books/sip-account-book.ts';
import { createTrunkBook } from './books/trunk-book.ts';
import { createCallStore } from './call/store.ts';
import { createTransferPermits } from './call/transfer-permits.ts';
import { Dialler } from './campaign/dialler.ts';
import { TrunkPaces } from './campaign/pace.ts';
import { every, sleep, systemClock } from './clock.ts';
import { answersControl } from './cluster/ask-engine.ts';
import { startControl } from './cluster/control-server.ts';
import { Coordinator } from './cluster/coordinator.ts';
import { succeed, takeHome } from './cluster/home.ts';
import { Judge } from './cluster/judge.ts';
import { Places } from './cluster/places.ts';
import { RemoteCalls } from './cluster/remote-calls.ts';
import { watchSkew } from './cluster/skew.ts';
import { readEngineConfig } from './config.ts';
import { ModelBreakers } from './dialogue/model-breakers.ts';
import { followChanges } from './follow-changes.ts';
import { startHousekeeping } from './housekeeping.ts';
import { LiveViews } from './live-views.ts';
import { watchAudioShare } from './load/audio-share.ts';
import { createLoad } from './load/load.ts';
import { planThreads } from './load/sizing.ts';
import { CarriedCalls } from './models/carried-calls.ts';
import { loadFirstDialogue, ModelChoices } from './models/choices.ts';
import { CurrentDialogue } from './models/current-dialogue.ts';
import { ModelDownloads } from './models/downloads.ts';
import { ModelFleet } from './models/fleet.ts';
import { ModelHealth } from './models/health.ts';
import { renderPreview, writePreview } from './models/preview.ts';
import { ModelTrials } from './models/trial.ts';
import { checkPorts } from './port-check.ts';
import { LostCalls, recoverCalls, removeEmptyRecordings } from './recovery.ts';
import { ShardPool } from './shard/pool.ts';
import { createTelephony } from './sip/adapters/create.ts';
import { Switchboard } from './switchboard.ts';

const LOST_CALLS_EVERY_MS = 30_000;
const { version: VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
/** How long a stop waits, beyond DRAIN_SECONDS, for the last calls' ends to be written. */
const END_WRITES_MS = 10_000;
const USAGE = `usage: npm run engine
The engine process: SIP, RTP, models, dialogue and the dialler. It is configured by the environment
(docs/configuration.md) and shares the database in DATA_DIR with the API process.`;

if (process.argv.includes('--help')) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}

const config = configOrExit(() => readEngineConfig(process.env));
const log = pino({
  base: { name: 'engine' },
  level: config.logLevel,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: PRIVATE_FIELDS,
});
const clock = systemClock;
const outage = new Outage({ log, monotonicMs: () => clock.monotonicMs() });
const cores = availableParallelism();
const engineId = `eng_${randomBytes(8).toString('hex')}`;

/** An error outside every guard leaves the process in an unknown state: it exits at once and is restarted. */
process.on('uncaughtException', (error) => {
  if (error instanceof ConfigError) exitForConfig(error);
  if (error instanceof UnsuitableDatabaseError)
    exitForConfig(new ConfigError(databaseVariable(config.database), error.message));
  log.fatal({ error: error.stack }, 'uncaught error');
  sendLastWords('start-error', error.message);
  process.kill(process.pid, 'SIGKILL');
});

await checkPorts(config);
await migrateDatabase(config.directDatabase);
const keyFault = await sealingKeyFault(config);
if (keyFault !== null) exitForConfig(new ConfigError(keyFault.variable, keyFault.message));
const home = await takeHome({ config, clock });
const secretKey = sealingKeyOf(config);
const read = openDatabase(config.database, { readonly: true });
const writer = startWriter(
  config.database,
  (error, operation) =>
    outage.explains(error) ||
    log.error({ operation, code: error.code, error: error.message }, 'write failed, trying again'),
  isPostgres(config.database) ? { spool: join(config.dataDir, 'spool.db'), engineId } : {},
);
const skew = await watchSkew(read, clock);
const eventLoop = watchEventLoop();
const metrics = createMetrics((model, message) => modelHealth.failed(model, message));
const choices = new ModelChoices({ read, secretKey, dataDir: config.dataDir, environment: process.env, log });
const firstChoices = await choices.atStart();
const [fleet, firstDialogue] = await Promise.all([
  ModelFleet.start(config, firstChoices, clock, log, (kind, choice, message) =>
    choices.failedAtStart(kind, choice, message),
  ),
  loadFirstDialogue(firstChoices.llm, (choice, message) => choices.failedAtStart('llm', choice, message)),
]);
const load = createLoad({
  maxCalls: config.maxCalls ?? fleet.callLimit(false).carries,
  mediaCalls: mediaCalls(cores),
  refusesWhenLate: config.refusesWhenLate,
  sttBacklogMs: () => fleet.sttBacklogMs,
  takeDelayMs: watchLongestDelay(),
  takeAudioShare: watchAudioShare(cores, () => clock.monotonicMs()),
  clock,
  log,
});
const { admission } = load;
const carriedCalls = new CarriedCalls({ fleet, admission, setCalls: config.maxCalls, clock, log });
const shards = await ShardPool.start({
  // The threads of a start stay; the number of calls may still grow to what the cores carry.
  shards: config.shards ?? planThreads(cores, config.maxCalls ?? mediaCalls(cores)).shards,
  rtpAddress: config.sipHost,
  rtpPortMin: config.rtpPortMin,
  rtpPortMax: config.rtpPortMax,
  connectModels: (shardIndex) => fleet.connectAll(shardIndex),
  realTime: config.realTime,
  mediaSocket: {
    host: config.mediaWsHost,
    port: config.mediaWsPort,
    acceptsForks: config.telephony.kind === 'freeswitch' && config.telephony.media === 'fork',
    proxies: config.trustProxy,
  },
  clock,
  onShardEvent: (event) =>
    event.type === 'pacing' ? metrics.pacing(event.shardIndex, event) : load.sample(event.shardIndex, event),
  onShardLost: (shardIndex, error) => log.error({ shardIndex, error: error.message }, 'shard lost, restarting it'),
});
log.debug({ priority: shards.priority }, 'media threads');
fleet.observe({
  onRestarted: (kind, index, connect) => shards.replaceModel(kind, index, connect),
  onReplaced: (kind, connect) => shards.renewModels(kind, connect),
});
const refusedCalls = new RefusedCalls({ writer, clock, log });
const { telephony, registrar, refusedSip } = await createTelephony(config, {
  installation: secretKey,
  engineId,
  log,
  onRefused: (refused) => refusedCalls.add(refused),
});
const modelHealth = new ModelHealth({
  dialogue: firstDialogue,
  probe: () =>
    probeVendors(
      { stt: fleet.stt, tts: fleet.tts },
      { stt: fleet.environmentOf('stt'), tts: fleet.environmentOf('tts') },
    ),
  clock,
  log,
});
const dialogue = new CurrentDialogue(firstDialogue, modelHealth, () => new ModelBreakers(clock));
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
const trunks = createTrunkBook({
  read,
  writer,
  telephony,
  secretKey,
  leads: () => coordinator.leads,
  edge: config.sipEdge,
  now: () => clock.nowMs(),
  log,
});
const sipAccounts = new SipAccountBook({
  read,
  writer,
  registrar,
  secretKey,
  now: () => clock.nowMs(),
  log,
});
const files = await openFiles(config);
// Other engines, and APIs on other machines, must not take its files for missing.
const isShared = files.kind === 's3' || isPostgres(config.database);
const recordingState = isShared ? onDisk(home.id) : null;
const afterCall = new AfterCallQueue({
  read,
  writer,
  get model() {
    return dialogue.model;
  },
  recordingsDir: config.recordingsDir,
  recordingState,
  onSettled: () => uploads?.wake(),
  clock,
  log,
});
const uploads =
  recordingState === null
    ? null
    : new RecordingUploads({
        read,
        writer,
        files,
        recordingsDir: config.recordingsDir,
        state: recordingState,
        isBusy: (callId) => switchboard.has(callId) || afterCall.isSettling(callId),
        clock,
        log,
        outage,
      });
const paces = new TrunkPaces(clock);
const places = new Places({ read, engineId, admission, clock, skewMs: () => skew.ms });
const switchboard = new Switchboard({
  telephony,
  shards,
  writer,
  read,
  store: createCallStore(read),
  dialogueOfCall: () => dialogue.ofCalls,
  llmTimeoutMs: config.llmTimeoutMs,
  get recogniser() {
    return { ...fleet.recogniser, denoise: config.noiseSuppression };
  },
  recordingsDir: config.recordingsDir,
  recordingState,
  clock,
  log,
  metrics,
  engineId,
  admission,
  places,
  trunksFor: (phoneNumberId) => trunks.trunksFor(phoneNumberId),
  permits: createTransferPermits({
    read,
    places: { take: () => admission.admit('inbound'), leave: () => admission.release() },
    maxCallsOf: (trunkId) => trunks.limits(trunkId)?.maxConcurrentCalls ?? null,
    nowMs: () => clock.nowMs(),
  }),
  routeOf: (trunkId) => trunks.routeOf(trunkId),
  paceOf: (trunkId) => paces.reserve(trunkId, trunks.limits(trunkId)?.callsPerSecond ?? 1),
  onRefused: (refused) => refusedCalls.add(refused),
  onCallEnded: (ended, recorded) => {
    dialler.onCallEnded(ended);
    afterCall.expect(ended.callId);
    void recorded.then(() => afterCall.add(ended.accountId, ended.callId));
  },
});
const downloads = new ModelDownloads(join(config.dataDir, 'models'), log);
const trials = new ModelTrials({
  environment: process.env,
  dataDir: config.dataDir,
  secretKey,
  clock,
});
const requests = new ApiRequests({
  read,
  writer,
  clock,
  engineId,
  log,
  calls: switchboard,
  places: () => coordinator.leads,
  renderPreview: async ({ voiceId, path }) => writePreview(path, await renderSample(voiceId)),
  downloadModel: (engine) => downloads.add(engine),
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
const heart = new EngineHeart({
  engineId,
  home: home.id,
  hostname: hostname(),
  release: VERSION,
  skewMs: () => skew.ms,
  onBuried: () => {
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
      freeText: fleet.description.stt.freeText ?? true,
      faults: modelHealth.faults,
      variables: modelVariablesSet(process.env),
      settings: choices.taken,
      callLimit: carriedCalls.limit,
    },
    metrics: metrics.snapshot({
      writer: writer.stats(),
      recordings: uploads?.waiting ?? null,
      activeCalls: switchboard.activeByDirection(),
      refusedSip: refusedSip(),
      eventLoopDelaySeconds: eventLoop.read(),
    }),
  }),
});

const { recordingsDir } = config;
const earlierRecordings = await readdir(recordingsDir).catch(() => []);
await heart.starting();
await succeed({ config, clock, read, writer, engineId, home: home.id, skewMs: skew.ms });
// A phone that registers at once must not be told that there is no registrar.
await sipAccounts.restore();
let sipUri: string;
try {
  ({ sipUri } = await telephony.start());
} catch (error) {
  log.fatal({ error: messageOf(error) }, 'could not start telephony');
  sendLastWords('start-error', messageOf(error));
  process.exit(1);
}
const recovery = { read, writer, telephony, engineId, recordingsDir, recordingState, now: () => clock.nowMs(), log };
await recoverCalls(recovery);
removeEmptyRecordings(recordingsDir, earlierRecordings).catch((error: unknown) => {
  log.warn({ error: messageOf(error) }, 'could not remove empty recordings');
});
const judge = new Judge({
  read,
  writer,
  engineId,
  clock,
  log,
  outage,
  skewMs: () => skew.ms,
  soundSince: () => heart.soundSince,
  answers: ({ controlUrl }) => answersControl(controlUrl, secretKey, clock.nowMs()),
  closeCalls: () => recoverCalls(recovery),
});
const lostCalls = new LostCalls(recovery, (callId) => switchboard.has(callId));
await trunks.refresh();
const mediaWsUrl = config.mediaWsPublicUrl ?? `ws://${config.mediaWsHost}:${shards.socket?.port}`;
await writeVoices();
// With SQLite there is nobody else to ask.
const control = isPostgres(config.database)
  ? await startControl({
      ...config.control,
      sealingKey: secretKey,
      now: () => clock.nowMs(),
      renderSample,
      endCall: (callId) => switchboard.endCall(callId),
      disk: { id: home.id, recordingsDir },
    })
  : null;
await heart.up({ sipUri, mediaWsUrl, controlUrl: config.control.url ?? control?.url ?? null });

const liveViews = new LiveViews({
  read,
  clock,
  has: (callId) => switchboard.has(callId),
  send: (command) => shards.send(command),
});
choices.watch(async (kind, choice) => {
  if (kind === 'llm') dialogue.replace(await loadDialogueModel(choice.name, choice.environment));
  else {
    await fleet.replace(kind, choice);
    modelHealth.forget(kind);
    carriedCalls.replaced(kind);
  }
  if (kind === 'tts') {
    // The samples were spoken by the former voice, perhaps under the same id.
    await rm(join(config.dataDir, 'previews'), { recursive: true, force: true });
    await writeVoices();
  }
  void modelHealth.ask();
});
const following = followChanges({
  database: config.directDatabase,
  followers: [
    { tables: ['live_views'], what: 'the live views', read: () => liveViews.refresh() },
    { tables: ['engine_requests'], what: 'the requests', read: () => requests.take() },
    { tables: ['trunks', 'trunk_states'], what: 'the trunks', read: () => trunks.refresh() },
    { tables: ['sip_accounts'], what: 'the SIP accounts', read: () => sipAccounts.refresh() },
    { tables: ['model_settings'], what: 'the model settings', read: () => choices.refresh() },
    // An engine on SQLite has no others.
    ...(isPostgres(config.database)
      ? [
          { tables: ['engines'], what: 'the engines', read: () => places.refresh() },
          { tables: ['calls'], what: 'the calls of other engines', read: () => remoteCalls.look() },
        ]
      : []),
  ],
  dialler,
  onError: (error, message) => outage.explains(error) || log.error({ error: messageOf(error) }, message),
});
await places.refresh();
await coordinator.start();
following.readAll();
// A single engine has nobody to judge, and nobody who would judge it.
const stopJudgingEngines = isPostgres(config.database) ? judge.start() : () => undefined;
afterCall
  .resume(clock.nowMs())
  .catch((error: unknown) => log.error({ error: String(error) }, 'could not resume the encoding of earlier recordings'))
  // First it must know which recordings become an MP3.
  .finally(() => uploads?.start());
if (uploads !== null) {
  files.check().catch((error: unknown) => {
    log.warn({ error: messageOf(error) }, 'the object store cannot be used: recordings wait on the disk');
  });
}
const stopLooking = every(clock, LOST_CALLS_EVERY_MS, () => {
  lostCalls.look().catch(logged('could not look for lost calls'));
});
const stopRefusedCalls = refusedCalls.start();
const stopHousekeeping = startHousekeeping(writer, clock, () => coordinator.leads);

const stopJudging = load.start();
const stopAskingModels = modelHealth.start();
if (fleet.description.stt.freeText === false) {
  log.warn('the built-in recogniser understands what the business offers, not free speech: set STT for that');
}
for (const misspelt of misspeltVariables(process.env)) log.warn(misspelt, 'unknown variable: it has no effect');
if (config.llmFallback !== null && config.llm === 'receptionist') {
  log.warn('LLM_FALLBACK_* has no effect: it stands behind a first model, set OPENAI_API_KEY or OPENAI_BASE_URL');
}
log.info(
  {
    engineId,
    sipUri,
    maxCalls: admission.maxCalls,
    stt: fleet.stt,
    tts: fleet.tts,
    llm: dialogue.model.name,
    turnEnd: fleet.turnEnd,
    mediaSocket: shards.socket?.library,
  },
  'engine up',
);
process.send?.({
  type: 'ready',
  address: sipUri,
  ports: { SIP_PORT: sipUri.split(':').at(-1) },
});
carriedCalls.start();

function logged(message: string): (error: unknown) => void {
  return (error) => outage.explains(error) || log.error({ error: messageOf(error) }, message);
}

function renderSample(voiceId: string): Promise<Buffer> {
  return renderPreview(voiceId, fleet.connect('tts'), clock);
}

function writeVoices(): Promise<void> {
  const voices = listedVoices(fleet.description.tts.voices ?? [], fleet.tts);
  return writer.run('writeEngineVoices', { voices: JSON.stringify(voices) });
}

const signals = new StopSignals(() => clock.monotonicMs());
async function stop(): Promise<void> {
  const count = signals.receive();
  if (count === null) return;
  if (count > 1) return switchboard.shutdown();
  log.info({ calls: switchboard.activeCalls, drainSeconds: config.drainSeconds }, 'stopping: no new calls');
  // First it is told that this engine takes no calls: whoever places them next knows it.
  await heart.draining();
  await coordinator.stop();
  carriedCalls.stop();
  const cancelLimit = clock.after(config.drainSeconds * 1000, () => switchboard.shutdown());
  // After this limit only call ends that cannot be written are left; the next start closes those calls.
  await Promise.race([switchboard.drain(), sleep(clock, config.drainSeconds * 1000 + END_WRITES_MS)]);
  cancelLimit();
  stopHousekeeping();
  stopLooking();
  stopJudgingEngines();
  skew.stop();
  following.stop();
  stopAskingModels();
  stopJudging();
  stopRefusedCalls();
  await refusedCalls.write();
  await uploads?.stop();
  await files.close();
  await afterCall.stop();
  await uploads?.idle();
  await telephony.stop();
  await shards.stop();
  await fleet.stop();
  await control?.close();
  await heart.stopped();
  await writer.close();
  await read.destroy();
  await home.release();
  log.info('engine stopped');
  // Model runtimes keep threads of their own alive, so the process must exit explicitly.
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
// The supervisor is gone: nothing would restart the other process or stop this one.
process.on('disconnect', () => void stop());
