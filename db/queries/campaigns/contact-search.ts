// Contacts of all campaigns of an account, by a part of their name or number.
import { sql } from 'kysely';
import type { ContactTable } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';

/** As many are looked at: no index knows parts of names, and half of them took 3 to 15 ms. */
const SEARCHED_MAX = 20_000;
const FOUND_MAX = 10;
/** Fewer digits are a part of too many numbers. */
const DIGITS_MIN = 4;
const LETTERS_MIN = 2;

type FoundContact = Pick<ContactTable, 'id' | 'campaignId' | 'name' | 'phoneNumber'> & { campaignName: string };

const partOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export async function searchContacts(db: Db, accountId: string, search: string): Promise<FoundContact[]> {
  const text = search.trim();
  if (text.length < LETTERS_MIN) return [];
  const digits = /[^\d\s()+./-]/.test(text) ? '' : text.replace(/\D/g, '');
  const looked = db
    .selectFrom('contacts')
    .select(['id', 'campaignId', 'name', 'phoneNumber'])
    .where('accountId', '=', accountId)
    .limit(SEARCHED_MAX)
    .as('looked');
  return db
    .selectFrom(looked)
    .innerJoin('campaigns', 'campaigns.id', 'looked.campaignId')
    .select(['looked.id', 'looked.campaignId', 'looked.name', 'looked.phoneNumber', 'campaigns.name as campaignName'])
    .where('campaigns.deletedAt', 'is', null)
    .where(({ or }) =>
      or([
        sql<boolean>`lower(looked.name) like ${partOf(text.toLowerCase())} escape '\\'`,
        ...(digits.length < DIGITS_MIN ? [] : [sql<boolean>`looked.phone_number like ${`%${digits}%`}`]),
      ]),
    )
    .orderBy('looked.name')
    .orderBy('looked.id')
    .limit(FOUND_MAX)
    .execute();
}
