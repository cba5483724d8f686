// Fields of a record that its PATCH cannot change. A client may send back the value that it read; another value would
// be a silently lost change, so it is refused.
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../frame/errors.ts';

/** @throws {ApiError} 422 naming the fields that differ from the record; the errors of `readRecord` */
export async function refuseFixedFields(request: FastifyRequest, readRecord: () => Promise<object>): Promise<void> {
  const given = Object.entries(request.fixedFields ?? {});
  if (given.length === 0) return;
  const record: Record<string, unknown> = { ...(await readRecord()) };
  const changed = given.filter(([name, value]) => !isDeepStrictEqual(value, record[name]));
  if (changed.length === 0) return;
  const elsewhere = request.routeOptions.config.changedElsewhere ?? {};
  throw invalid(
    changed.map(([field]) => ({
      field,
      message: `cannot be changed here${elsewhere[field] === undefined ? '' : `: ${elsewhere[field]}`}`,
    })),
  );
}
