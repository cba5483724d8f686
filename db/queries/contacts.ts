// Contacts of a campaign: added in bulk, merged by number.
import { runText } from '../compiled-statement.ts';
import type { ContactStatus, ContactTable } from '../schema/campaigns.ts';
import type { Db } from '../sqlite.ts';

/** Numbers looked up by one statement. Past a few hundred a longer one saves nothing. */
const NUMBERS_PER_STATEMENT = 250;
/** Rows inserted by one statement. A list is cut into these, so that there are few statements to keep prepared. */
const ROWS_PER_STATEMENT = [100, 10, 1] as const;

const COLUMNS = {
  id: 'id',
  accountId: 'account_id',
  campaignId: 'campaign_id',
  phoneNumber: 'phone_number',
  name: 'name',
  email: 'email',
  status: 'status',
  attempts: 'attempts',
  lastCallId: 'last_call_id',
  nextAttemptAt: 'next_attempt_at',
  variables: 'variables',
  metadata: 'metadata',
  createdAt: 'created_at',
} as const satisfies Record<keyof ContactTable, string>;
const COLUMN_NAMES = Object.keys(COLUMNS) as Array<keyof ContactTable>;

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
  for (let i = 0; i < numbers.length; i += NUMBERS_PER_STATEMENT) {
    const some = numbers.slice(i, i + NUMBERS_PER_STATEMENT);
    const rows = await runText<ContactTable>(
      db,
      `contacts-by-numbers|${some.length}`,
      () =>
        `select ${COLUMN_NAMES.map((name) => `${COLUMNS[name]} as "${name}"`).join()} from contacts
         where account_id = ? and phone_number in (${some.map(() => '?').join()}) and campaign_id = ?`,
      [accountId, ...some, campaignId],
    );
    for (const row of rows) found.set(row.phoneNumber, row);
  }
  return found;
}

export async function insertContacts(
  db: Db,
  accountId: string,
  contacts: ReadonlyArray<Omit<ContactTable, 'accountId'>>,
): Promise<void> {
  let done = 0;
  for (const size of ROWS_PER_STATEMENT) {
    for (; contacts.length - done >= size; done += size) {
      const values: unknown[] = [];
      for (const contact of contacts.slice(done, done + size)) {
        const row: ContactTable = { ...contact, accountId };
        for (const name of COLUMN_NAMES) values.push(row[name]);
      }
      await runText(db, `insert-contacts|${size}`, () => insertText(size), values);
    }
  }
}

function insertText(rows: number): string {
  const row = `(${COLUMN_NAMES.map(() => '?').join()})`;
  return `insert into contacts (${Object.values(COLUMNS).join()}) values ${Array(rows).fill(row).join()}`;
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
