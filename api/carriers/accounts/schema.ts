// Bodies and records of /admin/carriers.

import { type Static, Type } from 'typebox';
import { CARRIER_KINDS } from '../../../db/domain/numbers/carrier-kinds.ts';
import { nullable, oneOf, Timestamp } from '../../frame/envelope-schema.ts';
import { COUNTRY, ONE_LINE } from '../../frame/patterns.ts';

const COST_MAX = 10_000;
const fields = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: ONE_LINE })),
  keyId: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  offeredTo: Type.Optional(
    oneOf(['admins', 'accounts'], {
      description: 'Whose searches find its numbers. The installation pays the carrier for what they buy',
    }),
  ),
  monthlyCost: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: COST_MAX,
        description: "Dollars that an account pays for each of its numbers; null: the carrier's own price",
      }),
    ),
  ),
};
const key = Type.String({ minLength: 1, maxLength: 300, writeOnly: true });

export const CarrierBody = Type.Object({ kind: oneOf(CARRIER_KINDS), key, ...fields }, { additionalProperties: false });
export type CarrierBody = Static<typeof CarrierBody>;

export const CarrierPatch = Type.Object({ key: Type.Optional(key), ...fields }, { additionalProperties: false });
export type CarrierPatch = Static<typeof CarrierPatch>;

const Finding = Type.Object({
  subject: oneOf(['key', 'balance', 'numbers', 'trunks']),
  ok: Type.Boolean(),
  text: Type.String(),
});

export const Carrier = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(CARRIER_KINDS),
    name: Type.String(),
    keyId: nullable(Type.String({ description: "Twilio's Account SID, Plivo's Auth ID; Telnyx has none" })),
    keyEnd: nullable(Type.String({ description: 'The last characters of the key' })),
    offeredTo: oneOf(['admins', 'accounts']),
    monthlyCost: nullable(Type.Number()),
    trunkId: nullable(Type.String({ description: 'The trunk that was made with the one at the carrier' })),
    testedAt: nullable(Timestamp),
    findings: Type.Array(Finding, { description: 'Of the last test' }),
    createdAt: Timestamp,
  },
  { title: 'Carrier' },
);
export type Carrier = Static<typeof Carrier>;

/** Fields of the record that a client may send back unchanged. */
export const CARRIER_READ_ONLY = ['id', 'keyEnd', 'trunkId', 'testedAt', 'findings', 'createdAt', '_count'] as const;
export const CARRIER_FIXED = ['kind'] as const;

export const CarrierTest = Type.Object(
  { ok: Type.Boolean({ description: 'The key can do all that is needed' }), findings: Type.Array(Finding) },
  { title: 'CarrierTest' },
);

export const CarrierParams = Type.Object({ id: Type.String() });

export const CarrierTrunkBody = Type.Object(
  {
    secure: Type.Optional(Type.Boolean({ description: 'TLS and SRTP, both ways; default false' })),
    countries: Type.Optional(
      Type.Array(Type.String({ pattern: COUNTRY }), {
        minItems: 1,
        maxItems: 250,
        description: 'For Telnyx: where calls may go to; default US and CA',
      }),
    ),
    inboundAllow: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 64,
        description: "The carrier's signalling addresses; those of Twilio and Telnyx are known here",
      }),
    ),
  },
  { additionalProperties: false },
);
export type CarrierTrunkBody = Static<typeof CarrierTrunkBody>;

export const CarrierOrder = Type.Object(
  {
    id: Type.String({ description: 'Our reference at the carrier' }),
    phoneNumber: Type.String(),
    accountId: Type.String(),
    state: oneOf(['ordered', 'bought', 'recorded', 'refused', 'released']),
    error: nullable(Type.String({ description: "The carrier's last words" })),
    createdAt: Timestamp,
    changedAt: Timestamp,
  },
  { title: 'CarrierOrder' },
);
export type CarrierOrder = Static<typeof CarrierOrder>;

export const CarrierOwned = Type.Object(
  {
    phoneNumber: Type.String(),
    accountId: nullable(Type.String({ description: 'Whose it is here; null: it was not taken over' })),
  },
  { title: 'CarrierOwned' },
);
export type CarrierOwned = Static<typeof CarrierOwned>;

export const TakeOverBody = Type.Object(
  {
    phoneNumber: Type.String(),
    accountId: Type.Optional(Type.String({ maxLength: 64, description: "Whose it becomes; default the ADMIN's own" })),
  },
  { additionalProperties: false },
);
export type TakeOverBody = Static<typeof TakeOverBody>;

export const CarrierRemoval = Type.Object({
  undo: Type.Optional(Type.Boolean({ description: 'With the trunk that was made, there and here; default false' })),
});

export const CarrierTexting = Type.Object(
  {
    phoneNumber: Type.String(),
    error: nullable(Type.String({ description: "The carrier's words; null: texts to it come here" })),
  },
  { title: 'CarrierTexting' },
);
export type CarrierTexting = Static<typeof CarrierTexting>;
