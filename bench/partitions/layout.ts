// The calls of PostgreSQL in one partition a month: an experiment (decision 41), not what the product has. By range of
// the id, which begins with its time, so that it stays the key by itself.
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The first characters of the ids that are made in this ms and later (db/shared/id.ts). */
export function idFrom(atMs: number): string {
  let text = '';
  for (let bits = 45; bits >= 0; bits -= 5) text += ALPHABET[Math.floor(atMs / 2 ** bits) % 32];
  return `call_${text}`;
}

/** The same in SQL, of a column or an expression. */
export const idFromSql = (atMs: string): string =>
  `'call_' || ${Array.from({ length: 10 }, (_, i) => `substr('${ALPHABET}', ((${atMs}) >> ${45 - 5 * i} & 31)::int + 1, 1)`).join(' || ')}`;

export interface Month {
  table: string;
  fromMs: number;
  toMs: number;
}

/** The calendar months (UTC) that have a part of the span, the oldest first. */
export function monthsOf(fromMs: number, toMs: number): Month[] {
  const months: Month[] = [];
  for (let at = new Date(fromMs), begins = monthBegin(at); begins < toMs; at = new Date(begins)) {
    const ends = Date.UTC(new Date(begins).getUTCFullYear(), new Date(begins).getUTCMonth() + 1, 1);
    const table = `calls_${new Date(begins).toISOString().slice(0, 7).replace('-', '_')}`;
    months.push({ table, fromMs: begins, toMs: ends });
    begins = ends;
  }
  return months;
}

const monthBegin = (at: Date): number => Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);

/** Makes the empty table of calls a partitioned one, with the same indexes and triggers. */
export async function partition(db: Db, months: readonly Month[]): Promise<void> {
  const read = async (text: string): Promise<string[]> =>
    (await sql.raw<{ text: string }>(text).execute(db)).rows.map((row) => row.text);
  const indexes = await read(
    `select indexdef as text from pg_indexes where tablename = 'calls' and indexname <> 'calls_pkey'`,
  );
  const triggers = await read(
    `select pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = 'calls'::regclass and not tgisinternal`,
  );
  const steps = [
    'alter table calls rename to calls_whole',
    'create table calls (like calls_whole including defaults including constraints) partition by range (id)',
    'drop table calls_whole cascade',
    'alter table calls add primary key (id)',
    ...months.map(
      ({ table, fromMs, toMs }) =>
        `create table ${table} partition of calls for values from ('${idFrom(fromMs)}') to ('${idFrom(toMs)}')`,
    ),
    // A clock may be wrong.
    'create table calls_else partition of calls default',
    ...indexes,
    ...triggers,
  ];
  for (const step of steps) await sql.raw(step).execute(db);
}
