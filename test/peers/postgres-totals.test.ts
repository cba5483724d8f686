// The kept totals of both databases are equal: their triggers and views are written twice, so both play the same seeded
// life of calls and contacts, and each total is compared, before the log of changes is folded and after it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freshDatabase } from '../../bench/rig/database/fresh-database.ts';
import { callRow } from '../../bench/rig/rows/call-row.ts';
import { openDatabase } from '../../db/database.ts';
import type { CallOutcome } from '../../db/domain/calls/ends.ts';
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { foldAll } from '../../db/postgres/fold.ts';
import { eraseCalls } from '../../db/queries/calls/ended/erasure.ts';
import { createInboundCall, endCall, markAnswered } from '../../db/queries/calls/life.ts';
import { writeContinuation } from '../../db/queries/calls/running/continuations.ts';
import { storeDialog } from '../../db/queries/calls/running/dialogs.ts';
import { watchCall } from '../../db/queries/calls/running/live-views.ts';
import { insertContacts } from '../../db/queries/campaigns/contacts.ts';
import { writeClaim } from '../../db/rules/dial-claims.ts';
import { answerTransferLeg, countReferral, openTransferLeg } from '../../db/rules/spend.ts';
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import type { ContactTable } from '../../db/schema/campaigns.ts';
import type { Db, Schema } from '../../db/schema.ts';
import { transact } from '../../db/scope.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/use-postgres.ts';

const CALLS = 240;
/** A month ends in it, in one zone before the other. */
const FROM_MS = Date.UTC(2026, 2, 31, 17, 40);
const ACCOUNTS = [
  { id: 'acc_1', timezone: 'Asia/Tokyo' },
  { id: 'acc_2', timezone: 'America/Los_Angeles' },
];

const used = usePostgres();
const folder = mkdtempSync(join(tmpdir(), 'voice-totals-'));
freshDatabase(join(folder, 'voice.db'));
const sqlite = openDatabase(join(folder, 'voice.db'), { synchronous: 'NORMAL' });
type Random = <T>(...from: readonly T[]) => T;

function pickerOf(seed: number): Random {
  const random = seededRandom(seed);
  return <T>(...from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
}

const OUTCOMES: readonly CallOutcome[] = ['completed', 'hung_up', 'agent_failed', 'no_answer', 'failed'];

const accountRow = ({ id, timezone }: (typeof ACCOUNTS)[number]): AccountTable => ({
  id,
  name: id,
  plan: 'STARTER',
  timezone,
  defaultCampaignId: null,
  overageEnabled: 0,
  billingCustomerId: null,
  retentionDays: null,
  setup: null,
  destinations: null,
  spendLimits: null,
  createdAt: FROM_MS,
});

const contactOf = (id: string, accountId: string, createdAt: number): ContactTable => ({
  id,
  accountId,
  campaignId: `cmp_${accountId}`,
  phoneNumber: `+1415555${id.slice(-4)}`,
  name: null,
  email: null,
  status: 'PENDING',
  attempts: 0,
  lastCallId: null,
  nextAttemptAt: null,
  variables: '{}',
  metadata: '{}',
  createdAt,
});

/** Everything that it decides comes from the seed. */
async function play(db: Db): Promise<void> {
  const pick = pickerOf(20_260_331);
  const write = <T>(work: (tx: Db) => Promise<T>): Promise<T> => transact(db, null, work);
  await db.insertInto('accounts').values(ACCOUNTS.map(accountRow)).execute();
  for (let i = 0; i < CALLS; i++) {
    const { id: accountId } = pick(...ACCOUNTS);
    await playCall(write, pick, { id: `call_${String(i).padStart(4, '0')}`, accountId, nowMs: FROM_MS + i * 130_000 });
  }
  await write((tx) => tx.deleteFrom('contacts').where('id', 'like', 'cnt_%7').execute());
  await write((tx) => eraseCalls(tx, 'acc_1', { callIds: ['call_0003', 'call_0017', 'call_0031'], nowMs: FROM_MS }));
  await write((tx) => tx.deleteFrom('calls').where('id', 'like', 'call_%9').execute());
}

type Write = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

async function playCall(
  write: Write,
  pick: Random,
  { id, accountId, nowMs }: { id: string; accountId: string; nowMs: number },
): Promise<void> {
  const contact = contactOf(id.replace('call', 'cnt'), accountId, nowMs);
  const row = callRow({
    id,
    accountId,
    createdAt: nowMs,
    campaignId: contact.campaignId,
    agentId: pick('agt_1', 'agt_2'),
  });
  const isOutbound = pick(true, false);
  await write((tx) => insertContacts(tx, accountId, [contact]));
  await write((tx) => begin(tx, row, isOutbound ? contact : null, nowMs));
  await write((tx) => storeDialog(tx, { callId: id, leg: 'peer', dialog: {}, nowMs }));
  await write((tx) => watchCall(tx, accountId, id, nowMs + 1_000));
  await write((tx) => writeContinuation(tx, { callId: id, engineId: 'eng_1', sealed: 'x', writtenAt: nowMs }));
  const answeredMs = nowMs + pick(0, 2_500, 9_000);
  const isAnswered = pick(true, true, false);
  if (isAnswered) await write((tx) => markAnswered(tx, { callId: id, recordingPath: null, nowMs: answeredMs }));
  if (isAnswered && pick(true, false)) await playTransfer(write, pick, { callId: id, accountId, nowMs: answeredMs });
  // One in eight still runs at the end.
  if (pick(1, 2, 3, 4, 5, 6, 7, 8) > 1)
    await write((tx) =>
      end(tx, pick, { callId: id, isAnswered, isOutbound, endedAtMs: answeredMs + pick(0, 40_300, 5_400_000) }),
    );
  if (pick(1, 2, 3, 4) === 1)
    await write((tx) =>
      tx
        .updateTable('calls')
        .set({ sentiment: pick('positive', 'negative'), agentId: pick('agt_1', 'agt_3') })
        .where('id', '=', id)
        .execute(),
    );
}

async function begin(tx: Db, row: CallTable, contact: ContactTable | null, nowMs: number): Promise<void> {
  const { id, accountId, campaignId, businessId, agentId } = row;
  if (contact === null) {
    const { direction: _, medium: __, contactId: ___, variables, callerName, ...call } = row;
    return createInboundCall(tx, { ...call, accountId, variables, callerName, engineId: 'eng_1', nowMs });
  }
  await writeClaim(tx, {
    campaign: { id: campaignId, accountId, businessId, agentId },
    contact,
    number: { id: 'pn_1', phoneNumber: '+14155550100' },
    attempt: {
      callId: id,
      engineId: 'eng_1',
      accountId,
      trunkId: 'trk_1',
      isOwn: true,
      contactId: contact.id,
      campaignId,
      phoneNumberId: 'pn_1',
      toNumber: contact.phoneNumber,
      trunkMaxCalls: 1,
      callingWindow: null,
    },
    nowMs,
  });
}

async function playTransfer(
  write: Write,
  pick: Random,
  { callId, accountId, nowMs }: { callId: string; accountId: string; nowMs: number },
): Promise<void> {
  if (pick(1, 2, 3) === 1) return write((tx) => countReferral(tx, { accountId, nowMs }));
  for (let leg = 0; leg < pick(1, 2, 3); leg++) await write((tx) => openTransferLeg(tx, { accountId, callId, leg }));
  if (pick(true, false)) await write((tx) => answerTransferLeg(tx, { callId, leg: 0, nowMs: nowMs + 700 }));
}

async function end(
  tx: Db,
  pick: Random,
  call: { callId: string; isAnswered: boolean; isOutbound: boolean; endedAtMs: number },
): Promise<void> {
  const { callId, isAnswered, isOutbound, endedAtMs } = call;
  const p50Ms = pick(180, 611, 612, 1_940);
  await endCall(tx, {
    callId,
    status: isAnswered ? pick('COMPLETED', 'VOICEMAIL') : 'FAILED',
    outcome: pick(...OUTCOMES),
    endReason: pick('caller_hangup', 'agent_hangup'),
    endedAtMs,
    sentiment: pick(null, 'neutral', 'positive'),
    latency: isAnswered ? ({ turns: pick(0, 4), p50Ms, p95Ms: p50Ms, maxMs: p50Ms } as never) : null,
    transcript: [],
    contact: isOutbound
      ? pick({ status: 'COMPLETED', nextAttemptAt: null }, { status: 'PENDING', nextAttemptAt: endedAtMs + HOUR_MS })
      : null,
  });
}

/** All rows as text, without those that count nothing. */
async function rowsOf(db: Db, table: keyof Schema & string, without: readonly string[] = []): Promise<string[]> {
  const rows = (await db.selectFrom(table).selectAll().execute()) as Array<Record<string, unknown>>;
  return rows
    .map((row) => Object.entries(row).filter(([name]) => !without.includes(name)))
    .filter((row) => row.some(([name, value]) => typeof value === 'number' && value !== 0 && !KEYS.has(name)))
    .map((row) => JSON.stringify(Object.fromEntries(row.sort(([a], [b]) => (a < b ? -1 : 1)))))
    .sort();
}
/** Numbers by which something is counted. */
const KEYS: ReadonlySet<string> = new Set(['hour', 'second', 'gapMs']);

/** A number that grows with each change of a total: how fast is each database's own. */
const OWN = ['changes'];

const TOTALS = [
  'callCountsNow',
  'campaignTotalsNow',
  'callDaysNow',
  'callGapsNow',
  'contactCountsNow',
  'contactSecondsNow',
  'accountUsageNow',
  'accountHoursNow',
] as const;

after(async () => {
  await sqlite.destroy();
  rmSync(folder, { recursive: true, force: true });
});

for (const isFolded of [false, true])
  test(`both count the same life of calls, ${isFolded ? 'folded' : 'with a log that is not folded'}`, {
    skip,
  }, async () => {
    if (isFolded) await foldAll(used.db);
    else for (const db of [sqlite, used.db]) await play(db);
    for (const table of TOTALS) {
      const [ours, theirs] = [await rowsOf(sqlite, table, OWN), await rowsOf(used.db, table, OWN)];
      assert.ok(ours.length > 0, `${table} counts nothing`);
      assert.deepEqual(theirs, ours, table);
    }
  });

test('the end of a call leaves and writes the same rows in both', { skip }, async () => {
  for (const [table, without] of [
    ['callFeed', ['seq']],
    ['dialAttempts', ['id']],
    ['contacts', []],
    ['callDialogs', []],
    ['callContinuations', []],
    ['liveViews', []],
    ['transferLegs', []],
  ] as const) {
    const [ours, theirs] = [await rowsOf(sqlite, table, without), await rowsOf(used.db, table, without)];
    assert.ok(ours.length > 0, `${table} is empty`);
    assert.deepEqual(theirs, ours, table);
  }
});
