// Routes of a number as rows of a form, and back to a body.
import type { WeekdayHours } from '../../../../../db/domain/hours/opening-hours.ts';
import type { PhoneNumber, UpdatePhoneNumberBody } from '../../api-types.ts';

export interface RouteRow {
  /** Empty: whatever the caller dialled. */
  forwardedFrom: string;
  hours: WeekdayHours[];
  /** Empty: the account's zone. */
  timezone: string;
  /** Null: the caller is put through to the target. */
  campaignId: string | null;
  target: string;
}

export const freshRoute = (): RouteRow => ({
  forwardedFrom: '',
  hours: [],
  timezone: '',
  campaignId: null,
  target: '',
});

export const routeRows = (routes: PhoneNumber['routes']): RouteRow[] =>
  routes.map(({ forwardedFrom, hours, timezone, campaignId, target }) => ({
    forwardedFrom: forwardedFrom ?? '',
    hours: hours ?? [],
    timezone: timezone ?? '',
    campaignId,
    target: target ?? '',
  }));

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export const routesOf = (rows: readonly RouteRow[]): NonNullable<UpdatePhoneNumberBody['routes']> =>
  rows.map(({ forwardedFrom, hours, timezone, campaignId, target }) => ({
    forwardedFrom: orNull(forwardedFrom),
    hours: hours.length === 0 ? null : hours,
    timezone: hours.length === 0 ? null : orNull(timezone),
    campaignId,
    target: campaignId === null ? orNull(target) : null,
  }));
