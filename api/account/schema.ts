// Schemas of the account, its users, and an ADMIN's changes of accounts.

import { type Static, Type } from 'typebox';
import { Email } from '../auth/schema.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { NOT_BLANK } from '../frame/patterns.ts';
import { Destinations, DestinationsField } from '../spend/destinations.ts';
import { Spend, SpendLimitsField, SpendLimitsRecord } from '../spend/spend-limits.ts';

const PLANS = ['STARTER', 'PRO', 'ENTERPRISE'] as const;

const SETUP_STEPS = ['website', 'facts', 'voice', 'talk', 'number', 'done'] as const;

/** The dashboard's wizard writes it, so that it can be left and gone on with on another machine. */
const Setup = Type.Object(
  {
    step: oneOf(SETUP_STEPS, { description: 'The next one' }),
    skipped: Type.Array(oneOf(SETUP_STEPS), { maxItems: SETUP_STEPS.length, uniqueItems: true }),
    website: nullable(Type.String({ maxLength: 2_000 })),
    language: nullable(Type.String({ maxLength: 20, description: 'Of the site, or as chosen' })),
    country: nullable(Type.String({ maxLength: 2, description: 'Of the site' })),
    businessId: nullable(Type.String({ maxLength: 100 })),
    agentId: nullable(Type.String({ maxLength: 100 })),
    campaignId: nullable(Type.String({ maxLength: 100 })),
  },
  { additionalProperties: false, description: 'How far the first set-up has come; null: not begun' },
);

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
    setup: nullable(Setup),
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
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK })),
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
    setup: Type.Optional(nullable(Setup)),
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
export const ADMIN_ACCOUNT_FIXED = ['name', 'timezone', 'defaultCampaignId', 'retentionDays', 'setup'] as const;
export const ADMIN_ACCOUNT_ELSEWHERE = Object.fromEntries(
  ADMIN_ACCOUNT_FIXED.map((field) => [field, 'the users of the account do by PATCH /account']),
);

export const InviteBody = Type.Object({ email: Email }, strict);
export const IdParams = Type.Object({ id: Type.String() });
