import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClauseSplitter, clausesOf } from '../../../engine/dialogue/clause-splitter.ts';

function split(text: string, sizes: number[] = [text.length]): string[] {
  const splitter = new ClauseSplitter();
  const clauses: string[] = [];
  let from = 0;
  for (let index = 0; from < text.length; index++) {
    const size = Math.max(1, sizes[index % sizes.length] ?? 1);
    clauses.push(...splitter.push(text.slice(from, from + size)));
    from += size;
  }
  return [...clauses, ...splitter.end()];
}

const examples: Array<[name: string, text: string, clauses: string[]]> = [
  [
    'the first clause ends at its comma, later ones are sentences',
    'Of course, we are open today. We close at six, and on Fridays at five. Anything else?',
    ['Of course,', 'we are open today.', 'We close at six, and on Fridays at five.', 'Anything else?'],
  ],
  ['a word alone is no first clause', 'Yes, we are open today.', ['Yes, we are open today.']],
  [
    'a title keeps its name',
    'You will see Dr. Smith at ten. Is that fine?',
    ['You will see Dr. Smith at ten.', 'Is that fine?'],
  ],
  [
    'a time of day inside a sentence',
    'We are open from 9 a.m. to 5 p.m. on weekdays. See you.',
    ['We are open from 9 a.m. to 5 p.m. on weekdays.', 'See you.'],
  ],
  [
    'a time of day at its end',
    'We close at 5 p.m. We open at 9 a.m. again.',
    ['We close at 5 p.m.', 'We open at 9 a.m. again.'],
  ],
  [
    'a price and a large number',
    'A haircut is $32.50 for adults. The lot holds 1,250 cars. Good?',
    ['A haircut is $32.50 for adults.', 'The lot holds 1,250 cars.', 'Good?'],
  ],
  [
    'a German date, and German abbreviations',
    'Ich habe am 23. November um 14 Uhr 30 z. B. bei Dr. Weber etwas frei. Passt Ihnen Montag, 3. Mai besser?',
    ['Ich habe am 23. November um 14 Uhr 30 z. B. bei Dr. Weber etwas frei.', 'Passt Ihnen Montag, 3. Mai besser?'],
  ],
  ['a number at the end of an English sentence', 'I am 23. How old are you?', ['I am 23.', 'How old are you?']],
  ['a date with an ordinal and its year', 'It ends June 5th, 2029 at noon.', ['It ends June 5th, 2029 at noon.']],
  ['a date with its year', 'That is June 5, 2026 at noon.', ['That is June 5, 2026 at noon.']],
  [
    'a mail address and a page',
    'Write to info@clinic.example.com or see www.clinic.example/hours. Thanks!',
    ['Write to info@clinic.example.com or see www.clinic.example/hours.', 'Thanks!'],
  ],
  ['an initial', 'Ask for J. Miller there. She knows.', ['Ask for J. Miller there.', 'She knows.']],
  ['"No." is an answer, "No. 5" a number', 'No. Take bus No. 5 there.', ['No.', 'Take bus No. 5 there.']],
  [
    'streets and saints',
    'We are at 14 Main St. We face St. Mary church. Come in.',
    ['We are at 14 Main St.', 'We face St. Mary church.', 'Come in.'],
  ],
  ['a quotation', 'He said "come in." Then he left.', ['He said "come in."', 'Then he left.']],
  ['lines', 'We offer:\n1. Haircut\n2. Colour\n', ['We offer:', '1. Haircut', '2. Colour']],
  ['an ellipsis', 'Well... Let me see. Yes?!  Fine.', ['Well...', 'Let me see.', 'Yes?!', 'Fine.']],
  ['nothing', '  \n ', []],
];
for (const [name, text, clauses] of examples) {
  test(`clauses: ${name}`, () => {
    assert.deepEqual(split(text), clauses);
    assert.deepEqual(split(text, [1]), clauses, 'letter by letter');
    assert.deepEqual(split(text, [3, 5, 1]), clauses, 'in odd pieces');
  });
}

test('the first clause is out before the sentence is', () => {
  const splitter = new ClauseSplitter();
  assert.deepEqual(splitter.push('Thanks for calling, how can '), ['Thanks for calling,']);
});

test('an endless sentence is cut between words, never inside a number', () => {
  const text = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? '555 0100 22' : 'word')).join(' ');
  const clauses = split(text, [4]);
  assert.ok(clauses.length > 2);
  for (const clause of clauses) {
    assert.ok(clause.length <= 201, clause);
    assert.doesNotMatch(clause, /(^|\D)\d{1,3}$|^(0100|22)/);
  }
});

const phrase = fc.constantFrom(
  ...[
    'Yes',
    'No.',
    'of course,',
    'Dr. Lee',
    '9 a.m.',
    '5 p.m. today',
    '1,250',
    '$3.50',
    'June 5, 2026',
    'St. Paul',
    'we are open',
  ],
  ...[
    'www.a.example/b?c=d.',
    'x@y.example',
    'hello!',
    'Really?',
    'U.S. mail',
    '—',
    'and',
    '\n',
    '  ',
    '...',
    '"so"',
    'e.g. this',
    'ü.',
  ],
  'a'.repeat(260),
);

test('for any text and any chunking: nothing is lost, clauses are bounded, and the chunking does not matter', () => {
  fc.assert(
    fc.property(
      fc.array(phrase, { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      (phrases, sizes) => {
        const text = phrases.join(' ');
        const clauses = split(text, sizes);
        const squeeze = (value: string) => value.replace(/\s+/g, '');
        assert.equal(squeeze(clauses.join('')), squeeze(text));
        assert.deepEqual(clauses, split(text));
        for (const clause of clauses) {
          assert.ok(clause.length <= 401, `${clause.length} characters`);
          assert.equal(clause, clause.trim());
        }
      },
    ),
    { numRuns: 3_000, seed: 20_261_121 },
  );
});

test('a short rest of a complete text stays with its sentence', () => {
  assert.deepEqual(clausesOf('It is 66 Station Road East, buzzer 304. Welcome.'), [
    'It is 66 Station Road East, buzzer 304.',
    'Welcome.',
  ]);
  assert.deepEqual(clausesOf('Thanks for calling, what can we do for you this morning?'), [
    'Thanks for calling,',
    'what can we do for you this morning?',
  ]);
});
