// Requests to Google and Microsoft: JSON by TLS to their own hosts, bounded in time and bytes, without redirects. What
// they say when somebody is to wait, or has withdrawn the access, is told from other failures here. No token and no
// title is in an error.

import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import type { CalendarAccountKind } from '../../../db/schema/calendars.ts';
import { RefusedAddress } from '../../../db/shared/net/address-rules.ts';
import { FetchFailed, safeFetch } from '../../../db/shared/net/safe-fetch.ts';
import type { Fetching } from '../servers/ask.ts';
import { CalendarFailed } from '../servers/calendar-failed.ts';

export const ACCOUNT_NAMES: Record<CalendarAccountKind, string> = { google: 'Google', microsoft: 'Microsoft' };

/** A page of 2,500 events without their words has some 600 KiB. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const WITHIN_MS = 15_000;
/** A longer wait is looked at again after an hour. */
const RETRY_AFTER_MAX_MS = 60 * MINUTE_MS;

interface Asked {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of the account's own host. */
  url: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  json?: object;
}

export interface Answer {
  status: number;
  /** Null where the body is not JSON, or empty. */
  json: unknown;
  /** As the other side asks; null: it does not. */
  retryAfterMs: number | null;
}

/** The answer, whatever its status is. @throws {CalendarFailed} */
export async function askHost(
  { config, resolve }: Fetching,
  { method = 'GET', url, query = {}, headers = {}, form, json }: Asked,
): Promise<Answer> {
  const { base } = config.calendarAccounts;
  const target = new URL(base === null ? url : url.replace('https://', `${base}/`));
  for (const [name, value] of Object.entries(query)) target.searchParams.append(name, value);
  const body = form === undefined ? json && JSON.stringify(json) : new URLSearchParams(form).toString();
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const { hostname } = new URL(url);
  const answer = await safeFetch(target.href, {
    method,
    headers: { accept: 'application/json', ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
    ...(base === null ? { schemes: ['https:'] } : { allowPrivate: true }),
    maxBytes: ANSWER_BYTES_MAX,
    timeoutMs: WITHIN_MS,
    ...(resolve && base === null ? { resolve } : {}),
  }).catch((error: unknown) => {
    if (!(error instanceof FetchFailed) && !(error instanceof RefusedAddress)) throw error;
    throw new CalendarFailed(`${hostname} ${error.message}`);
  });
  if (answer.truncated) throw new CalendarFailed(`${hostname} answered with too much`);
  const { 'retry-after': retryAfter } = answer.headers;
  return { status: answer.status, json: readJson(answer.body), retryAfterMs: waitIn(retryAfter) };
}

/** In seconds; a date is not waited for. */
function waitIn(header: string | string[] | undefined): number | null {
  const seconds = typeof header === 'string' ? Number(header) : Number.NaN;
  return seconds > 0 ? Math.min(Math.ceil(seconds * 1_000), RETRY_AFTER_MAX_MS) : null;
}

function readJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? null : JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** A request in the name of the account. @throws {CalendarFailed} */
export type AskAccount = (asked: Asked) => Promise<Answer>;

/** `token`: what opens the account; `isRefused`: the last one does not any more. */
export function asAccount(
  fetching: Fetching,
  kind: CalendarAccountKind,
  token: (isRefused: boolean) => Promise<string>,
): AskAccount {
  const ask = async (asked: Asked, isRefused: boolean): Promise<Answer> => {
    const headers = { ...asked.headers, authorization: `Bearer ${await token(isRefused)}` };
    return askHost(fetching, { ...asked, headers });
  };
  return async (asked) => {
    let answer = await ask(asked, false);
    if (answer.status === 401) answer = await ask(asked, true);
    const failure = failureOfAnswer(kind, answer);
    if (failure !== null) throw failure;
    return answer;
  };
}

/** Reasons of Google's 403 that pass: the others are a want of rights. */
const PASSING = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded'];

/** Null: an answer to be read, as 404, 409 and 410 are. */
function failureOfAnswer(kind: CalendarAccountKind, { status, json, retryAfterMs }: Answer): CalendarFailed | null {
  const name = ACCOUNT_NAMES[kind];
  if (status === 401) return withdrawn(kind);
  if (status === 429 || (status === 403 && PASSING.includes(reasonIn(json))))
    return new CalendarFailed(
      `${name} has been asked too often, and is left alone for a while`,
      false,
      retryAfterMs ?? MINUTE_MS,
    );
  if (status === 403) return new CalendarFailed(`${name} does not allow it with this account`, true);
  if (status === 404 || status === 409 || status === 410 || (status >= 200 && status <= 299)) return null;
  return new CalendarFailed(`${name} answered ${status}`, false, retryAfterMs ?? 0);
}

/** Of Google's errors. */
function reasonIn(json: unknown): string {
  const { error } = (json ?? {}) as { error?: { errors?: unknown } };
  const [first] = Array.isArray(error?.errors) ? (error.errors as Array<{ reason?: unknown } | null>) : [];
  return typeof first?.reason === 'string' ? first.reason : '';
}

export const withdrawn = (kind: CalendarAccountKind): CalendarFailed =>
  new CalendarFailed(
    `${ACCOUNT_NAMES[kind]} does not let us in any more: the access was withdrawn, or a password changed. Sign in again`,
    true,
  );

/** The calendar is gone, where an answer about it is 404 or 410. @throws {CalendarFailed} */
export function found(kind: CalendarAccountKind, { status, json }: Answer): unknown {
  if (status === 404 || status === 410)
    throw new CalendarFailed(`the calendar is not in the ${ACCOUNT_NAMES[kind]} account any more`, true);
  if (status === 409) throw new CalendarFailed(`${ACCOUNT_NAMES[kind]} answered 409`);
  return json;
}

/** A list in an answer; empty where there is none. */
export function listIn<T>(json: unknown, name: string): T[] {
  const list = (json as Record<string, unknown> | null)?.[name];
  return Array.isArray(list) ? list.filter((each): each is T => typeof each === 'object' && each !== null) : [];
}

/** A text in an answer; blank where there is none. */
export function textIn(json: unknown, name: string): string {
  const text = (json as Record<string, unknown> | null)?.[name];
  return typeof text === 'string' ? text : '';
}
