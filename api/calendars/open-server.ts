// A calendar's server behind the port, by its kind.
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { ApiContext } from '../context.ts';
import { accessOf, accountAccessOf } from './access.ts';
import { asAccount } from './accounts/ask-account.ts';
import { CalendarToken } from './accounts/tokens.ts';
import { davServer, icsServer } from './servers/dav-server.ts';
import { googleServer } from './servers/google.ts';
import { microsoftServer } from './servers/microsoft.ts';
import type { CalendarServer } from './servers/server.ts';

/** @throws {CalendarFailed} where its access cannot be opened */
export function openServer(
  context: ApiContext,
  calendar: Pick<CalendarTable, 'id' | 'kind' | 'sealed'>,
): CalendarServer {
  const { kind } = calendar;
  if (kind === 'ics') return icsServer(context, accessOf(context, calendar).url);
  if (kind === 'caldav') return davServer(context, accessOf(context, calendar));
  const { calendarId } = accountAccessOf(context, calendar);
  const token = new CalendarToken(context, calendar, kind);
  const ask = asAccount(context, kind, (isRefused) => token.give(isRefused));
  return kind === 'google' ? googleServer(ask, calendarId) : microsoftServer(ask, calendarId);
}
