// SIP trunks of the installation, for an ADMIN's settings and for the engine. They belong to no account. A password is
// stored only as a sealed box of db/shared/secrets/secret-box.ts, bound to the trunk's id.

import type { Selectable } from 'kysely';
import type { TrunkTable } from '../../schema/lines/trunks.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { unseal } from '../../shared/secrets/secret-box.ts';
import { newestPage, type Page } from '../newest-page.ts';

export type TrunkRow = Selectable<TrunkTable>;
export type TrunkFields = Omit<TrunkTable, 'id' | 'createdAt' | 'deletedAt'>;

/** The trunks in service, newest first. */
export async function listTrunks(db: Db, page: Page): Promise<{ rows: TrunkRow[]; total: number }> {
  const inService = db.selectFrom('trunks').where('deletedAt', 'is', null);
  return newestPage(inService.selectAll(), page);
}

/** One trunk in service. */
export async function getTrunk(db: Db, id: string): Promise<TrunkRow | null> {
  const row = await db
    .selectFrom('trunks')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The trunk in service that authenticates by this name. */
export async function trunkOfUsername(db: Db, username: string): Promise<TrunkRow | null> {
  const row = await db
    .selectFrom('trunks')
    .selectAll()
    .where('username', '=', username)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The id of the trunk that a number names for its calls, in service or not; null if it names none. */
export async function trunkOfNumber(db: Db, phoneNumberId: string): Promise<string | null> {
  const row = await db.selectFrom('phoneNumbers').select('trunkId').where('id', '=', phoneNumberId).executeTakeFirst();
  return row?.trunkId ?? null;
}

/** Adds a trunk under an existing id (its password is sealed for that id). */
export async function addTrunk(db: Db, id: string, fields: TrunkFields, nowMs: number): Promise<TrunkRow> {
  return db
    .insertInto('trunks')
    .values({ ...fields, id, createdAt: nowMs, deletedAt: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A new trunk's id, to seal its password with. */
export const newTrunkId = (): string => newId('trk');

/** Changes a trunk in service. */
export async function updateTrunk(db: Db, id: string, changes: Partial<TrunkFields>): Promise<TrunkRow | null> {
  if (Object.keys(changes).length === 0) return getTrunk(db, id);
  return changed(db, id, changes);
}

async function changed(db: Db, id: string, changes: Partial<TrunkTable>): Promise<TrunkRow | null> {
  const row = await db
    .updateTable('trunks')
    .set(changes)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Takes a trunk out of service. Its numbers have no trunk of their own afterwards and use the oldest; trunks that it
 * backed up have no backup. Call it in a transaction.
 */
export async function deleteTrunk(db: Db, id: string, nowMs: number): Promise<TrunkRow | null> {
  const row = await changed(db, id, { deletedAt: nowMs, passwordSealed: null });
  if (!row) return null;
  await db.deleteFrom('readInvites').where('trunkId', '=', id).execute();
  await db.updateTable('phoneNumbers').set({ trunkId: null }).where('trunkId', '=', id).execute();
  await db.updateTable('inventory').set({ trunkId: null }).where('trunkId', '=', id).execute();
  await db.updateTable('carriers').set({ trunkId: null }).where('trunkId', '=', id).execute();
  await db.updateTable('trunks').set({ backupTrunkId: null }).where('backupTrunkId', '=', id).execute();
  return row;
}

/** A trunk for the engine, with its password in plain text. Keep it in memory only. */
interface TrunkConfig {
  id: string;
  name: string;
  /** Host name or address; each of its addresses counts as the trunk. */
  host: string;
  port: number;
  transport: TrunkTable['transport'];
  username: string | null;
  password: string | null;
  /** Digest user name, if it differs from `username`. */
  authUsername: string | null;
  /** Domain of From and To in REGISTER and INVITE; null: `host`. */
  fromDomain: string | null;
  /** `host[:port]` or a SIP URI that requests go through. */
  outboundProxy: string | null;
  register: boolean;
  /** CIDRs from which INVITEs are accepted, in addition to the host's addresses. */
  inboundAllow: string[];
  codecs: string[];
  maxConcurrentCalls: number;
  callsPerSecond: number;
  /** ISO 3166-1 alpha-2: the country of a number without a country code. */
  country: string | null;
  inboundFormat: TrunkTable['inboundFormat'];
  dialFormat: TrunkTable['dialFormat'];
  dialPrefix: string | null;
  callerIdHeader: TrunkTable['callerIdHeader'];
  srtp: boolean;
  optionsPing: boolean;
  acceptsRefer: boolean;
  /** Tried if this trunk fails before the callee's phone rings. */
  backupTrunkId: string | null;
}

/** A trunk's settings without its password. */
export function trunkSettings(row: TrunkRow): Omit<TrunkConfig, 'password'> {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    port: row.port,
    transport: row.transport,
    username: row.username,
    authUsername: row.authUsername,
    fromDomain: row.fromDomain,
    outboundProxy: row.outboundProxy,
    register: row.register === 1,
    inboundAllow: JSON.parse(row.inboundAllow) as string[],
    codecs: JSON.parse(row.codecs) as string[],
    maxConcurrentCalls: row.maxConcurrentCalls,
    callsPerSecond: row.callsPerSecond,
    country: row.country,
    inboundFormat: row.inboundFormat,
    dialFormat: row.dialFormat,
    dialPrefix: row.dialPrefix,
    callerIdHeader: row.callerIdHeader,
    srtp: row.srtp === 1,
    optionsPing: row.optionsPing === 1,
    acceptsRefer: row.acceptsRefer === 1,
    backupTrunkId: row.backupTrunkId,
  };
}

/**
 * Every trunk in service, oldest first, for the engine. `sealKey` is `installationSecret(dataDir, SECRET_KEY_FILE)`;
 * without it, or if a box belongs to another installation, `password` is null and digest fails visibly.
 */
export async function listTrunkConfigs(db: Db, sealKey?: Buffer): Promise<TrunkConfig[]> {
  const rows = await db
    .selectFrom('trunks')
    .selectAll()
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...trunkSettings(row), password: openPassword(row, sealKey) }));
}

function openPassword(row: TrunkRow, sealKey: Buffer | undefined): string | null {
  if (row.passwordSealed === null || sealKey === undefined) return null;
  try {
    return unseal(sealKey, row.id, row.passwordSealed);
  } catch {
    return null;
  }
}
