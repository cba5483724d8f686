// The API process: migrates, performs the first run, listens, reports to the supervisor. It then runs at nice 10, so
// that it never delays audio.
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { databaseVariable, migrateDatabase } from '../db/database.ts';
import { messageOf } from '../db/domain/unexpected.ts';
import { keyDigestFault, type NamedKey } from '../db/key-digests.ts';
import { UnsuitableDatabaseError } from '../db/migration-files.ts';
import { adoptTokens } from '../db/queries/accounts/sessions.ts';
import { sealingKeyFault } from '../db/sealing-key.ts';
import { beatForSupervisor } from '../db/shared/process/heart-beat.ts';
import { optimiseFromNow } from '../db/shared/process/optimisation.ts';
import { collectWhenQuiet } from '../db/shared/process/quiet-memory.ts';
import { StopSignals } from '../db/shared/process/stop-signals.ts';
import { sealingKeyOf } from '../db/shared/secrets/secret-box.ts';
import { ConfigError, configOrExit, exitForConfig, sendLastWords } from '../db/shared/settings/environment.ts';
import { portFault } from '../db/shared/settings/ports.ts';
import { type ApiConfig, readApiConfig } from './config.ts';
import type { ApiContext } from './context.ts';
import { closeContext, createContext } from './create-context.ts';
import { firstRun } from './first-run/first-run.ts';
import type { App } from './frame/app.ts';
import { backgroundOutput, createLog } from './log.ts';
import { buildServer } from './server.ts';
import { startBackground } from './upkeep/background.ts';
import type { BackgroundWork } from './upkeep/job.ts';

/** Requests in flight get this long after SIGTERM; streams that are still open are cut then. */
const STOP_AFTER_MS = 5_000;
/** Delay of the dashboard's bundle: the engine starts at the same time and has priority. */
const BUNDLE_AFTER_MS = 2_000;
/** Of its time the process's first thread works so much at rest, at most. */
const QUIET_SHARE = 0.02;
/** Longest wait for the supervisor's message after a signal. */
const SUPERVISOR_SPEAKS_MS = 500;

const config = configOrExit(() => readApiConfig(process.env));
const log = createLog(config, backgroundOutput());

process.on('uncaughtException', (error) => die(error, 'uncaught exception'));
process.on('unhandledRejection', (error) => die(error, 'unhandled rejection'));

await start(config);

function die(error: unknown, message: string): never {
  if (error instanceof ConfigError) exitForConfig(error);
  if (error instanceof UnsuitableDatabaseError)
    exitForConfig(new ConfigError(databaseVariable(config.database), error.message));
  log.fatal({ err: error }, message);
  sendLastWords('start-error', messageOf(error));
  process.exit(1);
}

async function start(config: ApiConfig): Promise<void> {
  const applied = await migrateDatabase(config.directDatabase);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  const keyFault = await sealingKeyFault(config);
  if (keyFault !== null) exitForConfig(new ConfigError(keyFault.variable, keyFault.message));
  const keys: NamedKey[] = [{ variable: 'SEALING_KEY', secret: sealingKeyOf(config) }];
  if (config.jwtSecret !== null) keys.push({ variable: 'JWT_SECRET', secret: config.jwtSecret, of: config.appEnv });
  const digestFault = await keyDigestFault(config.directDatabase, keys, Date.now());
  if (digestFault !== null) exitForConfig(new ConfigError(digestFault.variable, digestFault.message));
  let address = `http://${config.apiHost}:${config.apiPort}`;
  const context = await createContext(config, log, { publicUrl: () => address });
  await adoptTokens(context.db, config.appEnv);
  const app = await buildServer(context);
  // An API that answers is watched already.
  beatForSupervisor();
  const at = { host: config.apiHost, port: config.apiPort };
  await app.listen({ ...at, listenTextResolver: () => 'listening' }).catch((error: unknown) => {
    throw portFault('API_PORT', at, error);
  });
  // A start that finds its port taken makes no admin, whose password is told this one time.
  const made = await firstRun(context);
  if (made?.generatedPassword != null) {
    process.stdout.write(`first admin ${made.adminEmail} password ${made.generatedPassword}\n`);
  }
  const { port } = app.server.address() as AddressInfo;
  address = `http://${config.apiHost.includes(':') ? `[${config.apiHost}]` : config.apiHost}:${port}`;
  await warmUp(app);
  const work = await startBackground(context);
  stopOnSignal(context, app, work);
  const ports = Object.assign({ API_PORT: String(port) }, ...work.map((one) => one.ports ?? {}));
  lowerPriority();
  optimiseFromNow();
  process.send?.({ type: 'ready', address, ports });
  // Read, or made, in advance, so that no request waits for it; later, so that it does not delay the start.
  setTimeout(() => void app.dashboard.bundle(), BUNDLE_AFTER_MS).unref();
  collectWhenQuiet(watchForQuiet());
}

/** The first answer loads the code that serialises answers, about 40 ms that no client should wait for. */
async function warmUp(app: App): Promise<void> {
  await app.inject({ method: 'GET', url: '/healthz' });
}

/** Whether hardly anything was done since the question before. */
function watchForQuiet(): () => boolean {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization < QUIET_SHARE;
  };
}

function lowerPriority(): void {
  try {
    setPriority(10);
  } catch (error) {
    log.warn({ err: error }, 'the process could not lower its priority');
  }
}

function stopOnSignal(context: ApiContext, app: App, work: readonly BackgroundWork[]): void {
  const signals = new StopSignals(() => performance.now());
  const stop = (reason: string) => {
    const count = signals.receive();
    if (count === null) return;
    if (count > 1) process.exit(0);
    context.log.info({ reason }, 'stopping: no new requests');
    setTimeout(() => process.exit(0), STOP_AFTER_MS).unref();
    void stopAll(context, app, work).then(
      () => process.exit(0),
      (error: unknown) => {
        context.log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  // A service manager signals every process at once. Under the supervisor the API runs until the engine's calls have
  // ended, which the supervisor reports by a message; after a signal to this process alone, it stops a little later.
  let isSupervisorStopping = false;
  process.on('message', (message) => {
    if (message === 'stopping') isSupervisorStopping = true;
    if (message === 'stop') stop('supervisor');
  });
  const onSignal = (signal: string) => {
    if (process.env.SUPERVISED !== '1') return stop(signal);
    setTimeout(() => {
      if (!isSupervisorStopping) stop(signal);
    }, SUPERVISOR_SPEAKS_MS);
  };
  process.on('SIGTERM', () => onSignal('SIGTERM'));
  process.on('SIGINT', () => onSignal('SIGINT'));
  // Without its supervisor nothing would restart or stop this process.
  process.on('disconnect', () => stop('supervisor gone'));
}

async function stopAll(context: ApiContext, app: App, work: readonly BackgroundWork[]): Promise<void> {
  await Promise.all([app.close(), ...work.map((one) => one.stop())]);
  await closeContext(context);
}
