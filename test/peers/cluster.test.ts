// Several engines and APIs on one PostgreSQL: calls of each, requests through any API, and engines that die, freeze, or
// are cut off while they have calls.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { postgresPrograms } from '../../bench/rig/database/postgres-server.ts';
import { type Cluster, startCluster } from '../../bench/rig/service/cluster.ts';
import type { KillableProcess } from '../../bench/rig/service/killable-process.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../../bench/rig/service/outbound-setup.ts';
import type { Rest } from '../../bench/rig/service/rest.ts';
import { openPostgres } from '../../db/postgres/open.ts';
import type { Db } from '../../db/schema.ts';
import { answers, Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import { testCaller } from '../support/conversation.ts';

const skip = postgresPrograms === null ? 'PostgreSQL is not installed' : false;

let cluster: Cluster;
let db: Db;
let rests: Rest[];
let phone: Phone;
let campaign: OutboundCampaign;
before(async () => {
  if (skip) return;
  phone = await Phone.start({ script: answers({ afterMs: 100 }) });
  // Calls end with their engines here; that they go on at others is in moved-calls.test.ts.
  cluster = await startCluster({ engines: 2, apis: 2, environment: { RESUME_CALLS: 'off' } });
  db = openPostgres(cluster.postgres.url);
  rests = [await cluster.rest(0), await cluster.rest(1)];
  const trunkId = await addTrunk(rest(0), phone.port, { callsPerSecond: 50, maxConcurrentCalls: 40 });
  campaign = await addCampaign(rest(0), trunkId, '+12025550110');
});
after(async () => {
  if (skip) return;
  await db.destroy();
  await cluster.stop();
  await phone.stop();
});

function rest(index: number): Rest {
  const found = rests[index];
  assert.ok(found);
  return found;
}

/** A call that the engine of that index has answered, and has written down. */
async function callTo(index: number) {
  const call = testCaller(cluster.sipOf(index));
  await call.caller.answered();
  await rest(0).eventually('its row', async () => (await rest(0).callsFrom(call.number))[0]?.status === 'IN_PROGRESS');
  return call;
}

/** Whether the engine of that index has the call's end on its disk. */
function hasSpooledEnd(index: number, callId: string): boolean {
  const spool = new Database(join(cluster.folderOf('engine', index), 'spool.db'), { readonly: true });
  try {
    const ends = "select args from operations where name = 'endCall'";
    return spool
      .prepare<[], string>(ends)
      .pluck()
      .all()
      .some((args) => args.includes(callId));
  } finally {
    spool.close();
  }
}

/** Whether it was the last to say that it places calls. */
const lastPlacer = (engine: KillableProcess): boolean => {
  const placers = cluster.engines
    .map((each) => ({ each, at: /.*"time":"([^"]+)".*this engine places calls/s.exec(each.output())?.[1] ?? '' }))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  return placers[0]?.each === engine;
};

/** The way to a port of this machine, until it is cut. */
async function relayTo(port: number): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const engineOf = async (number: string): Promise<string | null> =>
  (await db.selectFrom('calls').select('engineId').where('fromNumber', '=', number).executeTakeFirstOrThrow()).engineId;

test('each engine has its calls, and both APIs show them all', { skip }, async () => {
  const one = await callTo(0);
  const other = await callTo(1);
  await rest(0).eventually(
    'two open calls',
    async () => (await rest(1).must('GET', '/calls?status=IN_PROGRESS')).length === 2,
  );
  assert.notEqual(await engineOf(one.number), await engineOf(other.number));
  await one.caller.hangUp();
  await other.caller.hangUp();
  for (const { number } of [one, other]) {
    for (const client of rests) assert.equal((await client.endedCall(number)).status, 'COMPLETED');
  }
});

test('a call is ended through either API, by the engine that has it', { skip }, async () => {
  for (const index of [0, 1]) {
    for (const client of rests) {
      const { caller, number } = await callTo(index);
      const { id } = await client.eventually('the call', async () => (await client.callsFrom(number))[0]);
      assert.equal((await client.must('POST', `/calls/${id}/end`)).endReason, 'api');
      await client.eventually('the BYE', async () => caller.ended);
      caller.call.close();
    }
  }
});

test('calls that are placed are dialled once, by engines in turn', { skip }, async () => {
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    const call = await rest(i % 2).must('POST', '/calls', {
      campaignId: campaign.id,
      fromPhoneNumberId: campaign.numberId,
      toNumber: `+1202555${String(2000 + i)}`,
    });
    ids.push(call.id);
  }
  await rest(0).eventually(
    '12 answered calls',
    async () => (await rest(0).must('GET', '/calls?status=IN_PROGRESS')).length === 12,
  );
  const rows = await db.selectFrom('calls').select(['engineId']).where('id', 'in', ids).execute();
  assert.equal(new Set(rows.map(({ engineId }) => engineId)).size, 2);
  assert.equal(phone.calls.length, 12);
  for (const id of ids) await rest(1).must('POST', `/calls/${id}/end`);
  const attempts = await db.selectFrom('dialAttempts').select('callId').where('callId', 'in', ids).execute();
  assert.equal(attempts.length, 12);
});

test('every API gives the recording of every engine, and its erasure reaches the disk of that engine', {
  skip,
}, async () => {
  for (const index of [0, 1]) {
    const { caller, number } = await callTo(index);
    await delay(500);
    await caller.hangUp();
    const { id } = await rest(0).endedCall(number);
    const [whole, ...others] = await Promise.all(rests.map((client) => client.bytes(`/calls/${id}/audio`)));
    assert.ok(whole !== undefined && whole.body.length > 4_000);
    assert.equal(whole.body.toString('latin1', 0, 4), 'RIFF');
    for (const other of others) assert.deepEqual([other.status, other.body], [200, whole.body]);
    for (const client of rests) {
      const part = await client.bytes(`/calls/${id}/audio`, { range: 'bytes=100-199' });
      assert.deepEqual([part.status, part.body], [206, whole.body.subarray(100, 200)]);
      assert.equal(part.headers.get('content-range'), `bytes 100-199/${whole.body.length}`);
    }
    const path = join(cluster.folderOf('engine', index), 'recordings', `${id}.wav`);
    assert.ok(existsSync(path));
    await rest(1 - index).must('DELETE', `/calls/${id}`);
    assert.equal(existsSync(path), false);
    for (const client of rests) assert.equal((await client.bytes(`/calls/${id}/audio`)).status, 404);
  }
});

test('while an engine is away its recordings are 503, and their calls are not erased', { skip }, async () => {
  const engine = cluster.engines[1];
  assert.ok(engine);
  const { caller, number } = await callTo(1);
  await delay(500);
  await caller.hangUp();
  const { id } = await rest(0).endedCall(number);
  await engine.end();
  const away = await rest(0).bytes(`/calls/${id}/audio`);
  assert.equal(away.status, 503);
  assert.ok(Number(away.headers.get('retry-after')) > 0);
  assert.match(away.body.toString(), /is on an engine that does not answer/);
  assert.equal((await rest(1).request('DELETE', `/calls/${id}`)).status, 503);
  engine.start();
  await engine.ready();
  const back = await rest(0).eventually('the recording', async () => {
    const answer = await rest(0).bytes(`/calls/${id}/audio`);
    return answer.status === 200 && answer;
  });
  assert.equal(back.body.toString('latin1', 0, 4), 'RIFF');
  await rest(1).must('DELETE', `/calls/${id}`);
});

test('an engine that is killed takes only its own calls with it, and each ends once', { skip }, async () => {
  const staying = await callTo(0);
  const lost = await callTo(1);
  const engine = cluster.engines[1];
  assert.ok(engine);
  await engine.end();
  const call = await rest(0).endedCall(lost.number);
  assert.deepEqual([call.status, call.endReason], ['FAILED', 'crash']);
  assert.equal(staying.caller.ended, false);
  const events = await db.selectFrom('events').select('type').where('subjectId', '=', call.id).orderBy('seq').execute();
  assert.deepEqual(
    events.map(({ type }) => type),
    ['call.received', 'call.ended', 'call.failed'],
  );
  await rest(0).eventually('a BYE by the other engine', async () => lost.caller.ended);
  lost.caller.call.close();
  await staying.caller.hangUp();
  assert.equal((await rest(0).endedCall(staying.number)).status, 'COMPLETED');
  engine.start();
  await engine.ready();
});

test('what an engine could not write before it was killed, its successor writes', { skip }, async () => {
  const [judge, engine] = cluster.engines;
  assert.ok(judge && engine);
  const starts = cluster.apis.map((api) => api.starts);
  const { caller, number } = await callTo(1);
  const { id } = (await rest(0).callsFrom(number))[0] ?? assert.fail();
  await cluster.postgres.kill();
  await caller.hangUp();
  await rest(0).eventually('the end on its disk', async () => hasSpooledEnd(1, id));
  await engine.end();
  // Nobody takes the engine for dead while it starts, however slowly.
  judge.freeze();
  try {
    await cluster.postgres.start();
    engine.start();
    await engine.ready();
    const call = await rest(0).endedCall(number);
    // Not as after a crash: the end was on the engine's disk.
    assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  } finally {
    judge.thaw();
    // An engine that stood still for too long ends as it wakes, and starts again.
    await delay(1_500);
    await judge.ready();
  }
  // A process that has no call and no transaction when its connection is lost goes on as well.
  assert.deepEqual(
    cluster.apis.map((api) => api.starts),
    starts,
  );
});

test('a frozen engine loses its calls, and when it wakes it ends and writes no second end', { skip }, async () => {
  const engine = cluster.engines[1];
  assert.ok(engine);
  await engine.ready();
  const { caller, number } = await callTo(1);
  const { starts } = engine;
  engine.freeze();
  const call = await rest(0).endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['FAILED', 'crash']);
  engine.thaw();
  await rest(0).eventually('another process', async () => engine.starts > starts);
  await engine.ready();
  caller.call.close();
  const events = await db.selectFrom('events').select('type').where('subjectId', '=', call.id).orderBy('seq').execute();
  assert.deepEqual(
    events.map(({ type }) => type),
    ['call.received', 'call.ended', 'call.failed'],
  );
  assert.equal((await rest(0).must('GET', `/calls/${call.id}`)).endReason, 'crash');
});

test('while PostgreSQL is away every process says so once, and once that it is back', { skip }, async () => {
  const children = [...cluster.engines, ...cluster.apis];
  const ends = children.map((child) => child.output().length);
  await cluster.postgres.kill();
  await delay(6_000);
  await cluster.postgres.start();
  const said = (at: number, text: RegExp): string[] =>
    (children[at]?.output().slice(ends[at]) ?? '').split('\n').filter((line) => text.test(line));
  for (const at of children.keys()) {
    await rest(0).eventually('the return', async () => said(at, /the database answers again/).length === 1);
    assert.match(said(at, /the database answers again/)[0] ?? '', /"seconds":\d/);
    assert.equal(said(at, /the database does not answer/).length, 1);
    // Each tells a change of its own besides: who places calls, and that webhooks go on.
    const others = said(at, /"level":"(warn|error)"/).filter((line) => !/the database does not answer/.test(line));
    assert.ok(others.length <= 2, others.join('\n'));
  }
});

test('the engine that places calls dies, and another one places them', { skip }, async () => {
  const lease = () => db.selectFrom('leases').selectAll().where('name', '=', 'coordinator').executeTakeFirstOrThrow();
  const before = await lease();
  const leader = cluster.engines.find((engine) => lastPlacer(engine));
  assert.ok(leader);
  leader.kill();
  await rest(0).eventually('another holder', async () => (await lease()).epoch > before.epoch);
  const call = await rest(0).eventually('a place for a call', async () => {
    const { status, body } = await rest(0).request('POST', '/calls', {
      campaignId: campaign.id,
      fromPhoneNumberId: campaign.numberId,
      toNumber: '+12025552999',
    });
    return status === 201 && body.data;
  });
  await rest(1).eventually(
    'the answer',
    async () => (await rest(1).must('GET', `/calls/${call.id}`)).status === 'IN_PROGRESS',
  );
  await rest(1).must('POST', `/calls/${call.id}/end`);
  assert.equal(phone.calls.filter(({ number }) => number.endsWith('2025552999')).length, 1);
  await leader.ready();
});

test('an engine that only SIP reaches keeps its calls; once it is gone altogether, they end', { skip }, async () => {
  const database = await relayTo(Number(new URL(cluster.postgres.url).port));
  const url = cluster.postgres.url.replace(/:\d+\//, `:${database.port}/`);
  // Nobody listens at its control port either.
  const engine = await cluster.addEngine({ DATABASE_URL: url, CONTROL_URL: 'http://127.0.0.1:9' });
  const { caller, number } = await callTo(2);
  const engineId = await engineOf(number);
  const row = () =>
    db.selectFrom('engines').select(['state', 'heartbeatAt']).where('id', '=', engineId).executeTakeFirstOrThrow();
  database.cut();
  // It has been asked by now: others are dead after 10 s of silence.
  await rest(0).eventually('a long silence', async () => Date.now() - (await row()).heartbeatAt > 18_000);
  assert.equal((await row()).state, 'up');
  assert.equal((await rest(0).callsFrom(number))[0]?.status, 'IN_PROGRESS');
  assert.equal(caller.ended, false);
  await engine.end();
  const call = await rest(0).endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['FAILED', 'crash']);
  caller.call.close();
});
