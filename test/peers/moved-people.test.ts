// An engine is lost with its machine: a caller and the person they talk to, and a browser, go on at the other one.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { pause } from '../../bench/rig/conversation/scenario.ts';
import { isTone, tone } from '../../bench/rig/conversation/tones.ts';
import { TcpRelay } from '../../bench/rig/network/tcp-relay.ts';
import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { EnginePair, lose, skipWithoutPair, streamsOf } from '../support/engine-pair.ts';
import { nightly } from '../support/nightly.ts';
import { askForPerson, CALLER_HZ, PERSON, PERSON_HZ, transferToPerson, withPerson } from '../support/sip/transfers.ts';
import { WEB_RATE_HZ, WebCaller } from '../support/web-caller.ts';

/** test/peers/moved-calls.test.ts has a call without a person always. */
const skip = skipWithoutPair || nightly;

let pair: EnginePair;
let wish: Int16Array;
before(async () => {
  if (skip) return;
  pair = await EnginePair.start();
  wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
  await transferToPerson(pair.rest);
});
after(async () => {
  if (!skip) await pair.stop();
});

test('caller and person who talk to each other do so again at the other engine; the person hangs up', {
  skip,
}, async (t) => {
  await withPerson(pair.rest, 'answer', async (person) => {
    const call = await pair.greeted();
    const { caller, number, id, engine } = call;
    await askForPerson(pair.rest, caller, number, wish);
    await pair.rest.eventually('the person answers', async () => person.isUp);
    void caller.call.speak(tone([CALLER_HZ], 120_000, 6_000));
    person.audio.speak(tone([PERSON_HZ], 120_000, 6_000));
    const hears = async (since: { heard: number; atMs: number }): Promise<void> => {
      await pair.rest.eventually('the person hears the caller', async () =>
        person.audio.heard.some(({ atMs, samples }) => atMs > since.atMs && isTone(CALLER_HZ, samples)),
      );
      await pair.rest.eventually('the caller hears the person', async () =>
        caller.call.heard.slice(since.heard).some((samples) => isTone(PERSON_HZ, samples)),
      );
    };
    await hears({ heard: 0, atMs: 0 });
    // As other engines know it.
    await pause(3_000);
    await lose(engine, t);
    await caller.until('the line is back', () => streamsOf(caller) > 1, 40_000);
    await hears({ heard: caller.call.heard.length, atMs: performance.now() });
    assert.deepEqual(person.requests.filter((method) => method === 'INVITE').length, 2, 'called once, and asked once');
    person.callTo(PERSON)?.hangUp();
    await caller.until('the caller is let go', () => caller.ended);
    const ended = await pair.rest.endedCall(number);
    assert.deepEqual([ended.status, ended.outcome, ended.endReason], ['COMPLETED', 'transferred', 'transfer']);
    assert.deepEqual(await pair.eventsOf(id), ['call.received', 'call.transferred', 'call.resumed', 'call.ended']);
    assert.deepEqual(await pair.db.selectFrom('transferLegs').select('callId').execute(), []);
    caller.call.close();
  });
});

/** One who calls the demo through a proxy; `lead`: from then on it leads to the other engine. */
async function browser(t: TestContext) {
  const engines = await pair.db.selectFrom('engines').select(['id', 'mediaWsUrl']).where('state', '=', 'up').execute();
  const portOf = (url: string | null): number => Number(new URL(url ?? '').port);
  let proxy: TcpRelay | undefined;
  const caller = await WebCaller.greeted(pair.rest, async (socketUrl) => {
    proxy = await TcpRelay.start(portOf(socketUrl));
    const url = new URL(socketUrl);
    url.port = String(proxy.port);
    return url.href;
  });
  t.after(() => proxy?.close());
  const { id } = caller.call;
  const { engineId } = await pair.db
    .selectFrom('calls')
    .select('engineId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const other = engines.find((each) => each.id !== engineId);
  assert.ok(other);
  return {
    caller,
    engine: pair.engineOf(engineId),
    lead: () => proxy?.leadTo(portOf(other.mediaWsUrl)),
    ended: () =>
      pair.rest.eventually('the end', async () => {
        const read = await pair.rest.must('GET', `/calls/${id}`);
        return read.endedAt ? read : null;
      }),
  };
}

test('a browser joins again at the other engine, by the proxy that leads it there', {
  skip,
}, async (t) => {
  const { caller, engine, lead, ended } = await browser(t);
  const { id } = caller.call;
  // As other engines know it.
  await pause(3_000);
  await lose(engine, t);
  lead();
  await caller.heard('the apology');
  assert.equal(caller.joins, 2);
  caller.say(resampleWhole(pair.question, 8_000, WEB_RATE_HZ));
  await caller.heard('the answer');
  caller.hangUp();
  const call = await ended();
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  const said = call.transcript.map(({ speaker, text }) => `${speaker}: ${text}`);
  assert.equal(said[1], 'agent: Sorry, I lost you for a moment. You were saying?');
  assert.match(said[2] ?? '', /^caller: .*opening hours/i);
  assert.deepEqual(await pair.eventsOf(id), ['call.received', 'call.resumed', 'call.ended']);
  assert.deepEqual(
    call.resumptions?.map(({ cause }) => cause),
    ['moved'],
  );
});

test('a browser and the person they talk to hear each other again at the other engine', {
  skip,
}, async (t) => {
  await withPerson(pair.rest, 'answer', async (person) => {
    const { caller, engine, lead, ended } = await browser(t);
    const { id } = caller.call;
    // A busy machine may lose a word, and an agent whom nobody answers hangs up.
    for (let attempt = 0; attempt < 4 && !person.isUp; attempt++) {
      caller.say(resampleWhole(wish, 8_000, WEB_RATE_HZ));
      await pair.rest.eventually('the person answers', async () => person.isUp, 15).catch(() => undefined);
    }
    caller.say(tone([CALLER_HZ], 120_000, 6_000, WEB_RATE_HZ));
    person.audio.speak(tone([PERSON_HZ], 120_000, 6_000));
    const hear = async (sinceMs: number): Promise<void> => {
      await caller.hearsTone(PERSON_HZ);
      await pair.rest.eventually('the person hears the browser', async () =>
        person.audio.heard.some(({ atMs, samples }) => atMs > sinceMs && isTone(CALLER_HZ, samples)),
      );
    };
    await hear(0);
    // As other engines know it.
    await pause(3_000);
    await lose(engine, t);
    const lostAtMs = performance.now();
    lead();
    await pair.rest.eventually('the browser is back', async () => caller.joins === 2);
    await hear(lostAtMs + 1_000);
    assert.deepEqual(person.requests.filter((method) => method === 'INVITE').length, 2, 'called once, and asked once');
    caller.hangUp();
    await pair.rest.eventually('the person is let go', async () => !person.isUp);
    const call = await ended();
    assert.deepEqual([call.status, call.outcome], ['COMPLETED', 'transferred']);
    assert.deepEqual(await pair.eventsOf(id), ['call.received', 'call.transferred', 'call.resumed', 'call.ended']);
    assert.deepEqual(await pair.db.selectFrom('transferLegs').select('callId').execute(), []);
  });
});
