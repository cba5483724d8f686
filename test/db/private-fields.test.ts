// Fields that neither process writes into its log, wherever they stand in a line.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { PRIVATE_FIELDS } from '../../db/shared/secrets/private-fields.ts';

test('secrets and words are censored at the top of a line and in its objects', () => {
  let line = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      line += chunk;
      done();
    },
  });
  const names = ['password', 'token', 'secret', 'authorization', 'transcript', 'text', 'body'];
  const fields = Object.fromEntries(names.map((name) => [name, 'hush-hush']));
  pino({ redact: PRIVATE_FIELDS }, destination).info({ ...fields, trunk: fields, callId: 'call_1' }, 'line');
  assert.ok(!line.includes('hush-hush'));
  assert.ok(line.includes('call_1'));
});
