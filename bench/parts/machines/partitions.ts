// Measures what partitions by month would change for the calls of PostgreSQL: the same calls in one table and in a
// table a month (bench/partitions), beside each other. An experiment: the product has one table.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migratePostgres } from '../../../db/postgres/migrate.ts';
import { openPostgres } from '../../../db/postgres/open.ts';
import type { Db } from '../../../db/schema.ts';
import { cases } from '../../api/api-cases.ts';
import { FIXTURE_END_MS, FIXTURE_TOKEN } from '../../api/calls-fixture.ts';
import { BEGIN_MS, fill, insertSingly } from '../../partitions/fill.ts';
import { idFrom, type Month, monthsOf, partition } from '../../partitions/layout.ts';
import { startProcess } from '../../rig/api/api-process.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { load } from '../../rig/measure/http-load.ts';
import { type Row, rowOf, table } from '../../rig/measure/statistics.ts';
import { part, refuseOption } from '../../rig/part.ts';
import { SECRETS } from '../../rig/service/cluster.ts';

const USAGE = `usage: npm run bench -- partitions [--calls N] [--seconds N] [--only one|months]
  a year of N calls (default 1000000) in one table and in a table a month: insert, pages (some seconds each, default 1),
  one call, and the end of the oldest month, by deletion and by detaching. Ten million take some 25 GB in each layout`;

const SINGLE = 500;
/** Requests that are no page of calls. */
const LEFT_OUT = /^GET /;

interface Measured {
  rows: Row[];
  /** Of the table in the report, in its order. */
  facts: string[];
}

export default part(USAGE, { calls: 1_000_000, seconds: 1, only: null }, async ({ calls, seconds, only }) => {
  if (only !== null && only !== 'one' && only !== 'months') refuseOption(`there is no layout "${only}"`);
  const layouts = (['one', 'months'] as const).filter((layout) => only === null || only === layout);
  const measured: Array<[string, Measured]> = [];
  for (const layout of layouts) {
    const server = await startPostgres({ durable: true, settings: ['shared_buffers=512MB', 'max_wal_size=4GB'] });
    try {
      measured.push([layout, await measure(server.url, layout, { calls, seconds })]);
    } finally {
      await server.stop();
    }
  }
  return {
    title: `A year of ${calls.toLocaleString('en')} calls, in one table and by month`,
    rows: measured.flatMap(([layout, { rows }]) => rows.map((row) => ({ ...row, name: `${layout}: ${row.name}` }))),
    lines: table(
      [
        'layout',
        'insert, calls/s: first tenth',
        'last tenth',
        'GB',
        'of it indexes',
        'first page planned, ms',
        'end of a month, ms',
        'GB after',
      ],
      measured.map(([layout, { facts }]) => [layout, ...facts]),
    ),
  };
});

async function measure(
  url: string,
  layout: string,
  { calls, seconds }: { calls: number; seconds: number },
): Promise<Measured> {
  await migratePostgres(url);
  const db = openPostgres(url);
  try {
    const months = monthsOf(BEGIN_MS, FIXTURE_END_MS + 31 * 86_400_000);
    if (layout === 'months') await partition(db, months);
    const rates = await fill(db, calls, (done) => process.stdout.write(`\r${layout} ${done.toLocaleString('en')}`));
    process.stdout.write('\n');
    const rows = [
      rowOf('insert of one call', await insertSingly(db, calls, SINGLE)),
      ...(await pages(url, calls, seconds)),
    ];
    const size = await sizes(db);
    const planned = await planningMs(url);
    const oldest = months[0];
    if (oldest === undefined) throw new Error('there is no month');
    const ended = await endMonth(db, layout, oldest, calls);
    rows.push(rowOf('insert of one call while the oldest month ends', ended.insertMs));
    const after = await sizes(db);
    return {
      rows,
      facts: [
        String(rates[0]),
        String(rates.at(-1)),
        size.all,
        size.indexes,
        planned,
        ended.tookMs.toFixed(0),
        after.all,
      ],
    };
  } finally {
    await db.destroy();
  }
}

/** As clients ask for them, from an API of its own. */
async function pages(url: string, calls: number, seconds: number): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'voice-bench-partitions-'));
  const environment = { ...SECRETS, DATABASE_URL: url, DEMO: '0', RATE_LIMIT_PER_MINUTE: '100000000' };
  const api = await startProcess(dataDir, environment);
  const db = openPostgres(url, { readonly: true });
  try {
    const some = await db
      .selectFrom('calls')
      .select('id')
      .where(sql<boolean>`abs(hashtext(id)) % ${Math.ceil(calls / 200)} = 0`)
      .execute();
    const asked = [
      ...cases(calls).filter(({ name }) => !LEFT_OUT.test(name)),
      { name: 'one call', paths: some.map(({ id }) => `/api/v1/calls/${id}`) },
    ];
    const rows: Row[] = [];
    for (const { name, paths } of asked) {
      const common = { host: api.host, port: api.port, token: FIXTURE_TOKEN, paths, connections: 2 };
      await load({ ...common, seconds: 0.5, requestsMin: 50 });
      const { latenciesMs, failures } = await load({ ...common, seconds });
      rows.push(rowOf(failures === 0 ? name : `${name} (${failures} failed)`, latenciesMs, 'p99 <= 15'));
    }
    return rows;
  } finally {
    await db.destroy();
    await api.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Of the first page, in a session that has planned nothing yet, and again in the same. */
async function planningMs(url: string): Promise<string> {
  const db = openPostgres(url, { readonly: true });
  try {
    const text = `explain (summary, format json) select * from calls where account_id = 'acc_bench' order by started_at desc, id desc limit 20`;
    const plan = async (): Promise<number> => {
      const { rows } = await sql.raw<{ 'QUERY PLAN': string }>(text).execute(db.withoutPlugins());
      return (
        (JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as Array<{ 'Planning Time': number }>)[0]?.['Planning Time'] ??
        Number.NaN
      );
    };
    return `${(await plan()).toFixed(1)}, then ${(await plan()).toFixed(1)}`;
  } finally {
    await db.destroy();
  }
}

/** The oldest month goes, with calls that begin meanwhile. */
async function endMonth(
  db: Db,
  layout: string,
  month: Month,
  calls: number,
): Promise<{ tookMs: number; insertMs: number[] }> {
  let isOver = false;
  const inserting = (async () => {
    const insertMs: number[] = [];
    for (let n = SINGLE; !isOver || insertMs.length < 50; n++) insertMs.push(...(await insertSingly(db, calls + n, 1)));
    return insertMs;
  })();
  const begunMs = performance.now();
  if (layout === 'months') {
    await sql.raw(`alter table calls detach partition ${month.table}`).execute(db.withoutPlugins());
    await sql.raw(`drop table ${month.table}`).execute(db);
  } else {
    await sql.raw(`delete from calls where id < '${idFrom(month.toMs)}'`).execute(db);
    await sql`vacuum calls`.execute(db);
  }
  const tookMs = performance.now() - begunMs;
  isOver = true;
  return { tookMs, insertMs: await inserting };
}

async function sizes(db: Db): Promise<{ all: string; indexes: string }> {
  const { rows } = await sql<{ bytes: number; indexes: number }>`
    select sum(pg_total_relation_size(oid))::bigint as bytes, sum(pg_indexes_size(oid))::bigint as indexes
    from pg_class where relkind = 'r' and (relname = 'calls' or relname like 'calls\\_%')`.execute(db);
  const gigabytes = (bytes = 0): string => (bytes / 1e9).toFixed(2);
  return { all: gigabytes(rows[0]?.bytes), indexes: gigabytes(rows[0]?.indexes) };
}
