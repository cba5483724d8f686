// How many calls the engine takes: assumed at first, measured while no calls run, and never against MAX_CALLS.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { type CallLimit, type EngineFactor, limitMessage, limitReason } from '../../../db/domain/calls/limit.ts';
import { createAdmission } from '../../../engine/load/admission.ts';
import { CarriedCalls } from '../../../engine/models/carried-calls.ts';
import type { MeasuredGroup } from '../../../engine/models/cost-measurements.ts';
import type { SpeechKind } from '../../../engine/models/fleet.ts';
import { assumedFactor, defaultMaxCalls } from '../../../models/install/catalogue.ts';

const CORES = 3;

/** An engine's workers, which answer each trial by the next line of a list. */
class FakeGroup implements MeasuredGroup {
  readonly engine: string;
  isEnding = false;
  factor: number | null = null;
  trials = 0;
  onTrial = (): void => {};
  readonly #answers: ReadonlyArray<ReadonlyArray<number | null>>;

  constructor(engine: string, answers: ReadonlyArray<ReadonlyArray<number | null>>) {
    this.engine = engine;
    this.#answers = answers;
  }

  async measure() {
    const answer = this.#answers[Math.min(this.trials++, this.#answers.length - 1)] ?? [];
    this.onTrial();
    return answer;
  }
}

function setUp(groups: Record<SpeechKind, FakeGroup>, setCalls: number | null = null) {
  const clock = new VirtualClock();
  const factorOf = (kind: SpeechKind): EngineFactor => {
    const { engine, factor } = groups[kind];
    const assumed = assumedFactor(kind, engine, undefined);
    if (factor !== null) return { engine, factor, source: 'measured' };
    return { engine, factor: assumed, source: assumed > 0 ? 'assumed' : 'elsewhere' };
  };
  const fleet = {
    callLimit(isSet: boolean): CallLimit {
      const [stt, tts] = [factorOf('stt'), factorOf('tts')];
      const load = { sttFactor: stt.factor, ttsFactor: tts.factor };
      const carries = defaultMaxCalls(CORES, stt.engine, tts.engine, load);
      return { reason: limitReason(isSet, [stt, tts]), carries, cores: CORES, stt, tts };
    },
    toMeasure: (kind: SpeechKind) => (factorOf(kind).source === 'elsewhere' ? null : groups[kind]),
  };
  const admission = createAdmission(setCalls ?? fleet.callLimit(false).carries);
  const lines: string[] = [];
  const log = { debug: () => {}, error: assert.fail, info: ({ why }: { why: string }) => void lines.push(why) };
  const calls = new CarriedCalls({ fleet, admission, setCalls, clock, log });
  const pass = async (seconds: number, stepMs = 100): Promise<void> => {
    for (let passedMs = 0; passedMs < seconds * 1_000; passedMs += stepMs) {
      clock.advance(stepMs);
      await setImmediate();
    }
  };
  return { calls, admission, lines, pass };
}

const local = (stt: number[][], tts: number[][]) => ({
  stt: new FakeGroup('soundswallower', stt),
  tts: new FakeGroup('flite', tts),
});

test('the number follows the measured cost: the least of each worker, the mean of the workers', async () => {
  const groups = local(
    [
      [0.5, 0.3],
      [0.2, 0.4],
      [0.4, 0.6],
    ],
    [[0.02, 0.02]],
  );
  const { calls, admission, lines, pass } = setUp(groups);
  const assumed = admission.maxCalls;
  assert.equal(assumed, defaultMaxCalls(CORES, 'soundswallower', 'flite'));
  assert.equal(calls.limit.reason, 'assumed');
  calls.start();
  await pass(2);
  assert.deepEqual([groups.stt.trials, admission.maxCalls], [0, assumed], 'the start comes first');
  await pass(10);
  assert.deepEqual([groups.stt.trials, groups.tts.trials], [3, 3]);
  assert.equal(calls.limit.stt.factor, 0.25);
  assert.equal(calls.limit.reason, 'measured');
  // Two model cores, four fifths of them, for 45 % of 0.25 and 0.02.
  assert.equal(admission.maxCalls, Math.floor((2 * 0.8) / (0.45 * 0.27)));
  assert.deepEqual(lines, [limitMessage(calls.limit)]);
});

test('a start on a crowded machine is mended: a later trial that costs less counts, one that costs more does not', async () => {
  const groups = local([[0.4], [0.4], [0.4], [0.6], [0.5], [0.6], [0.2], [0.5]], [[0.02]]);
  const { calls, admission, lines, pass } = setUp(groups);
  calls.start();
  await pass(30);
  const before = admission.maxCalls;
  await pass(29 * 60, 10_000);
  assert.equal(groups.stt.trials, 3, 'what has been made for them is let go after ten minutes');
  await pass(2 * 60, 10_000);
  assert.deepEqual([groups.stt.trials, calls.limit.stt.factor, admission.maxCalls], [5, 0.4, before]);
  await pass(30 * 60, 10_000);
  assert.deepEqual([groups.stt.trials, calls.limit.stt.factor], [7, 0.2]);
  assert.ok(admission.maxCalls > before);
  assert.equal(lines.length, 2);
  await pass(3 * 3_600, 10_000);
  assert.equal(groups.stt.trials, 3 + 8);
});

test('a trial into which a call came is thrown away, and none is made while calls run', async () => {
  const groups = local([[9], [0.1]], [[0.01]]);
  const { calls, admission, pass } = setUp(groups);
  groups.stt.onTrial = () => {
    if (groups.stt.trials === 1) admission.admit('inbound');
  };
  calls.start();
  await pass(600, 1_000);
  assert.deepEqual([groups.stt.trials, groups.tts.trials], [1, 0]);
  assert.equal(calls.limit.reason, 'assumed');
  admission.release();
  await pass(120);
  assert.equal(calls.limit.stt.factor, 0.1);
  assert.equal(calls.limit.reason, 'measured');
});

test('an engine that is disturbed each time keeps its assumed cost, and is left alone at last', async () => {
  const groups = { stt: new FakeGroup('soundswallower', [[null]]), tts: new FakeGroup('flite', [[0.01]]) };
  const { calls, admission, lines, pass } = setUp(groups);
  const assumed = admission.maxCalls;
  calls.start();
  await pass(3_600, 1_000);
  const { trials } = groups.stt;
  assert.ok(trials > 1 && trials < 30, `${trials}`);
  await pass(3_600, 1_000);
  assert.equal(groups.stt.trials, trials);
  assert.deepEqual([calls.limit.stt.source, calls.limit.tts.source], ['assumed', 'measured']);
  assert.equal(calls.limit.reason, 'assumed');
  assert.ok(admission.maxCalls >= assumed, 'what is known of the voice counts');
  assert.equal(lines.length, 1);
});

test('MAX_CALLS has the last word; what the machine would carry is said all the same', async () => {
  const groups = local([[0.8]], [[0.2]]);
  const { calls, admission, pass } = setUp(groups, 40);
  calls.start();
  await pass(50, 1_000);
  assert.equal(groups.stt.trials, 0, 'nobody waits for it, and a start has better to do');
  await pass(30, 1_000);
  assert.equal(admission.maxCalls, 40);
  assert.equal(calls.limit.reason, 'set');
  assert.equal(calls.limit.carries, 3);
  assert.match(limitMessage(calls.limit), /^MAX_CALLS is set; without it: 3 calls at a time from 3 cores; /);
});

test("a vendor's models are never tried: each sentence would cost a fee", async () => {
  const groups = { stt: new FakeGroup('deepgram', [[1]]), tts: new FakeGroup('openai', [[1]]) };
  const { calls, admission, lines, pass } = setUp(groups);
  calls.start();
  await pass(60);
  assert.deepEqual([groups.stt.trials, groups.tts.trials, lines.length], [0, 0, 0]);
  assert.equal(admission.maxCalls, 300);
  assert.equal(calls.limit.reason, 'assumed');
  assert.match(
    limitMessage(calls.limit),
    /deepgram runs elsewhere and costs nearly nothing here; openai runs elsewhere/,
  );
});

test('another engine counts at once as assumed, and is measured when no calls run', async () => {
  const groups = local([[0.1]], [[0.05]]);
  const { calls, admission, pass } = setUp(groups);
  calls.start();
  await pass(20);
  const before = admission.maxCalls;
  const former = groups.stt;
  former.isEnding = true;
  groups.stt = new FakeGroup('sherpa:nemotron-en', [[0.3]]);
  for (let call = 0; call < before; call++) admission.admit('inbound');
  calls.replaced('stt');
  assert.equal(calls.limit.reason, 'assumed');
  assert.ok(calls.limit.carries < before);
  assert.equal(admission.maxCalls, before, 'running calls stay');
  assert.equal(admission.admit('inbound'), false);
  for (let call = 0; call < before; call++) admission.release();
  assert.equal(admission.maxCalls, calls.limit.carries);
  await pass(120);
  assert.deepEqual([calls.limit.stt.factor, calls.limit.reason], [0.3, 'measured']);
  assert.deepEqual([former.trials, admission.maxCalls], [3, calls.limit.carries]);
});
