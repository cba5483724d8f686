// The API process: migrates, performs the first run, listens, reports to the supervisor. It then runs at nice 10, so
// that it never delays audio.
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { migrate } from '../db/migrate.ts';
import { adoptTokens } from '../db/queries/sessions.ts';
import { configOrExit } from '../db/shared/environment.ts';
import type { App } from './app.ts';
import { type BackgroundWork, background } from './background.ts';
import { type ApiConfig, readApiConfig } from './config.ts';
import type { ApiContext } from './context.ts';
import { closeContext, createContext } from './create-context.ts';
import { firstRun } from './first-run.ts';
import { createLog } from './log.ts';
import { buildServer } from './server.ts';

/** Requests in flight get this long after SIGTERM; streams that are still open are cut then. */
const STOP_AFTER_MS = 5_000;

const config = configOrExit(() => readApiConfig(process.env));
const log = createLog(config);

process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception');
  process.exit(1);
});
process.on('unhandledRejection', (error) => {
  log.fatal({ err: error }, 'unhandled rejection');
  process.exit(1);
});

await start(config);

async function start(config: ApiConfig): Promise<void> {
  const applied = migrate(config.databasePath);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  let address = `http://${config.apiHost}:${config.apiPort}`;
  const context = await createContext(config, log, { publicUrl: () => address });
  await adoptTokens(context.db, config.appEnv);
  const made = await firstRun(context);
  if (made?.generatedPassword != null) {
    process.stdout.write(`first admin ${made.adminEmail} password ${made.generatedPassword}\n`);
  }
  const app = await buildServer(context);
  await app.listen({ host: config.apiHost, port: config.apiPort, listenTextResolver: () => 'listening' });
  const { port } = app.server.address() as AddressInfo;
  address = `http://${config.apiHost.includes(':') ? `[${config.apiHost}]` : config.apiHost}:${port}`;
  const work = await Promise.all(background.map((begin) => begin(context)));
  stopOnSignal(context, app, work);
  const ports = Object.assign({ API_PORT: String(port) }, ...work.map((one) => one.ports ?? {}));
  lowerPriority();
  process.send?.({ type: 'ready', address, ports });
}

function lowerPriority(): void {
  try {
    setPriority(10);
  } catch (error) {
    log.warn({ err: error }, 'the process could not lower its priority');
  }
}

function stopOnSignal(context: ApiContext, app: App, work: readonly BackgroundWork[]): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) process.exit(0);
    stopping = true;
    context.log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(0), STOP_AFTER_MS).unref();
    void stopAll(context, app, work).then(
      () => process.exit(0),
      (error: unknown) => {
        context.log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // Without its supervisor nothing would restart or stop this process.
  process.on('disconnect', () => stop('supervisor gone'));
}

async function stopAll(context: ApiContext, app: App, work: readonly BackgroundWork[]): Promise<void> {
  await Promise.all([app.close(), ...work.map((one) => one.stop())]);
  await closeContext(context);
}
