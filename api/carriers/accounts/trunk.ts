// The trunk of a connected account, made at the carrier and here in one request. It is found by its name there and its
// username here, so that asking again makes nothing twice; its password is kept before anything is made.
import { randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import {
  type CarrierRow,
  carrierTrunkContext,
  getCarrier,
  keepTrunkSecret,
  updateCarrier,
} from '../../../db/queries/numbers/carriers.ts';
import { trunkOfUsername } from '../../../db/queries/trunks/trunks.ts';
import { seal, unseal } from '../../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../../context.ts';
import { ApiError, invalid, notFound, refused } from '../../frame/errors.ts';
import type { Trunk } from '../../trunks/schema.ts';
import { addTrunk, changeTrunk, removeTrunk } from '../../trunks/service.ts';
import type { TrunkParts, TrunkWish } from '../api/carrier-api.ts';
import { openCarrier } from '../api/open.ts';
import { adminAnswer } from './admin-answer.ts';
import type { CarrierTrunkBody } from './schema.ts';

const PASSWORD_BYTES = 24;
/** Carriers ask for a small letter, a capital and a digit. */
const PASSWORD_END = 'aA1';
const DEFAULT_COUNTRIES = ['US', 'CA'];

/** Requests that are making a trunk: a second one for the same account waits for it. */
const making = new Map<string, Promise<unknown>>();

/** @throws {ApiError} 404, 409, 422, 503 */
export async function makeTrunk(context: ApiContext, id: string, body: CarrierTrunkBody): Promise<Trunk> {
  const before = making.get(id) ?? Promise.resolve();
  const work = before.catch(() => undefined).then(() => make(context, id, body));
  making.set(id, work);
  try {
    return await work;
  } finally {
    if (making.get(id) === work) making.delete(id);
  }
}

async function make(context: ApiContext, id: string, body: CarrierTrunkBody): Promise<Trunk> {
  const { db, secretKey, config } = context;
  const row = await getCarrier(db, id);
  if (row === null) throw notFound('Carrier');
  try {
    const api = openCarrier(row, { secretKey, apiBase: config.carrierApiBase });
    if (api.unknownAddresses !== null && body.inboundAllow === undefined)
      throw invalid([{ field: 'inboundAllow', message: api.unknownAddresses }]);
    const isSecure = body.secure ?? false;
    const wish: TrunkWish = {
      name: `voice ${id}`,
      username: `voice${id.slice(id.indexOf('_') + 1)}`,
      password: await passwordOf(context, row),
      address: api.needsAddress ? addressFor(context, isSecure) : null,
      isSecure,
      countries: (body.countries ?? DEFAULT_COUNTRIES).map((country) => country.toUpperCase()),
    };
    const { parts, here } = await api.makeTrunk(wish);
    const { inboundAllow = here.inboundAllow } = body;
    const settings = {
      ...here,
      transport: here.transport ?? 'udp',
      srtp: here.srtp ?? false,
      ...(inboundAllow === undefined ? {} : { inboundAllow }),
    } as const;
    const known = await trunkOfUsername(db, wish.username);
    const trunk =
      known === null
        ? await addTrunk(context, { name: row.name, ...settings })
        : await changeTrunk(context, known.id, settings);
    await updateCarrier(db, id, { trunkId: trunk.id, trunkParts: JSON.stringify(parts) });
    return trunk;
  } catch (error) {
    throw adminAnswer(error);
  }
}

/** Kept before the carrier is asked: a request that died is gone on with by the same password. */
async function passwordOf({ db, secretKey }: ApiContext, { id }: CarrierRow): Promise<string> {
  const password = `${randomBytes(PASSWORD_BYTES).toString('hex')}${PASSWORD_END}`;
  const kept = await keepTrunkSecret(db, id, seal(secretKey, carrierTrunkContext(id), password));
  if (kept === null) throw notFound('Carrier');
  return unseal(secretKey, carrierTrunkContext(id), kept);
}

/** Where the carrier sends calls to. @throws {ApiError} 409 that names the variable */
function addressFor({ config }: ApiContext, isSecure: boolean): { host: string; port: number } {
  const { host, port, tlsPort } = config.sip;
  if (host === null) {
    throw noAddress('set EXTERNAL_IP to the public address at which this service is reached, or SIP_HOST');
  }
  if (isPrivate(host)) throw noAddress(`${host} is a private address: set EXTERNAL_IP to the public one`);
  const chosen = isSecure ? tlsPort : port;
  if (chosen === null) throw noAddress('set SIP_TLS_PORT, SIP_TLS_CERT and SIP_TLS_KEY for a secure trunk');
  if (chosen === 0) throw noAddress('set SIP_PORT to a fixed port');
  return { host: host.includes(':') ? `[${host}]` : host, port: chosen };
}

const noAddress = (remedy: string) => refused('NO_SIP_ADDRESS', `The carrier cannot reach this service: ${remedy}`);

const NOT_REACHED = ['private', 'loopback', 'linkLocal', 'carrierGradeNat', 'uniqueLocal', 'unspecified'];
const isPrivate = (host: string): boolean => ipaddr.isValid(host) && NOT_REACHED.includes(ipaddr.parse(host).range());

/** Takes the trunk back, there and here. @throws {ApiError} 409, 503 */
export async function unmakeTrunk(context: ApiContext, row: CarrierRow): Promise<void> {
  const { secretKey, config, db } = context;
  try {
    const parts = JSON.parse(row.trunkParts) as TrunkParts;
    await openCarrier(row, { secretKey, apiBase: config.carrierApiBase }).removeTrunk(parts);
  } catch (error) {
    throw adminAnswer(error);
  }
  if (row.trunkId !== null) {
    await removeTrunk(context, row.trunkId).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    });
  }
  await updateCarrier(db, row.id, { trunkId: null, trunkParts: '{}' });
}
