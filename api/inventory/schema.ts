// Bodies and records of /admin/inventory.
import { type Static, Type } from 'typebox';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { CAPABILITIES, NUMBER_TYPES } from '../phone-numbers/schema.ts';

export const RANGE_MAX = 1_000;
const COST_MAX = 10_000;

const features = {
  type: Type.Optional(oneOf(NUMBER_TYPES)),
  capabilities: Type.Optional(Type.Array(oneOf(CAPABILITIES), { minItems: 1, uniqueItems: true })),
  monthlyCost: Type.Optional(Type.Number({ minimum: 0, maximum: COST_MAX, description: 'Dollars, two decimals' })),
};

/** Either `numbers`, or `from` and `to` with the features of all of them. */
export const InventoryBody = Type.Object(
  {
    numbers: Type.Optional(
      Type.Array(Type.Object({ phoneNumber: Type.String(), ...features }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: RANGE_MAX,
      }),
    ),
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
    ...features,
    trunkId: Type.Optional(nullable(Type.String())),
  },
  { additionalProperties: false },
);
export type InventoryBody = Static<typeof InventoryBody>;

export const InventoryPatch = Type.Object(
  { trunkId: Type.Optional(nullable(Type.String())), monthlyCost: features.monthlyCost },
  { additionalProperties: false },
);
export type InventoryPatch = Static<typeof InventoryPatch>;

/** Fields of the record that a client may send back unchanged. */
export const INVENTORY_READ_ONLY = [
  'status',
  'accountId',
  'reservedUntil',
  'createdAt',
  'deletedAt',
  '_count',
] as const;
export const INVENTORY_FIXED = ['phoneNumber', 'country', 'areaCode', 'type', 'capabilities'] as const;

export const InventoryNumber = Type.Object(
  {
    phoneNumber: Type.String(),
    country: Type.String(),
    areaCode: nullable(Type.String()),
    type: oneOf(NUMBER_TYPES),
    capabilities: Type.Array(Type.String()),
    monthlyCost: Type.Number(),
    trunkId: nullable(Type.String()),
    status: oneOf(['free', 'reserved', 'owned', 'retired']),
    accountId: nullable(Type.String({ description: 'Who owns it, or has it reserved' })),
    reservedUntil: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { title: 'InventoryNumber' },
);
export type InventoryNumber = Static<typeof InventoryNumber>;

export const AddedNumbers = Type.Object(
  { added: Type.Integer(), numbers: Type.Array(InventoryNumber) },
  { title: 'AddedNumbers' },
);
export const NumberParams = Type.Object({ phoneNumber: Type.String() });
