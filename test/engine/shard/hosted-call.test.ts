import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import type { OpenCall } from '../../../engine/shard/protocol.ts';
import { Recorder } from '../../../media/recorder.ts';
import { gapsOf, yieldsOf } from '../../../media/response-gaps.ts';
import { decodeWav } from '../../../media/wav.ts';
import { tone } from '../../media/signals.ts';
import { hostCall } from './hosted-stage.ts';
import { openCall } from './open-call.ts';

const COMMAND = openCall({ callId: 'quiet' }, { idleMs: 10_000 });

function setUp(overrides: Partial<OpenCall> = {}) {
  const stage = hostCall({ ...COMMAND, ...overrides });
  const { call, events, hear } = stage;
  return {
    ...stage,
    causes: () => events.flatMap((event) => (event.type === 'reply-wanted' ? [event.cause] : [])),
    /** The caller asks what it costs; returns the first clause of the answer, which is wanted. */
    ask: () => {
      hear(tone(300, 16_000, 1_000, 0.3));
      hear(new Int16Array(16_000 * 0.36));
      call.answers.sttFinal(1, { text: 'what does it cost', confidence: 1, understood: true });
      const wanted = events.flatMap((event) => (event.type === 'reply-wanted' ? [event] : [])).at(-1);
      assert.ok(wanted?.cause.kind === 'turn');
      return { epoch: wanted.epoch, index: 0 };
    },
    end: () => {
      call.end();
      stage.stop();
    },
  };
}

/** The same, answered, and the agent has nothing to say first. */
function answered(recorder: Recorder | null = null) {
  const stage = setUp();
  stage.call.answer(recorder, 0);
  stage.call.command({ type: 'reply-complete', callId: 'quiet', epoch: 1 });
  return stage;
}

test('a call’s timers run on the clock it was given: the silence prompt comes when it is due, not before', () => {
  const { clock, causes, end } = answered();
  assert.deepEqual(
    causes().map(({ kind }) => kind),
    ['opening'],
  );
  clock.advance(9_999);
  assert.equal(causes().length, 1);
  clock.advance(1);
  assert.deepEqual(causes().at(-1), { kind: 'idle', count: 1, last: false });
  end();
  assert.equal(clock.pending, 0);
});

test('an answering machine’s silence is judged on the same clock', () => {
  const { clock, call, events, end } = setUp({ amd: { enabled: true } });
  call.answer(null, 0);
  clock.advance(2_499);
  assert.ok(!events.some(({ type }) => type === 'amd'));
  clock.advance(1);
  assert.deepEqual(
    events.filter(({ type }) => type === 'amd'),
    [{ type: 'amd', callId: 'quiet', verdict: 'uncertain', atMs: 2_500 }],
  );
  end();
  assert.equal(clock.pending, 0);
});

test('a call that is answered on hold waits with everything until the caller is back', () => {
  const { clock, call, causes, end } = setUp();
  call.hold(true);
  call.answer(null, 0);
  call.command({ type: 'reply-complete', callId: 'quiet', epoch: 1 });
  clock.advance(60_000);
  assert.deepEqual(
    causes().map(({ kind }) => kind),
    ['opening'],
    'nobody is asked whether they are there',
  );
  call.hold(false);
  clock.advance(10_000);
  assert.deepEqual(causes().at(-1), { kind: 'idle', count: 1, last: false });
  end();
});

test('once the caller was understood, a sound far under their level does not disturb the agent, and their own does', () => {
  const { call, events, hear, ask, end } = answered();
  const clause = ask();
  hear(new Int16Array(16_000));
  call.command({ type: 'speak', callId: 'quiet', ...clause, text: 'a long answer', interruptible: true });
  call.answers.speech(clause, tone(1_000, 16_000, 10_000), true);
  hear(new Int16Array(3_200));
  const changes = () => events.filter(({ type }) => type === 'phase').length;
  const before = changes();
  hear(tone(300, 16_000, 1_000, 0.03));
  assert.equal(changes(), before, 'a radio');
  hear(tone(300, 16_000, 1_000, 0.3));
  assert.ok(changes() > before, 'the caller');
  end();
});

test('the latency of a turn is what the caller’s line says: the jitter buffer is not left out', () => {
  const { call, events, hear, spokeAtMs, lastSaidAtMs, ask, end } = answered();
  const clause = ask();
  call.command({ type: 'speak', callId: 'quiet', ...clause, text: 'ten euros', interruptible: true });
  call.answers.speech(clause, tone(1_000, 16_000, 1_000), true);
  hear(new Int16Array(3_200));
  const [latency] = events.flatMap((event) => (event.type === 'latency' ? [event.ms] : []));
  const onTheLine = (spokeAtMs[0] ?? 0) - lastSaidAtMs();
  // A window of the VAD is 32 ms.
  assert.ok(latency !== undefined && Math.abs(latency - onTheLine) <= 32, `${latency} ms, ${onTheLine} on the line`);
  end();
});

test('what the agent is saying is known word by word, and nothing between its replies', () => {
  const { call, hear, end } = setUp();
  call.answer(null, 0);
  assert.equal(call.replies.speaking, null);
  const clause = { epoch: 1, index: 0 };
  const text = 'one two three four five six seven eight nine ten';
  call.command({ type: 'speak', callId: 'quiet', ...clause, text, interruptible: true });
  call.command({ type: 'reply-complete', callId: 'quiet', epoch: 1 });
  call.answers.speech(clause, tone(1_000, 16_000, 2_000), true);
  const seen: string[] = [];
  for (let tick = 0; tick < 130; tick++) {
    hear(new Int16Array(320));
    const { text: words = '' } = call.replies.speaking ?? {};
    if (words !== (seen.at(-1) ?? '')) seen.push(words);
  }
  assert.ok(seen.length >= 10, seen.join(' | '));
  for (const words of seen) assert.ok(text.startsWith(words));
  assert.equal(seen[0], 'one');
  assert.equal(call.replies.speaking, null);
  assert.deepEqual(
    [call.replies.said?.epoch, call.replies.said?.text],
    [1, text],
    'the control thread may not know yet',
  );
  hear(new Int16Array(3 * 16_000));
  assert.equal(call.replies.said, null);
  end();
});

test('what the caller is saying is known as far as it was recognised, until the agent takes the turn', () => {
  const { call, causes, hear, end } = answered();
  const saying = () => call.callerSaying;
  assert.equal(saying(), null);
  hear(tone(300, 16_000, 600, 0.3));
  call.answers.sttPartial(1, 'what does');
  assert.equal(saying()?.text, 'what does');
  hear(tone(300, 16_000, 400, 0.3));
  call.answers.sttPartial(1, 'what does it');
  const { text, startedAtMs } = saying() ?? {};
  assert.equal(text, 'what does it');
  hear(new Int16Array(16_000 * 0.36));
  call.answers.sttFinal(1, { text: 'what does it cost', confidence: 1, understood: true });
  hear(new Int16Array(16_000 * 1.5));
  const wanted = causes().at(-1);
  // The same start: the entry of the whole turn replaces its beginnings.
  assert.ok(wanted?.kind === 'turn' && wanted.startedAtMs === startedAtMs, JSON.stringify(wanted));
  assert.equal(saying(), null);
  end();
});

/** A caller has asked; `speaks` says a clause of the reply, half a second long. */
function asked() {
  const stage = answered();
  const { call, events, hear, ask } = stage;
  const { epoch } = ask();
  const speaks = (index: number, text: string, kind?: 'filler' | 'apology'): void => {
    const clause = { epoch, index };
    const how = { ...(kind ? { kind } : {}), ...(kind === 'filler' ? ({ isFiller: true } as const) : {}) };
    call.command({ type: 'speak', callId: 'quiet', ...clause, text, interruptible: true, ...how });
    call.answers.speech(clause, tone(1_000, 16_000, 500), true);
    hear(new Int16Array(16_000 * 0.6));
  };
  const of = (type: 'latency' | 'wait-timed'): number[] =>
    events.flatMap((event) => (event.type === type ? [event.ms] : []));
  const turn = () => events.flatMap((event) => (event.type === 'turn-timed' ? [event.turn] : [])).at(-1);
  return { ...stage, speaks, of, turn };
}

test('words that bridge a wait end no response gap: the answer does', () => {
  const { speaks, of, turn, hear, end } = asked();
  hear(new Int16Array(16_000 * 2));
  speaks(0, 'Let me see.', 'filler');
  assert.deepEqual(of('latency'), []);
  assert.equal(turn(), undefined);
  hear(new Int16Array(16_000 * 2));
  speaks(1, 'Ten euros.');
  speaks(2, 'Anything else?');
  const [gapMs = 0, ...others] = of('latency');
  assert.ok(gapMs > 4_500 && gapMs < 5_500, `${gapMs} ms`);
  assert.deepEqual(others, []);
  const [fillerMs = 0, answerMs] = of('wait-timed');
  assert.ok(fillerMs > 2_000 && fillerMs < 2_600, `${fillerMs} ms`);
  assert.equal(answerMs, gapMs, 'the whole wait');
  const timed = turn();
  assert.equal(timed?.gapMs, gapMs);
  assert.ok(Number(timed?.firstClauseAtMs) > Number(timed?.turnEndAtMs) + 4_000, 'the stages are those of the answer');
  assert.ok(Number(timed?.firstAudioAtMs) >= Number(timed?.firstClauseAtMs));
  end();
});

test('an apology is no answer', () => {
  const { speaks, of, turn, end } = asked();
  speaks(0, 'I am sorry.', 'apology');
  assert.deepEqual(of('latency'), []);
  assert.equal(turn(), undefined);
  assert.equal(of('wait-timed').length, 1);
  end();
});

test('an answer that comes at once is no wait, whatever bridges a tool later', () => {
  const { speaks, of, end } = asked();
  speaks(0, 'I will look.');
  speaks(1, 'One moment, please.', 'filler');
  speaks(2, 'Ten euros.');
  assert.equal(of('latency').length, 1);
  assert.deepEqual(of('wait-timed'), []);
  end();
});

test('the recording of a clean call shows the gap and the yield that the line says, within 20 ms', async () => {
  const folder = temporaryFolder('hosted-call');
  const path = join(folder, 'call.wav');
  const recorder = new Recorder({ path, sampleRateHz: 16_000 });
  const { call, events, hear, ask, end } = answered(recorder);
  hear(new Int16Array(16_000 * 0.5));
  const clause = ask();
  hear(new Int16Array(16_000 * 0.1));
  call.command({ type: 'model-began', callId: 'quiet', epoch: clause.epoch });
  hear(new Int16Array(16_000 * 0.1));
  call.command({ type: 'speak', callId: 'quiet', ...clause, text: 'ten euros', interruptible: true });
  hear(new Int16Array(16_000 * 0.1));
  call.answers.speech(clause, tone(1_000, 16_000, 5_000), true);
  hear(new Int16Array(16_000));
  hear(tone(300, 16_000, 1_500, 0.3));
  hear(new Int16Array(16_000 * 0.2));
  const [turn] = events.flatMap((event) => (event.type === 'turn-timed' ? [event.turn] : []));
  const [bargeIn] = events.flatMap((event) => (event.type === 'yield-timed' ? [event.bargeIn] : []));
  end();
  await recorder.close();
  const [caller, agent] = decodeWav(readFileSync(path)).channelsSamples;
  assert.ok(turn && bargeIn && caller && agent);
  const [gap] = gapsOf(caller, agent, 16_000);
  const [yielded] = yieldsOf(caller, agent, 16_000);
  assert.ok(gap && yielded);
  const differs = (recordedMs: number, { unrecordedMs }: { unrecordedMs: number }, ms: number) =>
    `${recordedMs} + ${unrecordedMs} ms in the recording, ${ms} ms on the line`;
  assert.ok(Math.abs(gap.gapMs + turn.unrecordedMs - turn.gapMs) <= 20, differs(gap.gapMs, turn, turn.gapMs));
  const { yieldMs } = yielded;
  assert.ok(
    Math.abs(yieldMs + bargeIn.unrecordedMs - bargeIn.yieldMs) <= 20,
    differs(yieldMs, bargeIn, bargeIn.yieldMs),
  );
  const { speechEndAtMs, firstTokenAtMs, firstClauseAtMs, firstAudioAtMs, firstPacketAtMs } = turn;
  const order = [speechEndAtMs, firstTokenAtMs, firstClauseAtMs, firstAudioAtMs, firstPacketAtMs].map(Number);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.equal(Number(firstClauseAtMs) - Number(firstTokenAtMs), 100);
  assert.ok(bargeIn.yieldingAtMs <= bargeIn.silentAtMs);
});
