// A telephone of the house at several engines, all of it as an operator runs it: baresip registers at Kamailio, which
// reads the engines from PostgreSQL. Callers are transferred to it by either engine, and it calls in; then the engine
// at which it registered is killed. Speech is recognised while two engines and their peers share the machine, so it is
// not part of `npm test`.
//
//   node supervise.mjs run test/nightly/edge-drill.ts
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { postgresPrograms } from '../../bench/rig/database/postgres-server.ts';
import { startExampleEdge } from '../../bench/rig/network/example-edge.ts';
import { type Proxy as Kamailio, skipWithoutModules } from '../../bench/rig/network/kamailio.ts';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { type Cluster, startCluster } from '../../bench/rig/service/cluster.ts';
import type { Rest } from '../../bench/rig/service/rest.ts';
import { openPostgres } from '../../db/postgres/open.ts';
import type { Db } from '../../db/schema.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { type TestCaller, testCaller } from '../support/conversation.ts';
import { BaresipPhone } from '../support/sip/baresip-phone.ts';
import { missingPeer } from '../support/sip/peers.ts';
import { askForPerson } from '../support/sip/transfers.ts';

const skip =
  missingPeer('baresip') ||
  skipWithoutModules('kamailio-postgres-modules') ||
  (postgresPrograms === null ? 'PostgreSQL is not installed' : false);
const wish = skip ? new Int16Array() : await renderSpeech('Can I speak to a person please?', 'flite-slt');
const USERNAME = 'reception';

let cluster: Cluster;
let proxy: Kamailio;
let db: Db;
let rest: Rest;
let phone: BaresipPhone;
let domain: string;
/** The engine that took its registration. */
let registrar: number;

before(async () => {
  if (skip) return;
  cluster = await startCluster({
    engines: 2,
    apis: 1,
    environment: { EDGE_PROXIES: '127.0.0.1', LLM: 'receptionist' },
  });
  db = openPostgres(cluster.postgres.url);
  rest = await cluster.rest(0);
  const tcp = await reservePort();
  proxy = await startExampleEdge({
    defines: { DATABASE: `"${cluster.postgres.url}"`, EDGE_TCP: `tcp:127.0.0.1:${tcp}` },
  });
  const { password } = await rest.must('POST', '/admin/sip-accounts', { username: USERNAME, callsTo: 'demo' });
  const [business] = await rest.must('GET', '/businesses');
  await rest.must('PATCH', `/businesses/${business?.id}`, { transferNumber: `sip:${USERNAME}` });
  domain = `127.0.0.1:${tcp};transport=tcp`;
  phone = await BaresipPhone.start({
    address: `${USERNAME}@127.0.0.1:${tcp}`,
    transport: 'tcp',
    password,
    answersItself: true,
  });
  await phone.event('REGISTER_OK');
  const took = () => cluster.engines.findIndex((engine) => engine.output().includes('softphone registered'));
  await rest.eventually('the log of its registration', async () => took() !== -1);
  registrar = took();
});
after(async () => {
  if (skip) return;
  await phone?.stop();
  await proxy?.stop();
  await db.destroy();
  await cluster.stop();
});

/** The index of the engine that has the call from this number, or had it. */
async function engineWith(number: string): Promise<number> {
  const call = () => db.selectFrom('calls').select('engineId').where('fromNumber', '=', number).orderBy('id', 'desc');
  const row = await rest.eventually('the call', async () => (await call().executeTakeFirst()) ?? false);
  return cluster.engines.findIndex((engine) => engine.output().includes(`"engineId":"${row.engineId}"`));
}

/** A caller whom that engine has greeted. Others are hung up on. */
async function greetedBy(index: number): Promise<TestCaller> {
  for (let tries = 0; tries < 20; tries++) {
    const one = testCaller({ sipAddress: `127.0.0.1:${proxy.port}` });
    await one.caller.answered();
    await one.caller.agentSound(0);
    await one.caller.agentQuiet(900);
    if ((await engineWith(one.number)) === index) return one;
    await one.caller.hangUp();
  }
  throw new Error(`no call reached engine ${index}: ${proxy.output()}`);
}

/** A caller of that engine asks for a person: the telephone rings, and answers. Then the caller hangs up. */
async function transferBy(index: number): Promise<void> {
  const { caller, number } = await greetedBy(index);
  const before = phone.events.length;
  await askForPerson(rest, caller, number, wish);
  const { peeruri } = await phone.event('CALL_ESTABLISHED', before);
  assert.match(peeruri ?? '', /^sip:/);
  await caller.hangUp();
  await phone.event('CALL_CLOSED', before);
  await rest.endedCall(number);
}

/** The telephone calls the demo; the engine that answered. */
async function callIn(): Promise<number> {
  const before = phone.events.length;
  const earlier = (await rest.callsFrom(USERNAME)).length;
  await phone.command('dial', `sip:demo@${domain}`);
  await phone.event('CALL_ESTABLISHED', before);
  await rest.eventually('its row', async () => (await rest.callsFrom(USERNAME)).length > earlier);
  const index = await engineWith(USERNAME);
  await phone.command('hangup');
  assert.equal((await rest.endedCall(USERNAME)).fromNumber, USERNAME);
  return index;
}

test('it is known to both engines, whichever took its registration', { skip }, async () => {
  assert.notEqual(registrar, -1);
  const row = await db.selectFrom('sipBindings').select(['path', 'transport']).executeTakeFirstOrThrow();
  assert.equal(row.transport, 'tcp');
  assert.match(row.path ?? '', /received=sip:127\.0\.0\.1:\d+%3Btransport%3Dtcp/);
});

test('callers of either engine are transferred to it', { skip }, async () => {
  await transferBy(1 - registrar);
  await transferBy(registrar);
});

test('it calls in at both engines', { skip }, async () => {
  const reached = new Set<number>();
  for (let tries = 0; tries < 20 && reached.size < 2; tries++) reached.add(await callIn());
  assert.deepEqual([...reached].sort(), [0, 1]);
});

test('the engine at which it registered is killed: it is called, and calls, at the other', { skip }, async () => {
  await cluster.engines[registrar]?.end();
  assert.equal(await callIn(), 1 - registrar);
  await transferBy(1 - registrar);
  // Its next registration, within a minute, is taken by the engine that is left.
  const refreshed = phone.events.length;
  await phone.event('REGISTER_OK', refreshed);
  await transferBy(1 - registrar);
});
