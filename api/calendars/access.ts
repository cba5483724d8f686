// Access to a calendar as it is kept: sealed for the calendar's id, and shown to nobody.
import type { CalendarTable } from '../../db/schema/calendars.ts';
import { seal, unseal } from '../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../context.ts';
import type { DavAccess } from './servers/caldav.ts';
import { CalendarFailed } from './servers/calendar-failed.ts';

type Keys = Pick<ApiContext, 'secretKey'>;

/** Of a calendar of Google or Microsoft. */
export interface AccountAccess {
  /** The calendar's, there. */
  calendarId: string;
  accessToken: string;
  refreshToken: string;
  /** Of the access token. */
  expiresAt: number;
}

/** A calendar that is read at its address alone has blank names. */
export const sealedAccess = ({ secretKey }: Keys, id: string, access: DavAccess | AccountAccess): string =>
  seal(secretKey, id, JSON.stringify(access));

type Sealed = Pick<CalendarTable, 'id' | 'sealed'>;

/** Of an ics or caldav. @throws {CalendarFailed} where the installation's key is another one by now */
export const accessOf = (keys: Keys, calendar: Sealed): DavAccess => opened(keys, calendar);

/** Of Google or Microsoft. @throws {CalendarFailed} as `accessOf` */
export const accountAccessOf = (keys: Keys, calendar: Sealed): AccountAccess => opened(keys, calendar);

function opened<T>({ secretKey }: Keys, { id, sealed }: Sealed): T {
  try {
    return JSON.parse(unseal(secretKey, id, sealed)) as T;
  } catch {
    throw new CalendarFailed('its password cannot be opened any more: connect it anew', true);
  }
}

/** As people see it: the address of an .ics file is a secret itself. */
export function shownAddress(kind: CalendarTable['kind'], url: string): string {
  const { origin, pathname } = new URL(url);
  return kind === 'ics' ? `${origin}/…` : `${origin}${pathname}`;
}
