// Visitors of web sites who write: one conversation each, found by the hash of the token that their browser keeps.
import type { ConversationTable } from '../../schema/conversations.ts';
import type { WidgetKeyTable, WidgetVisitorTable } from '../../schema/widget.ts';
import type { Db } from '../../schema.ts';

/** The conversation of this visitor of this key; undefined where there is none, or where it was erased. */
export function visitorConversation(
  db: Db,
  { id, accountId }: Pick<WidgetKeyTable, 'id' | 'accountId'>,
  tokenHash: string,
): Promise<ConversationTable | undefined> {
  return db
    .selectFrom('widgetVisitors')
    .innerJoin('conversations', 'conversations.id', 'widgetVisitors.conversationId')
    .selectAll('conversations')
    .where('widgetVisitors.tokenHash', '=', tokenHash)
    .where('widgetVisitors.keyId', '=', id)
    .where('conversations.accountId', '=', accountId)
    .executeTakeFirst();
}

export async function insertVisitor(tx: Db, row: WidgetVisitorTable): Promise<void> {
  await tx.insertInto('widgetVisitors').values(row).execute();
}
