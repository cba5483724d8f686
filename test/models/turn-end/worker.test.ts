import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { eventually } from '../../../bench/rig/eventually.ts';
import type { TurnEndReply, TurnEndRequest } from '../../../models/turn-end/turn-end.ts';
import { TurnEndHost } from '../../../models/turn-end/worker.ts';

function ask(port: MessagePort, question: Partial<Extract<TurnEndRequest, { type: 'judge' }>>): void {
  const samples = new Int16Array(160);
  const whole = { callId: 'a', pause: 1, sampleRateHz: 8_000, samples, withinMs: 60_000, ...question };
  port.postMessage({ type: 'judge', ...whole } satisfies TurnEndRequest);
}

/** The answers that have come, but `ready`. */
function answers(port: MessagePort): TurnEndReply[] {
  const got: TurnEndReply[] = [];
  port.on('message', (reply: TurnEndReply) => {
    if (reply.type !== 'ready') got.push(reply);
  });
  return got;
}

/** A host whose model answers when the test says so. */
function slowHost() {
  const runs: Array<{ samples: Int16Array; finish: (likelihood: number) => void; fail: (error: Error) => void }> = [];
  const host = new TurnEndHost({
    judge: (samples) => new Promise((finish, fail) => runs.push({ samples, finish, fail })),
  });
  const { port1, port2 } = new MessageChannel();
  host.connect(port2);
  const run = (index: number) => eventually(() => runs[index]);
  return { host, port: port1, runs, run };
}

test('the newest pause is judged first; one that is over, replaced or overdue is not', async () => {
  const { host, port, runs, run } = slowHost();
  const got = answers(port);
  ask(port, { callId: 'first' });
  const first = await run(0);
  ask(port, { callId: 'waits' });
  ask(port, { callId: 'over' });
  ask(port, { callId: 'again', pause: 1 });
  ask(port, { callId: 'again', pause: 2 });
  port.postMessage({ type: 'cancel', callId: 'over' } satisfies TurnEndRequest);
  // A judgement that has begun cannot be stopped; its answer is dropped.
  port.postMessage({ type: 'cancel', callId: 'first' } satisfies TurnEndRequest);
  // Its answer shows that all before it have come.
  ask(port, { callId: 'overdue', withinMs: 0 });
  await eventually(() => got.length === 1);
  first.finish(0.5);
  (await run(1)).finish(0.75);
  (await run(2)).fail(new Error('it broke'));
  await eventually(() => got.length === 3);
  assert.deepEqual(got, [
    { type: 'failed', callId: 'overdue', pause: 1, message: 'it waited too long' },
    { type: 'judged', callId: 'again', pause: 2, likelihood: 0.75 },
    { type: 'failed', callId: 'waits', pause: 1, message: 'it broke' },
  ]);
  assert.equal(runs.length, 3);
  port.postMessage({ type: 'stop' } satisfies TurnEndRequest);
  await host.close();
  port.close();
});
