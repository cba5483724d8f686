// The engine process. It puts its parts together (assembly/), starts them so that no call can begin before the engine
// can answer it, and says that it is up; how it ends is told in assembly/engine-stop.ts.
import { readdir } from 'node:fs/promises';
import { pino } from 'pino';
import { CASCADE } from '../db/domain/model-settings.ts';
import { messageOf } from '../db/domain/unexpected.ts';
import { CREDENTIAL_TABLES } from '../db/rules/live-credential.ts';
import { beatForSupervisor } from '../db/shared/process/heart-beat.ts';
import { optimiseFromNow } from '../db/shared/process/optimisation.ts';
import { collectNow, collectWhenQuiet } from '../db/shared/process/quiet-memory.ts';
import { PRIVATE_FIELDS } from '../db/shared/secrets/private-fields.ts';
import { ConfigError, configOrExit, exitForConfig, sendLastWords } from '../db/shared/settings/environment.ts';
import { misspeltVariables } from '../db/shared/settings/variables.ts';
import { connectCalls } from './assembly/calls.ts';
import { EngineStop } from './assembly/engine-stop.ts';
import { createGreetingsAhead, GREETING_TABLES } from './assembly/greetings.ts';
import { createHeart } from './assembly/heart.ts';
import { startMedia } from './assembly/media.ts';
import { openStorage } from './assembly/storage.ts';
import { createTestRuns } from './assembly/tests.ts';
import { createTextAnswers } from './assembly/texts.ts';
import { every, systemClock } from './clock.ts';
import { edgeKnows } from './cluster/edge.ts';
import { readEngineConfig } from './config.ts';
import { followChanges } from './follow-changes.ts';
import { startHousekeeping } from './housekeeping.ts';
import { checkPorts } from './port-check.ts';
import { removeEmptyRecordings } from './succession/left-recordings.ts';
import { LiveViews } from './switchboard/live-views.ts';

const LOST_CALLS_EVERY_MS = 30_000;
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
/** Notes the call that was being worked on. */
let blame = (): void => undefined;
/** An error outside every guard leaves the process in an unknown state: it exits at once and is restarted. */
process.on('uncaughtException', (error) => {
  if (error instanceof ConfigError) exitForConfig(error);
  log.fatal({ error: error.stack }, 'uncaught error');
  blame();
  sendLastWords('start-error', error.message);
  process.kill(process.pid, 'SIGKILL');
});

/** Everything is loaded, and another engine has the calls and the ports until the supervisor says otherwise. */
const isStandby = process.env.STANDBY === '1';
if (!isStandby) await checkPorts(config);
const storage = await openStorage({ config, machineClock: systemClock, log });
if (!isStandby) await storage.take();
const { clock, engineId, isShared, read, writer } = storage;
const media = await startMedia(storage, { mayGoOn: !isStandby });
blame = () => media.journal?.blame();
const calls = await connectCalls(storage, media);
const { coordinator, places, recordings, running, telephony } = calls;
const heart = createHeart(storage, media, calls);

const earlierRecordings = await readdir(config.recordingsDir).catch(() => []);
if (isStandby) {
  optimiseFromNow();
  await prove();
  await calls.rehearse();
  // The rehearsal's garbage is not to be collected while callers wait.
  collectNow();
  await supervisorSays('take', 'standby');
  await storage.take();
}
// Several engines must know of each other first; otherwise nobody keeps a caller waiting for it.
if (isShared) await heart.starting();
// An engine that stood by has the supervisor's word that the one before is over; others look for themselves.
if (isShared && !isStandby) await storage.markPredecessorsDead();
// A phone that registers at once must not be told that there is no registrar.
await calls.sipAccounts.restore();
const sipUri = await startTelephony();
// The proxy is to know the engine before its first call goes that way; meanwhile it goes on with those that it has.
const isKnown = isShared ? heart.reachable({ sipUri }).then(() => knownAtEdge()) : Promise.resolve();
// The calls that go on are not to wait for it.
optimiseFromNow();
await calls.takeOver();
if (!isShared) await heart.starting();
if (!isShared || isStandby) await storage.markPredecessorsDead();
await media.shards.openDoor();
await calls.closeLeft();
// A call that goes on writes to its file again, which may have no audio yet.
const endedRecordings = earlierRecordings.filter((name) => !running.has(name.replace(/\.wav$/, '')));
removeEmptyRecordings(config.recordingsDir, endedRecordings).catch((error: unknown) => {
  log.warn({ error: messageOf(error) }, 'could not remove empty recordings');
});
await calls.trunks.refresh();
await media.writeVoices();
const control = await calls.control();
await isKnown;
await media.loaded();
await heart.up({ sipUri, mediaWsUrl: media.socketUrl, controlUrl: config.control.url ?? control?.url ?? null });

calls.raiseFence();

const liveViews = new LiveViews({
  read,
  clock,
  has: (callId) => running.has(callId),
  send: (command) => media.shards.send(command),
});
const testRuns = createTestRuns(storage, media, { ...calls, sipUri });
const textAnswers = createTextAnswers(storage, media);
const greetingsAhead = createGreetingsAhead(storage, media);
media.followSettings();
const following = followChanges({
  database: config.directDatabase,
  engineId,
  followers: [
    { tables: ['live_views'], what: 'the live views', read: () => liveViews.refresh() },
    { tables: ['engine_requests'], what: 'the requests', read: () => calls.requests.take() },
    { tables: CREDENTIAL_TABLES, what: 'who may listen', read: () => calls.listeners.check() },
    { tables: ['trunks', 'trunk_states'], what: 'the trunks', read: () => calls.trunks.refresh() },
    { tables: ['sip_accounts'], what: 'the SIP accounts', read: () => calls.sipAccounts.refresh() },
    { tables: GREETING_TABLES, what: 'the greetings', read: () => greetingsAhead.refresh() },
    { tables: ['model_settings'], what: 'the model settings', read: () => media.choices.refresh() },
    { tables: ['test_runs'], what: 'the runs of tests', read: async () => testRuns.look() },
    ...(isShared
      ? [
          { tables: ['engines'], what: 'the engines', read: () => places.refresh().then(calls.takeMoved) },
          { tables: ['sip_bindings'], what: 'the registrations of softphones', read: () => calls.sipAccounts.follow() },
          { tables: ['calls'], what: 'the calls of other engines', read: () => calls.dialling.lookElsewhere() },
        ]
      : []),
  ],
  dialler: calls.dialling.dialler,
  onError: (error, message) => logged(message)(error),
});
await places.refresh();
await calls.coordinate();
following.readAll();
recordings.resume();
calls.reruns.start();
testRuns.start();
textAnswers.start();
/** Functions that end the watches, which look again and again until the engine stops. */
const watches: Array<() => void> = [
  following.stop,
  every(clock, LOST_CALLS_EVERY_MS, () => {
    calls.lostCalls.look().catch(logged('could not look for lost calls'));
  }),
  calls.refusedCalls.start(),
  calls.readInvites.start(),
  startHousekeeping(writer, clock, () => coordinator.leads),
  media.load.start(),
  media.modelHealth.start(),
  // A single engine has nobody to take for dead, and nobody takes it for dead.
  ...(isShared ? [calls.failureDetector({ sipUri, soundSince: () => heart.soundSince }).start()] : []),
];
warnOfSettings();
log.info(
  {
    engineId,
    sipUri,
    maxCalls: media.load.admission.maxCalls,
    stt: media.fleet.stt,
    tts: media.fleet.tts,
    llm: media.dialogue.model.name,
    dialogue: media.fleet.speechToSpeech?.name ?? CASCADE,
    turnEnd: media.fleet.turnEnd,
    mediaSocket: media.shards.socket?.library,
    webRtcPort: media.shards.socket?.webRtcPort,
  },
  'engine up',
);
if (config.webRtc !== null && media.shards.socket?.webRtcPort === null) {
  log.warn('the UDP port of WebRTC is taken, so browsers have their sockets alone');
}
// Where telephones and browsers find this engine they find the next one.
const ports = { SIP_PORT: sipUri.split(':').at(-1), MEDIA_WS_PORT: `${media.shards.socket?.port ?? ''}` };
process.send?.({ type: 'ready', address: sipUri, ports });
beatForSupervisor();
// It listens to speech to know how many calls the machine carries, which must not delay the start.
media.carriedCalls.start();
collectWhenQuiet(() => media.load.admission.active === 0);

async function knownAtEdge(): Promise<void> {
  if (config.sipEdge !== null) await edgeKnows({ read, clock, engineId, sipUri, skewMs: storage.skewMs });
}

/** Another engine has the calls and works: one that does not is no successor. */
async function prove(): Promise<void> {
  try {
    await media.callItself();
  } catch (error) {
    log.fatal({ error: messageOf(error) }, 'this engine cannot carry a call');
    sendLastWords('start-error', messageOf(error));
    process.exit(1);
  }
}

/** Tells the supervisor how far this is, and waits for its word. */
function supervisorSays(word: string, tell: string): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === word) resolve();
    });
    process.send?.({ type: tell });
  });
}

function logged(message: string): (error: unknown) => void {
  return (error) => storage.outage.explains(error) || log.error({ error: messageOf(error) }, message);
}

async function startTelephony(): Promise<string> {
  try {
    return (await telephony.start()).sipUri;
  } catch (error) {
    log.fatal({ error: messageOf(error) }, 'could not start telephony');
    sendLastWords('start-error', messageOf(error));
    process.exit(1);
  }
}

function warnOfSettings(): void {
  if (media.fleet.description.stt.freeText === false) {
    log.warn('the built-in recogniser understands what the business offers, not free speech: set STT for that');
  }
  for (const misspelt of misspeltVariables(process.env)) log.warn(misspelt, 'unknown variable: it has no effect');
  if (config.llmFallback !== null && config.llm === 'receptionist') {
    log.warn('LLM_FALLBACK_* has no effect: it stands behind a first model, set OPENAI_API_KEY or OPENAI_BASE_URL');
  }
}

const ends = new EngineStop({
  ...{ storage, media, calls, heart, testRuns, textAnswers, control, watches },
  onFault: logged,
});
process.on('message', (message) => {
  if (message === 'hand-over') ends.handOver().catch(logged('could not hand the calls over'));
});
process.on('SIGTERM', () => void ends.stop());
process.on('SIGINT', () => void ends.stop());
// The supervisor is gone: nothing would restart the other process or stop this one.
process.on('disconnect', () => void ends.stop());
