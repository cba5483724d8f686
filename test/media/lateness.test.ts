import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lateness } from '../../media/lateness.ts';

test('the 99th percentile since the last reading, to half a millisecond', () => {
  const lateness = new Lateness();
  assert.equal(lateness.takeP99(), 0);
  for (let n = 0; n < 990; n++) lateness.note(0.2);
  for (let n = 0; n < 10; n++) lateness.note(30);
  assert.equal(lateness.takeP99(), 0.5);
  for (let n = 0; n < 980; n++) lateness.note(0.2);
  for (let n = 0; n < 20; n++) lateness.note(7.1);
  assert.equal(lateness.takeP99(), 7.5);
  assert.equal(lateness.takeP99(), 0);
  lateness.note(-1);
  assert.equal(lateness.takeP99(), 0.5);
  lateness.note(1e9);
  assert.equal(lateness.takeP99(), 500.5);
});
