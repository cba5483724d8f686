// How the built-in voice is told to say names.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { namesAsSaid, withoutAccents } from '../../../models/tts/flite/names.ts';

const SOUND =
  /^(?:[bdfgklmnprstvwyz]|ch|dh|hh|jh|ng|sh|th|zh|(?:aa|ae|ah|ao|aw|ax|ay|eh|er|ey|ih|iy|ow|oy|uh|uw)[01])$/;

test('a name is read by the letters of its language', () => {
  for (const [name, sounds] of [
    ['Grzegorz', 'g zh eh1 g ow0 zh'],
    ['Jankowski', 'y aa0 n k ow1 v s k iy0'],
    ['Zhiqiang', 'jh iy1 ch y aa0 ng'],
    ['Beaudoux', 'b ow0 d uw1'],
    ['Ekundayo', 'eh0 k uw0 n d aa1 y ow0'],
    ['Takanobu', 't aa0 k aa0 n ow1 b uw0'],
  ] as const)
    assert.equal(namesAsSaid(`I see ${name} here.`), `${name.toLowerCase()} : ${sounds}\n`, name);
});

test('a name that is in the table is read by it', () => {
  assert.equal(namesAsSaid('We are in Puyallup, near Alnwick.').split('\n').length, 3);
});

test('words, English names and names of no known spelling stay as they are', () => {
  const text =
    'Please ask Amanda Johnson in Chicago. Potato and Taxi are words. The Xbox is at Fjordvejs, with Amoxicillin.';
  assert.equal(namesAsSaid(text), '');
});

test('the table has names in order, and only sounds that the voice has', () => {
  const text = readFileSync(new URL('../../../models/tts/flite/names.txt', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) {
    const [name = '', ...sounds] = line.split(' ');
    assert.match(name, /^[a-z]{3,}$/, line);
    for (const sound of sounds) assert.match(sound, SOUND, line);
  }
  const names = lines.map((line) => line.split(' ')[0] ?? '');
  assert.deepEqual(names, [...new Set(names)].sort());
});

test('letters lose their accents', () => {
  assert.equal(
    withoutAccents('René Lévesque, Łódź, Müller, Strauß, Bjørn'),
    'Rene Levesque, Lodz, Muller, Strauss, Bjorn',
  );
});
