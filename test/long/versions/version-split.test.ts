// Campaigns whose calls are led by several versions of an agent, over the dialler's real path: the shares that were
// asked for, and the same version for the same number.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS_DEFAULTS } from '../../../api/businesses/record.ts';
import { ALWAYS_OPEN } from '../../../bench/rig/rows/always-open.ts';
import { bucketOf, chosenVersion } from '../../../db/domain/versions/split.ts';
import { insertVersion, markLeading } from '../../../db/queries/businesses/versions.ts';
import { readOpenCall, routeInbound } from '../../../db/rules/routing.ts';
import type { Db } from '../../../db/schema.ts';
import { newId } from '../../../db/shared/id.ts';
import { DAY, Stage } from '../../engine/campaign/stage.ts';

const START_MS = Date.UTC(2026, 10, 23, 15);

async function addLeaders(db: Db, accountId: string) {
  const [agentId, businessId] = [newId('agt'), newId('biz')];
  const agent = { id: agentId, accountId, name: 'One', description: null, voiceId: 'flite-slt', language: 'en-US' };
  const lists = { additionalLanguages: '[]', languages: '[]', conversation: '{}', toolIds: '[]' };
  const row = { ...agent, ...lists, primaryLanguage: 'en', isActive: 1, createdAt: START_MS, deletedAt: null } as const;
  await db
    .insertInto('agents')
    .values({ ...row, version: 1 })
    .execute();
  const business = { id: businessId, accountId, name: 'B', timezone: 'UTC', createdAt: START_MS, deletedAt: null };
  await db
    .insertInto('businesses')
    .values({ ...BUSINESS_DEFAULTS, ...business, version: 1 })
    .execute();
  const of = {
    accountId,
    subject: 'agent',
    subjectId: agentId,
    actor: null,
    restoredFrom: null,
    baseNumber: null,
  } as const;
  for (const [at, name] of ['One', 'Two', 'Three'].entries()) {
    const content = JSON.stringify({ name, language: at === 1 ? 'de-DE' : 'en-US', toolIds: [] });
    await insertVersion(db, { ...of, number: at + 1, content, createdAt: START_MS + at }, at !== 1);
  }
  await db.updateTable('agents').set({ name: 'Three' }).where('id', '=', agentId).execute();
  return { agentId, businessId };
}

/** Six standard deviations of a share: wrong once in 500 million. */
const isWithin = (hits: number, of: number, share: number): boolean =>
  Math.abs(hits - of * share) <= 6 * Math.sqrt(of * share * (1 - share));

test('1,000 numbers that a campaign dials: each version has its share, and a number always the same one', async () => {
  const led = new Map<string, Set<number>>();
  const languages = new Map<number, string>();
  const reads: Promise<void>[] = [];
  const stage = new Stage({
    startMs: START_MS,
    seed: 7,
    // A second attempt for some: the number is dialled again.
    outcome: (lot) => (lot < 0.2 ? 'busy' : 'answered'),
    onDial: ({ callId, toNumber }, { db }) => {
      const read = readOpenCall(db, callId).then((open) => {
        const agent = open?.setup.agent ?? assert.fail('the call is open');
        led.set(toNumber, (led.get(toNumber) ?? new Set()).add(agent.version));
        languages.set(agent.version, `${agent.name} ${agent.language} ${agent.primaryLanguage}`);
      });
      reads.push(read);
    },
  });
  try {
    const accountId = await stage.tables.account();
    await stage.tables.trunk({ maxConcurrentCalls: 100, callsPerSecond: 100 });
    const leaders = await addLeaders(stage.db, accountId);
    const split = JSON.stringify([
      { version: 1, share: 50 },
      { version: 2, share: 40 },
      { version: 3, share: 10 },
    ]);
    const always = JSON.stringify(ALWAYS_OPEN);
    const campaign = await stage.tables.campaign(accountId, {
      ...leaders,
      split,
      callingWindow: always,
      maxConcurrentCalls: 100,
      maxAttempts: 3,
      retryDelayMinutes: 10,
    });
    const numbers = Array.from({ length: 1_000 }, (_, at) => `+1212${5_550_000 + at}`);
    await stage.tables.contacts(campaign, numbers);
    await stage.play(START_MS + DAY, async () => false);
    await Promise.all(reads);
    assert.equal(led.size, 1_000);
    assert.ok(stage.placed.length > 1_100, 'numbers were dialled again');
    for (const [number, versions] of led) assert.equal(versions.size, 1, `${number} met ${[...versions]}`);
    const counts = [1, 2, 3].map((version) => [...led.values()].filter((versions) => versions.has(version)).length);
    for (const [at, share] of [0.5, 0.4, 0.1].entries())
      assert.ok(isWithin(counts[at] ?? 0, 1_000, share), `version ${at + 1} had ${counts[at]} of 1,000`);
    assert.deepEqual(
      [1, 2, 3].map((version) => languages.get(version)),
      ['One en-US en', 'Two de-DE de', 'Three en-US en'],
    );
  } finally {
    await stage.close();
  }
});

test('an inbound caller meets the version of the caller’s number, and a hidden number the one with most calls', async () => {
  const stage = new Stage({ startMs: START_MS, seed: 7 });
  try {
    const { db, tables } = stage;
    const accountId = await tables.account();
    const leaders = await addLeaders(db, accountId);
    const split = JSON.stringify([
      { version: 1, share: 60 },
      { version: 2, share: 40 },
    ]);
    const campaign = await tables.campaign(accountId, { ...leaders, split });
    const { phoneNumber } = await db
      .selectFrom('phoneNumbers')
      .select('phoneNumber')
      .where('campaignId', '=', campaign.id)
      .executeTakeFirstOrThrow();
    const versionFor = async (callerNumber: string) => {
      const route = await routeInbound(db, phoneNumber, { forwardedFrom: null, callerNumber, nowMs: START_MS });
      return route.found ? route.setup.agent.version : assert.fail(route.reason);
    };
    assert.equal(await versionFor('anonymous'), 1);
    assert.equal(await versionFor(''), 1);
    const hits = [];
    for (let at = 0; at < 300; at++) hits.push(await versionFor(`+4930${20_000_000 + at}`));
    assert.ok(isWithin(hits.filter((version) => version === 2).length, 300, 0.4));
    assert.equal(await versionFor('+493020000007'), hits[7]);
    // A version that is gone all the same: the published one leads.
    await db.deleteFrom('versions').where('subjectId', '=', leaders.agentId).where('number', '=', 1).execute();
    assert.equal(await versionFor('anonymous'), 3);
  } finally {
    await stage.close();
  }
});

test('a version that a split names is never among those that are deleted for their age', async () => {
  const stage = new Stage({ startMs: START_MS, seed: 7 });
  try {
    const { db, tables } = stage;
    const accountId = await tables.account();
    const leaders = await addLeaders(db, accountId);
    const of = { accountId, subject: 'agent', subjectId: leaders.agentId } as const;
    await tables.campaign(accountId, { ...leaders, split: '[{"version":2,"share":100}]' });
    await markLeading(db, of, START_MS + 10);
    const row = { ...of, content: '{}', actor: null, restoredFrom: null, baseNumber: null };
    for (let number = 4; number <= 210; number++) await insertVersion(db, { ...row, number, createdAt: number });
    const kept = await db.selectFrom('versions').select(['number', 'liveUntil']).orderBy('number').limit(2).execute();
    assert.deepEqual(
      kept.map(({ number }) => number),
      [2, 11],
    );
    assert.equal(kept[0]?.liveUntil, null, 'it leads calls');
  } finally {
    await stage.close();
  }
});

test('buckets are even, whatever the numbers have in common', () => {
  const counts = new Array<number>(20).fill(0);
  for (let at = 0; at < 20_000; at++) {
    const place = Math.floor(bucketOf('cmp_1', `+1212${5_550_000 + at}`) / 500);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  for (const [at, count] of counts.entries()) assert.ok(isWithin(count, 20_000, 1 / 20), `${at}: ${count}`);
  const [a, b] = ['cmp_1', 'cmp_2'].map((salt) =>
    Array.from({ length: 1_000 }, (_, at) => bucketOf(salt, `+1${at}`) < 5_000),
  );
  const same = (a ?? []).filter((value, at) => value === b?.[at]).length;
  assert.ok(isWithin(same, 1_000, 0.5), 'two campaigns choose independently');
  assert.equal(chosenVersion([], 'cmp_1', '+1'), null);
});
