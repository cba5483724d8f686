// Limits of spend as bodies and records have them, and what is spent by now (docs/spend.md).
import { type Static, Type } from 'typebox';
import {
  SPEND_LEVELS,
  SPEND_LIMIT_NAMES,
  SPEND_WINDOWS,
  type SpendLimits,
  type SpendWindow,
  spendLimitName,
  spendLimits,
  spendSpan,
} from '../../db/domain/spend.ts';
import { isoTime } from '../../db/records/resources.ts';
import { PLAN_MINUTES } from '../../db/rules/minutes.ts';
import { spendLimitsOf, spentSeconds } from '../../db/rules/spend.ts';
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { Db } from '../../db/schema.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';

/** More than all minutes of a year on ten thousand lines: whoever wants no limit writes it. */
const MINUTES_MAX = 10_000_000_000;
const Minutes = nullable(Type.Integer({ minimum: 0, maximum: MINUTES_MAX }));

const SpendLimitsBody = Type.Object(
  {
    alarmMinutesPerHour: Type.Optional(Minutes),
    alarmMinutesPerDay: Type.Optional(Minutes),
    stopMinutesPerHour: Type.Optional(Minutes),
    stopMinutesPerDay: Type.Optional(Minutes),
  },
  {
    additionalProperties: false,
    description:
      'Outbound minutes, transfers included, of an hour and a day in UTC: past the alarm people are told, past the stop nobody is called. null: the default',
  },
);

export const SpendLimitsField = Type.Optional(nullable(SpendLimitsBody));

export const SpendLimitsRecord = Type.Object(
  {
    alarmMinutesPerHour: nullable(Type.Integer()),
    alarmMinutesPerDay: nullable(Type.Integer()),
    stopMinutesPerHour: nullable(Type.Integer()),
    stopMinutesPerDay: nullable(Type.Integer()),
  },
  { title: 'SpendLimits', description: 'As an ADMIN set them; null: the default' },
);

const Spent = (window: SpendWindow) =>
  Type.Object({
    minutes: Type.Number({ description: `Outbound minutes of this ${window}, calls under way included` }),
    alarm: nullable(Type.Number({ description: 'Past it people are told; null: never' })),
    stop: nullable(Type.Number({ description: 'Past it nobody is called; null: never' })),
    resetsAt: Timestamp,
  });

export const Spend = Type.Object({ hour: Spent('hour'), day: Spent('day') }, { title: 'Spend' });

/** The data of an `account.spend_limit` event. */
export const SpendLimitReached = Type.Object(
  {
    accountId: Type.String(),
    scope: oneOf(['account', 'installation']),
    level: oneOf(SPEND_LEVELS, { description: 'Past a stop nobody is called' }),
    window: oneOf(SPEND_WINDOWS),
    minutes: Type.Integer({ description: 'Outbound minutes spent when it was noticed' }),
    limitMinutes: Type.Number(),
    startsAt: Timestamp,
    resetsAt: Timestamp,
  },
  { title: 'SpendLimitReached' },
);

export const spendLimitsRecord = (json: string | null): Static<typeof SpendLimitsRecord> => spendLimitsOf(json);

/** The column of a body's field: undefined where it is left out, null where nothing is stated. */
export function spendLimitsColumn(
  body: Static<typeof SpendLimitsBody> | null | undefined,
  json: string | null,
): string | null | undefined {
  if (body == null) return body;
  const limits: SpendLimits = { ...spendLimitsOf(json), ...body };
  return SPEND_LIMIT_NAMES.every((name) => limits[name] === null) ? null : JSON.stringify(limits);
}

export async function spendRecord(
  db: Db,
  { id, plan, spendLimits: json }: Pick<AccountTable, 'id' | 'plan' | 'spendLimits'>,
  nowMs: number,
): Promise<Static<typeof Spend>> {
  const limits = spendLimits(spendLimitsOf(json), PLAN_MINUTES[plan]);
  const spent = await spentSeconds(db, id, nowMs);
  const of = (window: SpendWindow) => ({
    minutes: spent[window] / 60,
    alarm: limits[spendLimitName('alarm', window)],
    stop: limits[spendLimitName('stop', window)],
    resetsAt: isoTime(spendSpan(window, nowMs).endsAtMs),
  });
  return { hour: of('hour'), day: of('day') };
}
