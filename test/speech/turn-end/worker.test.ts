import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MessagePort } from 'node:worker_threads';
import { writeTurnEndModel } from '../../../bench/rig/onnx/turn-end.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { SMART_TURN } from '../../../models/install/weights.ts';
import { trustedTurnEnd } from '../../../models/turn-end/probe.ts';
import type { TurnEndReply, TurnEndRequest } from '../../../models/turn-end/turn-end.ts';
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
