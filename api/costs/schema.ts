// Schemas of prices, of the cost of a call, and of sums of costs.

import { type Static, Type } from 'typebox';
import { AMOUNT_PATTERN } from '../../db/domain/cost/money.ts';
import type { RateName } from '../../db/domain/cost/prices.ts';
import { USE_KINDS, USE_PURPOSES } from '../../db/domain/cost/uses.ts';
import { COST_GROUPS } from '../../db/queries/costs/costs.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { ANY_PREFIX, CURRENCY, NOT_BLANK, patterned } from '../frame/patterns.ts';

const AMOUNT_HELP = 'A decimal of the currency, exact to a millionth';
const Amount = Type.String({ description: AMOUNT_HELP });
const OrNone = nullable(Type.String({ description: 'A decimal; null: there is none' }));

export const CallCostRecord = Type.Object(
  {
    llm: nullable(Type.String({ description: 'Of the dialogue model, or of a speech-to-speech model' })),
    stt: OrNone,
    tts: OrNone,
    trunk: nullable(Type.String({ description: 'Of all legs, those of transfers too' })),
    total: OrNone,
    currency: nullable(Type.String()),
    estimated: Type.Boolean({ description: 'A part was reckoned, as nobody tells it' }),
    partial: Type.Boolean({ description: 'Something that was used has no price, and is not in it' }),
  },
  {
    description:
      'What the installation paid for it, as decimals of the currency; null until some seconds after its end, where no price is known, and where the account is not shown costs',
  },
);

const DIRECTIONS = ['inbound', 'outbound'] as const;

const CostLineRecord = Type.Object(
  {
    kind: oneOf(USE_KINDS),
    purpose: oneOf(USE_PURPOSES, { description: '`call`: while it went on; else a transfer, or work after it' }),
    engine: nullable(Type.String()),
    model: nullable(Type.String()),
    trunkId: nullable(Type.String()),
    direction: nullable(oneOf(DIRECTIONS)),
    requests: Type.Integer(),
    seconds: Type.Number({ description: 'Of sound that was recognised or made, of a session, or of a leg' }),
    billedSeconds: nullable(Type.Integer({ description: 'Of a leg, by the increments of its price' })),
    characters: Type.Integer({ description: 'That a voice was given' }),
    inputTokens: Type.Integer({ description: 'The cached ones among them' }),
    cachedTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    estimated: Type.Boolean(),
    amount: OrNone,
    priceId: nullable(Type.String()),
  },
  { title: 'CostLine' },
);
export type CostLineRecord = Static<typeof CostLineRecord>;

export const CostRecord = Type.Object(
  {
    id: Type.String({ description: 'Of the call or the conversation' }),
    cost: CallCostRecord,
    lines: Type.Array(CostLineRecord, { description: 'The amounts add up to the total' }),
  },
  { title: 'Cost' },
);
export type CostRecord = Static<typeof CostRecord>;

const CostGroupRecord = Type.Object(
  {
    group: Type.String({ description: 'A UTC day, or the id of what `by` names' }),
    name: nullable(Type.String({ description: 'Of what the id names, where it is there still' })),
    currency: nullable(Type.String()),
    calls: Type.Integer({ description: 'Calls and conversations' }),
    partialCalls: Type.Integer({ description: 'Of these, those in which something has no price' }),
    llm: Amount,
    stt: Amount,
    tts: Amount,
    trunk: Amount,
    total: Amount,
  },
  { title: 'CostSum' },
);
export type CostGroupRecord = Static<typeof CostGroupRecord>;

export const CostSums = Type.Object(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    sums: Type.Array(CostGroupRecord, {
      description: 'Days in their order, others the dearest first, at most 1,000; one for each currency',
    }),
  },
  { title: 'CostSums' },
);

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));
const id = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));
const sums = {
  from: day('The first UTC day; 30 days up to today without it'),
  to: day('The last one, inclusive; at most 366 days'),
  businessId: id,
  campaignId: id,
  agentId: id,
};

export const CostQuery = Type.Object({
  ...sums,
  by: oneOf(
    COST_GROUPS.filter((group) => group !== 'account'),
    { default: 'day' },
  ),
});
export const AdminCostQuery = Type.Object({ ...sums, accountId: id, by: oneOf(COST_GROUPS, { default: 'day' }) });
export type AdminCostQuery = Static<typeof AdminCostQuery>;

const AMOUNT = patterned(AMOUNT_PATTERN, 'must be a decimal such as 0.0058, with at most six digits behind the point');
const rate = (description: string) => Type.Optional(Type.String({ pattern: AMOUNT, description }));
const text = (description: string) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK, description })));

const RATES = {
  perMinute: rate('Of sound, of a session, or of a leg'),
  perThousandCharacters: rate('Of a voice'),
  perMillionInput: rate('Tokens of prompts'),
  perMillionCached: rate('Tokens from the cache; without it they cost as others do'),
  perMillionOutput: rate('Tokens of answers'),
  connectionFee: rate('For each leg that is answered'),
} satisfies Record<RateName, unknown>;

const INCREMENT = {
  pattern: patterned('^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$', 'must be seconds such as 60/60 or 1/1'),
  description: 'Seconds of a leg that are charged: at least the first ones, then in steps: 60/60, 1/1 (the default)',
};

export const PriceCreate = Type.Object(
  {
    kind: oneOf(USE_KINDS),
    engine: text('`openai`, `deepgram`; without one every engine of the kind'),
    model: text('A name, or a pattern with one `*`; an exact name wins. Without one every model'),
    trunkId: text('Of kind trunk; without one every trunk'),
    direction: Type.Optional(nullable(oneOf(DIRECTIONS, { description: 'Of kind trunk, required there' }))),
    prefix: Type.Optional(
      nullable(
        Type.String({
          pattern: ANY_PREFIX,
          description: 'Of kind trunk: the beginning of the called number; the longest wins. Empty: any',
        }),
      ),
    ),
    ...RATES,
    increment: Type.Optional(Type.String(INCREMENT)),
    currency: Type.String({ pattern: CURRENCY, description: 'ISO 4217; all prices have the same' }),
    validFrom: Type.Optional(
      Type.String({ format: 'date-time', description: 'For calls that begin from then on; now without it' }),
    ),
  },
  { additionalProperties: false },
);
export type PriceCreate = Static<typeof PriceCreate>;

export const PriceRecord = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(USE_KINDS),
    engine: nullable(Type.String()),
    model: nullable(Type.String()),
    trunkId: nullable(Type.String()),
    direction: nullable(oneOf(DIRECTIONS)),
    prefix: nullable(Type.String()),
    perMinute: OrNone,
    perThousandCharacters: OrNone,
    perMillionInput: OrNone,
    perMillionCached: OrNone,
    perMillionOutput: OrNone,
    connectionFee: OrNone,
    increment: nullable(Type.String()),
    currency: Type.String(),
    validFrom: Timestamp,
    createdAt: Timestamp,
  },
  { title: 'Price' },
);
export type PriceRecord = Static<typeof PriceRecord>;

export const PriceQuery = Type.Object({
  ...pageQuery,
  kind: Type.Optional(oneOf(USE_KINDS)),
  trunkId: id,
  direction: Type.Optional(oneOf(DIRECTIONS)),
});
export type PriceQuery = Static<typeof PriceQuery>;

export const TRUNK_PRICES_PER_REQUEST = 20_000;

const trunkPrices = {
  trunkId: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 64, description: 'Without one every trunk' })),
  ),
  direction: oneOf(DIRECTIONS),
  currency: Type.String({ pattern: CURRENCY, description: 'ISO 4217; all prices have the same' }),
  validFrom: Type.Optional(
    Type.String({ format: 'date-time', description: 'For calls that begin from then on; now without it' }),
  ),
};

/** Of a table, which has no place for them. */
export const TrunkPricesQuery = Type.Partial(Type.Object(trunkPrices));

export const TrunkPrices = Type.Object(
  {
    ...trunkPrices,
    prices: Type.Array(
      Type.Object(
        {
          prefix: Type.String({ pattern: ANY_PREFIX, description: 'Empty: any number' }),
          perMinute: Type.String({ pattern: AMOUNT }),
          connectionFee: RATES.connectionFee,
          increment: Type.Optional(Type.String(INCREMENT)),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: TRUNK_PRICES_PER_REQUEST },
    ),
  },
  { additionalProperties: false },
);
export type TrunkPrices = Static<typeof TrunkPrices>;

export const AddedPrices = Type.Object({ added: Type.Integer() }, { title: 'AddedPrices' });
