import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, NEW_TRUNK, newBodyOf } from '../../api/dashboard/app/pages/administration/trunk-values.ts';

test('a new trunk sends its name, its host, and what was filled in', () => {
  const values = { ...NEW_TRUNK, name: 'Office', host: 'pbx.example.com', password: 's3cret' };
  assert.deepEqual(newBodyOf(values, { name: values.name, host: values.host, password: values.password }), {
    name: 'Office',
    host: 'pbx.example.com',
    password: 's3cret',
  });
});

test('text that was emptied is null, a number that was emptied stays as it is', () => {
  assert.deepEqual(bodyOf({ fromDomain: ' ', username: ' studio ', port: null, callsPerSecond: 2 }), {
    fromDomain: null,
    username: 'studio',
    callsPerSecond: 2,
  });
});

test('networks are read by line, blank or comma, codecs stay in their order', () => {
  assert.deepEqual(bodyOf({ inboundAllow: '192.0.2.0/28\n 198.51.100.7, 2001:db8::/32\n', codecs: ['PCMA', 'PCMU'] }), {
    inboundAllow: ['192.0.2.0/28', '198.51.100.7', '2001:db8::/32'],
    codecs: ['PCMA', 'PCMU'],
  });
});
