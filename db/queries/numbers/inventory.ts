// The stock of numbers that the built-in carrier offers: the numbers that an ADMIN added, reservations and owners.
// Every function is atomic; functions that read before they write must run in a transaction.
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { InventoryTable, PhoneNumberTable } from '../../schema/lines/phone-numbers.ts';
import type { Db, Schema } from '../../schema.ts';

export type InventoryRow = Selectable<InventoryTable>;

export interface NewInventoryNumber {
  phoneNumber: string;
  country: string;
  areaCode: string | null;
  type: PhoneNumberTable['type'];
  capabilities: readonly string[];
  /** Dollars a month. */
  monthlyCost: number;
  trunkId: string | null;
}

/** SQLite's bound is 32,766 parameters a statement; 200 rows of 8 stay far below, and PostgreSQL's 65,535 too. */
const ROWS_PER_STATEMENT = 200;

/**
 * Adds numbers, or renews numbers in stock (retired ones are offered again). Call it in a transaction. If one of them
 * is owned, nothing is written and the first owned one is returned.
 */
export async function addToInventory(
  db: Db,
  numbers: readonly NewInventoryNumber[],
  nowMs: number,
): Promise<{ owned: string | null; rows: InventoryRow[] }> {
  const rows: InventoryRow[] = [];
  for (let start = 0; start < numbers.length; start += ROWS_PER_STATEMENT) {
    const phoneNumbers = numbers.slice(start, start + ROWS_PER_STATEMENT).map((number) => number.phoneNumber);
    const held = await db
      .selectFrom('phoneNumbers')
      .select('phoneNumber')
      .where('phoneNumber', 'in', phoneNumbers)
      .where('status', '<>', 'released')
      .limit(1)
      .executeTakeFirst();
    if (held) return { owned: held.phoneNumber, rows: [] };
  }
  for (let start = 0; start < numbers.length; start += ROWS_PER_STATEMENT) {
    const written = await db
      .insertInto('inventory')
      .values(
        numbers.slice(start, start + ROWS_PER_STATEMENT).map((number) => ({
          phoneNumber: number.phoneNumber,
          country: number.country,
          areaCode: number.areaCode,
          type: number.type,
          capabilities: JSON.stringify(number.capabilities),
          monthlyCost: number.monthlyCost,
          trunkId: number.trunkId,
          reservedBy: null,
          reservedUntil: null,
          ownedBy: null,
          retiredAt: null,
          createdAt: nowMs,
          carrierId: null,
          carrierPrice: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('phoneNumber').doUpdateSet((eb) => ({
          type: eb.ref('excluded.type'),
          capabilities: eb.ref('excluded.capabilities'),
          monthlyCost: eb.ref('excluded.monthlyCost'),
          trunkId: eb.ref('excluded.trunkId'),
          ownedBy: null,
          retiredAt: null,
          carrierId: null,
          carrierPrice: null,
        })),
      )
      .returningAll()
      .execute();
    rows.push(...written);
  }
  return { owned: null, rows };
}

/** The stock, newest first, retired numbers too, without the offers of carriers that nobody has bought. */
export async function listInventory(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: InventoryRow[]; total: number }> {
  const listed = db
    .selectFrom('inventory')
    .where((eb) => eb.or([eb('carrierId', 'is', null), eb('ownedBy', 'is not', null)]));
  const rows = await listed
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('phoneNumber', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await listed.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** One number of the stock, in any state. */
export async function getInventoryNumber(db: Db, phoneNumber: string): Promise<InventoryRow | null> {
  const row = await db.selectFrom('inventory').selectAll().where('phoneNumber', '=', phoneNumber).executeTakeFirst();
  return row ?? null;
}

/**
 * A number of any account, from the stock or not, in any state except released: a number has one holder in the whole
 * installation.
 */
export async function findNumberInUse(db: Db, phoneNumber: string): Promise<Selectable<PhoneNumberTable> | null> {
  const row = await db
    .selectFrom('phoneNumbers')
    .selectAll()
    .where('phoneNumber', '=', phoneNumber)
    .where('status', '<>', 'released')
    .executeTakeFirst();
  return row ?? null;
}

/** Changes trunk or price of a number, in the stock and at its owner. Call it in a transaction. */
export async function changeNumberInStock(
  db: Db,
  phoneNumber: string,
  { trunkId, monthlyCost }: { trunkId?: string | null; monthlyCost?: number },
): Promise<void> {
  const changes = {
    ...(trunkId === undefined ? {} : { trunkId }),
    ...(monthlyCost === undefined ? {} : { monthlyCost }),
  };
  if (Object.keys(changes).length === 0) return;
  await db.updateTable('inventory').set(changes).where('phoneNumber', '=', phoneNumber).execute();
  await db
    .updateTable('phoneNumbers')
    .set(changes)
    .where('phoneNumber', '=', phoneNumber)
    .where('status', '<>', 'released')
    .execute();
}

/** Removes a number from stock, unless it is owned or being bought. */
export async function removeFromInventory(db: Db, phoneNumber: string): Promise<InventoryRow | null> {
  const row = await db
    .deleteFrom('inventory')
    .where('phoneNumber', '=', phoneNumber)
    .where('ownedBy', 'is', null)
    .where((eb) => eb.not(isBeingBought(eb)))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

interface OfferQuery {
  country: string;
  areaCode?: string;
  type?: PhoneNumberTable['type'];
  capabilities: readonly string[];
  limit: number;
}

/**
 * Reserves up to `limit` free numbers for the account until `untilMs` and returns them. Call it in a transaction. The
 * account's earlier reservations come first and are renewed, so a repeated search reserves no more numbers. Both
 * queries stop at the first index matches, so a large stock costs no more than a small one.
 */
export async function reserveFromInventory(
  db: Db,
  accountId: string,
  query: OfferQuery,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<InventoryRow[]> {
  const own = await offers(db, query)
    .where('reservedBy', '=', accountId)
    .orderBy('phoneNumber')
    .limit(query.limit)
    .execute();
  const others =
    own.length === query.limit
      ? []
      : await offers(db, query)
          .where((eb) => eb.or([eb('reservedUntil', 'is', null), eb('reservedUntil', '<=', nowMs)]))
          .where((eb) => eb.or([eb('reservedBy', 'is', null), eb('reservedBy', '<>', accountId)]))
          .orderBy('phoneNumber')
          .limit(query.limit - own.length)
          .execute();
  const found = [...own, ...others].map((row) => row.phoneNumber);
  if (found.length === 0) return [];
  const rows = await db
    .updateTable('inventory')
    .set({ reservedBy: accountId, reservedUntil: untilMs })
    .where('phoneNumber', 'in', found)
    .returningAll()
    .execute();
  return rows.sort((a, b) => (a.phoneNumber < b.phoneNumber ? -1 : 1));
}

/** Numbers that are neither owned nor being bought, filtered by the query. */
function offers(db: Db, query: OfferQuery) {
  let free = db
    .selectFrom('inventory')
    .select('phoneNumber')
    .where('ownedBy', 'is', null)
    .where('retiredAt', 'is', null)
    // A carrier's offer of minutes ago is asked for again.
    .where('carrierId', 'is', null)
    .where('country', '=', query.country)
    .where((eb) => eb.not(isBeingBought(eb)));
  if (query.areaCode !== undefined) free = free.where('areaCode', '=', query.areaCode);
  if (query.type !== undefined) free = free.where('type', '=', query.type);
  // The column is JSON that this file wrote; a quoted word matches one whole element.
  for (const capability of query.capabilities) free = free.where('capabilities', 'like', `%"${capability}"%`);
  return free;
}

/** Ends the account's oldest reservations beyond `max`: many different searches must not empty the stock. */
export async function limitReservations(db: Db, accountId: string, max: number): Promise<void> {
  await db
    .updateTable('inventory')
    .set({ reservedBy: null, reservedUntil: null })
    .where('phoneNumber', 'in', (eb) =>
      eb
        .selectFrom('inventory')
        .select('phoneNumber')
        .where('reservedBy', '=', accountId)
        .where('ownedBy', 'is', null)
        .orderBy('reservedUntil', 'desc')
        .orderBy('phoneNumber')
        // SQLite takes no OFFSET without a LIMIT.
        .limit(1_000_000)
        .offset(max),
    )
    .execute();
}

/** The number has an unfinished purchase. */
export function isBeingBought(eb: ExpressionBuilder<Schema, 'inventory'>) {
  return eb.exists(
    eb
      .selectFrom('charges')
      .select('charges.id')
      .whereRef('charges.phoneNumber', '=', 'inventory.phoneNumber')
      .where('charges.status', '=', 'pending')
      .where('charges.isPurchase', '=', 1),
  );
}

/**
 * Renews the account's reservation of one number. `free`: nobody has it or a reservation of it, this account neither;
 * `again` (a purchase that the account began before) takes such a number.
 */
export async function holdInInventory(
  db: Db,
  accountId: string,
  phoneNumber: string,
  { nowMs, untilMs, again }: { nowMs: number; untilMs: number; again: boolean },
): Promise<InventoryRow | 'unknown' | 'taken' | 'free'> {
  const row = await db
    .updateTable('inventory')
    .set({ reservedBy: accountId, reservedUntil: untilMs })
    .where('phoneNumber', '=', phoneNumber)
    .where('ownedBy', 'is', null)
    .where('retiredAt', 'is', null)
    .where((eb) =>
      again
        ? eb.or([eb('reservedUntil', 'is', null), eb('reservedUntil', '<=', nowMs), eb('reservedBy', '=', accountId)])
        : eb.and([eb('reservedBy', '=', accountId), eb('reservedUntil', '>', nowMs)]),
    )
    .returningAll()
    .executeTakeFirst();
  if (row) return row;
  const found = await getInventoryNumber(db, phoneNumber);
  if (found === null) return 'unknown';
  const isReserved = found.reservedUntil !== null && found.reservedUntil > nowMs;
  return found.ownedBy === null && found.retiredAt === null && !isReserved ? 'free' : 'taken';
}

/** Ends the account's reservation: the number is offered again. */
export async function releaseInventoryReservation(db: Db, accountId: string, phoneNumber: string): Promise<void> {
  await db
    .updateTable('inventory')
    .set({ reservedBy: null, reservedUntil: null })
    .where('phoneNumber', '=', phoneNumber)
    .where('reservedBy', '=', accountId)
    .where('ownedBy', 'is', null)
    .execute();
}

/**
 * Makes the account the owner of a number in stock. `absent`: the number is not in the stock (ported in, or from
 * another carrier). `taken`: owned, retired, or reserved for another account.
 */
export async function claimFromInventory(
  db: Db,
  accountId: string,
  phoneNumber: string,
  nowMs: number,
): Promise<'claimed' | 'absent' | 'taken'> {
  const row = await db
    .updateTable('inventory')
    .set({ ownedBy: accountId, reservedBy: null, reservedUntil: null })
    .where('phoneNumber', '=', phoneNumber)
    .where('ownedBy', 'is', null)
    .where('retiredAt', 'is', null)
    .where((eb) =>
      eb.or([eb('reservedUntil', 'is', null), eb('reservedUntil', '<=', nowMs), eb('reservedBy', '=', accountId)]),
    )
    .returning('phoneNumber')
    .executeTakeFirst();
  if (row) return 'claimed';
  return (await getInventoryNumber(db, phoneNumber)) ? 'taken' : 'absent';
}

/** Retires released numbers: they are not offered until an ADMIN adds them again. */
export async function retireInInventory(db: Db, phoneNumbers: readonly string[], nowMs: number): Promise<void> {
  await db
    .updateTable('inventory')
    .set({ ownedBy: null, reservedBy: null, reservedUntil: null, retiredAt: nowMs })
    .where('phoneNumber', 'in', phoneNumbers)
    .execute();
}
