// Schemas of the account, its users, and an ADMIN's changes of accounts.
import { type Static, Type } from 'typebox';
import { Email } from '../auth/schema.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { Destinations, DestinationsField } from '../spend/destinations.ts';
import { Spend, SpendLimitsField, SpendLimitsRecord } from '../spend/spend-limits.ts';

const PLANS = ['STARTER', 'PRO', 'ENTERPRISE'] as const;

export const Account = Type.Object(
  {
    id: Type.String({ description: 'prefix acc_' }),
    name: Type.String(),
    plan: oneOf(PLANS),
    timezone: Type.String({ description: 'IANA zone; months of minutes are counted in it' }),
    defaultCampaignId: nullable(Type.String({ description: 'Answers calls to unassigned numbers' })),
    overageEnabled: Type.Boolean(),
    destinations: Destinations,
    spendLimits: SpendLimitsRecord,
    spend: Spend,
    retentionDays: nullable(Type.Integer({ description: 'Days after which calls are erased; null: never' })),
    minutes: Type.Object({
      used: Type.Number({ description: 'Answered minutes of both directions this month, with fractions' }),
      limit: nullable(Type.Integer({ description: 'null: without limit' })),
      resetsAt: Timestamp,
    }),
    createdAt: Timestamp,
  },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;

const strict = { additionalProperties: false };

export const AccountPatch = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    defaultCampaignId: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    retentionDays: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 3_650,
          description: 'Calls that began longer ago are erased every night; null keeps them',
        }),
      ),
    ),
  },
  strict,
);
export type AccountPatch = Static<typeof AccountPatch>;

/** Fields of the record that PATCH /account ignores: only an ADMIN or calls change them. */
export const ACCOUNT_READ_ONLY = [
  'id',
  'plan',
  'overageEnabled',
  'destinations',
  'spendLimits',
  'spend',
  'minutes',
  'createdAt',
  'deletedAt',
  '_count',
] as const;

export const AdminAccountPatch = Type.Object(
  {
    plan: Type.Optional(oneOf(PLANS)),
    overageEnabled: Type.Optional(Type.Boolean()),
    destinations: DestinationsField,
    spendLimits: SpendLimitsField,
  },
  strict,
);
export type AdminAccountPatch = Static<typeof AdminAccountPatch>;

export const ADMIN_ACCOUNT_READ_ONLY = ['id', 'minutes', 'spend', 'createdAt', 'deletedAt', '_count'] as const;
/** Its own users change these. */
export const ADMIN_ACCOUNT_FIXED = ['name', 'timezone', 'defaultCampaignId', 'retentionDays'] as const;
export const ADMIN_ACCOUNT_ELSEWHERE = Object.fromEntries(
  ADMIN_ACCOUNT_FIXED.map((field) => [field, 'the users of the account do by PATCH /account']),
);

export const InviteBody = Type.Object({ email: Email }, strict);
export const IdParams = Type.Object({ id: Type.String() });
