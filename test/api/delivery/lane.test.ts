import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Lane, WAITING_MAX, WINDOW_MAX } from '../../../api/delivery/lane.ts';
import type { QueuedEvent } from '../../../db/queries/webhooks/events.ts';

const event = (seq: number, attempts = 0): QueuedEvent => ({
  webhookId: 'whk_1',
  accountId: 'acc_1',
  seq,
  attempts,
  nextAttemptAt: 0,
  eventId: `evt_${seq}`,
  eventType: 'call.ended',
  data: '{}',
  eventAt: 0,
});

function laneWith(first: number[], due: number[] = []): Lane {
  const lane = new Lane('whk_1', 'acc_1', 0);
  for (const seq of first) lane.offer(event(seq));
  // As the writer of results does: the retry is in the table, and due.
  lane.written(0, 0);
  const load = lane.beginLoad(0);
  assert.ok(load);
  lane.takeRetries(
    load,
    due.map((seq) => event(seq, 1)),
    0,
  );
  lane.endLoad();
  return lane;
}

test('a first attempt waits for the answer to the one before, or for its pace', () => {
  const lane = laneWith([1, 2, 3]);
  const first = lane.next();
  assert.equal(first?.seq, 1);
  assert.equal(lane.next(), null);
  lane.paced(1);
  const second = lane.next();
  assert.equal(second?.seq, 2);
  assert.equal(lane.next(), null);
  if (first) lane.finished(first, 'delivered');
  assert.equal(lane.next(), null, 'the answer to an older one frees nothing');
  if (second) lane.finished(second, 'delivered');
  assert.equal(lane.next()?.seq, 3);
});

test('retries run beside first attempts', () => {
  const lane = laneWith([10, 11], [1, 2, 3]);
  assert.deepEqual([lane.next()?.seq, lane.next()?.seq, lane.next()?.seq, lane.next()], [10, 1, 2, null]);
});

test('a receiver that does not answer ties up one first attempt, and gets more again when it does', () => {
  const lane = laneWith([1, 2, 3, 4, 5, 6]);
  const first = lane.next();
  if (first) lane.finished(first, 'unresponsive');
  assert.equal(lane.troubled, true);
  const second = lane.next();
  lane.paced(2);
  assert.equal(lane.next(), null, 'one at a time');
  if (second) lane.finished(second, 'delivered');
  assert.equal(lane.troubled, false);
  lane.next();
  lane.paced(3);
  assert.equal(lane.next()?.seq, 4);
});

test('under any answers first attempts leave in order, each once, and never more than the window at once', () => {
  const outcome = fc.constantFrom('delivered', 'failed', 'unresponsive', 'pace');
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, fc.nat(100)), { maxLength: 200 }), (steps) => {
      const total = 60;
      const seqs = Array.from({ length: total }, (_, index) => index + 1);
      const lane = laneWith(seqs);
      // More than a lane keeps in memory: the rest comes from the table.
      const load = () => {
        const wanted = lane.beginLoad(0);
        if (wanted === null || wanted.firstAfterSeq === null) return;
        const after = wanted.firstAfterSeq;
        const rows = seqs.filter((seq) => seq > after).slice(0, WAITING_MAX);
        lane.takeFirst(
          wanted,
          rows.map((seq) => event(seq)),
        );
        lane.endLoad();
      };
      const started: number[] = [];
      const running: QueuedEvent[] = [];
      const pump = () => {
        load();
        for (let next = lane.next(); next; next = lane.next()) {
          started.push(next.seq);
          running.push(next);
          assert.ok(lane.firstInFlight <= WINDOW_MAX);
        }
      };
      pump();
      for (const [what, pick] of steps) {
        const [chosen] = running.splice(pick % Math.max(1, running.length), 1);
        if (!chosen) break;
        if (what === 'pace') {
          lane.paced(chosen.seq);
          running.push(chosen);
        } else lane.finished(chosen, what as 'delivered');
        pump();
        assert.ok(running.length > 0 || started.length === total, 'something runs as long as something waits');
      }
      assert.deepEqual(
        started,
        started.map((_, index) => index + 1),
      );
    }),
  );
});

test('a receiver that answers slowly does not get more at once, and gives back what it got while it was quick', () => {
  const lane = laneWith(Array.from({ length: WAITING_MAX }, (_, i) => i + 1));
  const flying: QueuedEvent[] = [];
  const fill = () => {
    for (let event = lane.next(); event; event = lane.next()) {
      flying.push(event);
      lane.paced(event.seq);
    }
    return flying.length;
  };
  assert.equal(fill(), 4);
  assert.equal(lane.troubled, true, 'it keeps us waiting');
  for (const event of flying.splice(0)) lane.finished(event, 'slow');
  assert.equal(lane.troubled, true);
  assert.equal(fill(), 4);
  for (const event of flying.splice(0)) lane.finished(event, 'delivered');
  assert.equal(lane.troubled, false);
  assert.equal(fill(), 8);
  for (const event of flying.splice(0)) lane.finished(event, 'slow');
  assert.equal(fill(), 4);
});
