// An address that a body, a rule of notices or a web site brings: one address, which cannot become a header or a list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmail } from '../../../db/domain/email-address.ts';

test('addresses that people have', () => {
  for (const text of ['ada@example.com', "o'neil+news@mail.example.co.uk", 'root@localhost', 'a`b@example.com'])
    assert.equal(isEmail(text), true, text);
});

test('two addresses, a name beside one, a line end, a domain that cannot be one, and one that is too long', () => {
  const faults = [
    'a@example.com,b@example.com',
    'Ada <ada@example.com>',
    'a@example.com\n',
    'a@-example.com',
    '@example.com',
  ];
  for (const text of [...faults, 'a@', 'a@example..com', `${'a'.repeat(250)}@example.com`])
    assert.equal(isEmail(text), false, text);
});
