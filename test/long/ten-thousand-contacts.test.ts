// Ten thousand contacts over thirty simulated days on the planner, with seeded outcomes: first undisturbed, then with
// crashes that lose all of the dialler's memory, before and after calls are dialled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { campaignRow } from '../../bench/rig/rows/table-rows.ts';
import { endOf } from '../../db/domain/calls/outcome.ts';
import { refusalOf } from '../../db/domain/refusal.ts';
import type { CampaignTable } from '../../db/schema/campaigns.ts';
import { type Breaker, breakerRoom, closedBreaker, stepBreaker } from '../../engine/campaign/breaker.ts';
import { TrunkPaces } from '../../engine/campaign/pace.ts';
import { planDialling } from '../../engine/campaign/planner.ts';
import { createAdmission } from '../../engine/load/admission.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { MemoryStore } from '../engine/campaign/memory-store.ts';
import { mixedOutcome, Referee } from '../engine/campaign/referee.ts';
import { DAY, HOUR, type Outcome, type Placed, REGIONS } from '../engine/campaign/stage.ts';

const START = Date.UTC(2026, 9, 12, 6);
const MAX_CALLS = 60;
const STATUS: Partial<Record<Outcome, number>> = { busy: 486, no_answer: 480, declined: 603, unallocated: 404 };

interface Live extends Placed {
  outcome: Outcome;
  endAtMs: number;
}

const rowOf = (id: string, accountId: string, changes: Partial<CampaignTable> = {}): CampaignTable =>
  campaignRow({
    id,
    accountId,
    maxConcurrentCalls: 30,
    startedAt: START,
    createdAt: START,
    ...changes,
  });

function play(contacts: number, seed: number, crashChance: number) {
  const lot = seededRandom(seed);
  const store = new MemoryStore();
  store.trunks.set('wide', { maxConcurrentCalls: 40, callsPerSecond: 20 });
  store.trunks.set('narrow', { maxConcurrentCalls: 8, callsPerSecond: 2 });
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  const week = 7 * 24 * 60;
  const rows = [
    rowOf('one', 'acc_1', { retryDelayMinutes: week }),
    rowOf('two', 'acc_2', { retryDelayMinutes: week }),
    rowOf('night', 'acc_2', {
      callingWindow: JSON.stringify({ timezone: 'Asia/Tokyo', days, start: '22:00', end: '02:30' }),
      maxAttempts: 10,
      maxConcurrentCalls: 5,
    }),
    rowOf('narrow', 'acc_1', {
      callingWindow: JSON.stringify({ days, start: '10:00', end: '16:00' }),
      maxAttempts: 2,
      retryDelayMinutes: 45,
    }),
  ];
  const zones = new Map<string, readonly string[]>();
  let serial = 0;
  for (const [i, row] of rows.entries()) {
    const size = Math.round(contacts * ([0.35, 0.35, 0.15, 0.15][i] ?? 0));
    const numbers = new Set<string>();
    for (let n = 0; numbers.size < size; n++) {
      const region = REGIONS[n % REGIONS.length];
      assert.ok(region);
      // Some people are in two campaigns of one account.
      const number = region.number(i === 3 && n % 10 === 0 ? n : serial++);
      numbers.add(number);
      zones.set(number, region.zones);
      if (lot() < 0.05) store.listed.add(`${row.accountId} ${number}`);
    }
    const trunkId = i === 3 ? 'narrow' : 'wide';
    const callers = [1, 2, 3].map((n) => ({ id: `pn_${row.id}_${n}`, phoneNumber: `+1646555${i}00${n}`, trunkId }));
    store.add(row, callers, [...numbers]);
  }
  const live = new Map<string, Live>();
  const referee = new Referee({
    campaigns: new Map(rows.map((row) => [row.id, row])),
    trunks: store.trunks,
    zones,
    listed: store.listed,
    callsAtMost: 54,
    isPaceHeld: crashChance === 0,
    live: () => [...live.values()],
  });
  let admission = createAdmission(MAX_CALLS);
  let nowMs = START;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  let paces = new TrunkPaces(clock);
  let breakers = new Map<string, Breaker>();
  let lastServed = new Map<string, number>();
  let sequence = 0;
  let crashes = 0;
  const invites = new Set<string>();
  const onTheLine = new Set<string>();
  const shareAfterThreeHours: number[] = [];

  const end = (call: Live, nowMs: number): void => {
    live.delete(call.callId);
    onTheLine.delete(call.callId);
    const answered = ['answered', 'opt_out', 'voicemail'].includes(call.outcome);
    const refusal = answered ? null : refusalOf(STATUS[call.outcome] ?? null, null);
    if (call.outcome === 'opt_out') store.optOut(store.open.get(call.callId)?.accountId ?? '', call.toNumber);
    const answeredOutcome = call.outcome === 'voicemail' ? 'voicemail' : 'completed';
    const outcome = refusal === null ? answeredOutcome : endOf(refusal.reason).outcome;
    store.end(call.callId, { outcome, answered, retryable: refusal?.retryable ?? false, endedAtMs: nowMs });
    admission.release();
    const event = { type: outcome === 'failed' ? 'failed' : 'worked' } as const;
    breakers.set(call.trunkId, stepBreaker(breakers.get(call.trunkId) ?? closedBreaker, event, nowMs));
  };

  const crash = (nowMs: number): void => {
    crashes++;
    // Dialled calls are hung up through their stored dialogs; claimed ones count as made.
    for (const callId of live.keys()) onTheLine.delete(callId);
    live.clear();
    for (const callId of [...store.open.keys()]) {
      store.end(callId, { outcome: 'failed', answered: false, retryable: true, endedAtMs: nowMs });
    }
    admission = createAdmission(MAX_CALLS);
    paces = new TrunkPaces(clock);
    breakers = new Map();
    lastServed = new Map();
  };

  let lookAtMs: number | null = START;
  const untilMs = START + 30 * DAY;
  for (let looks = 0; nowMs < untilMs; looks++) {
    assert.ok(looks < 400_000, 'the dialler looks again and again without end');
    let nextMs = lookAtMs ?? Number.POSITIVE_INFINITY;
    for (const call of live.values()) nextMs = Math.min(nextMs, call.endAtMs);
    if (nextMs === Number.POSITIVE_INFINITY) break;
    nowMs = Math.max(nowMs, nextMs);
    if (shareAfterThreeHours.length === 0 && nowMs >= START + 3 * HOUR) {
      for (const row of rows) shareAfterThreeHours.push(store.campaigns.get(row.id)?.placed ?? 0);
    }
    for (const call of [...live.values()]) if (call.endAtMs <= nowMs) end(call, nowMs);
    const plan = planDialling(
      {
        snapshot: store.snapshot(nowMs),
        trunks: [...store.trunks].map(([id, limits]) => {
          const breaker = breakers.get(id) ?? closedBreaker;
          const guard = { breakerRoom: breakerRoom(breaker, nowMs), breakerOpenUntilMs: breaker.openUntilMs };
          return { id, ...limits, isUp: true, pace: paces.of(id), ...guard };
        }),
        room: admission.room('campaign'),
        lastServed,
      },
      nowMs,
    );
    store.putAside(plan);
    if (plan.settle) store.settle(nowMs);
    const isCrashing = plan.attempts.length > 0 && lot() < crashChance;
    const survivors = isCrashing ? Math.floor(lot() * (plan.attempts.length + 1)) : plan.attempts.length;
    for (const [i, attempt] of plan.attempts.entries()) {
      const call = store.claim(attempt, nowMs);
      if (typeof call === 'string') continue;
      // Claimed, but the process died before it could dial.
      if (i >= survivors) continue;
      assert.ok(admission.admit('campaign'));
      paces.take(attempt.trunkId, store.trunks.get(attempt.trunkId)?.callsPerSecond ?? 1);
      lastServed.set(attempt.campaignId, ++sequence);
      const before = breakers.get(attempt.trunkId) ?? closedBreaker;
      breakers.set(attempt.trunkId, stepBreaker(before, { type: 'dialled' }, nowMs));
      assert.ok(!invites.has(call.callId), 'an attempt has one INVITE');
      invites.add(call.callId);
      onTheLine.add(call.callId);
      const outcome = mixedOutcome(lot());
      const talks = outcome === 'answered' || outcome === 'opt_out';
      const endAtMs = Math.round(nowMs + 3_000 + lot() * 20_000 + (talks ? 10_000 + lot() * 170_000 : 0));
      live.set(call.callId, { ...call, atMs: nowMs, outcome, endAtMs });
      referee.check({ ...call, atMs: nowMs });
    }
    if (isCrashing) crash(nowMs);
    // Like the driver: at once if something was planned, else when the plan says so or a call ends.
    lookAtMs = isCrashing || plan.settle ? nowMs + 20 : plan.lookAgainAt;
    if (lookAtMs !== null) lookAtMs = Math.max(lookAtMs, nowMs + 20);
    if (plan.attempts.length > 0) lookAtMs = Math.min(lookAtMs ?? nowMs + 1_000, nowMs + 1_000);
  }
  return { store, rows, referee, live, onTheLine, invites, crashes, nowMs, shareAfterThreeHours };
}

function checkEnd(result: ReturnType<typeof play>): void {
  const { store, rows, referee, live, onTheLine, nowMs } = result;
  assert.ok(nowMs < START + 30 * DAY, 'thirty days are enough');
  assert.equal(live.size + store.open.size, 0);
  assert.deepEqual([...onTheLine], [], 'nobody is left on a dead line');
  for (const row of rows) {
    assert.equal(row.status, 'COMPLETED', row.id);
    assert.equal(store.campaigns.get(row.id)?.completions, 1);
  }
  for (const contact of store.contacts.values()) {
    assert.ok(!['PENDING', 'CALLING'].includes(contact.status));
    assert.ok((referee.attempts.get(contact.id)?.length ?? 0) <= contact.attempts, 'a claimed attempt counts as made');
    assert.ok(contact.status !== 'FAILED' || contact.attempts > 0, 'nobody fails untried');
  }
}

test('ten thousand contacts are called within windows, limits and opt-outs, and every campaign completes', () => {
  const result = play(10_000, 7, 0);
  checkEnd(result);
  for (const [contactId, made] of result.referee.attempts) {
    assert.equal(result.store.contacts.get(contactId)?.attempts, made.length);
  }
  assert.ok(result.invites.size > 12_000, `${result.invites.size} calls`);
  const [one = 0, two = 0] = result.shareAfterThreeHours;
  assert.ok(one > 100 && Math.abs(one - two) <= 0.1 * one, `twins are served alike: ${one} and ${two}`);
});

test('with crashes nobody is dialled twice for one attempt, called at night, or left on a dead line', () => {
  const result = play(10_000, 11, 0.02);
  checkEnd(result);
  assert.ok(result.crashes > 50, `${result.crashes} crashes`);
});
