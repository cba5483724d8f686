// An engine is lost with its machine, and nobody starts it again: its calls go on at the other one, behind Kamailio.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { renderSpeech, resampleWhole } from '../../bench/rig/caller/speech.ts';
import { type Cluster, startCluster } from '../../bench/rig/cluster.ts';
import { startExampleEdge } from '../../bench/rig/example-edge.ts';
import { type Proxy as Kamailio, skipWithoutKamailio } from '../../bench/rig/kamailio.ts';
import type { KillableProcess } from '../../bench/rig/killable-process.ts';
import { postgresPrograms } from '../../bench/rig/postgres-server.ts';
import type { Rest } from '../../bench/rig/rest.ts';
import { type Caller, pause } from '../../bench/rig/scenario.ts';
import { TcpRelay } from '../../bench/rig/tcp-relay.ts';
import { isTone, tone } from '../../bench/rig/tones.ts';
import { openPostgres } from '../../db/postgres/open.ts';
import type { Db } from '../../db/schema.ts';
import { decodeWav } from '../../media/wav.ts';
import { assertAskedTwice, say, testCaller } from '../support/conversation.ts';
import { askForPerson, CALLER_HZ, PERSON, PERSON_HZ, transferToPerson, withPerson } from '../support/sip/transfers.ts';
import { WebCaller } from '../support/web-caller.ts';

const skip = skipWithoutKamailio || (postgresPrograms === null ? 'PostgreSQL is not installed' : false);

let cluster: Cluster;
let db: Db;
let rest: Rest;
let proxy: Kamailio;
let question: Int16Array;
let wish: Int16Array;
before(async () => {
  if (skip) return;
  cluster = await startCluster({ engines: 2, apis: 1, environment: { EDGE_PROXIES: '127.0.0.1' } });
  db = openPostgres(cluster.postgres.url);
  rest = await cluster.rest(0);
  const engines = cluster.engines.map(({ address }) => address ?? '');
  proxy = await startExampleEdge({ engines });
  question = await renderSpeech('What are your opening hours?', 'flite-slt');
  wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
  await transferToPerson(rest);
});
after(async () => {
  if (skip) return;
  await db.destroy();
  await cluster.stop();
  await proxy.stop();
});

/** A caller through the proxy who has been greeted; `index`: of the engine that has the call. */
async function greeted() {
  const call = testCaller({ sipAddress: `127.0.0.1:${proxy.port}` }, 'demo', {
    localAddress: '127.0.0.2',
    record: true,
  });
  const { caller, number } = call;
  await caller.answered();
  await caller.agentSound(0);
  await caller.agentQuiet(900);
  const row = await db
    .selectFrom('calls')
    .select(['id', 'engineId'])
    .where('fromNumber', '=', number)
    .executeTakeFirstOrThrow();
  const index = cluster.engines.findIndex((engine) => engine.output().includes(`"engineId":"${row.engineId}"`));
  assert.ok(index >= 0);
  return { ...call, ...row, index };
}

/** One who has asked something, too. */
async function talking() {
  const call = await greeted();
  await say(call.caller, question);
  return call;
}

const streamsOf = ({ frames }: Caller): number => new Set(frames.map(({ ssrc }) => ssrc)).size;

const eventsOf = async (callId: string): Promise<string[]> => {
  const events = await db.selectFrom('events').select('type').where('subjectId', '=', callId).orderBy('seq').execute();
  return events.map(({ type }) => type);
};

/** Its machine is gone, for as long as the test takes. */
async function lose(engine: KillableProcess, t: TestContext): Promise<void> {
  t.after(async () => {
    engine.start();
    await engine.ready();
  });
  await engine.end();
}

/** The last packet before the silence, and the first after it. */
function silence(frames: readonly { atMs: number; ssrc: number }[], from: number) {
  const at = frames.findIndex((frame, i) => i > from && frame.atMs - (frames[i - 1]?.atMs ?? 0) > 3_000);
  return {
    before: frames[at - 1],
    first: frames[at],
    seconds: ((frames[at]?.atMs ?? 0) - (frames[at - 1]?.atMs ?? 0)) / 1_000,
  };
}

test('a call goes on at the other engine: an apology, an answer, one end, and nothing left', { skip }, async (t) => {
  const { caller, number, id, index } = await talking();
  const engine = cluster.engines[index];
  assert.ok(engine);
  const others = await Promise.all(Array.from({ length: 6 }, () => greeted()));
  const asked = caller.frames.length;
  await lose(engine, t);
  await caller.until('the line is back', () => streamsOf(caller) > 1, 40_000);
  const { seconds, first } = silence(caller.frames, asked - 100);
  t.diagnostic(`the line was silent for ${seconds.toFixed(1)} s`);
  await caller.agentSound(first?.atMs ?? 0);
  const isBack = async ({ caller: other, number: from, index: at }: (typeof others)[number]): Promise<void> => {
    await other.until('its line is back', () => streamsOf(other) === (at === index ? 2 : 1));
    await other.hangUp();
    assert.equal((await rest.endedCall(from)).endReason, 'caller_hangup');
  };
  const asksAgain = async (): Promise<void> => {
    await caller.agentQuiet(900);
    await say(caller, question);
  };
  // Side by side: the agent asks after those who say nothing for long, and hangs up on them in the end.
  await Promise.all([asksAgain(), ...others.map(isBack)]);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  assertAskedTwice(call.transcript);
  assert.deepEqual(await eventsOf(id), ['call.received', 'call.resumed', 'call.ended']);
  const [resumption, ...more] = (await rest.must('GET', `/calls/${id}`)).resumptions ?? [];
  assert.deepEqual([resumption?.cause, more], ['moved', []]);
  assert.ok((resumption?.gapMs ?? 0) > 5_000, `${resumption?.gapMs}`);
  assert.equal(call.latency?.turns, 2, 'a turn at each engine');
  const wav = decodeWav((await rest.bytes(`/calls/${id}/audio`)).body);
  const recorded = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
  assert.ok(
    Math.abs(recorded - call.durationSeconds) <= 1.5,
    `${recorded} s of ${call.durationSeconds} are in the file`,
  );
  for (const table of ['callContinuations', 'callDialogs'] as const) {
    const left = await db.selectFrom(table).select('callId').where('callId', '=', id).execute();
    assert.deepEqual(left, [], table);
  }
  caller.call.close();
});

test('caller and person who talk to each other do so again at the other engine; the person hangs up', {
  skip,
}, async (t) => {
  await withPerson(rest, 'answer', async (person) => {
    const call = await greeted();
    const { caller, number, id, index } = call;
    await askForPerson(rest, caller, number, wish);
    await rest.eventually('the person answers', async () => person.isUp);
    void caller.call.speak(tone([CALLER_HZ], 120_000, 6_000));
    person.audio.speak(tone([PERSON_HZ], 120_000, 6_000));
    const hears = async (since: { heard: number; atMs: number }): Promise<void> => {
      await rest.eventually('the person hears the caller', async () =>
        person.audio.heard.some(({ atMs, samples }) => atMs > since.atMs && isTone(CALLER_HZ, samples)),
      );
      await rest.eventually('the caller hears the person', async () =>
        caller.call.heard.slice(since.heard).some((samples) => isTone(PERSON_HZ, samples)),
      );
    };
    await hears({ heard: 0, atMs: 0 });
    // As other engines know it.
    await pause(3_000);
    const engine = cluster.engines[index];
    assert.ok(engine);
    await lose(engine, t);
    await caller.until('the line is back', () => streamsOf(caller) > 1, 40_000);
    await hears({ heard: caller.call.heard.length, atMs: performance.now() });
    assert.deepEqual(person.requests.filter((method) => method === 'INVITE').length, 2, 'called once, and asked once');
    person.callTo(PERSON)?.hangUp();
    await caller.until('the caller is let go', () => caller.ended);
    const ended = await rest.endedCall(number);
    assert.deepEqual([ended.status, ended.outcome, ended.endReason], ['COMPLETED', 'transferred', 'transfer']);
    assert.deepEqual(await eventsOf(id), ['call.received', 'call.transferred', 'call.resumed', 'call.ended']);
    assert.deepEqual(await db.selectFrom('transferLegs').select('callId').execute(), []);
    caller.call.close();
  });
});

test('a browser joins again at the other engine, by the proxy that leads it there', { skip }, async (t) => {
  const engines = await db.selectFrom('engines').select(['id', 'mediaWsUrl']).where('state', '=', 'up').execute();
  const portOf = (url: string | null): number => Number(new URL(url ?? '').port);
  let proxy: TcpRelay | undefined;
  const caller = await WebCaller.greeted(rest, async (socketUrl) => {
    proxy = await TcpRelay.start(portOf(socketUrl));
    const url = new URL(socketUrl);
    url.port = String(proxy.port);
    return url.href;
  });
  t.after(() => proxy?.close());
  const { id } = caller.call;
  const { engineId } = await db.selectFrom('calls').select('engineId').where('id', '=', id).executeTakeFirstOrThrow();
  await pause(3_000);
  const engine = cluster.engines.find((each) => each.output().includes(`"engineId":"${engineId}"`));
  const other = engines.find((each) => each.id !== engineId);
  assert.ok(engine && other);
  await lose(engine, t);
  proxy?.leadTo(portOf(other.mediaWsUrl));
  await caller.heard('the apology');
  assert.equal(caller.joins, 2);
  caller.say(resampleWhole(question, 8_000, 16_000));
  await caller.heard('the answer');
  caller.hangUp();
  const call = await rest.eventually('the end', async () => {
    const read = await rest.must('GET', `/calls/${id}`);
    return read.endedAt ? read : null;
  });
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  const said = call.transcript.map(({ speaker, text }) => `${speaker}: ${text}`);
  assert.equal(said[1], 'agent: Sorry, I lost you for a moment. You were saying?');
  assert.match(said[2] ?? '', /^caller: .*opening hours/i);
  assert.deepEqual(await eventsOf(id), ['call.received', 'call.resumed', 'call.ended']);
  assert.deepEqual(
    call.resumptions?.map(({ cause }) => cause),
    ['moved'],
  );
});

test('an engine that wakes and has lost its call to another one is not heard any more', { skip }, async (t) => {
  const { caller, number, id, index } = await talking();
  const engine = cluster.engines[index];
  assert.ok(engine);
  const { starts } = engine;
  const asked = caller.frames.length;
  engine.freeze();
  await caller.until('the line is back', () => streamsOf(caller) > 1, 40_000);
  const { first, before, seconds } = silence(caller.frames, asked - 100);
  t.diagnostic(`the line was silent for ${seconds.toFixed(1)} s`);
  await caller.agentSound(first?.atMs ?? 0);
  await caller.agentQuiet(900);
  engine.thaw();
  await rest.eventually('another process', async () => engine.starts > starts);
  const since = caller.frames.filter(({ atMs }) => atMs > (first?.atMs ?? 0));
  assert.deepEqual(
    since.filter(({ ssrc }) => ssrc === before?.ssrc).map(({ atMs }) => atMs),
    [],
    'it is silent from then on',
  );
  await engine.ready();
  assert.equal(caller.ended, false);
  await say(caller, question);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  assert.deepEqual(await eventsOf(id), ['call.received', 'call.resumed', 'call.ended']);
  assert.deepEqual(caller.call.requests, ['INVITE', 'ACK'], 'the other engine asks, nobody else says anything');
  caller.call.close();
});
