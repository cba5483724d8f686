// Contacts of a campaign: added in bulk, merged by number.
import type { ContactStatus, ContactTable } from '../schema/campaigns.ts';
import type { Db } from '../sqlite.ts';

/** Rows per statement: 13 columns each, far below the 32,766 parameters of SQLite and 65,535 of PostgreSQL. */
const ROWS_PER_STATEMENT = 500;

/** Contacts of the campaign, newest first, and how many match. */
export async function listContacts(
  db: Db,
  accountId: string,
  campaignId: string,
  filter: { status?: ContactStatus },
  page: { limit: number; offset: number },
): Promise<{ rows: ContactTable[]; total: number }> {
  let query = db.selectFrom('contacts').where('accountId', '=', accountId).where('campaignId', '=', campaignId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  const rows = await query
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const counts = await contactCounts(db, accountId, campaignId);
  const total =
    filter.status === undefined
      ? [...counts.values()].reduce((sum, count) => sum + count, 0)
      : (counts.get(filter.status) ?? 0);
  return { rows, total };
}

/** Contacts of the campaign by status, kept. */
export async function contactCounts(
  db: Db,
  accountId: string,
  campaignId: string,
): Promise<Map<ContactStatus, number>> {
  const rows = await db
    .selectFrom('contactCounts')
    .select(['status', 'total'])
    .where('accountId', '=', accountId)
    .where('campaignId', '=', campaignId)
    .execute();
  return new Map(rows.map((row) => [row.status, row.total]));
}

export function getContact(
  db: Db,
  accountId: string,
  campaignId: string,
  id: string,
): Promise<ContactTable | undefined> {
  return db
    .selectFrom('contacts')
    .selectAll()
    .where('id', '=', id)
    .where('campaignId', '=', campaignId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** The campaign's contact with this number. */
export function contactByNumber(
  db: Db,
  accountId: string,
  campaignId: string,
  phoneNumber: string,
): Promise<ContactTable | undefined> {
  return db
    .selectFrom('contacts')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('phoneNumber', '=', phoneNumber)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** By number: the campaign's existing contacts. */
export async function contactsByNumbers(
  db: Db,
  accountId: string,
  campaignId: string,
  numbers: readonly string[],
): Promise<Map<string, ContactTable>> {
  const found = new Map<string, ContactTable>();
  for (let i = 0; i < numbers.length; i += ROWS_PER_STATEMENT) {
    const rows = await db
      .selectFrom('contacts')
      .selectAll()
      .where('campaignId', '=', campaignId)
      .where('phoneNumber', 'in', numbers.slice(i, i + ROWS_PER_STATEMENT))
      .where('accountId', '=', accountId)
      .execute();
    for (const row of rows) found.set(row.phoneNumber, row);
  }
  return found;
}

export async function insertContacts(
  db: Db,
  accountId: string,
  contacts: ReadonlyArray<Omit<ContactTable, 'accountId'>>,
): Promise<void> {
  for (let i = 0; i < contacts.length; i += ROWS_PER_STATEMENT) {
    const rows = contacts.slice(i, i + ROWS_PER_STATEMENT).map((contact) => ({ ...contact, accountId }));
    await db.insertInto('contacts').values(rows).execute();
  }
}

/** Takes over what was sent again of a contact. */
export async function updateContact(
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Pick<ContactTable, 'name' | 'email' | 'variables' | 'metadata'>>,
): Promise<void> {
  await db.updateTable('contacts').set(changes).where('id', '=', id).where('accountId', '=', accountId).execute();
}

/** Removes a contact that is not on a call now; undefined when it is, or when there is none. */
export function deleteContact(
  db: Db,
  accountId: string,
  campaignId: string,
  id: string,
): Promise<ContactTable | undefined> {
  return db
    .deleteFrom('contacts')
    .where('id', '=', id)
    .where('campaignId', '=', campaignId)
    .where('accountId', '=', accountId)
    .where('status', '<>', 'CALLING')
    .returningAll()
    .executeTakeFirst();
}

/** How many contacts wait to be called although their number is on the account's do-not-call list. */
export async function countListedContacts(db: Db, accountId: string, campaignId: string): Promise<number> {
  const { total } = await db
    .selectFrom('doNotCall')
    .innerJoin('contacts', (join) =>
      join
        .onRef('contacts.phoneNumber', '=', 'doNotCall.phoneNumber')
        .on('contacts.campaignId', '=', campaignId)
        .on('contacts.status', '=', 'PENDING'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('doNotCall.accountId', '=', accountId)
    .where('contacts.accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(total);
}
