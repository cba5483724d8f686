// An engine is lost with its machine, and nobody starts it again: its calls go on at the other one, behind Kamailio.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeWav } from '../../media/wav.ts';
import { assertAskedTwice, say } from '../support/conversation.ts';
import { EnginePair, lose, silence, skipWithoutPair, streamsOf } from '../support/engine-pair.ts';

let pair: EnginePair;
before(async () => {
  if (!skipWithoutPair) pair = await EnginePair.start();
});
after(async () => {
  if (!skipWithoutPair) await pair.stop();
});

test('a call goes on at the other engine: an apology, an answer, one end, and nothing left', {
  skip: skipWithoutPair,
}, async (t) => {
  // Side by side: who is silent while others are greeted would be asked whether they are still there.
  const [{ caller, number, id, engine }, ...others] = await Promise.all([
    pair.talking(),
    ...Array.from({ length: 6 }, () => pair.greeted()),
  ]);
  const asked = caller.frames.length;
  await lose(engine, t);
  await caller.until('the line is back', () => streamsOf(caller) > 1, 40_000);
  const { seconds, first } = silence(caller.frames, asked - 100);
  t.diagnostic(`the line was silent for ${seconds.toFixed(1)} s`);
  await caller.agentSound(first?.atMs ?? 0);
  const isBack = async ({ caller: other, number: from, engine: at }: (typeof others)[number]): Promise<void> => {
    await other.until('its line is back', () => streamsOf(other) === (at === engine ? 2 : 1));
    await other.hangUp();
    assert.equal((await pair.rest.endedCall(from)).endReason, 'caller_hangup');
  };
  const asksAgain = async (): Promise<void> => {
    await caller.agentQuiet(900);
    await say(caller, pair.question);
  };
  // Side by side: the agent asks after those who say nothing for long, and hangs up on them in the end.
  await Promise.all([asksAgain(), ...others.map(isBack)]);
  await caller.hangUp();
  const call = await pair.rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  assertAskedTwice(call.transcript);
  assert.deepEqual(await pair.eventsOf(id), ['call.received', 'call.resumed', 'call.ended']);
  const [resumption, ...more] = (await pair.rest.must('GET', `/calls/${id}`)).resumptions ?? [];
  assert.deepEqual([resumption?.cause, more], ['moved', []]);
  const gapSeconds = (resumption?.gapMs ?? 0) / 1_000;
  // It counts from the last that its engine wrote of the call, every two seconds.
  assert.ok(Math.abs(gapSeconds - seconds) < 3, `${gapSeconds} s of ${seconds} s of silence`);
  assert.equal(call.latency?.turns, 2, 'a turn at each engine');
  const wav = decodeWav((await pair.rest.bytes(`/calls/${id}/audio`)).body);
  const recorded = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
  assert.ok(
    Math.abs(recorded - call.durationSeconds) <= 1.5,
    `${recorded} s of ${call.durationSeconds} are in the file`,
  );
  for (const table of ['callContinuations', 'callDialogs'] as const) {
    const left = await pair.db.selectFrom(table).select('callId').where('callId', '=', id).execute();
    assert.deepEqual(left, [], table);
  }
  caller.call.close();
});

test('an engine that wakes and has lost its call to another one is not heard any more', {
  skip: skipWithoutPair,
}, async (t) => {
  const { caller, number, id, engine } = await pair.talking();
  const { starts } = engine;
  const asked = caller.frames.length;
  engine.freeze();
  await caller.until('the line is back', () => streamsOf(caller) > 1, 40_000);
  const { first, before, seconds } = silence(caller.frames, asked - 100);
  t.diagnostic(`the line was silent for ${seconds.toFixed(1)} s`);
  await caller.agentSound(first?.atMs ?? 0);
  await caller.agentQuiet(900);
  engine.thaw();
  await pair.rest.eventually('another process', async () => engine.starts > starts);
  const since = caller.frames.filter(({ atMs }) => atMs > (first?.atMs ?? 0));
  assert.deepEqual(
    since.filter(({ ssrc }) => ssrc === before?.ssrc).map(({ atMs }) => atMs),
    [],
    'it is silent from then on',
  );
  await engine.ready();
  assert.equal(caller.ended, false);
  await say(caller, pair.question);
  await caller.hangUp();
  const call = await pair.rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  assert.deepEqual(await pair.eventsOf(id), ['call.received', 'call.resumed', 'call.ended']);
  assert.deepEqual(caller.call.requests, ['INVITE', 'ACK'], 'the other engine asks, nobody else says anything');
  caller.call.close();
});
