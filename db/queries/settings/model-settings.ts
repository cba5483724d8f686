// The ADMIN's settings of the models, with their keys sealed.

import type { ModelKind, ModelValues } from '../../domain/model-settings.ts';
import type { ModelSettingsTable } from '../../schema/model-settings.ts';
import type { Db } from '../../schema.ts';
import { unseal } from '../../shared/secrets/secret-box.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';

const all = compiledStatement((db, _: Record<string, never>) => db.selectFrom('modelSettings').selectAll());

/** The rows by kind; a kind for which nothing was ever set has none. The engine reads them at every change. */
export async function listModelSettings(db: Db): Promise<Map<ModelKind, ModelSettingsTable>> {
  return new Map((await all(db, {})).map((row) => [row.kind, row]));
}

export async function writeModelSettings(db: Db, row: ModelSettingsTable): Promise<void> {
  const { kind: _, ...rest } = row;
  await db
    .insertInto('modelSettings')
    .values(row)
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(rest))
    .execute();
}

/** The context to which a sealed key of the row is bound. */
export const keyContext = (kind: ModelKind, field: 'apiKey' | 'fallbackApiKey'): string =>
  field === 'apiKey' ? `model:${kind}` : `model-fallback:${kind}`;

/** The row's values with its keys. @throws Error when a key was sealed with the key of another DATA_DIR */
export function modelValues(row: ModelSettingsTable, secretKey: Buffer): ModelValues {
  const { kind, engine, baseUrl, model, voices, voice, fallbackBaseUrl, fallbackModel } = row;
  const open = (field: 'apiKey' | 'fallbackApiKey', box: string | null): string | null =>
    box === null ? null : unseal(secretKey, keyContext(kind, field), box);
  return {
    engine,
    baseUrl,
    model,
    voices,
    voice,
    fallbackBaseUrl,
    fallbackModel,
    apiKey: open('apiKey', row.keySealed),
    fallbackApiKey: open('fallbackApiKey', row.fallbackKeySealed),
  };
}
