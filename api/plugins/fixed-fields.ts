// Fields of a record that its PATCH does not change. A client may send back what it has read; another value would be a
// change that is lost without a word, so it is refused.
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../errors.ts';

/** @throws {ApiError} 422 naming the fields that differ from the record; what `readRecord` throws */
export async function refuseFixedFields(request: FastifyRequest, readRecord: () => Promise<object>): Promise<void> {
  const given = Object.entries(request.fixedFields ?? {});
  if (given.length === 0) return;
  const record: Record<string, unknown> = { ...(await readRecord()) };
  const changed = given.filter(([name, value]) => !isDeepStrictEqual(value, record[name]));
  if (changed.length > 0) throw invalid(changed.map(([field]) => ({ field, message: 'cannot be changed here' })));
}
