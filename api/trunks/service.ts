// SIP trunks, which an ADMIN sets up. The engine notices a change of the row and registers, unregisters or stops using
// the trunk; it reports the state in trunk_states.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { countryFault } from '../../db/domain/numbers/phone.ts';
import { TRUNK_DEFAULTS } from '../../db/domain/trunk-defaults.ts';
import { listReadInvites } from '../../db/queries/trunks/read-invites.ts';
import { openCallsOfTrunks, type TrunkStateRow, trunkStates } from '../../db/queries/trunks/trunk-states.ts';
import {
  getTrunk,
  addTrunk as insertTrunk,
  listTrunks,
  newTrunkId,
  deleteTrunk as retireTrunk,
  type TrunkFields,
  type TrunkRow,
  trunkSettings,
  updateTrunk,
} from '../../db/queries/trunks/trunks.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid, notFound } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { destinationsColumn, destinationsRecord } from '../spend/destinations.ts';
import type { ReadInvite, Trunk, TrunkBody, TrunkPatch } from './schema.ts';

/** Adds a trunk; only name and host are needed. @throws {ApiError} 422 */
export async function addTrunk(context: ApiContext, body: TrunkBody): Promise<Trunk> {
  const id = newTrunkId();
  const { transport, port, codecs, maxConcurrentCalls, callsPerSecond, dialFormat, callerIdHeader } = TRUNK_DEFAULTS;
  const fields: TrunkFields = {
    transport,
    port,
    username: null,
    passwordSealed: null,
    authUsername: null,
    fromDomain: null,
    outboundProxy: null,
    register: 0,
    inboundAllow: '[]',
    codecs: JSON.stringify(codecs),
    maxConcurrentCalls,
    callsPerSecond,
    country: null,
    inboundFormat: TRUNK_DEFAULTS.inboundFormat,
    dialFormat,
    dialPrefix: null,
    callerIdHeader,
    srtp: 0,
    optionsPing: 1,
    acceptsRefer: 1,
    backupTrunkId: null,
    destinations: null,
    ...columns(context, id, body),
    name: body.name.trim(),
    host: bareHost(body.host),
  };
  check(fields);
  const row = await context.db.transaction().execute(async (trx) => {
    await checkBackup(trx, id, fields.backupTrunkId);
    return insertTrunk(trx, id, fields, context.now());
  });
  return trunkRecord(row, undefined);
}

/** @throws {ApiError} 404, 422 */
export async function changeTrunk(context: ApiContext, id: string, patch: TrunkPatch): Promise<Trunk> {
  const row = await context.db.transaction().execute(async (trx) => {
    const before = await getTrunk(trx, id);
    if (before === null) throw notFound('Trunk');
    const changes: Partial<TrunkFields> = {
      ...columns(context, id, patch),
      ...(patch.name === undefined ? {} : { name: patch.name.trim() }),
      ...(patch.host === undefined ? {} : { host: bareHost(patch.host) }),
      // A password is for the host that it was entered for: another one would be answered its challenges.
      ...(patch.password === undefined && goesElsewhere(before, patch) ? { passwordSealed: null } : {}),
    };
    check({ ...before, ...changes });
    await checkBackup(trx, id, changes.backupTrunkId ?? null);
    return updateTrunk(trx, id, changes);
  });
  if (row === null) throw notFound('Trunk');
  return withState(context, row);
}

/** Host and proxy: whoever is asked may ask for a digest of the password. */
function goesElsewhere(before: TrunkFields, { host, outboundProxy }: TrunkPatch): boolean {
  const hasOtherHost = host !== undefined && bareHost(host) !== before.host;
  return hasOtherHost || (outboundProxy !== undefined && outboundProxy !== before.outboundProxy);
}

/** The columns of a body's fields, except name and host. */
function columns(context: ApiContext, id: string, body: TrunkPatch): Partial<TrunkFields> {
  const {
    name: _name,
    host: _host,
    password,
    register,
    srtp,
    optionsPing,
    acceptsRefer,
    inboundAllow,
    codecs,
    country,
    destinations,
    ...plain
  } = body;
  return {
    ...plain,
    ...(password === undefined
      ? {}
      : { passwordSealed: password === null ? null : seal(context.secretKey, id, password) }),
    ...(register === undefined ? {} : { register: register ? 1 : 0 }),
    ...(srtp === undefined ? {} : { srtp: srtp ? 1 : 0 }),
    ...(optionsPing === undefined ? {} : { optionsPing: optionsPing ? 1 : 0 }),
    ...(acceptsRefer === undefined ? {} : { acceptsRefer: acceptsRefer ? 1 : 0 }),
    ...(inboundAllow === undefined ? {} : { inboundAllow: JSON.stringify(parseCidrs(inboundAllow)) }),
    ...(codecs === undefined ? {} : { codecs: JSON.stringify(codecs) }),
    ...(destinations === undefined ? {} : { destinations: destinationsColumn(destinations) ?? null }),
    ...(country === undefined ? {} : { country: country === null ? null : country.toUpperCase() }),
  };
}

/** Rules across several fields. @throws {ApiError} 422 */
function check(trunk: TrunkFields): void {
  const errors: FieldError[] = [];
  const add = (field: string, message: string) => errors.push({ field, message });
  if (/^[\d.]+$/.test(trunk.host) && isIP(trunk.host) === 0) add('host', 'must be a host name or an address');
  if (trunk.host.includes(':') && isIP(trunk.host) !== 6)
    add('host', 'must be a host name or an address, the port apart');
  if (trunk.register === 1 && trunk.username === null) add('username', 'is required to register');
  if (trunk.passwordSealed !== null && trunk.username === null && trunk.authUsername === null) {
    if (trunk.register === 0) add('username', 'is required with a password');
  }
  // Keys sent in clear text protect nothing (RFC 4568 section 7).
  if (trunk.srtp === 1 && trunk.transport !== 'tls') add('srtp', 'needs transport tls');
  const wrongCountry = trunk.country === null ? null : countryFault(trunk.country);
  if (wrongCountry !== null) add('country', wrongCountry);
  for (const field of ['dialFormat', 'inboundFormat'] as const) {
    if (trunk[field] === 'national' && trunk.country === null) add('country', `is required with ${field} national`);
  }
  if (errors.length > 0) throw invalid(errors);
}

/** A backup must be another trunk in service. @throws {ApiError} 422 */
async function checkBackup(db: Db, id: string, backupTrunkId: string | null): Promise<void> {
  if (backupTrunkId === null) return;
  const fault = (message: string) => invalid([{ field: 'backupTrunkId', message }]);
  if (backupTrunkId === id) throw fault('must name another trunk');
  if ((await getTrunk(db, backupTrunkId)) === null) throw fault('names no trunk');
}

const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** CIDRs in normal form; a single address means only that address. @throws {ApiError} 422 */
function parseCidrs(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    try {
      const cidr = text.includes('/') ? text : `${text}/${isIP(text) === 6 ? 128 : 32}`;
      // ipaddr.js also accepts addresses such as `10.1`, which are not allowed here.
      if (isIP(cidr.split('/')[0] ?? '') === 0) throw new Error('no address');
      const [address, bits] = ipaddr.parseCIDR(cidr);
      return `${address.toString()}/${bits}`;
    } catch {
      throw invalid([
        { field: `inboundAllow[${index}]`, message: 'must be an address or a CIDR, e.g. 203.0.113.0/24' },
      ]);
    }
  });
}

export async function trunks(context: ApiContext, page: PageQuery) {
  const { rows, total } = await listTrunks(context.read, { limit: page.limit, offset: offsetOf(page) });
  const ids = rows.map((row) => row.id);
  const states = await trunkStates(context.read, ids);
  const calls = await openCallsOfTrunks(context.read, ids);
  return {
    data: rows.map((row) => trunkRecord(row, states.get(row.id), calls.get(row.id))),
    pagination: pagination(page.page, page.limit, total),
  };
}

/** @throws {ApiError} 404 */
export async function trunk(context: ApiContext, id: string): Promise<Trunk> {
  const row = await getTrunk(context.read, id);
  if (row === null) throw notFound('Trunk');
  return withState(context, row);
}

/** @throws {ApiError} 404 */
export async function readInvitesOf(context: ApiContext, id: string): Promise<ReadInvite[]> {
  if ((await getTrunk(context.read, id)) === null) throw notFound('Trunk');
  const rows = await listReadInvites(context.read, id);
  return rows.map(({ trunkId: _, createdAt, ...row }) => ({ ...row, createdAt: isoTime(createdAt) }));
}

/** @throws {ApiError} 404 */
export async function removeTrunk(context: ApiContext, id: string): Promise<Trunk> {
  const row = await context.db.transaction().execute((trx) => retireTrunk(trx, id, context.now()));
  if (row === null) throw notFound('Trunk');
  return withState(context, row);
}

async function withState(context: ApiContext, row: TrunkRow): Promise<Trunk> {
  const states = await trunkStates(context.read, [row.id]);
  const calls = await openCallsOfTrunks(context.read, [row.id]);
  return trunkRecord(row, states.get(row.id), calls.get(row.id));
}

function trunkRecord(row: TrunkRow, state: TrunkStateRow | undefined, activeCalls = 0): Trunk {
  return {
    ...trunkSettings(row),
    destinations: destinationsRecord(row.destinations),
    registration: {
      state: state?.registrationState ?? 'off',
      expiresAt: isoOrNull(state?.registrationExpiresAt ?? null),
    },
    health: { state: state?.healthState ?? 'unknown', checkedAt: isoOrNull(state?.healthCheckedAt ?? null) },
    lastError: state?.lastError ?? null,
    lastErrorAt: isoOrNull(state?.lastErrorAt ?? null),
    activeCalls,
    createdAt: isoTime(row.createdAt),
    deletedAt: isoOrNull(row.deletedAt),
  };
}
