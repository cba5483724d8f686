// Kamailio with the engines from the database: its example configuration reads the view `kamailio_dispatcher`, as a
// user that may read nothing else, and follows engines that start, drain, die and come back. No file is touched.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../bench/rig/database/postgres-server.ts';
import { startExampleEdge } from '../../bench/rig/network/example-edge.ts';
import { type Proxy as Kamailio, skipWithoutModules } from '../../bench/rig/network/kamailio.ts';
import { type Harness, recordLeg, startHarness } from '../../bench/rig/phone/sip-harness.ts';
import { engineRow } from '../../bench/rig/rows/table-rows.ts';
import { migratePostgres } from '../../db/postgres/migrate.ts';
import { loadPg, openPostgres } from '../../db/postgres/open.ts';
import { writeEngine } from '../../db/queries/engine/engines.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { Db } from '../../db/schema.ts';
import { trunkConfig } from '../support/sip/sip-lab.ts';

const skip =
  skipWithoutModules('kamailio-postgres-modules') ||
  (postgresPrograms === null ? 'PostgreSQL is not installed' : false);
const audio = { address: '127.0.0.1', port: 40_000 };
/** Some reloads, which come each second here. */
const WITHIN_MS = 12_000;

let server: PostgresServer;
let db: Db;
let carrier: Harness;
let proxy: Kamailio;
const engines: Harness[] = [];

before(async () => {
  if (skip) return;
  server = await startPostgres({ durable: false });
  await migratePostgres(server.url);
  db = openPostgres(server.url);
  // As docs/cluster.md says.
  const { Client } = await loadPg();
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create role kamailio login password 'p';
    grant select on kamailio_dispatcher, kamailio_version to kamailio`);
  await client.end();
  carrier = await startHarness((leg) => leg.answer(audio), { host: '127.0.0.2', inboundAllow: ['127.0.0.1'] });
  await start();
  await beat(0);
  const url = new URL(server.url);
  proxy = await startExampleEdge({ defines: { DATABASE: `"postgres://kamailio:p@127.0.0.1:${url.port}/voice"` } });
});
after(async () => {
  if (skip) return;
  await proxy.stop();
  await Promise.all([carrier, ...engines].map(({ telephony }) => telephony.stop()));
  await db.destroy();
  await server.stop();
});

async function start(): Promise<void> {
  const options = { edgeProxies: ['127.0.0.1'], inboundAllow: ['127.0.0.2'] };
  engines.push(await startHarness((leg) => leg.answer(audio), options));
}

/** Its row, as its heart writes it, for the next minute unless `changes` say otherwise. */
const beat = (index: number, changes: Partial<EngineTable> = {}) =>
  writeEngine(
    db,
    engineRow(Date.now() + 60_000, {
      id: `engine-${index}`,
      home: `home-${index}`,
      sipUri: `sip:127.0.0.1:${engines[index]?.port}`,
      ...changes,
    }),
  );

const request = () => ({
  trunkIds: [],
  to: `sip:+15551230000@127.0.0.1:${proxy.port}`,
  from: '+15559990000',
  fromName: null,
  audio,
  ringTimeoutMs: 10_000,
});

const dial = () => recordLeg(carrier.telephony.dial(request()));

/** The engine that takes a call; if none does, the negative status. */
async function call(): Promise<number> {
  const before = engines.map(({ legs }) => legs.length);
  const leg = dial();
  const first = await Promise.race([leg.next('answered'), leg.next('ended')]);
  if (first.type === 'ended') return -(first.end.sipStatus ?? 1);
  leg.leg.hangUp();
  return engines.findIndex(({ legs }, index) => legs.length > (before[index] ?? 0));
}

/** Calls until the last `count` calls went to these engines, each at least once. */
async function settle(expected: readonly number[], count = 6): Promise<void> {
  const untilMs = Date.now() + WITHIN_MS;
  const taken: number[] = [];
  const isSo = () => {
    const last = new Set(taken.slice(-count));
    return taken.length >= count && [...last].sort().join() === [...expected].sort().join();
  };
  while (!isSo()) {
    assert.ok(Date.now() < untilMs, `calls went to ${taken}: ${proxy.output()}`);
    taken.push(await call());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('the engine in the database takes the calls', { skip }, async () => {
  await settle([0]);
});

test('a new engine is called, and one that drains is not, though what belongs to its calls goes on', {
  skip,
}, async () => {
  await start();
  await beat(1);
  await settle([0, 1]);
  const open = dial();
  await open.next('answered');
  const index = engines.findIndex(({ legs }) => legs.at(-1)?.events.every(({ type }) => type !== 'ended'));
  const engine = engines[index] ?? assert.fail();
  await beat(index, { state: 'draining' });
  await settle([1 - index]);
  const outboundProxy = `127.0.0.1:${proxy.port}`;
  engine.telephony.setTrunks([
    trunkConfig('t', '127.0.0.2', { port: carrier.port, outboundProxy, optionsPing: false }),
  ]);
  const transfer = recordLeg(engine.telephony.dial({ ...request(), to: '+15557654321', trunkIds: ['t'] }));
  await transfer.next('answered');
  assert.equal(carrier.legs.at(-1)?.leg.remoteAddress, '127.0.0.1');
  transfer.leg.hangUp();
  open.leg.hangUp();
  assert.equal((await engine.legs.at(-1)?.next('ended'))?.end.by, 'remote');
  engine.telephony.setTrunks([]);
  await beat(index);
  await settle([0, 1]);
});

test('an engine that starts, or has just ended, sends calls out and is sent none', { skip }, async () => {
  await settle([0, 1]);
  const engine = engines[1] ?? assert.fail();
  const outboundProxy = `127.0.0.1:${proxy.port}`;
  engine.telephony.setTrunks([
    trunkConfig('t', '127.0.0.2', { port: carrier.port, outboundProxy, optionsPing: false }),
  ]);
  for (const state of ['starting', 'stopped', 'dead'] as const) {
    await beat(1, { state, telephonyUp: 0, heartbeatAt: Date.now() });
    await settle([0]);
    const placed = recordLeg(engine.telephony.dial({ ...request(), to: '+15557654321', trunkIds: ['t'] }));
    await placed.next('answered');
    assert.equal(carrier.legs.at(-1)?.leg.remoteAddress, '127.0.0.1', state);
    placed.leg.hangUp();
    // A dead engine's row stays as it is.
    if (state === 'dead') await db.deleteFrom('engines').where('id', '=', 'engine-1').execute();
  }
  engine.telephony.setTrunks([]);
  await beat(1);
  await settle([0, 1]);
});

test('an engine with more room gets more of the calls', { skip }, async () => {
  await beat(0, { maxCalls: 100, activeCalls: 95 });
  await beat(1, { maxCalls: 100 });
  const share = async () => {
    const taken: number[] = [];
    while (taken.length < 40) taken.push(await call());
    return taken.filter((index) => index === 1).length;
  };
  const untilMs = Date.now() + WITHIN_MS;
  // 38 of 40 on average; 20 if they took turns.
  while ((await share()) < 32) assert.ok(Date.now() < untilMs, proxy.output());
  await Promise.all([beat(0), beat(1)]);
});

test('without the database calls go where they went, and once it is back, where it says', { skip }, async () => {
  await settle([0, 1]);
  await server.kill();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await settle([0, 1]);
  await server.start();
  await beat(0, { state: 'draining' });
  await settle([1]);
  await beat(0);
  await settle([0, 1]);
});

test('an engine that is silent, stopped or dead leaves the list; without any, callers read 503', { skip }, async () => {
  await beat(0, { heartbeatAt: Date.now() - 11_000 });
  await settle([1]);
  await beat(0);
  await settle([0, 1]);
  await beat(0, { state: 'stopped' });
  await settle([1]);
  await beat(1, { state: 'dead' });
  await settle([-503]);
});
