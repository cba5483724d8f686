// Prices of uses: the arithmetic, by property and by hand, and which of several prices holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountText, microsOf, priced } from '../../../../db/domain/cost/money.ts';
import { type Price, priceFor } from '../../../../db/domain/cost/prices.ts';
import { billedSeconds, costLines, costSums } from '../../../../db/domain/cost/pricing.ts';
import { modelUse, type Use } from '../../../../db/domain/cost/uses.ts';

/** Numbers that are the same in each run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const price = (change: Partial<Price>): Price => ({
  ...{ id: 'prc_1', kind: 'llm', engine: null, model: null, trunkId: null, direction: null, prefix: null },
  ...{ rates: {}, firstSeconds: 1, stepSeconds: 1, currency: 'USD', validFrom: 0 },
  ...change,
});
const leg = (change: Partial<Extract<Use, { kind: 'trunk' }>> = {}): Use => ({
  ...{ kind: 'trunk', purpose: 'call', trunkId: 'trk_1', direction: 'outbound', number: '+4930901820', ms: 61_000 },
  ...change,
});
const llm = (model: string | null, change: object = {}): Use =>
  modelUse({ kind: 'llm', engine: 'openai', model, purpose: 'call', requests: 1, ...change });

test('an amount is read and written exactly, to a millionth', () => {
  for (const [text, micros] of [
    ['0', 0],
    ['0.0058', 5_800],
    ['12', 12_000_000],
    ['999999.999999', 999_999_999_999],
    ['0.000001', 1],
  ] as const)
    assert.equal(microsOf(text), micros);
  for (const text of ['', '.5', '1.', '01', '-1', '1e3', '1.0000001', '1000000', '1,5', ' 1'])
    assert.equal(microsOf(text), null, text);
  const next = numbers(1);
  for (let round = 0; round < 2_000; round++) {
    const micros = next(1_000_000_000);
    assert.equal(microsOf(amountText(micros)), micros);
  }
  assert.equal(amountText(-5_800), '-0.0058');
  assert.equal(amountText(12_000_000), '12.00');
});

test('a rate times a quantity is rounded half up, once, whatever its size', () => {
  assert.equal(priced(1, 1, 2), 1);
  assert.equal(priced(1, 1, 3), 0);
  assert.equal(priced(999_999_999_999, 14_400_000, 60_000), 239_999_999_999_760);
  const next = numbers(2);
  for (let round = 0; round < 2_000; round++) {
    const [rate, quantity, per] = [next(10_000_000), next(10_000_000), 1 + next(1_000_000)];
    const twice = 2 * (priced(rate, quantity, per) * per - rate * quantity);
    assert.ok(twice > -per && twice <= per, `${rate} ${quantity} ${per}`);
  }
});

test('seconds are charged by increments: never less than was spoken, and less than a step more', () => {
  assert.equal(billedSeconds(61_000, { firstSeconds: 60, stepSeconds: 60 }), 120);
  assert.equal(billedSeconds(60_000, { firstSeconds: 60, stepSeconds: 60 }), 60);
  assert.equal(billedSeconds(1, { firstSeconds: 30, stepSeconds: 6 }), 30);
  assert.equal(billedSeconds(31_000, { firstSeconds: 30, stepSeconds: 6 }), 36);
  assert.equal(billedSeconds(0, { firstSeconds: 60, stepSeconds: 60 }), 0);
  const next = numbers(3);
  for (let round = 0; round < 2_000; round++) {
    const of = { firstSeconds: 1 + next(120), stepSeconds: 1 + next(120) };
    const ms = 1 + next(7_200_000);
    const seconds = billedSeconds(ms, of);
    assert.ok(seconds * 1_000 >= ms && seconds >= of.firstSeconds);
    assert.equal((seconds - of.firstSeconds) % of.stepSeconds, 0);
    assert.ok(seconds === of.firstSeconds || (seconds - of.stepSeconds) * 1_000 < ms);
  }
});

test('the sum of the lines is the total, and each part that of its own', () => {
  const next = numbers(4);
  const prices = [
    price({ kind: 'llm', rates: { perMillionInput: 400_001, perMillionCached: 100_003, perMillionOutput: 1_600_007 } }),
    price({ kind: 'stt', rates: { perMinute: 4_301 } }),
    price({ kind: 'tts', rates: { perThousandCharacters: 30_011 } }),
    price({ kind: 'trunk', direction: 'outbound', prefix: '+49', rates: { perMinute: 11_003, connectionFee: 7 } }),
  ];
  for (let round = 0; round < 500; round++) {
    const inputTokens = next(50_000);
    const uses: Use[] = [
      llm('a', { inputTokens, cachedTokens: next(inputTokens + 1), outputTokens: next(5_000) }),
      modelUse({ kind: 'stt', engine: 'deepgram', model: null, purpose: 'call', ms: next(600_000) }),
      modelUse({ kind: 'tts', engine: 'elevenlabs', model: null, purpose: 'call', characters: next(9_000) }),
      leg({ ms: next(600_000) }),
    ];
    const lines = costLines(uses, 1, prices);
    const sums = costSums(lines, 'USD');
    assert.equal(
      sums.total,
      lines.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    );
    assert.equal(sums.total, (sums.llm ?? 0) + (sums.stt ?? 0) + (sums.tts ?? 0) + (sums.trunk ?? 0));
    assert.ok(lines.every(({ amount }) => Number.isSafeInteger(amount)));
  }
});

test('cached tokens have their price, or that of the others', () => {
  const use = llm('a', { inputTokens: 3_000_000, cachedTokens: 1_000_000 });
  const amount = (rates: Price['rates']) => costLines([use], 1, [price({ rates })])[0]?.amount;
  assert.equal(amount({ perMillionInput: 10, perMillionCached: 1 }), 21);
  assert.equal(amount({ perMillionInput: 10 }), 30);
});

test('an exact model wins over a pattern, a longer pattern over a shorter, an engine over none, the newest over the old', () => {
  const prices = [
    price({ id: 'any' }),
    price({ id: 'short', model: 'gpt-*' }),
    price({ id: 'long', model: 'gpt-4.1*' }),
    price({ id: 'exact', model: 'gpt-4.1-mini' }),
    price({ id: 'later', model: 'gpt-4.1-mini', validFrom: 1_000 }),
    price({ id: 'engine', engine: 'other', model: 'gpt-4.1' }),
    price({ id: 'ends', model: '*-live' }),
  ];
  const found = (model: string | null, atMs = 1) => priceFor(llm(model), atMs, prices)?.id;
  assert.equal(found('gpt-4.1-mini'), 'exact');
  assert.equal(found('gpt-4.1-mini', 1_000), 'later');
  assert.equal(found('gpt-4.1-nano'), 'long');
  assert.equal(found('gpt-4.1'), 'long');
  assert.equal(found('gpt-5'), 'short');
  assert.equal(found('gemini-live'), 'ends');
  assert.equal(found('llama'), 'any');
  assert.equal(found(null), 'any');
  assert.equal(priceFor(llm('gpt-5'), 1, [price({ engine: 'other' })]), null);
});

test('of a trunk the longest prefix holds, and its own price before that of all', () => {
  const of = (id: string, prefix: string, trunkId: string | null = null, direction: Price['direction'] = 'outbound') =>
    price({ id, kind: 'trunk', prefix, trunkId, direction });
  const prices = [
    of('any', ''),
    of('de', '+49'),
    of('berlin', '+4930'),
    of('own', '', 'trk_1'),
    of('in', '', null, 'inbound'),
  ];
  const found = (change: object) => priceFor(leg(change), 1, prices)?.id;
  assert.equal(found({ trunkId: 'trk_2' }), 'berlin');
  assert.equal(found({ trunkId: 'trk_2', number: '+4940' }), 'de');
  assert.equal(found({ trunkId: 'trk_2', number: '+33' }), 'any');
  assert.equal(found({}), 'own');
  assert.equal(found({ direction: 'inbound' }), 'in');
});

test('what runs here costs nothing, and what has no price is said to have none', () => {
  const uses = [
    modelUse({ kind: 'stt', engine: 'soundswallower', model: null, purpose: 'call', isOwn: true, ms: 1_000 }),
    modelUse({ kind: 'tts', engine: 'elevenlabs', model: 'x', purpose: 'call', characters: 10 }),
    modelUse({ kind: 'tts', engine: 'elevenlabs', model: 'y', purpose: 'call' }),
  ];
  const lines = costLines(uses, 1, []);
  assert.deepEqual(
    lines.map(({ kind, amount }) => [kind, amount]),
    [
      ['stt', 0],
      ['tts', null],
    ],
  );
  const { stt, tts, total, isPartial } = costSums(lines, null);
  assert.deepEqual({ stt, tts, total, isPartial }, { stt: 0, tts: null, total: 0, isPartial: true });
  assert.equal(costSums([], null).total, null);
});
