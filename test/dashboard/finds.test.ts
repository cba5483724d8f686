// The palette: what is found by typing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Find, matching, numberIn } from '../../api/dashboard/app/palette/finds.ts';

const find = (text: string, kind = 'Page'): Find => ({ text, kind, address: `#/${text}` });
const ALL = [
  find('Calls'),
  find('Place a call', 'Do'),
  find('Port orders', 'Administration'),
  find('Café Müller', 'Business'),
  find('Recalls of spring', 'Campaign'),
  find('+44 20 7946 0123', 'Number'),
];
const found = (typed: string) => matching(ALL, typed).map(({ text }) => text);

test('what begins so stands first, then words that do, then what has it anywhere', () => {
  assert.deepEqual(found('call'), ['Calls', 'Place a call', 'Recalls of spring']);
  assert.deepEqual(found('spring rec'), ['Recalls of spring']);
  assert.deepEqual(found('nothing'), []);
});

test('accents and capitals do not matter, and the kind is a word, too', () => {
  assert.deepEqual(found('MULLER cafe'), ['Café Müller']);
  assert.deepEqual(found('müller business'), ['Café Müller']);
});

test('a number is found by its digits, however it is written', () => {
  assert.deepEqual(found('020 7946 0123'), ['+44 20 7946 0123']);
  assert.deepEqual(found('+442079460123'), ['+44 20 7946 0123']);
  assert.deepEqual(found('7946 0123'), ['+44 20 7946 0123']);
  assert.equal(numberIn('(020) 7946-0123'), '02079460123');
  assert.equal(numberIn('7946'), null);
  assert.equal(numberIn('room 020 7946'), null);
});

test('with nothing typed the first ten stand there, and never more', () => {
  assert.equal(
    matching(
      Array.from({ length: 30 }, (_, at) => find(`Page ${at}`)),
      '',
    ).length,
    10,
  );
});
