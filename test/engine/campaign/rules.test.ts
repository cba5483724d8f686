// The pure parts of the dialler: windows by the wall clock, zones by the number, pace, breaker, plan.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { CallingWindow } from '../../../db/domain/campaign-defaults.ts';
import { nextOpening } from '../../../db/domain/hours/calling-window.ts';
import { WEEKDAYS } from '../../../db/domain/hours/weekdays.ts';
import { zonesOfNumber } from '../../../db/domain/numbers/number-zones.ts';
import { freshPace, queueWaitMs, readyAt, takeToken } from '../../../db/domain/pace.ts';
import type { DiallingCampaign, DiallingSnapshot } from '../../../db/queries/dialling/due.ts';
import { breakerRoom, closedBreaker, stepBreaker } from '../../../engine/campaign/breaker.ts';
import { TrunkPaces } from '../../../engine/campaign/pace.ts';
import { type PlanInput, type PlanTrunk, planDialling } from '../../../engine/campaign/planner.ts';
import { contactAfterAttempt, retryRule } from '../../../engine/campaign/retry.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { DAY, HOUR, isOpenByWallClock, MINUTE } from './stage.ts';

const everyDay = [...WEEKDAYS];
const at = (iso: string): number => Date.parse(iso);
const isOpen = (window: CallingWindow, zones: readonly string[], atMs: number): boolean =>
  nextOpening(window, zones, atMs) === atMs;

test('the window opens and closes by the wall clock, its end excluded', () => {
  const window: CallingWindow = { days: everyDay, start: '09:00', end: '20:00' };
  assert.equal(isOpen(window, ['Europe/Berlin'], at('2026-07-01T06:59:59Z')), false);
  assert.equal(isOpen(window, ['Europe/Berlin'], at('2026-07-01T07:00:00Z')), true);
  assert.equal(isOpen(window, ['Europe/Berlin'], at('2026-07-01T17:59:59Z')), true);
  assert.equal(isOpen(window, ['Europe/Berlin'], at('2026-07-01T18:00:00Z')), false);
  assert.equal(nextOpening(window, ['Europe/Berlin'], at('2026-07-01T18:00:00Z')), at('2026-07-02T07:00:00Z'));
});

test('a window past midnight belongs to the day on which it begins', () => {
  const window: CallingWindow = { days: ['friday'], start: '22:00', end: '02:00' };
  assert.equal(isOpen(window, ['UTC'], at('2026-11-20T23:00:00Z')), true);
  assert.equal(isOpen(window, ['UTC'], at('2026-11-21T01:59:00Z')), true);
  assert.equal(isOpen(window, ['UTC'], at('2026-11-20T01:00:00Z')), false);
  assert.equal(isOpen(window, ['UTC'], at('2026-11-21T22:30:00Z')), false);
  assert.equal(nextOpening(window, ['UTC'], at('2026-11-21T02:00:00Z')), at('2026-11-27T22:00:00Z'));
});

test('openings follow the clocks when they change', () => {
  const window: CallingWindow = { days: everyDay, start: '09:00', end: '10:00' };
  // Summer time ends on 25 October 2026 in Germany, on 1 November in the United States.
  assert.equal(nextOpening(window, ['Europe/Berlin'], at('2026-10-24T12:00:00Z')), at('2026-10-25T08:00:00Z'));
  assert.equal(nextOpening(window, ['America/New_York'], at('2026-10-31T20:00:00Z')), at('2026-11-01T14:00:00Z'));
  // 02:30 does not exist on 29 March 2026 in Berlin: the window opens with the first moment inside it.
  const night: CallingWindow = { days: everyDay, start: '02:30', end: '04:00' };
  const opening = nextOpening(night, ['Europe/Berlin'], at('2026-03-28T22:00:00Z'));
  assert.ok(opening !== null && opening <= at('2026-03-29T01:30:00Z'));
  assert.equal(isOpenByWallClock(night, 'Europe/Berlin', opening), true);
});

test('a number that may ring in several zones is called only if the window is open in all of them', () => {
  const window: CallingWindow = { days: everyDay, start: '09:00', end: '20:00' };
  const zones = ['America/New_York', 'Pacific/Honolulu'];
  const opening = nextOpening(window, zones, at('2026-07-01T12:00:00Z'));
  assert.equal(opening, at('2026-07-01T19:00:00Z'));
  const narrow: CallingWindow = { days: everyDay, start: '09:00', end: '10:00' };
  assert.equal(nextOpening(narrow, zones, at('2026-07-01T12:00:00Z')), null);
});

test('for random windows, zones and times, the window is open at its opening and never before', () => {
  const lot = seededRandom(3);
  const zones = ['America/New_York', 'America/St_Johns', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];
  const clock = () => `${String(Math.floor(lot() * 24)).padStart(2, '0')}:${lot() < 0.5 ? '00' : '30'}`;
  let found = 0;
  for (let round = 0; round < 400; round++) {
    const days = everyDay.filter(() => lot() < 0.5);
    const window: CallingWindow = { days: days.length > 0 ? days : ['monday'], start: clock(), end: clock() };
    if (window.start === window.end) continue;
    const chosen = zones.filter(() => lot() < 0.3);
    if (chosen.length === 0) chosen.push('UTC');
    const from = at('2026-01-01T00:00:00Z') + Math.floor(lot() * 365 * 24 * 60) * MINUTE;
    const opening = nextOpening(window, chosen, from);
    const isOpen = (time: number) => chosen.every((zone) => isOpenByWallClock(window, zone, time));
    if (opening === null) continue;
    found++;
    assert.ok(isOpen(opening));
    // Near a clock change an opening may come up to an hour late, never early.
    for (let time = from; time < opening - HOUR; time += 30 * MINUTE) {
      assert.ok(!isOpen(time), `${JSON.stringify(window)} ${chosen} is open at ${new Date(time).toISOString()}`);
    }
  }
  assert.ok(found > 200);
});

test("a number's zones are as precise as its prefix", () => {
  for (const [number, zones] of [
    ['+12125550100', ['America/New_York']],
    ['+14155550100', ['America/Los_Angeles']],
    ['+16025550100', ['America/Phoenix']],
    ['+18505550100', ['America/New_York', 'America/Chicago']],
    ['+16045550100', ['America/Vancouver']],
    ['+18765551234', ['America/Jamaica']],
    ['+442079460000', ['Europe/London']],
    ['+919845012345', ['Asia/Calcutta']],
    ['+61390123456', ['Australia/Melbourne']],
    ['+551132345678', ['America/Sao_Paulo']],
    ['+34922123456', ['Atlantic/Canary']],
    ['+38344123456', ['Europe/Belgrade']],
  ] as const) {
    assert.deepEqual(zonesOfNumber(number, 'UTC'), zones, number);
  }
  const tollFree = zonesOfNumber('+18005550123', 'UTC');
  assert.ok(tollFree.includes('America/New_York') && tollFree.includes('Pacific/Honolulu'));
  const russianMobile = zonesOfNumber('+79161234567', 'UTC');
  assert.ok(russianMobile.includes('Europe/Kaliningrad') && russianMobile.includes('Asia/Kamchatka'));
  assert.deepEqual(zonesOfNumber('+80012345678', 'Europe/Vienna'), ['Europe/Vienna']);
});

test('every zone of a number is known to the runtime', () => {
  for (let area = 200; area < 1000; area++) {
    for (const zone of zonesOfNumber(`+1${area}5550100`, 'UTC')) {
      assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: zone }), `${area}: ${zone}`);
    }
  }
});

test('a trunk never gets more calls per second than its limit', () => {
  for (const rate of [1, 3, 10, 100]) {
    let pace = freshPace;
    let nowMs = 1_000_000;
    const times: number[] = [];
    while (times.length < rate * 5) {
      nowMs = Math.max(nowMs, Math.ceil(readyAt(pace, rate)));
      pace = takeToken(pace, rate, nowMs);
      times.push(nowMs);
    }
    for (const time of times) {
      const second = times.filter((other) => other >= time && other < time + 1_000).length;
      assert.ok(second <= rate * 1.05 + 1, `${second} in a second at ${rate}`);
    }
    assert.ok(nowMs - 1_000_000 <= 5_100, 'and no fewer than it takes');
  }
});

test('the wait that is foreseen for a call is the one that it has', () => {
  for (const rate of [1, 10, 100]) {
    const paces = new TrunkPaces(new VirtualClock(5_000));
    for (let queued = 0; queued < 20; queued++)
      assert.equal(queueWaitMs(queued, rate), paces.reserve('trk_1', rate), `${queued} at ${rate}`);
  }
});

test('single calls past the pace wait their turn', () => {
  const paces = new TrunkPaces(new VirtualClock(5_000));
  assert.deepEqual(
    [0, 1, 2, 3].map(() => paces.reserve('trk_1', 10)),
    [0, 100, 200, 300],
  );
  paces.keep([]);
  assert.equal(paces.reserve('trk_1', 10), 0);
});

test('a step of the wall clock neither delays a call nor lets a burst through', () => {
  for (const stepMs of [-600_000, 86_400_000]) {
    const clock = new VirtualClock(1_000_000);
    const paces = new TrunkPaces(clock);
    paces.take('trk_1', 10);
    clock.stepWall(stepMs);
    assert.equal(readyAt(paces.of('trk_1'), 10) - clock.nowMs(), 100, 'as the planner sees it');
    assert.equal(paces.reserve('trk_1', 10), 100, 'as a single call sees it');
  }
});

test('a trunk that keeps failing is paused, tried with one call, and paused for longer', () => {
  let breaker = closedBreaker;
  for (let i = 0; i < 4; i++) breaker = stepBreaker(breaker, { type: 'failed' }, 0);
  assert.equal(breakerRoom(breaker, 0), Number.POSITIVE_INFINITY);
  breaker = stepBreaker(breaker, { type: 'failed' }, 0);
  assert.equal(breakerRoom(breaker, 29_999), 0);
  // A call that was already under way fails later: no change.
  breaker = stepBreaker(breaker, { type: 'failed' }, 10_000);
  assert.equal(breakerRoom(breaker, 30_000), 1);
  breaker = stepBreaker(breaker, { type: 'dialled' }, 30_000);
  assert.equal(breakerRoom(breaker, 31_000), 0);
  breaker = stepBreaker(breaker, { type: 'failed' }, 35_000);
  assert.equal(breakerRoom(breaker, 94_999), 0);
  assert.equal(breakerRoom(breaker, 95_000), 1);
  breaker = stepBreaker(breaker, { type: 'dialled' }, 95_000);
  breaker = stepBreaker(breaker, { type: 'inconclusive' }, 96_000);
  assert.equal(breakerRoom(breaker, 96_000), 1);
  assert.equal(stepBreaker(breaker, { type: 'worked' }, 97_000), closedBreaker);
});

test("only ends that were not the callee's decision, or may change, are retried", () => {
  const campaign = { attempts: 1, maxAttempts: 3, retryDelayMinutes: 60 };
  const end = { outcome: 'busy', answered: false, retryable: true, endedAtMs: 0 };
  assert.deepEqual(retryRule(end, campaign), { status: 'PENDING', nextAttemptAt: HOUR });
  assert.deepEqual(retryRule(end, { ...campaign, attempts: 3 }), { status: 'FAILED', nextAttemptAt: null });
  assert.deepEqual(retryRule({ ...end, outcome: 'declined', retryable: false }, campaign), {
    status: 'FAILED',
    nextAttemptAt: null,
  });
  assert.equal(retryRule({ ...end, outcome: 'completed', answered: true }, campaign).status, 'COMPLETED');
  assert.equal(retryRule({ ...end, outcome: 'voicemail_left', answered: true }, campaign).status, 'VOICEMAIL');
});

// The plan

const NOON = at('2026-11-18T17:00:00Z');

function campaignOf(id: string, due: number, changes: Partial<DiallingCampaign> = {}): DiallingCampaign {
  return {
    id,
    accountId: 'acc_1',
    maxConcurrentCalls: 5,
    callingWindow: null,
    timezone: 'UTC',
    numbers: [{ id: `pn_${id}`, phoneNumber: '+16465551000', trunkId: null }],
    running: 0,
    placed: 0,
    held: null,
    pending: due,
    due: Array.from({ length: due }, (_, i) => ({
      id: `cnt_${id}_${i}`,
      phoneNumber: `+1212555${1_000 + i}`,
      isListed: false,
    })),
    hasMoreDue: false,
    nextDueAt: null,
    ...changes,
  };
}

const trunkOf = (id: string, changes: Partial<PlanTrunk> = {}): PlanTrunk => ({
  id,
  isUp: true,
  maxConcurrentCalls: 100,
  callsPerSecond: 1_000,
  pace: freshPace,
  breakerRoom: Number.POSITIVE_INFINITY,
  breakerOpenUntilMs: 0,
  ...changes,
});

function inputOf(
  campaigns: DiallingCampaign[],
  changes: Partial<PlanInput> = {},
  snapshot: Partial<DiallingSnapshot> = {},
) {
  return {
    snapshot: {
      campaigns,
      accountRooms: new Map(),
      trunkCalls: new Map(),
      nextStartAt: null,
      hasFinished: false,
      hasTrunk: true,
      ...snapshot,
    },
    trunks: [trunkOf('trk_1')],
    room: 100,
    lastServed: new Map<string, number>(),
    ...changes,
  };
}

const shares = (input: PlanInput): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { campaignId } of planDialling(input, NOON).attempts) counts[campaignId] = (counts[campaignId] ?? 0) + 1;
  return counts;
};

test('places are dealt out one by one, to the campaign with the fewest calls first', () => {
  const campaigns = [campaignOf('a', 10), campaignOf('b', 10), campaignOf('c', 1)];
  assert.deepEqual(shares(inputOf(campaigns, { room: 7 })), { a: 3, b: 3, c: 1 });
  const uneven = [campaignOf('a', 10, { running: 4 }), campaignOf('b', 10)];
  assert.deepEqual(shares(inputOf(uneven, { room: 3 })), { b: 3 });
});

test('the campaign that was served least recently goes first when all have as many calls', () => {
  const lastServed = new Map([
    ['a', 2],
    ['b', 1],
  ]);
  assert.deepEqual(shares(inputOf([campaignOf('a', 3), campaignOf('b', 3)], { room: 1, lastServed })), { b: 1 });
});

test('campaign, trunk and engine limits each hold', () => {
  assert.deepEqual(shares(inputOf([campaignOf('a', 10, { maxConcurrentCalls: 2 })])), { a: 2 });
  assert.deepEqual(shares(inputOf([campaignOf('a', 10)], { room: 3 })), { a: 3 });
  const trunks = [trunkOf('trk_1', { maxConcurrentCalls: 4 })];
  assert.deepEqual(shares(inputOf([campaignOf('a', 10)], { trunks }, { trunkCalls: new Map([['trk_1', 3]]) })), {
    a: 1,
  });
  assert.deepEqual(shares(inputOf([campaignOf('a', 10, { held: 'minutes' })])), {});
});

test('accounts take turns, however many campaigns one has; within one the emptiest campaign comes first', () => {
  const many = ['a', 'b', 'c', 'd'].map((id) => campaignOf(id, 10));
  const single = campaignOf('z', 10, { accountId: 'acc_2', running: 2 });
  assert.deepEqual(shares(inputOf([...many, single], { room: 6 })), { a: 1, b: 1, c: 1, z: 3 });
  const lastServed = new Map([
    ['a', 7],
    ['z', 6],
  ]);
  assert.deepEqual(
    shares(inputOf([...many, single], { room: 1, lastServed })),
    { z: 1 },
    'a’s account was served last',
  );
});

test('an account whose share of the places is taken waits, and nobody waits for it', () => {
  const campaigns = [campaignOf('a', 10), campaignOf('b', 10), campaignOf('z', 10, { accountId: 'acc_2' })];
  const accountRooms = new Map([['acc_1', 3]]);
  assert.deepEqual(shares(inputOf(campaigns, {}, { accountRooms })), { a: 2, b: 1, z: 5 });
  assert.deepEqual(shares(inputOf(campaigns, {}, { accountRooms: new Map([['acc_1', 0]]) })), { z: 5 });
});

test('a trunk that is down or has an open breaker gets no calls; its contacts wait', () => {
  const down = planDialling(inputOf([campaignOf('a', 3)], { trunks: [trunkOf('trk_1', { isUp: false })] }), NOON);
  assert.deepEqual([down.attempts, down.settle, down.lookAgainAt], [[], false, null]);
  const open = trunkOf('trk_1', { breakerRoom: 0, breakerOpenUntilMs: NOON + 5_000 });
  const plan = planDialling(inputOf([campaignOf('a', 3)], { trunks: [open] }), NOON);
  assert.deepEqual([plan.attempts, plan.lookAgainAt], [[], NOON + 5_000]);
});

test('the pace of a trunk spreads calls, and says when the next may leave', () => {
  const plan = planDialling(
    inputOf([campaignOf('a', 5)], { trunks: [trunkOf('trk_1', { callsPerSecond: 10 })] }),
    NOON,
  );
  assert.equal(plan.attempts.length, 1);
  assert.equal(plan.lookAgainAt, NOON + 100);
});

test("a campaign's numbers take turns, each by its own trunk", () => {
  const numbers = [
    { id: 'pn_1', phoneNumber: '+16465551001', trunkId: 'trk_1' },
    { id: 'pn_2', phoneNumber: '+16465551002', trunkId: 'trk_2' },
  ];
  const trunks = [trunkOf('trk_1'), trunkOf('trk_2')];
  const plan = planDialling(inputOf([campaignOf('a', 4, { numbers, placed: 1 })], { trunks }), NOON);
  assert.deepEqual(
    plan.attempts.map(({ phoneNumberId, trunkId }) => [phoneNumberId, trunkId]),
    [
      ['pn_2', 'trk_2'],
      ['pn_1', 'trk_1'],
      ['pn_2', 'trk_2'],
      ['pn_1', 'trk_1'],
    ],
  );
});

test('contacts outside their window are deferred to its opening, listed ones are excluded', () => {
  const due = [
    { id: 'night', phoneNumber: '+61390123456', isListed: false },
    { id: 'listed', phoneNumber: '+12125551000', isListed: true },
    { id: 'day', phoneNumber: '+12125551001', isListed: false },
  ];
  const plan = planDialling(inputOf([campaignOf('a', 0, { due })]), NOON);
  assert.deepEqual(plan.excluded, ['listed']);
  assert.deepEqual(plan.deferrals, [{ id: 'night', nextAttemptAt: at('2026-11-18T22:00:00Z') }]);
  assert.deepEqual(
    plan.attempts.map(({ contactId }) => contactId),
    ['day'],
  );
});

test('without any trunk, a campaign with a contact due now is settled', () => {
  const none = { trunks: [] };
  assert.equal(planDialling(inputOf([campaignOf('a', 1)], none, { hasTrunk: false }), NOON).settle, true);
  assert.equal(planDialling(inputOf([campaignOf('a', 0)], none, { hasTrunk: false }), NOON).settle, false);
  assert.equal(planDialling(inputOf([], {}, { nextStartAt: NOON }), NOON).settle, true);
  const later = planDialling(inputOf([], {}, { nextStartAt: NOON + DAY }), NOON);
  assert.deepEqual([later.settle, later.lookAgainAt], [false, NOON + DAY]);
});

test('contacts are wanted of the campaigns that would get a place, and of no others', () => {
  const unread = Array.from({ length: 1_000 }, (_, i) =>
    campaignOf(`c${String(i).padStart(4, '0')}`, 0, { due: null, pending: 9, running: i % 3 }),
  );
  const wanted = (changes: Partial<PlanInput>) =>
    planDialling(inputOf(unread, changes), NOON).wanted.map(({ id }) => id);
  assert.deepEqual(wanted({ room: 3, trunks: [trunkOf('trk_1')] }), ['c0000', 'c0003', 'c0006']);
  assert.deepEqual(wanted({ room: 0, trunks: [trunkOf('trk_1')] }), []);
  assert.deepEqual(wanted({ room: 3, trunks: [trunkOf('trk_1', { isUp: false })] }), []);
  const read = [campaignOf('b', 2), ...unread];
  const plan = planDialling(inputOf(read, { room: 2, trunks: [trunkOf('trk_1')] }), NOON);
  assert.deepEqual(
    [plan.attempts.map(({ campaignId }) => campaignId), plan.wanted.map(({ id }) => id)],
    [['b'], ['c0000']],
  );
});

test('a call that settles its contact can end while the database is away, one that does not says so', async () => {
  const away = () => {
    throw Object.assign(new Error('Connection terminated'), { code: '08006' });
  };
  const db = { selectFrom: away } as never;
  const end = { outcome: 'completed', answered: true, retryable: false, endedAtMs: 0 };
  assert.equal((await contactAfterAttempt(db, 'con_1', end))?.status, 'COMPLETED');
  const declined = { ...end, outcome: 'declined', answered: false };
  assert.equal((await contactAfterAttempt(db, 'con_1', declined))?.status, 'FAILED');
  await assert.rejects(contactAfterAttempt(db, 'con_1', { ...declined, outcome: 'busy', retryable: true }), {
    code: '08006',
  });
});
