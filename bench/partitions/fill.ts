// Calls as the fixture of `bench -- api` has them (bench/api/calls-fixture.ts), made by the server itself, in the order
// of their time, so that ten million take minutes.
import { sql } from 'kysely';
import { foldAll } from '../../db/postgres/fold.ts';
import type { Db } from '../../db/schema.ts';
import { FIXTURE_END_MS, FIXTURE_TENANT, FIXTURE_TRANSCRIPT } from '../api/calls-fixture.ts';
import { idFromSql } from './layout.ts';

const BATCH = 10_000;
const DAYS = 365;
const DAY_MS = 86_400_000;
export const BEGIN_MS = FIXTURE_END_MS - DAYS * DAY_MS;

/** A value of a few, by a number that is different for each row. */
const pick = (values: readonly string[], by: string): string =>
  `(array[${values.map((value) => (value === 'null' ? 'null' : `'${value}'`)).join(', ')}])[1 + (${by}) % ${values.length}]`;

/** Inserts the calls `first` to `last` of `all`. */
const insertOf = (first: number, last: number, all: number): string => `
  insert into calls (id, account_id, business_id, campaign_id, agent_id, phone_number_id, direction, medium, from_number,
    to_number, caller_name, status, outcome, end_reason, started_at, answered_at, ended_at, duration_seconds, sentiment,
    summary, tags, transcript, latency, created_at)
  select ${idFromSql('at')} || substr(md5(n::text), 1, 16), 'acc_bench', ${pick(['biz_bench0', 'biz_bench1', 'biz_bench2'], 'h')},
    'cmp_bench' || lpad(((h / 3) % 20)::text, 2, '0'), 'agt_bench' || (h / 7) % 4, 'pn_bench' || (h / 11) % 5,
    ${pick(['inbound', 'outbound'], 'h / 13')}, 'sip', '+14155552671', '+14155550123',
    ${pick(['null', 'Ann Smith', 'Bob Jones'], 'h / 17')}, status,
    case status when 'COMPLETED' then ${pick(['completed', 'transferred', 'hung_up'], 'h / 19')} when 'FAILED' then 'busy' else 'voicemail' end,
    case status when 'COMPLETED' then 'caller_hangup' else 'busy' end, at,
    case when seconds > 0 then at + 2000 end, at + 2000 + seconds * 1000, seconds,
    ${pick(['positive', 'neutral', 'negative', 'null'], 'h / 23')}, 'The caller asked for the opening hours on Friday.',
    '["question","hours"]', case when seconds = 0 then '[]' else '${FIXTURE_TRANSCRIPT.replaceAll("'", "''")}' end,
    '{"turns":2,"p50Ms":' || 300 + h % 1500 || ',"p95Ms":1900}', at
  from (
    select n, h, status, case when status = 'FAILED' then 0 else 10 + h % 300 end as seconds,
      ${BEGIN_MS} + (n::numeric * ${DAYS * DAY_MS} / ${all})::bigint as at
    from (
      select n, h, ${pick(['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'VOICEMAIL'], 'h / 29')} as status
      from (select n, abs(hashint8(n)::bigint) as h from generate_series(${first}::bigint, ${last}) as n) as numbers
    ) as rows
  ) as calls_made`;

/** Returns the calls a second of each tenth. */
export async function fill(db: Db, calls: number, show: (done: number) => void): Promise<number[]> {
  await sql.raw(FIXTURE_TENANT).execute(db);
  const rates: number[] = [];
  const tenth = Math.ceil(calls / 10);
  for (let from = 0; from < calls; from += tenth) {
    const upTo = Math.min(calls, from + tenth);
    const begunMs = performance.now();
    for (let first = from; first < upTo; first += BATCH) {
      await sql.raw(insertOf(first, Math.min(upTo, first + BATCH) - 1, calls)).execute(db);
      show(first);
    }
    rates.push(Math.round(((upTo - from) / (performance.now() - begunMs)) * 1_000));
    await foldAll(db);
  }
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
  return rates;
}

/** One call more, as a claim writes it: ms of each of `count` transactions that wait for the disk. */
export async function insertSingly(db: Db, calls: number, count: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let n = 0; n < count; n++) {
    const begunMs = performance.now();
    await sql.raw(insertOf(calls + n, calls + n, calls)).execute(db);
    tookMs.push(performance.now() - begunMs);
  }
  return tookMs;
}
