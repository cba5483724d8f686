// Digits in INFO requests, in the three forms that telephones send.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInfoDigit } from '../../../../engine/sip/dialog/in-dialog-bodies.ts';

const digitOf = (type: string, body: string | Uint8Array) =>
  readInfoDigit({
    kind: 'request',
    method: 'INFO',
    uri: 'sip:a@b',
    headers: [{ name: 'content-type', value: type }],
    body: Buffer.from(body),
  });

test('a digit in each form', () => {
  assert.deepEqual(digitOf('application/dtmf-relay', 'Signal=5\r\nDuration=120\r\n'), { digit: '5', durationMs: 120 });
  assert.deepEqual(digitOf('application/dtmf', '11'), { digit: '#', durationMs: 160 });
  const event = 'audio/telephone-event';
  assert.deepEqual(digitOf(event, Uint8Array.of(11, 0x8a, 0x05, 0x00)), { digit: '#', durationMs: 160 });
  assert.deepEqual(digitOf(event, '7'), { digit: '7', durationMs: 160 });
  assert.deepEqual(digitOf(event, 'event=10\r\nduration=200\r\n'), { digit: '*', durationMs: 200 });
});

test('a body without a digit is none', () => {
  for (const body of ['', 'hello', Uint8Array.of(16, 0, 0, 0)])
    assert.equal(digitOf('audio/telephone-event', body), null);
  assert.equal(digitOf('text/plain', '5'), null);
});
