// Requests to calendars' servers, as a business's owner names them: no private address, bounded in time and bytes, and
// every failure in words that the owner can act on.
import { RefusedAddress } from '../../../db/shared/net/address-rules.ts';
import { type FetchAnswer, FetchFailed, safeFetch } from '../../../db/shared/net/safe-fetch.ts';
import type { ApiContext } from '../../context.ts';
import { CalendarFailed } from './calendar-failed.ts';

export type Fetching = Pick<ApiContext, 'config' | 'resolve'>;

const CALENDAR_BYTES_MAX = 10 * 1024 * 1024;
const WITHIN_MS = 15_000;
const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** One event. */
export const EVENT_BYTES_MAX = 1024 * 1024;
/** A list of calendars, of hundreds: read on the API's own thread. */
export const LIST_BYTES_MAX = 256 * 1024;

interface Asked {
  method: 'GET' | 'PUT' | 'DELETE' | 'PROPFIND' | 'REPORT';
  headers?: Record<string, string>;
  body?: string;
  /** Default: those of a whole calendar. */
  maxBytes?: number;
}

/** The answer, whatever its status is. @throws {CalendarFailed} */
export async function askCalendar({ config, resolve }: Fetching, url: string, asked: Asked): Promise<FetchAnswer> {
  let target = url;
  const headers = { ...asked.headers };
  const { maxBytes = CALENDAR_BYTES_MAX } = asked;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await safeFetch(target, {
      ...asked,
      headers,
      maxBytes,
      timeoutMs: WITHIN_MS,
      schemes: ['https:'],
      allowPrivate: config.webhookAllowPrivate,
      plainToLoopback: config.webhookAllowPrivate,
      ...(resolve ? { resolve } : {}),
    }).catch((error: unknown) => {
      if (error instanceof RefusedAddress) throw new CalendarFailed(`its address ${error.message}`, true);
      if (error instanceof FetchFailed) throw new CalendarFailed(`its server: ${error.message}`);
      throw error;
    });
    if (answer.truncated) throw new CalendarFailed(`it is larger than ${maxBytes / 1024 / 1024} MiB`, true);
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.status) || typeof location !== 'string') return answer;
    if (!URL.canParse(location, target)) break;
    const next = new URL(location, target);
    // The password is told to the calendar’s own server alone.
    if (next.origin !== new URL(target).origin) delete headers.authorization;
    target = next.href;
  }
  throw new CalendarFailed('its server sends from one address to the next');
}

/** The failure that a status is. */
export function failureOf(status: number): CalendarFailed {
  if (status === 401 || status === 403)
    return new CalendarFailed(`its server does not let us in (${status}): check the user name and password`, true);
  if (status === 404 || status === 410)
    return new CalendarFailed(`there is no calendar at its address any more (${status})`, true);
  return new CalendarFailed(`its server answered ${status}`);
}
