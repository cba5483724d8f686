// Creates the context: for the server, the operator's commands, and (with their own clock and mailer) tests.
import type { Logger } from 'pino';
import { ClockSkew, skewOf } from '../db/clock-skew.ts';
import { openDatabase } from '../db/database.ts';
import { Outage } from '../db/faults/outage.ts';
import { openFiles } from '../db/shared/files/open-files.ts';
import { sealingKeyOf } from '../db/shared/secrets/secret-box.ts';
import { Passwords } from './auth/passwords.ts';
import { SignInProvider } from './auth/provider/provider.ts';
import { createBilling } from './billing/create.ts';
import { createCarrier } from './carriers/connected.ts';
import type { ApiConfig } from './config.ts';
import type { ApiContext } from './context.ts';
import { createMailTransport, type MailTransport } from './mail/mail.ts';
import { MailOutbox } from './mail/mail-outbox.ts';
import { noticeMails } from './notices/late-mails.ts';
import { Peers } from './peers/peers.ts';
import { StatusProbes } from './status/probes.ts';
import { ErasedBytes } from './upkeep/erased-bytes.ts';
import { WidgetRefusals } from './widget/refusals.ts';

const MAILS_WAIT_MS = 2_000;

/** The database must be migrated. `publicUrl` is called only when a mail is written. */
export async function createContext(
  config: ApiConfig,
  log: Logger,
  options: { publicUrl?: () => string; overrides?: Partial<ApiContext>; mailTransport?: MailTransport } = {},
): Promise<ApiContext> {
  const address = `http://${config.apiHost}:${config.apiPort}`;
  const domain = config.publicUrl === null ? 'localhost' : new URL(config.publicUrl).hostname;
  const db = options.overrides?.db ?? openDatabase(config.database);
  const read = options.overrides?.read ?? openDatabase(config.database, { readonly: true });
  const files = options.overrides?.files ?? (await openFiles(config));
  const secretKey = sealingKeyOf(config);
  const wallMs = options.overrides?.now ?? Date.now;
  const skew = new ClockSkew(skewOf(read, wallMs), { nowMs: wallMs, monotonicMs: () => performance.now() });
  // The machine's clock, or the database's where that of the machine is wrong.
  const now = options.overrides?.now ?? (() => Date.now() + skew.correctionMs);
  const outage = new Outage({ log, monotonicMs: () => performance.now() });
  const probes = new StatusProbes({
    dataDir: config.dataDir,
    read,
    now,
    wallMs,
    files,
    log,
    askSkewMs: async () => options.overrides?.skewMs?.() ?? skew.ask(),
  });
  const transport =
    options.mailTransport ??
    createMailTransport({ smtpUrl: config.smtpUrl, dataDir: config.dataDir, from: config.mailFrom, domain });
  const billing = await createBilling(config, log);
  const publicUrl = () => config.publicUrl ?? options.publicUrl?.() ?? address;
  const late = noticeMails({ db, read, now, secretKey, publicUrl });
  return {
    config,
    db,
    read,
    log,
    outage,
    now,
    skewMs: () => skew.ms - (options.overrides?.now === undefined ? skew.correctionMs : 0),
    mail: new MailOutbox({ db, read, log, outage, now, secretKey, transport, late }),
    passwords: new Passwords(),
    signInProvider: config.signInProvider && new SignInProvider(config.signInProvider),
    carrier: createCarrier({
      ...{ db, now, log, billing, secretKey },
      ...{ apiBase: config.carrierApiBase, publicUrl: config.publicUrl },
    }),
    billing,
    secretKey,
    peers: new Peers(),
    files,
    probes,
    erasedBytes: new ErasedBytes(),
    widgetRefusals: new WidgetRefusals(),
    publicUrl,
    ...options.overrides,
  };
}

/** Sends the mails that are due and closes the database. */
export async function closeContext(context: ApiContext): Promise<void> {
  await context.mail.close(MAILS_WAIT_MS);
  await context.db.destroy();
  await context.read.destroy();
  await context.files.close();
}
