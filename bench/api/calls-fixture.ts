// A database with a given number of calls of one tenant, built once and cached in the system's temporary folder: a
// year of calls as the engine writes them, and a personal access token to read them with.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callJson } from '../../db/queries/calls/list/record-json.ts';
import { newId } from '../../db/shared/id.ts';
import { SQLITE } from '../../db/sqlite/dialect.ts';
import { migrate, sqliteMigrations } from '../../db/sqlite/migrate.ts';
import { openRaw } from '../../db/sqlite/open.ts';

type Raw = ReturnType<typeof openRaw>;

export const FIXTURE_TOKEN = `vcs_${'bench'.repeat(8)}`;
const DAY_MS = 86_400_000;
const DAYS = 365;
/** The day after the newest call. */
export const FIXTURE_END_MS = Date.UTC(2026, 9, 1);
export const FIXTURE_CAMPAIGNS = Array.from({ length: 20 }, (_, i) => `cmp_bench${String(i).padStart(2, '0')}`);
const ACCOUNT = 'acc_bench';
const ROWS_PER_TRANSACTION = 20_000;

/** A DATA_DIR with `calls` calls in `parent`, built on first use. */
export function callsFixture(calls: number, parent = tmpdir()): string {
  const version = sqliteMigrations().at(-1)?.version ?? 0;
  const directory = join(parent, `voice-bench-calls-${calls}-schema${version}`);
  if (existsSync(join(directory, 'voice.db'))) return directory;
  const building = `${directory}-building`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const path = join(building, 'voice.db');
  migrate(path);
  const raw = openRaw(path);
  raw.pragma('journal_mode = WAL');
  raw.pragma('synchronous = OFF');
  raw.pragma('cache_size = -400000');
  raw.exec(FIXTURE_TENANT);
  // The triggers would do the same, one call at a time.
  const triggers = raw
    .prepare(`select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'calls'`)
    .all() as Array<{ name: string; sql: string }>;
  for (const { name } of triggers) raw.exec(`drop trigger ${name}`);
  addCalls(raw, calls);
  raw.exec(KEPT_TOTALS);
  for (const { sql } of triggers) raw.exec(sql);
  raw.pragma('wal_checkpoint(TRUNCATE)');
  raw.close();
  renameSync(building, directory);
  return directory;
}

const FILTERS = {
  all: `''`,
  status: 'status',
  direction: 'direction',
  outcome: 'outcome',
  sentiment: 'sentiment',
  businessId: 'business_id',
  campaignId: 'campaign_id',
  agentId: 'agent_id',
  phoneNumberId: 'phone_number_id',
};
const COUNTS = 'insert into call_counts (account_id, filter, value, day, total)';
const KEPT_TOTALS = [
  ...Object.entries(FILTERS).map(
    ([filter, column]) =>
      `${COUNTS} select account_id, '${filter}', ${column}, date(started_at / 1000, 'unixepoch'), count(*)
       from calls where ${column} is not null group by 1, 3, 4`,
  ),
  `${COUNTS} select account_id, filter, value, '', sum(total) from call_counts group by 1, 2, 3`,
  `insert into call_days select account_id, date(started_at / 1000, 'unixepoch'), direction, status,
     case when status = 'FAILED' then end_reason else '' end, count(*), count(*), sum(answered_at is not null),
     sum(case when answered_at is null then 0 else duration_seconds end) from calls group by 1, 2, 3, 4, 5`,
  `insert into call_gaps select account_id, date(started_at / 1000, 'unixepoch'),
     round(json_extract(latency, '$.p50Ms') / 20.0) * 20, count(*) from calls group by 1, 2, 3`,
  `update calls set record_json = ${callJson(SQLITE)}`,
].join(';\n');

/** SQL of either database. */
export const FIXTURE_TENANT = `
    insert into accounts (id, name, plan, timezone, overage_enabled, created_at)
      values ('${ACCOUNT}', 'Bench', 'ENTERPRISE', 'UTC', 0, 0);
    insert into users (id, account_id, email, role, email_verified_at, created_at)
      values ('user_bench', '${ACCOUNT}', 'bench@localhost', 'USER', 0, 0);
    insert into access_tokens (id, account_id, user_id, name, token_hash, role, created_at)
      values ('pat_bench', '${ACCOUNT}', 'user_bench', 'bench',
        '${createHash('sha256').update(FIXTURE_TOKEN).digest('base64url')}', 'USER', 0);
  `;

export const FIXTURE_TRANSCRIPT = JSON.stringify([
  { speaker: 'agent', text: 'Thank you for calling Bright Dental, how can I help you?', timestamp: 320 },
  { speaker: 'caller', text: 'What are your opening hours on Friday?', timestamp: 4_180 },
  {
    speaker: 'agent',
    text: 'On Friday we are open from nine in the morning to five in the afternoon.',
    timestamp: 6_660,
  },
  { speaker: 'caller', text: 'Great, thank you, goodbye.', timestamp: 12_020 },
]);

export function addCalls(raw: Raw, calls: number): void {
  const insert = raw.prepare(
    `insert into calls (id, account_id, business_id, campaign_id, agent_id, phone_number_id, direction, medium,
       from_number, to_number, caller_name, status, outcome, end_reason, started_at, answered_at, ended_at,
       duration_seconds, sentiment, summary, tags, transcript, latency, created_at)
     values (?, '${ACCOUNT}', ?, ?, ?, ?, ?, 'sip', '+14155552671', '+14155550123', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
       '["question","hours"]', ?, ?, ?)`,
  );
  let seed = 42;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const first = FIXTURE_END_MS - DAYS * DAY_MS;
  const step = (DAYS * DAY_MS) / calls;
  for (let i = 0; i < calls; i++) {
    if (i % ROWS_PER_TRANSACTION === 0) raw.exec(i === 0 ? 'begin' : 'commit; begin');
    const startedAt = Math.floor(first + i * step + random() * step);
    const status = pick(['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'VOICEMAIL']);
    const seconds = status === 'FAILED' ? 0 : 10 + Math.floor(random() * 300);
    insert.run(
      newId('call'),
      pick(['biz_bench0', 'biz_bench1', 'biz_bench2']),
      pick(FIXTURE_CAMPAIGNS),
      pick(['agt_bench0', 'agt_bench1', 'agt_bench2', 'agt_bench3']),
      pick(['pn_bench0', 'pn_bench1', 'pn_bench2', 'pn_bench3', 'pn_bench4']),
      pick(['inbound', 'outbound']),
      pick([null, 'Ann Smith', 'Bob Jones']),
      status,
      status === 'COMPLETED'
        ? pick(['completed', 'transferred', 'hung_up'])
        : status === 'FAILED'
          ? 'busy'
          : 'voicemail',
      status === 'COMPLETED' ? 'caller_hangup' : 'busy',
      startedAt,
      seconds === 0 ? null : startedAt + 2_000,
      startedAt + 2_000 + seconds * 1_000,
      seconds,
      pick(['positive', 'neutral', 'negative', null]),
      'The caller asked for the opening hours on Friday.',
      seconds === 0 ? '[]' : FIXTURE_TRANSCRIPT,
      JSON.stringify({ turns: 2, p50Ms: 300 + Math.floor(random() * 1_500), p95Ms: 1_900 }),
      startedAt,
    );
  }
  raw.exec('commit');
}
