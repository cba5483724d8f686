// A failure of one calendar, whatever it is: a fault of ours in one must not keep the others from being read.
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { ApiContext } from '../context.ts';
import { CalendarFailed } from './servers/calendar-failed.ts';

/** @throws what the database's absence explains: then nothing can be noted either */
export function knownFailure(
  { log, outage }: Pick<ApiContext, 'log' | 'outage'>,
  { id }: Pick<CalendarTable, 'id'>,
  error: unknown,
): CalendarFailed {
  if (error instanceof CalendarFailed) return error;
  if (outage.explains(error)) throw error;
  log.error({ err: error, calendar: id }, 'a calendar could not be read or written');
  return new CalendarFailed('a fault of this service: its log has the details');
}
