// The log of a process whose database goes away and comes back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage } from '../../../db/faults/outage.ts';

function process() {
  const said: string[] = [];
  const say = (fields: object, text: string) => said.push(`${text} ${JSON.stringify(fields)}`);
  const clock = { nowMs: 0 };
  const outage = new Outage({ log: { warn: say, info: say }, monotonicMs: () => clock.nowMs });
  return { said, clock, outage };
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

test('an outage is said once, and its end once with how long it lasted', () => {
  const { said, clock, outage } = process();
  outage.answered();
  for (clock.nowMs = 0; clock.nowMs < 30_000; clock.nowMs += 500) assert.ok(outage.explains(refused()));
  for (; clock.nowMs < 40_000; clock.nowMs += 1_000) outage.answered();
  assert.deepEqual(said, [
    'the database does not answer {"error":"connect ECONNREFUSED 127.0.0.1:5432"}',
    'the database answers again {"seconds":30}',
  ]);
});

test('as long as one part still fails it goes on, though another part is answered', () => {
  const { said, clock, outage } = process();
  for (; clock.nowMs < 20_000; clock.nowMs += 1_000) {
    outage.explains(refused());
    outage.answered();
  }
  assert.equal(said.length, 1);
  for (; clock.nowMs < 30_000; clock.nowMs += 1_000) outage.answered();
  assert.match(said[1] ?? '', /"seconds":19\b/);
});

test('the next outage is said again', () => {
  const { said, clock, outage } = process();
  for (const beginsMs of [0, 60_000]) {
    clock.nowMs = beginsMs;
    outage.explains(refused());
    for (const afterMs of [1_000, 4_000]) {
      clock.nowMs = beginsMs + afterMs;
      outage.answered();
    }
  }
  assert.equal(said.length, 4);
});

test('a server that stops, starts, ends connections or is silent is away; a fault of a statement or of SQLite is not', () => {
  const { outage } = process();
  const withCode = (code: string) => Object.assign(new Error('…'), { code });
  for (const error of [
    withCode('57P01'),
    withCode('57P03'),
    withCode('08006'),
    withCode('ETIMEDOUT'),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
  ]) {
    assert.equal(outage.explains(error), true, String((error as { code?: string }).code ?? error.message));
  }
  for (const error of [withCode('23505'), withCode('SQLITE_FULL'), withCode('40001'), new Error('no'), null, 'text']) {
    assert.equal(outage.explains(error), false, String(error));
  }
});

test('it is away from the first fault on, or once it has let a question wait', () => {
  const { clock, outage } = process();
  const seen: boolean[] = [];
  const at = (ms: number, change: () => void) => {
    clock.nowMs = ms;
    change();
    seen.push(outage.isAway);
  };
  at(0, () => outage.asked());
  at(2_000, () => outage.asked());
  at(3_000, () => undefined);
  at(3_100, () => outage.answered());
  at(4_000, () => outage.explains(refused()));
  at(5_000, () => outage.answered());
  assert.deepEqual(seen, [false, false, true, false, true, false]);
});
