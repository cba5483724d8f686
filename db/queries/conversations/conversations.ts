// Conversations in writing: found by person and number, listed, taken over. The one written in last stands first.
import type { Insertable, Updateable } from 'kysely';
import type { ConversationTable } from '../../schema/conversations.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import type { Page } from '../newest-page.ts';

type Parties = Pick<
  ConversationTable,
  'accountId' | 'kind' | 'businessId' | 'campaignId' | 'agentId' | 'phoneNumberId' | 'ownNumber' | 'personNumber'
>;

export async function addConversation(tx: Db, of: Parties, nowMs: number): Promise<ConversationTable> {
  const row: Insertable<ConversationTable> = {
    ...of,
    ...{ id: newId('cnv'), answeredBy: 'agent', takenBy: null, note: null, silentUntil: null, sealed: null },
    ...{ dueAt: null, claimedBy: null, claimUntil: null, attempts: 0, lastMessageAt: nowMs, createdAt: nowMs },
  };
  return tx.insertInto('conversations').values(row).returningAll().executeTakeFirstOrThrow();
}

/** A number by which texts go, and who answers them. */
export interface TextingNumber extends Pick<Parties, 'campaignId' | 'agentId'> {
  id: string | null;
  phoneNumber: string;
}

/** The one of this person with this number; it is begun if there is none, and led by whom the number has now. */
export async function conversationWith(
  tx: Db,
  person: Pick<Parties, 'accountId' | 'businessId' | 'personNumber'>,
  { id: phoneNumberId, phoneNumber: ownNumber, campaignId, agentId }: TextingNumber,
  nowMs: number,
): Promise<ConversationTable> {
  const of = { ...person, kind: 'sms' as const, phoneNumberId, ownNumber, campaignId, agentId };
  const found = await findConversation(tx, of.accountId, of);
  if (found === undefined) return addConversation(tx, of, nowMs);
  const { businessId } = of;
  const isSame = found.businessId === businessId && found.agentId === agentId && found.campaignId === campaignId;
  if (isSame && found.phoneNumberId === phoneNumberId) return found;
  // Another agent knows nothing of what was said to the one before.
  const led = { businessId, campaignId, agentId, phoneNumberId, ...(isSame ? {} : { sealed: null }) };
  await updateConversation(tx, of.accountId, found.id, led);
  return { ...found, ...led };
}

export function findConversation(
  db: Db,
  accountId: string,
  { ownNumber, personNumber }: Pick<ConversationTable, 'ownNumber' | 'personNumber'>,
): Promise<ConversationTable | undefined> {
  return db
    .selectFrom('conversations')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('kind', '=', 'sms')
    .where('ownNumber', '=', ownNumber)
    .where('personNumber', '=', personNumber)
    .executeTakeFirst();
}

export function getConversation(db: Db, accountId: string, id: string): Promise<ConversationTable | undefined> {
  return db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

export async function updateConversation(
  tx: Db,
  accountId: string,
  id: string,
  changes: Updateable<Omit<ConversationTable, 'id' | 'accountId'>>,
): Promise<void> {
  await tx.updateTable('conversations').set(changes).where('id', '=', id).where('accountId', '=', accountId).execute();
}

interface ConversationFilter {
  kind?: ConversationTable['kind'] | undefined;
  answeredBy?: ConversationTable['answeredBy'] | undefined;
  businessId?: string | undefined;
  personNumber?: string | undefined;
}

/** A page, the one written in last first, and how many match. */
export async function listConversations(
  db: Db,
  accountId: string,
  filter: ConversationFilter,
  { limit, offset }: Page,
): Promise<{ rows: ConversationTable[]; total: number }> {
  let query = db.selectFrom('conversations').where('accountId', '=', accountId);
  for (const name of ['kind', 'answeredBy', 'businessId', 'personNumber'] as const) {
    const value = filter[name];
    if (value !== undefined) query = query.where(name, '=', value);
  }
  const rows = await query
    .selectAll()
    .orderBy('lastMessageAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

type OptOutOf = Pick<ConversationTable, 'accountId' | 'ownNumber' | 'personNumber'>;

/** False: the person had done so already. */
export async function setOptOut(tx: Db, of: OptOutOf, nowMs: number): Promise<boolean> {
  const { accountId, ownNumber, personNumber } = of;
  const row = await tx
    .insertInto('textOptOuts')
    .values({ accountId, ownNumber, personNumber, createdAt: nowMs })
    .onConflict((conflict) => conflict.columns(['accountId', 'ownNumber', 'personNumber']).doNothing())
    .returning('createdAt')
    .executeTakeFirst();
  return row !== undefined;
}

export async function endOptOut(tx: Db, { accountId, ownNumber, personNumber }: OptOutOf): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('textOptOuts')
    .where('accountId', '=', accountId)
    .where('ownNumber', '=', ownNumber)
    .where('personNumber', '=', personNumber)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Null: the person wants texts. */
export async function optedOutAt(db: Db, { accountId, ownNumber, personNumber }: OptOutOf): Promise<number | null> {
  const row = await db
    .selectFrom('textOptOuts')
    .select('createdAt')
    .where('accountId', '=', accountId)
    .where('ownNumber', '=', ownNumber)
    .where('personNumber', '=', personNumber)
    .executeTakeFirst();
  return row?.createdAt ?? null;
}

/** From all numbers of the account. */
export async function endOptOuts(tx: Db, accountId: string, personNumber: string): Promise<void> {
  await tx
    .deleteFrom('textOptOuts')
    .where('accountId', '=', accountId)
    .where('personNumber', '=', personNumber)
    .execute();
}

/** Up to `limit` conversations in which nobody has written since lose what agents remember of them. */
export async function forgetConversations(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db
    .selectFrom('conversations')
    .select('id')
    .where('lastMessageAt', '<', beforeMs)
    .where('sealed', 'is not', null)
    .limit(limit);
  const { numUpdatedRows } = await db
    .updateTable('conversations')
    .set({ sealed: null })
    .where('id', 'in', old)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
