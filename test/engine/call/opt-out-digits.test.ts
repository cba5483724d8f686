// A key means "do not call again" only where it was offered for that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offersOptOut } from '../../../engine/call/opt-out-digits.ts';

test('texts that offer the key are known', () => {
  for (const text of ['Press 9 to stop these calls.', 'to opt out, press nine', 'Dial 9 and we never call again']) {
    assert.equal(offersOptOut([null, text]), true, text);
  }
});

test('a nine in other words is no offer', () => {
  for (const text of [
    'We are open until 9.',
    'Press 1 for sales.',
    'Press 90 for the desk',
    'express nine-day delivery',
  ]) {
    assert.equal(offersOptOut([text, null]), false, text);
  }
});
