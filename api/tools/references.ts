// Tools that an agent, a business or a campaign names.
import { toolsById } from '../../db/queries/tools/tools.ts';
import type { Db } from '../../db/schema.ts';
import { invalid } from '../frame/errors.ts';

/** @throws {ApiError} 422 for one that is missing, foreign or deleted */
export async function checkToolIds(db: Db, accountId: string, ids: readonly string[] = []): Promise<void> {
  const known = new Set((await toolsById(db, accountId, ids)).map(({ id }) => id));
  const faults = ids.flatMap((id, i) => (known.has(id) ? [] : [{ field: `toolIds[${i}]`, message: 'names no tool' }]));
  if (faults.length > 0) throw invalid(faults);
}
