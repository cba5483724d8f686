import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { writeTurnEndModel } from '../../../bench/rig/onnx/turn-end.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { SMART_TURN } from '../../../models/install/weights.ts';
import { trustedTurnEnd } from '../../../models/turn-end/probe.ts';
import type { TurnEndReply, TurnEndRequest } from '../../../models/turn-end/turn-end.ts';
import { TurnEndHost } from '../../../models/turn-end/worker.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';
import { tone } from '../../media/signals.ts';

const LOW_HZ = 300;
const HIGH_HZ = 3_000;

function dataDir(): string {
  const folder = temporaryFolder('turn-end');
  return folder;
}

function ask(port: MessagePort, question: Partial<Extract<TurnEndRequest, { type: 'judge' }>>): void {
  const samples = new Int16Array(160);
  const whole = { callId: 'a', pause: 1, sampleRateHz: 8_000, samples, withinMs: 60_000, ...question };
  port.postMessage({ type: 'judge', ...whole } satisfies TurnEndRequest);
}

/** The next `count` answers but `ready`. */
function answers(port: MessagePort, count: number): Promise<TurnEndReply[]> {
  const got: TurnEndReply[] = [];
  return new Promise((resolve) => {
    port.on('message', (reply: TurnEndReply) => {
      if (reply.type !== 'ready') got.push(reply);
      if (got.length === count) resolve(got);
    });
  });
}

test('the worker runs the model on the end of the turn, at the rate of the call', async (t) => {
  const DATA_DIR = dataDir();
  writeTurnEndModel(DATA_DIR);
  assert.deepEqual(await trustedTurnEnd('smart-turn', { DATA_DIR }), { turnEnd: 'smart-turn', refusal: null });
  const environment = { DATA_DIR };
  const worker = await ModelWorker.start({
    kind: 'turn-end',
    engine: 'smart-turn',
    environment,
    onLost: assert.fail,
  });
  t.after(() => worker.stop());
  const port = worker.connect();
  const judged = answers(port, 4);
  let pause = 0;
  for (const rate of [8_000, 16_000]) {
    const low = tone(LOW_HZ, rate, 1_000);
    const high = tone(HIGH_HZ, rate, 1_000);
    for (const samples of [Int16Array.of(...high, ...low), Int16Array.of(...low, ...high)]) {
      pause++;
      ask(port, { callId: `call ${pause}`, pause, sampleRateHz: rate, samples });
    }
  }
  const likelihoods = new Map((await judged).map((reply) => [reply.type === 'judged' ? reply.pause : 0, reply]));
  for (const [pause, isOver] of [true, false, true, false].entries()) {
    const reply = likelihoods.get(pause + 1);
    assert.ok(reply?.type === 'judged');
    assert.ok(isOver ? reply.likelihood > 0.9 : reply.likelihood < 0.1, `${pause + 1}: ${reply.likelihood}`);
  }
  port.close();
});

test('a file that is no model, or another model, is refused in its trial, and the rules judge', async () => {
  const DATA_DIR = dataDir();
  assert.equal((await trustedTurnEnd('rules', { DATA_DIR })).refusal, null);
  writeTurnEndModel(DATA_DIR, 'waveform');
  const other = await trustedTurnEnd('smart-turn', { DATA_DIR });
  assert.equal(other.turnEnd, 'rules');
  assert.match(other.refusal ?? '', /takes waveform, not input_features/);
  writeFileSync(join(DATA_DIR, 'models', SMART_TURN.name, SMART_TURN.file), 'no model');
  const broken = await trustedTurnEnd('smart-turn', { DATA_DIR });
  assert.equal(broken.turnEnd, 'rules');
  assert.match(broken.refusal ?? '', /smart-turn: ./);
});

/** A host whose model answers when the test says so. */
function slowHost() {
  const runs: Array<{ samples: Int16Array; finish: (likelihood: number) => void; fail: (error: Error) => void }> = [];
  const host = new TurnEndHost({
    judge: (samples) => new Promise((finish, fail) => runs.push({ samples, finish, fail })),
  });
  const { port1, port2 } = new MessageChannel();
  host.connect(port2);
  const run = async (index: number) => {
    for (;;) {
      const found = runs[index];
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return { host, port: port1, runs, run };
}

test('the newest pause is judged first; one that is over, replaced or overdue is not', async () => {
  const { host, port, runs, run } = slowHost();
  const got = answers(port, 3);
  ask(port, { callId: 'first' });
  const first = await run(0);
  ask(port, { callId: 'overdue', withinMs: 0 });
  ask(port, { callId: 'waits' });
  ask(port, { callId: 'over' });
  ask(port, { callId: 'again', pause: 1 });
  ask(port, { callId: 'again', pause: 2 });
  port.postMessage({ type: 'cancel', callId: 'over' } satisfies TurnEndRequest);
  // What is being judged cannot be stopped; its answer is dropped.
  port.postMessage({ type: 'cancel', callId: 'first' } satisfies TurnEndRequest);
  await new Promise((resolve) => setTimeout(resolve, 20));
  first.finish(0.5);
  (await run(1)).finish(0.75);
  (await run(2)).fail(new Error('it broke'));
  assert.deepEqual(await got, [
    { type: 'failed', callId: 'overdue', pause: 1, message: 'it waited too long' },
    { type: 'judged', callId: 'again', pause: 2, likelihood: 0.75 },
    { type: 'failed', callId: 'waits', pause: 1, message: 'it broke' },
  ]);
  assert.equal(runs.length, 3);
  port.postMessage({ type: 'stop' } satisfies TurnEndRequest);
  await host.close();
  port.close();
});
