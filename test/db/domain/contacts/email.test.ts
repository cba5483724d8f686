// The dashboard's rule of an e-mail address is the one of the interface's schemas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IsEmail } from 'typebox/format';
import { isEmail } from '../../../../db/domain/contacts/email.ts';

const TEXTS = [
  ...['ann@example.com', 'Ann.Lee+tag@mail.example.co.uk', 'a@b', '"a b"@example.com', '"a\\"b"@x', 'a@[127.0.0.1]'],
  ...['a@[IPv6:2001:db8::1]', `a@${'x'.repeat(63)}.de`, "o'hara@example.ie", 'ä@example.de', 'a@exämple.de'],
  ...['', 'ann', '@example.com', 'ann@', '.a@b.c', 'a.@b.c', 'a..b@c.d', 'a@-b.c', 'a@b-.c', `a@${'x'.repeat(64)}.de`],
  ...['a b@c.d', 'a@b c', 'a@b..c', '"a"b"@c.d', 'a@[300.0.0.1]', 'a@[127.0.0]', ' a@b.c', 'a@b.c\n', 'a@@b'],
];

test('it takes and refuses what the format of the schemas does', () => {
  for (const text of TEXTS) assert.equal(isEmail(text), IsEmail(text), JSON.stringify(text));
  assert.ok(TEXTS.some(isEmail) && !TEXTS.every(isEmail));
});
