// The stock of the built-in carrier, which an ADMIN fills with single numbers or a range.
import { describeNumber } from '../../db/domain/numbers/describe-number.ts';
import { asE164 } from '../../db/domain/numbers/phone.ts';
import {
  addToInventory,
  changeNumberInStock,
  findNumberInUse,
  getInventoryNumber,
  type InventoryRow,
  listInventory,
  type NewInventoryNumber,
  removeFromInventory,
} from '../../db/queries/numbers/inventory.ts';
import { getTrunk } from '../../db/queries/trunks/trunks.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import { isWholeCents } from '../billing/billing.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { type InventoryBody, type InventoryNumber, type InventoryPatch, RANGE_MAX } from './schema.ts';

type Features = Pick<InventoryBody, 'type' | 'capabilities' | 'monthlyCost'>;

/** Adds numbers, or renews those in stock. @throws {ApiError} 409 if one is owned, 422 */
export async function addNumbers(context: ApiContext, body: InventoryBody) {
  const trunkId = body.trunkId ?? null;
  const wanted = requested(body);
  const errors: FieldError[] = [];
  const numbers = wanted.flatMap(({ phoneNumber, features, field }) => {
    const prefix = field === null ? '' : `${field}.`;
    const parsed = parse(phoneNumber);
    const cost = costProblem(context, features.monthlyCost ?? 0);
    if (parsed === null) {
      errors.push({ field: `${prefix}${field === null ? 'from' : 'phoneNumber'}`, message: notANumber(phoneNumber) });
    }
    if (cost !== null) errors.push({ field: `${prefix}monthlyCost`, message: cost });
    return parsed === null ? [] : [stockItem(parsed, features, trunkId)];
  });
  errors.push(...repeated(numbers, wanted.length));
  if (trunkId !== null && (await getTrunk(context.read, trunkId)) === null) {
    errors.push({ field: 'trunkId', message: 'names no trunk' });
  }
  if (errors.length > 0) throw invalid(firstOfEach(errors));
  const nowMs = context.now();
  const { owned, rows } = await context.db.transaction().execute((trx) => addToInventory(trx, numbers, nowMs));
  if (owned !== null) throw refused('NUMBER_OWNED', `${owned} is owned by an account: it must be released first`);
  return { added: rows.length, numbers: rows.map((row) => inventoryRecord(row, nowMs)) };
}

interface Wanted {
  phoneNumber: string;
  features: Features;
  /** JSON path of the entry; null in a range. */
  field: string | null;
}

/** The numbers that the body names, in one of its two forms. */
function requested(body: InventoryBody): Wanted[] {
  const { numbers, from, to, type, capabilities, monthlyCost } = body;
  const common: Features = {
    ...(type === undefined ? {} : { type }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(monthlyCost === undefined ? {} : { monthlyCost }),
  };
  if (numbers !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw invalid([{ field: from === undefined ? 'to' : 'from', message: 'cannot stand beside numbers' }]);
    }
    return numbers.map(({ phoneNumber, ...own }, index) => ({
      phoneNumber,
      features: { ...common, ...own },
      field: `numbers[${index}]`,
    }));
  }
  if (from === undefined && to === undefined) throw invalid([{ field: 'numbers', message: 'is required' }]);
  if (from === undefined) throw invalid([{ field: 'from', message: 'is required' }]);
  if (to === undefined) throw invalid([{ field: 'to', message: 'is required' }]);
  return range(from, to).map((phoneNumber) => ({ phoneNumber, features: common, field: null }));
}

function range(from: string, to: string): string[] {
  if (parse(from) === null) throw invalid([{ field: 'from', message: notANumber(from) }]);
  if (parse(to) === null) throw invalid([{ field: 'to', message: notANumber(to) }]);
  const [first, last] = [BigInt(from.slice(1)), BigInt(to.slice(1))];
  if (from.length !== to.length || last < first) {
    throw invalid([{ field: 'to', message: 'must be as long as from, and not before it' }]);
  }
  const count = Number(last - first) + 1;
  if (count > RANGE_MAX) throw invalid([{ field: 'to', message: `a range has at most ${RANGE_MAX} numbers` }]);
  return Array.from({ length: count }, (_, index) => `+${first + BigInt(index)}`);
}

const notANumber = (phoneNumber: string) => `${phoneNumber.slice(0, 20)} is no valid phone number in E.164 form`;

function costProblem(context: ApiContext, monthlyCost: number): string | null {
  if (!isWholeCents(monthlyCost)) return 'must have at most two decimals';
  const { leastAmount } = context.billing;
  return monthlyCost > 0 && monthlyCost < leastAmount ? `must be 0 or at least ${leastAmount.toFixed(2)}` : null;
}

function repeated(numbers: readonly NewInventoryNumber[], wanted: number): FieldError[] {
  const seen = new Set<string>();
  // Positions match only if every number was parsed; otherwise the parse errors are reported first.
  if (numbers.length !== wanted) return [];
  return numbers.flatMap(({ phoneNumber }, index) => {
    if (!seen.has(phoneNumber)) {
      seen.add(phoneNumber);
      return [];
    }
    return [{ field: `numbers[${index}].phoneNumber`, message: 'stands in the list twice' }];
  });
}

function firstOfEach(errors: readonly FieldError[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const error of errors) if (!byField.has(error.field)) byField.set(error.field, error);
  return [...byField.values()].slice(0, 50);
}

interface ParsedNumber {
  phoneNumber: string;
  country: string;
  areaCode: string | null;
  type: NewInventoryNumber['type'];
}

function parse(phoneNumber: string): ParsedNumber | null {
  const e164 = asE164(phoneNumber);
  return e164 === null ? null : { phoneNumber: e164, ...describeNumber(e164) };
}

const stockItem = (parsed: ParsedNumber, features: Features, trunkId: string | null): NewInventoryNumber => ({
  ...parsed,
  type: features.type ?? parsed.type,
  capabilities: features.capabilities ?? ['voice'],
  monthlyCost: features.monthlyCost ?? 0,
  trunkId,
});

export async function inventory(context: ApiContext, page: PageQuery) {
  const { rows, total } = await listInventory(context.read, { limit: page.limit, offset: offsetOf(page) });
  const nowMs = context.now();
  return {
    data: rows.map((row) => inventoryRecord(row, nowMs)),
    pagination: pagination(page.page, page.limit, total),
  };
}

/** @throws {ApiError} 404, 409 while owned */
export async function removeNumber(context: ApiContext, phoneNumber: string): Promise<InventoryNumber> {
  const removed = await removeFromInventory(context.db, phoneNumber);
  if (removed !== null) return inventoryRecord(removed, context.now());
  if ((await getInventoryNumber(context.db, phoneNumber)) === null) throw notFound('Phone number');
  throw refused('NUMBER_OWNED', 'The number is owned by an account, or being bought');
}

/** @throws {ApiError} 404 */
export async function numberRecord(context: ApiContext, phoneNumber: string): Promise<InventoryNumber> {
  const row = await getInventoryNumber(context.read, phoneNumber);
  if (row !== null) return inventoryRecord(row, context.now());
  // Ported in, or the demo's: owned, but never in the stock.
  const owned = await findNumberInUse(context.read, phoneNumber);
  if (owned === null) throw notFound('Phone number');
  const { country, areaCode } = describeNumber(phoneNumber);
  return inventoryRecord(
    {
      ...owned,
      country,
      areaCode,
      ownedBy: owned.accountId,
      reservedBy: null,
      reservedUntil: null,
      retiredAt: null,
      carrierId: null,
      carrierPrice: null,
    },
    context.now(),
  );
}

/** Changes trunk and price of a number; its next call uses that trunk. @throws {ApiError} 404, 422 */
export async function changeStock(
  context: ApiContext,
  phoneNumber: string,
  patch: InventoryPatch,
): Promise<InventoryNumber> {
  const errors: FieldError[] = [];
  const { trunkId, monthlyCost } = patch;
  const cost = monthlyCost === undefined ? null : costProblem(context, monthlyCost);
  if (cost !== null) errors.push({ field: 'monthlyCost', message: cost });
  if (typeof trunkId === 'string' && (await getTrunk(context.read, trunkId)) === null) {
    errors.push({ field: 'trunkId', message: 'names no trunk' });
  }
  if (errors.length > 0) throw invalid(errors);
  await context.db.transaction().execute((trx) => changeNumberInStock(trx, phoneNumber, patch));
  return numberRecord(context, phoneNumber);
}

function inventoryRecord(row: InventoryRow, nowMs: number): InventoryNumber {
  const reserved = row.ownedBy === null && row.reservedUntil !== null && row.reservedUntil > nowMs;
  const status = row.ownedBy !== null ? 'owned' : row.retiredAt !== null ? 'retired' : reserved ? 'reserved' : 'free';
  return {
    phoneNumber: row.phoneNumber,
    country: row.country,
    areaCode: row.areaCode,
    type: row.type,
    capabilities: JSON.parse(row.capabilities) as string[],
    monthlyCost: row.monthlyCost,
    trunkId: row.trunkId,
    status,
    accountId: row.ownedBy ?? (reserved ? row.reservedBy : null),
    reservedUntil: isoOrNull(reserved ? row.reservedUntil : null),
    createdAt: isoTime(row.createdAt),
  };
}
