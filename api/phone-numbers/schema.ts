// Queries, bodies and records of /phone-numbers.

import { type Static, Type } from 'typebox';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { COUNTRY, patterned } from '../frame/patterns.ts';
import { NumberRouteRecord, NumberRoutes } from './number-routes.ts';

export const NUMBER_TYPES = ['local', 'mobile', 'toll_free'] as const;
export const CAPABILITIES = ['voice', 'sms'] as const;
/** JSON Schema has no flag for upper and lower case. */
const CAPABILITY_LIST = patterned(
  '^ *([Vv][Oo][Ii][Cc][Ee]|[Ss][Mm][Ss]) *(, *([Vv][Oo][Ii][Cc][Ee]|[Ss][Mm][Ss]) *)*$|^ *$',
  'must be a list of voice, sms',
);

export const PhoneNumber = Type.Object(
  {
    id: Type.String(),
    phoneNumber: Type.String(),
    country: nullable(Type.String()),
    type: oneOf(NUMBER_TYPES),
    capabilities: Type.Array(Type.String()),
    campaignId: nullable(Type.String()),
    isActive: Type.Boolean(),
    trunkId: nullable(Type.String()),
    routes: Type.Array(NumberRouteRecord),
    createdAt: Timestamp,
  },
  { title: 'PhoneNumber' },
);
export type PhoneNumber = Static<typeof PhoneNumber>;

export const NumberOffer = Type.Object(
  {
    phoneNumber: Type.String(),
    country: Type.String(),
    areaCode: nullable(Type.String()),
    type: oneOf(NUMBER_TYPES),
    capabilities: Type.Array(Type.String()),
    monthlyCost: Type.Number({ description: 'Dollars a month' }),
    reservedUntil: Timestamp,
    carrierPrice: Type.Optional(
      Type.Object(
        { monthly: Type.Number(), setup: Type.Number(), currency: Type.String({ description: 'ISO 4217' }) },
        { description: "For ADMINs: a carrier's own price of a number that is bought there" },
      ),
    ),
  },
  { title: 'NumberOffer' },
);

export const SearchQuery = Type.Object({
  country: Type.String({ pattern: COUNTRY, default: 'US', description: 'ISO 3166-1 alpha-2' }),
  areaCode: Type.Optional(Type.String({ pattern: patterned('^[0-9]{1,8}$', 'must be 1 to 8 digits') })),
  type: Type.Optional(oneOf(NUMBER_TYPES)),
  capabilities: Type.Optional(
    Type.String({ maxLength: 100, pattern: CAPABILITY_LIST, description: 'Comma-separated, e.g. voice,sms' }),
  ),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const PurchaseBody = Type.Object(
  { phoneNumber: Type.String(), campaignId: Type.Optional(nullable(Type.String())) },
  { additionalProperties: false },
);

export const NumberListQuery = Type.Object({ campaignId: Type.Optional(Type.String()), ...pageQuery });
export type NumberListQuery = Static<typeof NumberListQuery>;

export const NumberPatch = Type.Object(
  {
    campaignId: Type.Optional(nullable(Type.String())),
    isActive: Type.Optional(Type.Boolean()),
    routes: Type.Optional(NumberRoutes),
  },
  { additionalProperties: false },
);
export type NumberPatch = Static<typeof NumberPatch>;

/** Fields of a number that its carrier or an ADMIN sets. */
export const NUMBER_ELSEWHERE = {
  trunkId: 'an ADMIN does by PATCH /admin/inventory/{phoneNumber}',
} as const;
export const NUMBER_FIXED = ['phoneNumber', 'country', 'type', 'capabilities', 'trunkId'] as const;

export const ReleasedNumber = Type.Object(
  {
    id: Type.String(),
    phoneNumber: Type.String(),
    status: oneOf(['released', 'releasing']),
  },
  { title: 'ReleasedNumber' },
);

export const IdParams = Type.Object({ id: Type.String() });
