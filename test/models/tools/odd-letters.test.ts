// Answers of other systems are stored in a call: a NUL, which PostgreSQL has not, is no part of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLookup } from '../../../models/tools/lookup.ts';
import { assignedValues } from '../../../models/tools/open.ts';
import { fillUrl } from '../../../models/tools/template.ts';

test('a look-up and an assigned variable keep every letter but NUL', () => {
  const answer = readLookup({
    callerName: '\0Zoë 🙂\0',
    instructions: '\0',
    reject: 'no\0ne',
    variables: { plan: 'gold\0', größe: 'x', __proto__: 'y', n: 1 },
  });
  assert.deepEqual([answer?.callerName, answer?.instructions, answer?.refusal], ['Zoë 🙂', null, 'none']);
  assert.deepEqual(answer?.variables, { plan: 'gold', n: '1' });
  assert.deepEqual(assignedValues({ plan: 'a' }, { a: 'go\0ld\n🙂' }), { plan: 'gold 🙂' });
});

test('half of a surrogate pair in an address becomes the replacement character', () => {
  assert.equal(
    fillUrl('https://shop.example/{{n}}?q={{n}}', { n: 'a\ud800' }),
    'https://shop.example/a%EF%BF%BD?q=a%EF%BF%BD',
  );
});
