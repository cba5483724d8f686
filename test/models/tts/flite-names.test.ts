// How the built-in voice is told to say names.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { beginningsAsSaid, sayNames, withoutAccents } from '../../../models/tts/flite/names.ts';

/** A voice that spells nothing. */
const says = (text: string): string => sayNames(text, () => 1).sayings;
/** One that spells whatever it is asked about. */
const spells = (text: string): string => sayNames(text, (word) => 2 * word.length).sayings;

const SOUND =
  /^(?:[bdfgklmnprstvwyz]|ch|dh|hh|jh|ng|sh|th|zh|ax0|(?:aa|ae|ah|ao|aw|ay|eh|er|ey|ih|iy|ow|oy|uh|uw)[01])$/;

test('a name is read by the letters of its language', () => {
  for (const [name, sounds] of [
    ['Grzegorz', 'g zh eh1 g ow0 zh'],
    ['Jankowski', 'y aa0 n k ow1 v s k iy0'],
    ['Zhiqiang', 'jh iy1 ch y aa0 ng'],
    ['Beaudoux', 'b ow0 d uw1'],
    ['Larquette', 'l aa0 r k eh1 t'],
    ['Ekundayo', 'eh0 k uw0 n d aa1 y ow0'],
    ['Takanobu', 't aa0 k aa0 n ow1 b uw0'],
  ] as const)
    assert.equal(says(`I see ${name} here.`), `zoboba : ${sounds}\n`, name);
});

test('a name that is in the table is read by it', () => {
  assert.equal(says('We are in Puyallup, near Alnwick.').split('\n').length, 3);
});

test('words, English names and names of no known spelling stay as they are', () => {
  const text =
    'Please ask Amanda Johnson in Chicago. Potato and Taxi are words. The Xbox is at Fjordvejs, with Amoxicillin.';
  assert.equal(says(text), '');
});

test('a word that the voice would spell has the sounds of the dictionary, and a name without those the sounds of its letters', () => {
  assert.equal(spells('I see Dmitri.'), 'zoboba : d ax0 m iy1 t r iy0\n');
  assert.equal(spells('a mnemonic'), 'zoboba : n ih0 m aa1 n ih0 k\n');
  assert.equal(spells('Doctor McKnight'), 'zoboba : m ax0 k n ay1 t\n');
  assert.equal(spells('with Mstovar'), 'zoboba : m s t ow1 v aa0 r\n');
  assert.equal(spells('nvm, the BBC, a Mr and Stephen'), '');
});

test('what a name begins with is written as it sounds', () => {
  assert.equal(beginningsAsSaid("O'Shea and D’Costa"), 'Oh Shea and De Costa');
  assert.equal(beginningsAsSaid("D'Angelo at five o'clock, I'M here"), "D'Angelo at five o'clock, I'M here");
  assert.equal(beginningsAsSaid('McWhirrell, McKnight, Mc'), 'MacWhirrell, McKnight, Mc');
});

test('a name without meaning stands in the text for each that has sounds', () => {
  assert.deepEqual(
    sayNames("Doctor Nguyen's sister, Nguyen and Priya Szymanski", () => 1),
    {
      text: "Doctor zoboba's sister, zoboba and Priya zoboda",
      sayings: 'zoboba : n uw1 y eh0 n\nzoboda : sh ih0 m aa1 n s k iy0\n',
    },
  );
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
