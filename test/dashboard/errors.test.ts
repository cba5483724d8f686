// The service's errors in a person's words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAID_CODES, saidError } from '../../api/dashboard/app/faults/error-words.ts';
import { saidFault } from '../../api/dashboard/app/faults/field-words.ts';
import { ERROR_CODES } from '../../api/frame/error-codes.ts';

test('every code that has a sentence is one that the service answers with', () => {
  for (const code of SAID_CODES) assert.ok(code in ERROR_CODES, code);
});

test('an error says what to do, and keeps the service’s own words where they name more', () => {
  assert.deepEqual(saidError('NO_TRUNK', 'No SIP trunk'), {
    message: 'There is no trunk to call through. An administrator adds one under Trunks.',
    detail: null,
  });
  assert.deepEqual(saidError('CARRIER_REFUSED', 'Telnyx: 10015'), {
    message: 'The carrier refused it.',
    detail: 'Telnyx: 10015',
  });
  assert.deepEqual(saidError('SOMETHING_NEW', 'Its own words'), { message: 'Its own words', detail: null });
});

test('the fault of a field names no standard and no id', () => {
  assert.match(saidFault('must be a valid phone number in E.164 form'), /with its country code/);
  assert.match(saidFault('names no campaign of this account'), /not there any more/);
  assert.match(saidFault('must be a UUID'), /not there any more/);
  assert.match(saidFault("the account's destinations do not include DE"), /not allowed here/);
  assert.equal(saidFault('must have at least 12 characters'), 'At least 12 characters.');
  assert.equal(saidFault('is required'), 'Please fill this in.');
  assert.equal(saidFault('tells the same as rules[1]'), 'tells the same as rules[1]');
});
