// Chooses the answerer of a number at this hour, by the number by which the caller came: the first route that fits, in
// their order.
import { DateTime } from 'luxon';
import type { WeekdayHours } from '../hours/opening-hours.ts';
import { isOpenAt } from '../hours/opening-times.ts';

/** As stored. One of `campaignId` and `target` is set. */
export interface NumberRoute {
  /** E.164: the number that the caller dialled, where it forwards its calls to this one; null: whatever it was. */
  forwardedFrom: string | null;
  /** Null: at any hour. */
  hours: WeekdayHours[] | null;
  /** IANA zone of the hours; null: the account's. */
  timezone: string | null;
  /** Its agent answers. */
  campaignId: string | null;
  /** E.164 or `sip:USERNAME`: the caller is put through at once, by the agent of the number's campaign. */
  target: string | null;
}

export const NUMBER_ROUTES_MAX = 20;

/** The routes that fit, in their order. */
export function routesFor(
  routes: readonly NumberRoute[],
  call: { forwardedFrom: string | null; timezone: string; nowMs: number },
): NumberRoute[] {
  return routes.filter(({ forwardedFrom, hours, timezone }) => {
    if (forwardedFrom !== null && forwardedFrom !== call.forwardedFrom) return false;
    if (hours === null) return true;
    const local = DateTime.fromMillis(call.nowMs, { zone: timezone ?? call.timezone });
    return isOpenAt(hours, local.isValid ? local : DateTime.fromMillis(call.nowMs, { zone: 'utc' }));
  });
}
