// The SIP dialogs of a running call's legs, by which another process can end them or go on with them.
import type { Db } from '../../../schema.ts';
import { runText } from '../../../statements/compiled-statement.ts';

/** `where` also lets SQLite see that the conflict is not a join's. */
const STORE_DIALOG = `insert into call_dialogs (call_id, leg, dialog, updated_at)
  select ?, ?, ?, ? from calls where id = ? and ended_at is null
  on conflict (call_id, leg) do update set dialog = excluded.dialog, updated_at = excluded.updated_at`;

/**
 * Stores the dialog of one leg (`peer`, `human`), before the INVITE and at the answer, so that recovery can end it.
 * Only for an open call: recovery looks at open calls only, and the end of the call removes the dialog.
 */
export async function storeDialog(
  db: Db,
  args: { callId: string; leg: string; dialog: unknown; nowMs: number },
): Promise<void> {
  await runText(db, 'store-dialog', () => STORE_DIALOG, [
    ...[args.callId, args.leg, JSON.stringify(args.dialog), args.nowMs],
    args.callId,
  ]);
}

/** The stored form of a leg's dialog; null if the call has none. */
export async function readDialog(db: Db, { callId, leg }: { callId: string; leg: string }): Promise<unknown> {
  const row = await db
    .selectFrom('callDialogs')
    .select('dialog')
    .where('callId', '=', callId)
    .where('leg', '=', leg)
    .executeTakeFirst();
  return row ? JSON.parse(row.dialog) : null;
}

/** The dialogs of persons to whom the caller was, or was to be, handed. */
export async function readPersonDialogs(db: Db, callId: string): Promise<Array<{ leg: string; dialog: unknown }>> {
  const rows = await db
    .selectFrom('callDialogs')
    .select(['leg', 'dialog'])
    .where('callId', '=', callId)
    .where('leg', '!=', 'peer')
    .execute();
  return rows.map(({ leg, dialog }) => ({ leg, dialog: JSON.parse(dialog) }));
}
