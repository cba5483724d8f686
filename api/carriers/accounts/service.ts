// Accounts at carriers with an API, which an ADMIN connects. The key is sealed, and never answered.
import { CARRIER_NAMES, type CarrierKind } from '../../../db/domain/numbers/carrier-kinds.ts';
import { type CarrierOrderRow, countCarrierNumbers, listOrders } from '../../../db/queries/numbers/carrier-orders.ts';
import {
  type CarrierRow,
  carrierKeyContext,
  deleteCarrier,
  getCarrier,
  addCarrier as insertCarrier,
  listCarriers,
  updateCarrier,
} from '../../../db/queries/numbers/carriers.ts';
import { isoOrNull, isoTime } from '../../../db/records/resources.ts';
import type { Db } from '../../../db/schema.ts';
import { newId } from '../../../db/shared/id.ts';
import { seal } from '../../../db/shared/secrets/secret-box.ts';
import { isWholeCents } from '../../billing/billing.ts';
import type { ApiContext } from '../../context.ts';
import { type FieldError, invalid, notFound, refused } from '../../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../../frame/pagination.ts';
import type { CarrierApi, Finding } from '../api/carrier-api.ts';
import { KEY_FORMS, openCarrier } from '../api/open.ts';
import { CarrierError } from '../carrier.ts';
import type { Carrier, CarrierBody, CarrierOrder, CarrierPatch } from './schema.ts';
import { unmakeTrunk } from './trunk.ts';

/** As many characters of a key as tell it from another. */
const KEY_END = 4;

/** @throws {ApiError} 422 */
export async function addCarrier(context: ApiContext, body: CarrierBody): Promise<Carrier> {
  const id = newId('car');
  const { kind, key, keyId = null, offeredTo = 'admins', monthlyCost = null } = body;
  const trimmed = { keyId: keyId?.trim() || null, key: key.trim() };
  check(context, kind, { ...trimmed, monthlyCost });
  const row = await insertCarrier(context.db, {
    id,
    kind,
    name: body.name?.trim() ?? CARRIER_NAMES[kind],
    keyId: trimmed.keyId,
    ...keyColumns(context, id, trimmed.key),
    offeredTo,
    monthlyCost,
    createdAt: context.now(),
  });
  return carrierRecord(row);
}

/** @throws {ApiError} 404, 422 */
export async function changeCarrier(context: ApiContext, id: string, patch: CarrierPatch): Promise<Carrier> {
  const row = await context.db.transaction().execute(async (trx) => {
    const before = await getCarrier(trx, id);
    if (before === null) throw notFound('Carrier');
    const keyId = patch.keyId === undefined ? before.keyId : patch.keyId?.trim() || null;
    const key = patch.key?.trim();
    const { monthlyCost = before.monthlyCost } = patch;
    check(context, before.kind, { keyId, monthlyCost, ...(key === undefined ? {} : { key }) });
    const isOtherAccount = keyId !== before.keyId;
    if (isOtherAccount && (before.trunkId !== null || (await countCarrierNumbers(trx, id)) > 0))
      throw invalid([
        {
          field: 'keyId',
          message: 'cannot change: a trunk was made in that account, or numbers bought. Connect the other one too',
        },
      ]);
    return updateCarrier(trx, id, {
      keyId,
      monthlyCost,
      ...(patch.name === undefined ? {} : { name: patch.name.trim() }),
      ...(patch.offeredTo === undefined ? {} : { offeredTo: patch.offeredTo }),
      ...(key === undefined ? {} : keyColumns(context, id, key)),
    });
  });
  if (row === null) throw notFound('Carrier');
  return carrierRecord(row);
}

const keyColumns = ({ secretKey }: ApiContext, id: string, key: string) => ({
  keySealed: seal(secretKey, carrierKeyContext(id), key),
  keyEnd: key.slice(-KEY_END),
});

/** @throws {ApiError} 422 in the words of the carrier */
function check(
  context: ApiContext,
  kind: CarrierKind,
  given: { keyId: string | null; key?: string; monthlyCost: number | null },
): void {
  const { words, ...form } = KEY_FORMS[kind];
  const errors: FieldError[] = [];
  const hasKeyId = form.keyId === null ? given.keyId === null : given.keyId !== null && form.keyId.test(given.keyId);
  if (!hasKeyId) errors.push({ field: 'keyId', message: words.keyId });
  if (given.key !== undefined && !form.key.test(given.key)) errors.push({ field: 'key', message: words.key });
  const { monthlyCost } = given;
  const { leastAmount } = context.billing;
  if (monthlyCost !== null && !isWholeCents(monthlyCost))
    errors.push({ field: 'monthlyCost', message: 'must have at most two decimals' });
  if (monthlyCost !== null && monthlyCost > 0 && monthlyCost < leastAmount)
    errors.push({ field: 'monthlyCost', message: `must be 0 or at least ${leastAmount.toFixed(2)}` });
  if (errors.length > 0) throw invalid(errors);
}

export async function carriers(context: ApiContext, page: PageQuery) {
  const { rows, total } = await listCarriers(context.read, { limit: page.limit, offset: offsetOf(page) });
  return { data: rows.map(carrierRecord), pagination: pagination(page.page, page.limit, total) };
}

/** @throws {ApiError} 404 */
export async function carrier(context: ApiContext, id: string): Promise<Carrier> {
  return carrierRecord(await carrierRow(context, id));
}

/** @throws {ApiError} 404 */
async function carrierRow(context: ApiContext, id: string): Promise<CarrierRow> {
  const row = await getCarrier(context.read, id);
  if (row === null) throw notFound('Carrier');
  return row;
}

/** Asks the carrier what the key can do, and keeps the answer. @throws {ApiError} 404 */
export async function testCarrier(context: ApiContext, id: string): Promise<{ ok: boolean; findings: Finding[] }> {
  const row = await carrierRow(context, id);
  const findings = await checked(() => openCarrier(row, carrierKeys(context)));
  await updateCarrier(context.db, id, { testedAt: context.now(), findings: JSON.stringify(findings) });
  return { ok: findings.every(({ ok }) => ok), findings };
}

async function checked(open: () => CarrierApi): Promise<Finding[]> {
  try {
    return await open().check();
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return [{ subject: 'key', ok: false, text: error.message }];
  }
}

const carrierKeys = ({ secretKey, config }: ApiContext) => ({ secretKey, apiBase: config.carrierApiBase });

/**
 * Disconnects an account; `undo`: with the trunk that was made, there and here.
 * @throws {ApiError} 404, 409 while its numbers are owned, 503 where the carrier does not answer
 */
export async function removeCarrier(context: ApiContext, id: string, undo: boolean): Promise<Carrier> {
  const row = await carrierRow(context, id);
  await refuseInUse(context.read, id);
  if (undo) await unmakeTrunk(context, row);
  const removed = await context.db.transaction().execute(async (trx) => {
    await refuseInUse(trx, id);
    return deleteCarrier(trx, id);
  });
  if (removed === null) throw notFound('Carrier');
  return carrierRecord(removed);
}

async function refuseInUse(db: Db, id: string): Promise<void> {
  const count = await countCarrierNumbers(db, id);
  if (count > 0)
    throw refused('CARRIER_IN_USE', `${count} of its numbers are owned or being bought: release them first`);
}

/** The journal of its purchases, newest first. @throws {ApiError} 404 */
export async function carrierOrders(context: ApiContext, id: string, page: PageQuery) {
  await carrierRow(context, id);
  const { rows, total } = await listOrders(context.read, id, { limit: page.limit, offset: offsetOf(page) });
  return { data: rows.map(orderRecord), pagination: pagination(page.page, page.limit, total) };
}

const orderRecord = (row: CarrierOrderRow): CarrierOrder => ({
  id: row.id,
  phoneNumber: row.phoneNumber,
  accountId: row.accountId,
  state: row.state,
  error: row.error,
  createdAt: isoTime(row.createdAt),
  changedAt: isoTime(row.changedAt),
});

function carrierRecord(row: CarrierRow): Carrier {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    keyId: row.keyId,
    keyEnd: row.keyEnd,
    offeredTo: row.offeredTo,
    monthlyCost: row.monthlyCost,
    trunkId: row.trunkId,
    testedAt: isoOrNull(row.testedAt),
    findings: JSON.parse(row.findings) as Finding[],
    createdAt: isoTime(row.createdAt),
  };
}
