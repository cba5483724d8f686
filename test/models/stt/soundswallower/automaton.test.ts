// The automaton of a grammar: the sentences of the JSGF with their weights, and no state more than they need.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Automaton, automatonOf } from '../../../../models/stt/soundswallower/automaton.ts';
import { buildGrammar } from '../../../../models/stt/soundswallower/grammar.ts';
import type { Expectation } from '../../../../models/stt/stt.ts';

const grammar = (...rules: string[]): Automaton => automatonOf(['#JSGF V1.0;', 'grammar caller;', ...rules].join('\n'));

/** The probability of a sentence; 0 where it is none. */
function probabilityOf({ arcs, start, final }: Automaton, sentence: string): number {
  let costs = new Map([[start, 0]]);
  const follow = (word: string | null): Map<number, number> => {
    const next = new Map<number, number>();
    for (const arc of arcs) {
      const before = costs.get(arc.from);
      if (before === undefined || arc.word !== word) continue;
      next.set(arc.to, Math.min(next.get(arc.to) ?? Number.POSITIVE_INFINITY, before + arc.cost));
    }
    return next;
  };
  for (const word of sentence.split(' ').filter(Boolean)) costs = follow(word);
  return Math.exp(-(follow(null).get(final) ?? Number.POSITIVE_INFINITY));
}

const about = (value: number): number => Math.round(value * 1e4) / 1e4;

test('alternatives share the weight of their rule, and so does the alternative of an option to be left out', () => {
  const found = grammar('public <caller> = /0.8/ yes [please | now] | /0.2/ no;');
  assert.deepEqual(
    ['yes', 'yes please', 'yes now', 'no', 'please', 'yes please now'].map((text) => about(probabilityOf(found, text))),
    [0.2667, 0.2667, 0.2667, 0.2, 0, 0],
  );
});

test('weights that do not add up to 1 are shares of their sum', () => {
  const found = grammar('public <caller> = /3/ yes | /1/ no;');
  assert.deepEqual([about(probabilityOf(found, 'yes')), about(probabilityOf(found, 'no'))], [0.75, 0.25]);
});

test('a rule may follow itself as often as one likes, each time half as likely', () => {
  const found = grammar('<one> = a | b;', 'public <caller> = <one>+;');
  assert.deepEqual(
    ['', 'a', 'b a', 'a b a'].map((text) => about(probabilityOf(found, text))),
    [0, 0.25, 0.0625, 0.0156],
  );
});

test('a sentence that two rules have has the weight of the likelier one', () => {
  const found = grammar('<known> = yes | no;', 'public <caller> = /0.9/ <known> | /0.1/ no;');
  assert.equal(about(probabilityOf(found, 'no')), 0.45);
});

test('equal beginnings and equal ends are there once', () => {
  const found = grammar('public <caller> = what does a (cut | shave | colour) cost | what does a trim cost;');
  // what, does, a, one of four, cost, the end, and the decoder's final state.
  assert.equal(found.states, 7);
  assert.equal(found.arcs.filter(({ word }) => word === 'cost').length, 1);
});

test('a grammar that leaves something out is refused', () => {
  assert.throws(() => grammar('public <caller> = <missing>;'), /no rule <missing>/);
  assert.throws(() => grammar('public <caller> = (yes | no;'), SyntaxError);
  assert.throws(() => grammar('<caller> = yes;'), /public/);
});

const EXPECTATIONS: readonly Expectation[] = [
  'anything',
  'yes-no',
  'date',
  'time',
  'date-time',
  'digits',
  'spelling',
  'name',
  'email',
  'service',
];

const BUSINESS = {
  language: 'en-US',
  businessName: 'Bright Smile Dental',
  services: ['Dental cleaning', 'Teeth whitening', 'Root canal', 'Consultation', 'Filling'],
  questions: ['Do you accept insurance?', 'Is there parking?', 'What is your cancellation policy?'],
  phrases: [],
};

test('the grammars of a usual business have at most 300 states, and their sentences', () => {
  for (const expects of EXPECTATIONS) {
    const { states } = buildGrammar(BUSINESS, expects, () => true).automaton();
    assert.ok(states <= 300, `${expects}: ${states} states`);
  }
  const found = buildGrammar(BUSINESS, 'anything', () => true).automaton();
  for (const sentence of [
    'what are your opening hours today',
    "i'd like to book a root canal for tomorrow at ten a m please",
    'how much does a dental cleaning cost and',
    'no thank you',
    '_aa _b _k _aa _t _s _s',
  ])
    assert.ok(probabilityOf(found, sentence) > 0, sentence);
  for (const none of ['what are your', '_aa _b _k', 'thank you yes']) assert.equal(probabilityOf(found, none), 0, none);
});
