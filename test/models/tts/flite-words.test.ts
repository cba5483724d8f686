// Words that the built-in voice is told how to say: those of two readings, initials, "is not" in one word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asHeard, wordsAsSaid } from '../../../models/tts/flite/misread-words.ts';

test('a word with two readings gets the one that a business means', () => {
  assert.equal(wordsAsSaid('We close at five.'), 'close : k l ow1 z\n');
  for (const text of ['It is very close.', 'We are close to the station.', 'That is close enough.', 'We are closed.'])
    assert.equal(wordsAsSaid(text), '', text);
  assert.equal(wordsAsSaid('The Reading of the meter, and the reading.'), 'reading : r iy1 d ih0 ng\n');
  assert.equal(wordsAsSaid('The constructor of an object is no word of the table.'), '');
});

test("a word that the voice's dictionary lacks has the sounds of today's", () => {
  assert.equal(wordsAsSaid('Two Takeaways.'), 'takeaways : t ey1 k ax0 w ey1 z\n');
  assert.equal(wordsAsSaid('Ask our barista for an appointment.'), 'barista : b aa0 r iy1 s t ax0\n');
});

test('Thursday ends as "day"', () => {
  assert.equal(wordsAsSaid('Next Thursday.'), 'thursday : th er1 z d ey0\n');
});

test('initials that the voice would read as a word are said letter by letter', () => {
  assert.equal(asHeard('Your ID, both IDs and the URL.'), 'Your eye dee, both eye dees and the you ar ell.');
  for (const text of ['Your PIN is on TV.', 'The leader is led.', 'ID4', 'A.ID', 'IDEAL'])
    assert.equal(asHeard(text), text);
});

test('"isn’t" has the sound of "is"', () => {
  assert.equal(asHeard("Isn't it? It hasn’t, it wasn't."), "Izzent it? It hazzent, it wasn't.");
});

test('"Est" is no estate in the name of a French street', () => {
  assert.equal(asHeard('It is at nine, Rue Notre Dame Est.'), 'It is at nine, Rue Notre Dame eest.');
  assert.equal(asHeard('Ten thirty Est'), 'Ten thirty Est');
});
