// A calendar's server behind the port, by its kind.
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { ApiContext } from '../context.ts';
import { accessOf } from './access.ts';
import { davServer, icsServer } from './servers/dav-server.ts';
import type { CalendarServer } from './servers/server.ts';

/** @throws {CalendarFailed} where its access cannot be opened */
export function openServer(
  context: ApiContext,
  calendar: Pick<CalendarTable, 'id' | 'kind' | 'sealed'>,
): CalendarServer {
  const access = accessOf(context, calendar);
  return calendar.kind === 'ics' ? icsServer(context, access.url) : davServer(context, access);
}
