// The installation's settings, by name. A setting that was never set, or was set to null, has no row.

import type { SettingTable } from '../../schema/settings.ts';
import type { Db } from '../../schema.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';

const find = compiledStatement((db, { name }: { name: SettingTable['name'] }) =>
  db.selectFrom('settings').select('value').where('name', '=', name),
);

/** The JSON text; null if it is not set. */
export async function readSetting(db: Db, name: SettingTable['name']): Promise<string | null> {
  const [row] = await find(db, { name });
  return row?.value ?? null;
}

export async function writeSetting(db: Db, name: SettingTable['name'], value: string | null): Promise<void> {
  if (value === null) {
    await db.deleteFrom('settings').where('name', '=', name).execute();
    return;
  }
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
