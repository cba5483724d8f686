// One page of a list of rows, the newest first, as in every list of the interface.
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export interface Page {
  limit: number;
  offset: number;
}

/** `rows`: a query of one table with its columns and without an order. `total`: the number of matches. */
export async function newestPage<T extends keyof Schema, Row>(
  rows: SelectQueryBuilder<Schema, T, Row>,
  { limit, offset }: Page,
) {
  const page = await rows
    .orderBy(sql.ref('createdAt'), 'desc')
    .orderBy(sql.ref('id'), 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await rows
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows: page, total: Number(total) };
}
