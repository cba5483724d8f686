// What every service gets: configuration, database, clock, log, mail. No globals, so tests can run several at once.
import type { Logger } from 'pino';
import type { Db } from '../db/sqlite.ts';
import type { Passwords } from './auth/passwords.ts';
import type { Billing } from './billing/billing.ts';
import type { Carrier } from './carriers/carrier.ts';
import type { ApiConfig } from './config.ts';
import type { Mailer } from './mail-outbox.ts';
import type { Resolve } from './safe-fetch.ts';
import type { StatusProbes } from './status/probes.ts';

export interface ApiContext {
  config: ApiConfig;
  /** The connection that writes; its transactions begin IMMEDIATE. */
  db: Db;
  /** A connection that only reads, and never waits for a writer. */
  read: Db;
  log: Logger;
  /** Ms since the epoch; tests set it. */
  now(): number;
  mail: Mailer;
  /** Hashes and checks passwords, one at a time. */
  passwords: Passwords;
  /** Where numbers come from. */
  carrier: Carrier;
  /** How money is taken. */
  billing: Billing;
  /** The key of db/shared/secret-box.ts: seals trunk passwords and TOTP secrets. */
  secretKey: Buffer;
  /** What is known of the machine, sampled in the background. */
  probes: StatusProbes;
  /** How names of hosts that customers gave are resolved; default: as api/safe-fetch.ts does. */
  resolve?: Resolve;
  /** PUBLIC_URL, else the address listened on; without a slash at the end. */
  publicUrl(): string;
}
