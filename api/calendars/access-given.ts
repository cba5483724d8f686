// Access to a calendar as a request gives it: what a kind needs and has not, and that the calendar can be found by it.
import type { CalendarAccountKind, CalendarTable } from '../../db/schema/calendars.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { urlFault } from '../frame/url-fault.ts';
import { type AccountAccess, accessOf, accountAccessOf, shownAddress } from './access.ts';
import { ACCOUNT_NAMES } from './accounts/ask-account.ts';
import { signedIn } from './accounts/sign-ins.ts';
import type { CalendarCreate, CalendarPatch } from './schema.ts';
import { type DavAccess, findCalendar } from './servers/caldav.ts';
import { CalendarFailed } from './servers/calendar-failed.ts';
import { plainAddress } from './servers/ics.ts';

interface Opening {
  access: DavAccess | AccountAccess;
  name: string;
  /** As people may see it. */
  address: string;
  isWritable: boolean;
}

/** Access to the calendar that is meant. @throws {ApiError} 422 */
export async function openCalendar(context: ApiContext, accountId: string, body: CalendarCreate): Promise<Opening> {
  const { kind, calendar } = body;
  if (isOfAccount(kind)) return openedAccount(context, accountId, kind, body);
  const given = accessGiven(context, body);
  if (kind === 'ics') {
    const { host } = new URL(given.url);
    return { access: given, name: host, address: shownAddress(kind, given.url), isWritable: false };
  }
  try {
    const { url, name } = await findCalendar(context, given, calendar ?? null);
    return { access: { ...given, url }, name, address: shownAddress(kind, url), isWritable: true };
  } catch (error) {
    throw unreadable(error);
  }
}

const isOfAccount = (kind: CalendarTable['kind']): kind is CalendarAccountKind => kind !== 'ics' && kind !== 'caldav';

/** @throws {ApiError} 422 */
async function openedAccount(
  context: ApiContext,
  accountId: string,
  kind: CalendarAccountKind,
  { signIn, calendar, writes, ...others }: Pick<CalendarCreate, 'signIn' | 'calendar' | 'writes'> & Partial<DavAccess>,
): Promise<Opening> {
  const faults = strangeFields(kind, others);
  if (signIn === undefined) faults.push({ field: 'signIn', message: `is required for ${kind}` });
  if (faults.length > 0 || signIn === undefined) throw invalid(faults);
  const { tokens, calendar: chosen, owner } = await signedIn(context, accountId, { id: signIn, kind, calendar });
  const { isWritable, name } = chosen;
  if (writes === true && !isWritable)
    throw invalid([{ field: 'writes', message: 'must be false: the account may only read this calendar' }]);
  const address = owner ?? ACCOUNT_NAMES[kind];
  return { access: { ...tokens, calendarId: chosen.id }, name, address, isWritable };
}

/** @throws {ApiError} 422 */
function accessGiven(context: ApiContext, body: CalendarCreate): DavAccess {
  const { kind, url, username, password, writes, signIn } = body;
  const plain = plainAddress(url ?? '');
  const faults: FieldError[] = [];
  const fault = url === undefined ? `is required for ${kind}` : urlFault(context, plain);
  if (fault !== null) faults.push({ field: 'url', message: fault });
  if (kind === 'caldav' && username === undefined)
    faults.push({ field: 'username', message: 'is required for caldav' });
  if (kind === 'caldav' && password === undefined)
    faults.push({ field: 'password', message: 'is required for caldav' });
  faults.push(...strangeFields(kind, { username, password, writes, signIn }));
  if (faults.length > 0) throw invalid(faults);
  return { url: plain, username: username ?? '', password: password ?? '' };
}

type Given = { [Field in 'url' | 'username' | 'password' | 'writes' | 'signIn']?: CalendarCreate[Field] | undefined };

/** Faults of fields that a calendar of this kind does not have. */
function strangeFields(kind: CalendarTable['kind'], { writes, signIn, ...login }: Given): FieldError[] {
  if (isOfAccount(kind))
    return (['url', 'username', 'password'] as const)
      .filter((field) => login[field] !== undefined)
      .map((field) => ({ field, message: `is not of ${kind}: somebody signs in there` }));
  const faults: FieldError[] = [];
  if (signIn !== undefined) faults.push({ field: 'signIn', message: 'is of google and microsoft alone' });
  if (kind === 'ics' && (login.username !== undefined || login.password !== undefined))
    faults.push({ field: 'username', message: 'is of caldav alone: the address of an ics is its secret' });
  if (kind === 'ics' && writes === true)
    faults.push({ field: 'writes', message: 'must be false: nothing can be written to an ics' });
  return faults;
}

/** The access that a change gives; null: as before. @throws {ApiError} 422 */
export async function openedAnew(
  context: ApiContext,
  calendar: CalendarTable,
  { writes, username, password, signIn }: CalendarPatch,
): Promise<DavAccess | AccountAccess | null> {
  const { kind, accountId } = calendar;
  const faults = strangeFields(kind, { username, password, writes, signIn });
  if (faults.length > 0) throw invalid(faults);
  if (isOfAccount(kind)) {
    if (signIn === undefined) return null;
    const { calendarId } = accountOf(context, calendar);
    const { access } = await openedAccount(context, accountId, kind, { signIn, calendar: calendarId });
    return access;
  }
  if (username === undefined && password === undefined) return null;
  const before = opened(context, calendar);
  return { ...before, username: username ?? before.username, password: password ?? before.password };
}

/** @throws {ApiError} 422 as `opened` */
function accountOf(context: ApiContext, calendar: CalendarTable): AccountAccess {
  try {
    return accountAccessOf(context, calendar);
  } catch (error) {
    throw unreadable(error);
  }
}

/** @throws {ApiError} 422 where it was sealed with another key */
function opened(context: ApiContext, calendar: CalendarTable): DavAccess {
  try {
    return accessOf(context, calendar);
  } catch (error) {
    throw unreadable(error);
  }
}

/** The calendar could not be read: a fault of the address, or of what opens it. */
export function unreadable(error: unknown): unknown {
  if (!(error instanceof CalendarFailed)) return error;
  return invalid([{ field: 'url', message: error.message }]);
}
