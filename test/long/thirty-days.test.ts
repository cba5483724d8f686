// Hundreds of contacts over simulated days, with seeded outcomes, on the real tables and queries: first undisturbed,
// then with crashes. Windows, attempts, limits and opt-outs must always hold. Ten thousand contacts:
// ten-thousand-contacts.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destinationOf } from '../../db/domain/numbers/destinations.ts';
import { writeSetting } from '../../db/queries/settings/settings.ts';
import { mixedOutcome, Referee } from '../engine/campaign/referee.ts';
import { DAY, HOUR, MINUTE, type Placed, REGIONS, Stage } from '../engine/campaign/stage.ts';

// Across the end of summer time in Europe and North America.
const START = Date.UTC(2026, 9, 12, 6);

interface Show {
  contacts: number;
  seed: number;
  crashEvery?: number;
}

async function thirtyDays({ contacts, seed, crashEvery }: Show): Promise<void> {
  let dialledSinceCrash = 0;
  let check: (call: Placed) => void = () => {};
  const stage = new Stage({
    startMs: START,
    seed,
    maxCalls: 60,
    outcome: mixedOutcome,
    onDial(call) {
      check(call);
      dialledSinceCrash++;
    },
  });
  const { tables, db } = stage;
  try {
    const countries = [...new Set(REGIONS.map(({ number }) => destinationOf(number(0)).country))];
    const destinations = { countries, prefixes: { allow: [], deny: [] }, types: [] };
    await writeSetting(db, 'destinations', JSON.stringify(destinations));
    const one = await tables.account();
    const two = await tables.account();
    const wide = await tables.trunk({ maxConcurrentCalls: 40, callsPerSecond: 100 });
    const narrow = await tables.trunk({ maxConcurrentCalls: 8, callsPerSecond: 4 });
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
    // Twins to test fairness; one that works at night in a zone of its own; one on the narrow trunk.
    const campaigns = [
      await tables.campaign(one, { maxConcurrentCalls: 30, retryDelayMinutes: 7 * 24 * 60 }, [wide, wide, wide]),
      await tables.campaign(two, { maxConcurrentCalls: 30, retryDelayMinutes: 7 * 24 * 60 }, [wide]),
      await tables.campaign(
        two,
        {
          callingWindow: JSON.stringify({ timezone: 'Asia/Tokyo', days, start: '22:00', end: '02:30' }),
          maxAttempts: 5,
          retryDelayMinutes: 45,
        },
        [wide],
      ),
      await tables.campaign(
        one,
        { callingWindow: JSON.stringify({ days, start: '10:00', end: '16:00' }), maxAttempts: 2 },
        [narrow],
      ),
    ];
    const shares = [0.35, 0.35, 0.15, 0.15].map((share) => Math.round(share * contacts));
    const zones = new Map<string, readonly string[]>();
    const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    const listed = new Set<string>();
    let serial = 0;
    for (const [i, campaign] of campaigns.entries()) {
      const numbers: string[] = [];
      for (let n = 0; n < (shares[i] ?? 0); n++) {
        const region = REGIONS[n % REGIONS.length];
        if (!region) continue;
        // The twins call different people; the fourth shares its account, and some of its people, with the first.
        const number = i === 3 && n % 10 === 0 ? region.number(n) : region.number(serial++);
        if (numbers.includes(number)) continue;
        numbers.push(number);
        zones.set(number, region.zones);
      }
      await tables.contacts(campaign, numbers);
      const unwanted = numbers.filter(() => stage.lot() < 0.05);
      await tables.list(campaign.accountId, unwanted);
      for (const number of unwanted) listed.add(`${campaign.accountId} ${number}`);
    }

    const referee = new Referee({
      campaigns: byId,
      trunks: tables.trunks,
      zones,
      listed,
      callsAtMost: 54,
      isPaceHeld: crashEvery === undefined,
      live: () => stage.liveCalls,
    });
    check = (call) => referee.check(call);

    const isOver = async () => {
      const open = await db.selectFrom('campaigns').select('id').where('status', '=', 'RUNNING').execute();
      return open.length === 0;
    };
    const noteWishes = async () => {
      const rows = await db.selectFrom('doNotCall').select(['accountId', 'phoneNumber']).execute();
      for (const row of rows) listed.add(`${row.accountId} ${row.phoneNumber}`);
    };
    const share = (index: number) => stage.placed.filter((call) => call.campaignId === campaigns[index]?.id).length;
    for (let hour = 1; hour <= 30 * 24; hour++) {
      await stage.play(START + hour * HOUR, isOver);
      await noteWishes();
      if (crashEvery !== undefined && dialledSinceCrash >= crashEvery) {
        dialledSinceCrash = 0;
        // Some crashes fall between the claim and the INVITE; after others the first claim's answer is lost.
        if (stage.lot() < 0.5) {
          stage.isDying = true;
          await stage.play(stage.nowMs + 2 * MINUTE);
        }
        await stage.crash();
        if (stage.lot() < 0.3) stage.loseAnswerOf = 'claimAttempts';
      }
      if (hour === 3 && crashEvery === undefined) {
        assert.ok(Math.abs(share(0) - share(1)) <= 30, `twins are served alike: ${share(0)} and ${share(1)}`);
      }
      if (await isOver()) break;
    }

    const ended = await db.selectFrom('campaigns').select(['id', 'status', 'completedAt']).execute();
    assert.deepEqual(
      ended.map((row) => row.status),
      campaigns.map(() => 'COMPLETED'),
    );
    const events = await db
      .selectFrom('events')
      .select(['subjectId', 'data'])
      .where('type', '=', 'campaign.completed')
      .execute();
    assert.deepEqual(events.map((event) => event.subjectId).sort(), campaigns.map((row) => row.id).sort());
    for (const event of events) assert.equal(JSON.parse(event.data).status, 'COMPLETED');
    const rows = await db.selectFrom('contacts').selectAll().execute();
    for (const row of rows) {
      const made = referee.attempts.get(row.id)?.length ?? 0;
      assert.ok(!['PENDING', 'CALLING'].includes(row.status));
      assert.equal(row.nextAttemptAt, null);
      // A claim that was lost counts as made.
      if (crashEvery === undefined) assert.equal(row.attempts, made);
      else assert.ok(row.attempts >= made);
      if (row.status === 'FAILED' && row.attempts === 0) assert.fail('nobody fails untried');
    }
    const open = await db.selectFrom('calls').select('id').where('endedAt', 'is', null).execute();
    assert.deepEqual(open, []);
    assert.ok(stage.placed.length > contacts, `${stage.placed.length} calls were placed`);
    if (crashEvery !== undefined) assert.ok(stage.crashes > 5, `${stage.crashes} crashes`);
    assert.ok(stage.nowMs < START + 30 * DAY);
  } finally {
    await stage.close();
  }
}

test('contacts are called within their windows, limits and opt-outs, and every campaign completes', async () => {
  await thirtyDays({ contacts: 300, seed: 7 });
});

test('with crashes nobody is dialled twice for one attempt and nobody is left on a dead line', async () => {
  await thirtyDays({ contacts: 300, seed: 11, crashEvery: 30 });
});
