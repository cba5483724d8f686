import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InfoDigits } from '../../../../../engine/sip/adapters/shared/info-digits.ts';

test('digits leave one by one in their order, and what is no digit is left out', () => {
  const digits = new InfoDigits();
  assert.equal(digits.add('1w#'), true, 'the first ones begin the sending');
  assert.equal(digits.add('9'), false, 'it is under way');
  const bodies: string[] = [];
  for (let body = digits.body; body !== null; body = digits.body) {
    bodies.push(body);
    digits.sent();
  }
  assert.deepEqual(bodies, [
    'Signal=1\r\nDuration=160\r\n',
    'Signal=#\r\nDuration=160\r\n',
    'Signal=9\r\nDuration=160\r\n',
  ]);
  assert.equal(digits.add('w'), false, 'nothing to begin with');
});

test('of more than 64 digits that wait the rest is dropped', () => {
  const digits = new InfoDigits();
  digits.add('5'.repeat(100));
  let sent = 0;
  while (digits.body !== null) {
    digits.sent();
    sent++;
  }
  assert.equal(sent, 64);
});
