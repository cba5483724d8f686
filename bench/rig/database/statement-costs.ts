// The cost of each statement to PostgreSQL, as its extension pg_stat_statements counts it, statements within triggers
// too. Its times are of the clock: on a machine with other work they are longer than the processor's.
import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { table } from '../measure/statistics.ts';

/** Settings with which the server counts. */
export const COUNTING = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  'pg_stat_statements.track_planning=on',
];

const TEXT_MAX = 110;

/** Counts from now on. */
export async function countStatements(db: Db): Promise<void> {
  await sql`create extension if not exists pg_stat_statements`.execute(db);
  await sql`select pg_stat_statements_reset()`.execute(db);
}

interface Cost {
  level: string;
  calls: number;
  execMs: number;
  planMs: number;
  text: string;
}

/** A table of the `most` statements that took longest, for each of so many phone calls. */
export async function dearestStatements(db: Db, most: number, phoneCalls: number): Promise<string[]> {
  const { rows } = await sql<Cost>`
    select case when toplevel then '' else 'trigger' end as level, calls, total_exec_time as exec_ms,
      total_plan_time as plan_ms, regexp_replace(query, '\\s+', ' ', 'g') as text
    from pg_stat_statements order by total_exec_time + total_plan_time desc`.execute(db);
  const each = (value: number): string => (value / phoneCalls).toFixed(2);
  const sum = (of: (row: Cost) => number): number =>
    rows.filter(({ level }) => level === '').reduce((all, row) => all + of(row), 0);
  const lines = rows
    .slice(0, most)
    .map(({ level, calls, execMs, planMs, text }) => [
      level,
      each(calls),
      each(execMs),
      each(planMs),
      `\`${text.slice(0, TEXT_MAX).replaceAll('|', '\\|')}\``,
    ]);
  const all = [
    'all',
    each(sum(({ calls }) => calls)),
    each(sum(({ execMs }) => execMs)),
    each(sum(({ planMs }) => planMs)),
    '',
  ];
  return ['', ...table(['', 'times a call', 'ms', 'planning ms', 'statement'], [all, ...lines])];
}
