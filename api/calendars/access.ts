// Access to a calendar as it is kept: sealed for the calendar's id, and shown to nobody.
import type { CalendarTable } from '../../db/schema/calendars.ts';
import { seal, unseal } from '../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../context.ts';
import { CalendarFailed } from './servers/ask.ts';
import type { DavAccess } from './servers/caldav.ts';

type Keys = Pick<ApiContext, 'secretKey'>;

/** A calendar that is read at its address alone has blank names. */
export const sealedAccess = ({ secretKey }: Keys, id: string, access: DavAccess): string =>
  seal(secretKey, id, JSON.stringify(access));

/** @throws {CalendarFailed} where the installation's key is another one by now */
export function accessOf({ secretKey }: Keys, { id, sealed }: Pick<CalendarTable, 'id' | 'sealed'>): DavAccess {
  try {
    return JSON.parse(unseal(secretKey, id, sealed)) as DavAccess;
  } catch {
    throw new CalendarFailed('its password cannot be opened any more: connect it anew', true);
  }
}

/** As people see it: the address of an .ics file is a secret itself. */
export function shownAddress(kind: CalendarTable['kind'], url: string): string {
  const { origin, pathname } = new URL(url);
  return kind === 'ics' ? `${origin}/…` : `${origin}${pathname}`;
}
