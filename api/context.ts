// The context of every service: configuration, database, clock, log, mail. Tests run several APIs in a process by it.
// What modules hold beside it is the process's own: places for work that takes long, and work that a second request
// joins.
import type { Logger } from 'pino';
import type { Outage } from '../db/faults/outage.ts';
import type { Db } from '../db/schema.ts';
import type { Files } from '../db/shared/files/files.ts';
import type { Resolve } from '../db/shared/net/safe-fetch.ts';
import type { Passwords } from './auth/passwords.ts';
import type { SignInProvider } from './auth/provider/provider.ts';
import type { Billing } from './billing/billing.ts';
import type { Carrier } from './carriers/carrier.ts';
import type { ApiConfig } from './config.ts';
import type { Mailer } from './mail/mail-outbox.ts';
import type { Peers } from './peers/peers.ts';
import type { StatusProbes } from './status/probes.ts';
import type { ErasedBytes } from './upkeep/erased-bytes.ts';
import type { WidgetRefusals } from './widget/refusals.ts';

export interface ApiContext {
  config: ApiConfig;
  /** The connection that writes; its transactions begin IMMEDIATE. */
  db: Db;
  /** A read-only connection that never waits for a writer. */
  read: Db;
  log: Logger;
  /** Says once that the database is away. */
  outage: Outage;
  /** Ms since the epoch; tests set it. */
  now(): number;
  /** Ms that the database's clock is ahead of ours: other machines' heartbeats are told by it. */
  skewMs(): number;
  mail: Mailer;
  /** Hashes and checks passwords, one at a time. */
  passwords: Passwords;
  /** By which people sign in; null: none is set up. */
  signInProvider: SignInProvider | null;
  /** The source of phone numbers. */
  carrier: Carrier;
  /** The payment port. */
  billing: Billing;
  /** Recordings and documents: in DATA_DIR or in an object store. */
  files: Files;
  /** The key of db/shared/secrets/secret-box.ts: seals trunk passwords and TOTP secrets. */
  secretKey: Buffer;
  /** The API processes of the installation. */
  peers: Peers;
  /** Figures of the machine, sampled in the background. */
  probes: StatusProbes;
  /** Of rows that were deleted. */
  erasedBytes: ErasedBytes;
  /** Requests of web sites that were refused. */
  widgetRefusals: WidgetRefusals;
  /** Resolves customer-supplied host names; default: as in db/shared/net/safe-fetch.ts. */
  resolve?: Resolve;
  /** PUBLIC_URL, else the listening address; without a slash at the end. */
  publicUrl(): string;
}
