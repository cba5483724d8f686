import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberWords, ordinalWords, timeWords, yearWords } from '../../../../models/tts/text/number-words.ts';
import { speakable } from '../../../../models/tts/text/speakable.ts';

const SAID: Array<[string, string]> = [
  ['We open at 9:30 a.m.', 'We open at nine thirty a.m.'],
  ['Open 09:00-17:30', 'Open nine a.m. to five thirty p.m.'],
  ['Mon-Fri', 'Monday to Friday'],
  ['until 12:00, or 10 am', 'until noon, or ten a.m.'],
  ['at 14:05', 'at two oh five p.m.'],
  ['It costs $45.50.', 'It costs forty five dollars and fifty cents.'],
  ['€1,200 or £1', 'one thousand two hundred euros or one pound'],
  ['Call +15551234567', 'Call five five five, one two three, four five six seven'],
  ['Dial 1 800 555 0147', 'Dial one, eight zero zero, five five five, zero one four seven'],
  ['Call +44 20 7946 0958', 'Call plus four four, two zero, seven nine four six, zero nine five eight'],
  ['Call 0161 496 0123', 'Call zero one six one, four nine six, zero one two three'],
  ['number 20260814', 'number two zero two six, zero eight one four'],
  ['code 3 1 4 1 5 9', 'code three one four, one five nine'],
  ['Call (555) 123-4567 now', 'Call five five five, one two three, four five six seven now'],
  ['on November 22, 2026', 'on November twenty second, twenty twenty six'],
  ['2026-11-23T14:00:00-05:00', 'November twenty third, twenty twenty six at two p.m.'],
  ['12/24/2026', 'December twenty fourth, twenty twenty six'],
  ['info@acme.com', 'info at acme dot com'],
  ['see https://www.acme.com/prices', 'see acme dot com'],
  ['room 101, code 0412', 'room one oh one, code zero four one two'],
  ['20% off 1,250 items', 'twenty percent off one thousand two hundred fifty items'],
  ['2-3 days, 30 min', 'two to three days, thirty minutes'],
  ['**Great** news!\n\n- One\n- Two', 'Great news! One. Two'],
  ['12 Main St, the 3rd floor', 'twelve, Main Street, the third floor'],
  ['12 Oak Dr, Apt 4B', 'twelve, Oak Drive, Apartment four B'],
  ['5 Elm Ln in Mt Royal', 'five, Elm Lane in Mount Royal'],
  ['3 people saw Dr. Smith', 'three people saw Doctor Smith'],
  ['Hwy 401, Ste 300, ext. 12', 'Highway four oh one, Suite three hundred, extension twelve'],
  ['Acme Ltd', 'Acme Limited'],
  ['Thu, Dec 3 at 2:00 pm', 'Thursday, December third at two p.m.'],
  ['Sat. the 5th, in Nov 2026', 'Saturday the fifth, in November twenty twenty six'],
  ['on 10 Sept', 'on ten September'],
  ['Jan and Mar sat in the Sun', 'Jan and Mar sat in the Sun'],
  ['at 1427 Elm Street, apartment 3B', 'at fourteen twenty seven, Elm Street, apartment three B'],
  ['at 6120 Route 66 North', 'at sixty one twenty, Route sixty six North'],
  ['205 Bay St, suite 1400', 'two oh five, Bay Street, suite fourteen hundred'],
  ['order A B 1 9 2 7', 'order A, B, one nine two seven'],
  ['postal code K 7 A 3 M 9.', 'postal code K, seven, A, three, M, nine.'],
  ['9 9 9 dash A A dash 0 1', 'nine nine nine, dash, A, A, dash, zero one'],
  ['6 6 2 slash 0 9', 'six six two slash zero nine'],
  ['reference XQ4492', 'reference X, Q, four four nine two'],
  ['COVID19 and 250KM, MP3', 'COVID19 and 250KM, MP3'],
  ['44 Sixth Line, 142 42nd Street', 'forty four, Sixth Line, one forty two, forty second Street'],
  ['777 Boulevard Saint Laurent', 'seven seventy seven, Boulevard Saint Laurent'],
  ['12-440 Elm Avenue East', 'twelve, four forty, Elm Avenue East'],
  ['12-14 Elm Avenue', 'twelve to fourteen, Elm Avenue'],
  ['It is 1902 Rural Route 3', 'It is nineteen oh two, Rural Route three'],
  ['2000 Main Road, buzzer 304', 'two thousand, Main Road, buzzer three oh four'],
  ['150 items on 300 Pine Court', 'one hundred fifty items on three hundred, Pine Court'],
  ['ends October 17th, 2029', 'ends October seventeenth, twenty twenty nine'],
  ['since 1998, or March 2031', 'since nineteen ninety eight, or March twenty thirty one'],
  ['in 2000 cases', 'in two thousand cases'],
  ['from 8:00 am to 12:00 pm', 'from eight a.m. to twelve p.m.'],
  ['the 30th of April, 2031', 'the thirtieth of April, twenty thirty one'],
  [
    'The 2024-2025 season, from 2026-27',
    'The twenty twenty four to twenty twenty five season, from twenty twenty six to twenty seven',
  ],
  ['on 05.11.2026', 'on November fifth, twenty twenty six'],
  ['on 05/11/2026, or 24/12/2026', 'on May eleventh, twenty twenty six, or December twenty fourth, twenty twenty six'],
  ['by 05/11/26', 'by May eleventh, twenty twenty six'],
  ['on 10-12-2026', 'on October twelfth, twenty twenty six'],
  ['a loan of $1.5 million', 'a loan of one point five million dollars'],
  ['€2bn, £20k, $3.75M', 'two billion euros, twenty thousand pounds, three point seven five million dollars'],
  ['It costs $1.5', 'It costs one dollar and fifty cents'],
  [
    '$10-20, or $1,299.99/month',
    'ten to twenty dollars, or one thousand two hundred ninety nine dollars and ninety nine cents per month',
  ],
  ['45 € a night', 'forty five euros a night'],
  ['$0.005 each', 'zero point zero zero five dollars each'],
  ['Call 911 now, or dial 311.', 'Call nine one one now, or dial three one one.'],
  ['911 is for emergencies', 'nine one one is for emergencies'],
  ['911 people came; call 200 customers', 'nine hundred eleven people came; call two hundred customers'],
  ['We are there 24/7', 'We are there twenty four seven'],
  ['3/4 of a cup, 120/80', 'three quarters of a cup, one hundred twenty slash eighty'],
  ['Plain words stay as they are.', 'Plain words stay as they are.'],
];
for (const [written, said] of SAID) {
  test(`"${written.replaceAll('\n', '\\n')}" is said "${said}"`, () => assert.equal(speakable(written), said));
}

test('a day in figures is read as the country of the language writes it', () => {
  assert.equal(speakable('on 05/11/2026', 'en-GB'), 'on November fifth, twenty twenty six');
  assert.equal(speakable('on 05/11', 'en-GB'), 'on November fifth');
  assert.equal(speakable('on 05/11', 'en-US'), 'on May eleventh');
  assert.equal(speakable('on 12/24/2026', 'en-AU'), 'on December twenty fourth, twenty twenty six');
  assert.equal(speakable('on 05/11/2026', 'no locale'), 'on May eleventh, twenty twenty six');
});

test('speaking what is already spoken changes nothing', () => {
  for (const [, said] of SAID) assert.equal(speakable(said), said);
});

test('numbers, ordinals, years and times become words', () => {
  assert.equal(numberWords(999_999), 'nine hundred ninety nine thousand nine hundred ninety nine');
  assert.equal(ordinalWords(30), 'thirtieth');
  assert.equal(ordinalWords(12), 'twelfth');
  assert.equal(yearWords(2005), 'two thousand five');
  assert.equal(yearWords(1906), 'nineteen oh six');
  assert.equal(timeWords(0, 0), 'midnight');
  assert.equal(timeWords(0, 15), 'twelve fifteen a.m.');
});
