// How many minutes of outbound calls may be spent in an hour and in a day: past the alarm people are told, past the
// stop no further call is placed. Minutes, since a call is priced after its end; transferred legs count like any call.
// Hours and days are those of UTC, so that a day is made of whole hours for everybody.
import { HOUR_MS } from './hours/durations.ts';

export const SPEND_WINDOWS = ['hour', 'day'] as const;
export type SpendWindow = (typeof SPEND_WINDOWS)[number];
export const SPEND_LEVELS = ['alarm', 'stop'] as const;
export type SpendLevel = (typeof SPEND_LEVELS)[number];

/** Limits that the installation or an account states, in minutes; null: the default. */
export interface SpendLimits {
  alarmMinutesPerHour: number | null;
  alarmMinutesPerDay: number | null;
  stopMinutesPerHour: number | null;
  stopMinutesPerDay: number | null;
}
type SpendLimitName = keyof SpendLimits;

export const NO_SPEND_LIMITS: SpendLimits = {
  alarmMinutesPerHour: null,
  alarmMinutesPerDay: null,
  stopMinutesPerHour: null,
  stopMinutesPerDay: null,
};
export const SPEND_LIMIT_NAMES = Object.keys(NO_SPEND_LIMITS) as SpendLimitName[];

/** Shares of a plan's month. In an hour a tenth of it is talked away, or in a day a quarter: somebody should look. */
const ALARM_SHARE = { hour: 1 / 10, day: 1 / 4 } as const;

/**
 * The limits that apply where `stated` is silent: shares of the plan's minutes of a month; a plan without limit has
 * none.
 */
export function spendLimits(stated: SpendLimits, planMinutes: number | null): SpendLimits {
  if (planMinutes === null) return stated;
  return {
    alarmMinutesPerHour: stated.alarmMinutesPerHour ?? planMinutes * ALARM_SHARE.hour,
    alarmMinutesPerDay: stated.alarmMinutesPerDay ?? planMinutes * ALARM_SHARE.day,
    stopMinutesPerHour: stated.stopMinutesPerHour,
    // Without overage the plan stops there itself. With it, a month's minutes in one day are rather fraud than trade.
    stopMinutesPerDay: stated.stopMinutesPerDay ?? planMinutes,
  };
}

const LIMIT_NAMES: Readonly<Record<SpendLevel, Readonly<Record<SpendWindow, SpendLimitName>>>> = {
  alarm: { hour: 'alarmMinutesPerHour', day: 'alarmMinutesPerDay' },
  stop: { hour: 'stopMinutesPerHour', day: 'stopMinutesPerDay' },
};

/** The field that holds a limit. */
export const spendLimitName = (level: SpendLevel, window: SpendWindow): SpendLimitName => LIMIT_NAMES[level][window];

/** Reserved for each call and leg under way: its minutes are counted at its end, and forty could share the last one. */
export const RESERVED_SECONDS = 60;

const HOURS_A_DAY = 24;

/** Hours since the epoch. */
export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS);

interface Span {
  startsAtMs: number;
  endsAtMs: number;
}

export function spendSpan(window: SpendWindow, nowMs: number): Span {
  const lengthMs = window === 'hour' ? HOUR_MS : HOUR_MS * HOURS_A_DAY;
  const startsAtMs = Math.floor(nowMs / lengthMs) * lengthMs;
  return { startsAtMs, endsAtMs: startsAtMs + lengthMs };
}

/** The seconds of a leg by hour, rounded up over the whole leg like its bill. */
export function secondsByHour(fromMs: number, toMs: number): Array<{ hour: number; seconds: number }> {
  const hours: Array<{ hour: number; seconds: number }> = [];
  let counted = 0;
  for (let hour = hourOf(fromMs); hour * HOUR_MS < toMs; hour++) {
    const upTo = Math.ceil((Math.min(toMs, (hour + 1) * HOUR_MS) - fromMs) / 1_000);
    if (upTo > counted) hours.push({ hour, seconds: upTo - counted });
    counted = upTo;
  }
  return hours;
}
