// Contacts of a campaign: added in bulk, merged by number.

import type { CampaignTable, ContactStatus, ContactTable } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';
import { runText } from '../../statements/compiled-statement.ts';

/** Numbers looked up by one statement. More than a few hundred save nothing. */
const NUMBERS_PER_STATEMENT = 250;
/** Rows inserted by one statement. A list is cut into these sizes, so that only few statements stay prepared. */
const ROWS_PER_STATEMENT = [100, 10, 1] as const;

const CONTACT_COLUMNS = {
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
const COLUMN_NAMES = Object.keys(CONTACT_COLUMNS) as Array<keyof ContactTable>;
/** All columns under the names of `ContactTable`. */
export const SELECTED_CONTACT = COLUMN_NAMES.map((name) => `${CONTACT_COLUMNS[name]} as "${name}"`).join();

/** Contacts of the campaign by status, from the kept totals. */
export async function contactCounts(
  db: Db,
  accountId: string,
  campaignId: string,
): Promise<Map<ContactStatus, number>> {
  const rows = await db
    .selectFrom('contactCountsNow')
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

type RetryTerms = Pick<ContactTable, 'attempts' | 'phoneNumber'> &
  Pick<CampaignTable, 'maxAttempts' | 'retryDelayMinutes' | 'callingWindow'> & {
    /** Null without a business. */
    timezone: string | null;
  };

/** All that says whether and when a contact is called again. */
export function retryTerms(db: Db, contactId: string): Promise<RetryTerms | undefined> {
  return db
    .selectFrom('contacts')
    .innerJoin('campaigns', 'campaigns.id', 'contacts.campaignId')
    .leftJoin('businesses', 'businesses.id', 'campaigns.businessId')
    .select([
      'contacts.attempts',
      'contacts.phoneNumber',
      'campaigns.maxAttempts',
      'campaigns.retryDelayMinutes',
      'campaigns.callingWindow',
      'businesses.timezone',
    ])
    .where('contacts.id', '=', contactId)
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
        `select ${SELECTED_CONTACT} from contacts
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
  return `insert into contacts (${Object.values(CONTACT_COLUMNS).join()}) values ${Array(rows).fill(row).join()}`;
}

/** Updates a contact with the fields that a client sent again. */
export async function updateContact(
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Pick<ContactTable, 'name' | 'email' | 'variables' | 'metadata'>>,
): Promise<void> {
  await db.updateTable('contacts').set(changes).where('id', '=', id).where('accountId', '=', accountId).execute();
}

/** Removes a contact; undefined when it is on a call or missing. */
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

/** The number of waiting contacts whose number is on the account's do-not-call list. */
export async function countListedContacts(db: Db, accountId: string, campaignId: string): Promise<number> {
  const waiting = (await contactCounts(db, accountId, campaignId)).get('PENDING') ?? 0;
  if (waiting === 0) return 0;
  // Reads the shorter of the two lists and looks up each of its numbers in the other.
  const listed = db.selectFrom('doNotCall').select('id').where('accountId', '=', accountId);
  const beyond = await listed.limit(1).offset(waiting).executeTakeFirst();
  const [row] = await runText<{ total: number }>(
    db,
    `listed-contacts|${beyond === undefined ? 'list' : 'campaign'}`,
    () => (beyond === undefined ? LISTED_BY_LIST : LISTED_BY_CAMPAIGN),
    [accountId, campaignId, accountId],
  );
  return row?.total ?? 0;
}

// SQLite reads a left join from its left table.
const LISTED_BY_LIST = `
  select count(contacts.id) as total from do_not_call
  left join contacts on contacts.account_id = ? and contacts.phone_number = do_not_call.phone_number
    and contacts.campaign_id = ? and contacts.status = 'PENDING'
  where do_not_call.account_id = ?`;
const LISTED_BY_CAMPAIGN = `
  select count(do_not_call.id) as total from contacts
  left join do_not_call on do_not_call.account_id = ? and do_not_call.phone_number = contacts.phone_number
  where contacts.campaign_id = ? and contacts.status = 'PENDING' and contacts.account_id = ?`;
