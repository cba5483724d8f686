// A database whose commits take longer than the space between two calls of a trunk.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage } from './stage.ts';

const START = Date.UTC(2026, 10, 18, 17);
const SECONDS = 10;

test('a trunk gets its calls a second, evenly, also where each claim takes longer than the space between them', async () => {
  const stage = new Stage({ startMs: START, seed: 1, claimMs: 55, maxCalls: 500 });
  const account = await stage.tables.account({ plan: 'ENTERPRISE' });
  await stage.tables.trunk({ maxConcurrentCalls: 500, callsPerSecond: 20 });
  const campaign = await stage.tables.campaign(account, { maxConcurrentCalls: 500 });
  const numbers = Array.from({ length: 400 }, (_, i) => `+1212${5_550_000 + i}`);
  await stage.tables.contacts(campaign, numbers);
  await stage.play(START + SECONDS * 1_000);
  const times = stage.placed.map(({ atMs }) => atMs - START);
  const from = (ms: number): number => times.filter((at) => at >= ms && at < ms + 1_000).length;
  assert.ok(times.length >= 19 * SECONDS, `${times.length} calls`);
  // The trunk's rule holds a twentieth of a second, and a claim may be as much ahead.
  for (let ms = 0; ms < (SECONDS - 1) * 1_000; ms += 50) assert.ok(from(ms) <= 22, `${from(ms)} calls from ${ms} ms`);
  await stage.close();
});
