// An account's public keys: made, changed, replaced and deleted, with what was done by them today.
import { randomBytes } from 'node:crypto';
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import {
  countWidgetKeys,
  deleteWidgetKey,
  getWidgetKey,
  insertWidgetKey,
  listWidgetKeys,
  updateWidgetKey,
} from '../../db/queries/widget/keys.ts';
import { type WidgetUses, widgetRefusals, widgetUses } from '../../db/queries/widget/uses.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { WidgetKeyTable, WidgetRefusalTable, WidgetWay } from '../../db/schema/widget.ts';
import { transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import { RefusedAddress } from '../../db/shared/net/address-rules.ts';
import { checkAddress, FetchFailed } from '../../db/shared/net/safe-fetch.ts';
import { namedCampaign } from '../campaigns/named-campaign.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { type FieldError, invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { requireScope } from '../plugins/auth.ts';
import { captchaRules } from './captcha.ts';
import { canonicalOrigin } from './origins.ts';
import type { WidgetKeyCreate, WidgetKeyPatch, WidgetKeyQuery, WidgetKeyRecord } from './schema.ts';

const KEYS_MAX = 100;
const KEY_BYTES = 24;
const KEPT_HOURS = 24;

const DEFAULTS = {
  allows: ['call', 'text'] as WidgetWay[],
  callsPerDay: 100,
  minutesPerDay: 300,
  messagesPerDay: 1_000,
  callsAtOnce: 5,
  captchaUrl: null,
  expiresAt: null,
  isActive: true,
};

const missing = () => notFound('Widget key');
const newKey = (): string => `pk_${randomBytes(KEY_BYTES).toString('base64url')}`;

export async function widgetKeyRecords(context: ApiContext, accountId: string, query: WidgetKeyQuery) {
  const { page, limit, campaignId } = query;
  const { rows, total } = await listWidgetKeys(context.read, accountId, campaignId, { limit, offset: offsetOf(query) });
  return { data: await recordsOf(context, accountId, rows), pagination: pagination(page, limit, total) };
}

/** @throws {ApiError} 404 */
export async function readWidgetKey(context: ApiContext, accountId: string, id: string): Promise<WidgetKeyRecord> {
  return recordOf(context, await getWidgetKey(context.read, accountId, id));
}

/** @throws {ApiError} 403, 409, 422 */
export async function createWidgetKey(
  context: ApiContext,
  auth: Auth,
  body: WidgetKeyCreate,
): Promise<WidgetKeyRecord> {
  const { db, now } = context;
  const { accountId } = auth;
  const wanted = { ...DEFAULTS, ...body };
  await check(context, auth, wanted);
  const row: WidgetKeyTable = {
    ...{ id: newId('wid'), accountId, campaignId: body.campaignId, createdAt: now() },
    ...{ publicKey: newKey(), previousKey: null, previousUntil: null },
    ...(stored(wanted) as Omit<WidgetKeyTable, 'id' | 'accountId' | 'campaignId'>),
  };
  await transact(db, { accounts: [accountId] }, async (tx) => {
    await namedCampaign(tx, accountId, body.campaignId);
    if ((await countWidgetKeys(tx, accountId)) >= KEYS_MAX)
      throw refused('WIDGET_KEY_LIMIT', `An account has at most ${KEYS_MAX} widget keys`);
    await insertWidgetKey(tx, row);
  });
  return recordOf(context, row);
}

/** @throws {ApiError} 403, 404, 422 */
export async function changeWidgetKey(
  context: ApiContext,
  auth: Auth,
  id: string,
  body: WidgetKeyPatch,
): Promise<WidgetKeyRecord> {
  const { accountId } = auth;
  const before = await getWidgetKey(context.read, accountId, id);
  if (before === undefined) throw missing();
  const allows = JSON.parse(before.allows) as WidgetWay[];
  await check(context, auth, { allows, ...body }, before.captchaUrl);
  return recordOf(context, await updateWidgetKey(context.db, accountId, id, stored(body)));
}

/** @throws {ApiError} 404 */
export async function rotateWidgetKey(
  context: ApiContext,
  accountId: string,
  id: string,
  keepHours = KEPT_HOURS,
): Promise<WidgetKeyRecord> {
  const { db, now } = context;
  const row = await transact(db, { accounts: [accountId] }, async (tx) => {
    const before = await getWidgetKey(tx, accountId, id);
    if (before === undefined) throw missing();
    const previousUntil = keepHours === 0 ? null : now() + keepHours * HOUR_MS;
    const previousKey = keepHours === 0 ? null : before.publicKey;
    return updateWidgetKey(tx, accountId, id, { publicKey: newKey(), previousKey, previousUntil });
  });
  return recordOf(context, row);
}

/** @throws {ApiError} 404 */
export async function removeWidgetKey({ db }: ApiContext, accountId: string, id: string): Promise<{ id: string }> {
  const isGone = await transact(db, { accounts: [accountId] }, (tx) => deleteWidgetKey(tx, accountId, id));
  if (!isGone) throw missing();
  return { id };
}

/** @throws {ApiError} 403 where calls would come of a token that may place none; 422 */
async function check(
  context: ApiContext,
  auth: Auth,
  { allows, origins = [], captchaUrl = null, expiresAt = null }: WidgetKeyPatch,
  checkedUrl: string | null = null,
): Promise<void> {
  if (allows?.includes('call')) requireScope(auth, 'call');
  const faults: FieldError[] = [];
  for (const [at, origin] of origins.entries())
    if (canonicalOrigin(origin) === null)
      faults.push({
        field: `origins[${at}]`,
        message: 'must be the scheme, host and port of a page alone, without *, for example https://www.example.com',
      });
  if (expiresAt !== null && Date.parse(expiresAt) <= context.now())
    faults.push({ field: 'expiresAt', message: 'must lie ahead' });
  if (captchaUrl !== null && captchaUrl !== checkedUrl) {
    const fault = await addressFault(context, captchaUrl);
    if (fault !== null) faults.push({ field: 'captchaUrl', message: fault });
  }
  if (faults.length > 0) throw invalid(faults);
}

async function addressFault(context: ApiContext, url: string): Promise<string | null> {
  try {
    await checkAddress(url, captchaRules(context));
    return null;
  } catch (error) {
    if (error instanceof RefusedAddress || error instanceof FetchFailed) return error.message;
    throw error;
  }
}

/** The columns of the fields that are there. */
function stored({ origins, allows, expiresAt, isActive, name, ...same }: WidgetKeyPatch & { campaignId?: string }) {
  const { campaignId: _campaign, ...caps } = same;
  return {
    ...caps,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(origins === undefined ? {} : { origins: JSON.stringify([...new Set(origins.map(canonicalOrigin))]) }),
    ...(allows === undefined ? {} : { allows: JSON.stringify(allows) }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : Date.parse(expiresAt) }),
    ...(isActive === undefined ? {} : { isActive: isActive ? (1 as const) : (0 as const) }),
  };
}

async function recordOf(context: ApiContext, row: WidgetKeyTable | undefined): Promise<WidgetKeyRecord> {
  if (row === undefined) throw missing();
  const [record] = await recordsOf(context, row.accountId, [row]);
  if (record === undefined) throw missing();
  return record;
}

async function recordsOf(
  { db, read, now, widgetRefusals: noted }: ApiContext,
  accountId: string,
  rows: readonly WidgetKeyTable[],
): Promise<WidgetKeyRecord[]> {
  const nowMs = now();
  const ids = rows.map(({ id }) => id);
  await noted.write(db);
  const uses = await widgetUses(read, accountId, ids, nowMs);
  const refusals = await widgetRefusals(read, accountId, ids, nowMs);
  return rows.map((row) =>
    record(
      row,
      uses.get(row.id),
      refusals.filter(({ keyId }) => keyId === row.id),
      nowMs,
    ),
  );
}

function record(
  row: WidgetKeyTable,
  uses: WidgetUses | undefined,
  refusals: readonly WidgetRefusalTable[],
  nowMs: number,
): WidgetKeyRecord {
  const { calls = 0, callsNow = 0, seconds = 0, messages = 0 } = uses ?? {};
  const { previousUntil } = row;
  return {
    id: row.id,
    campaignId: row.campaignId,
    key: row.publicKey,
    previousKeyUntil: isoOrNull(previousUntil !== null && previousUntil > nowMs ? previousUntil : null),
    name: row.name,
    origins: JSON.parse(row.origins) as string[],
    allows: JSON.parse(row.allows) as WidgetWay[],
    callsPerDay: row.callsPerDay,
    minutesPerDay: row.minutesPerDay,
    messagesPerDay: row.messagesPerDay,
    callsAtOnce: row.callsAtOnce,
    captchaUrl: row.captchaUrl,
    expiresAt: isoOrNull(row.expiresAt),
    isActive: row.isActive === 1,
    today: {
      ...{ calls, callsNow, minutes: Math.round(seconds / 6) / 10, messages },
      refused: refusals.map(({ reason, requests, origin, lastAt }) => ({
        ...{ reason, requests, origin },
        lastAt: isoTime(lastAt),
      })),
    },
    createdAt: isoTime(row.createdAt),
  };
}
