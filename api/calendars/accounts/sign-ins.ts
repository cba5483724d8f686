// Somebody signs in to Google or Microsoft for a calendar. Microsoft's way is the code of a device (RFC 8628): shown
// here, entered there, and asked for. Google gives no calendars to devices, so its way is a window that comes back with
// a code (RFC 6749 with PKCE, RFC 7636). That code is taken from a client of the account that began it, never from the
// address by itself: somebody who is lured to Google's page by a stranger gives the stranger nothing.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import {
  claimSignIn,
  countSignIns,
  getSignIn,
  insertSignIn,
  updateSignIn,
} from '../../../db/queries/calendars/sign-ins.ts';
import { isoTime } from '../../../db/records/resources.ts';
import type { CalendarAccountKind, CalendarSignInTable } from '../../../db/schema/calendars.ts';
import { newId } from '../../../db/shared/id.ts';
import { seal, unseal } from '../../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../../context.ts';
import { invalid, notFound, refused, retryLater } from '../../frame/errors.ts';
import { knownFailure } from '../known-failure.ts';
import { CalendarFailed } from '../servers/calendar-failed.ts';
import { googleCalendars } from '../servers/google.ts';
import { microsoftCalendars } from '../servers/microsoft.ts';
import { ACCOUNT_NAMES, type Answer, asAccount, askHost, textIn } from './ask-account.ts';
import type { CalendarSignInCode, CalendarSignInRecord } from './sign-in-schema.ts';
import { applicationOf, askForTokens, microsoftUrl, type Tokens, tokensIn } from './tokens.ts';

/** While it waits, and once it is done. */
interface Kept {
  url: string;
  /** Microsoft: shown, and asked with. */
  userCode?: string;
  deviceCode?: string;
  /** Google: what its answer must bring back, and the proof that both ends are ours (RFC 7636). */
  secret?: string;
  verifier?: string;
  tokens?: Tokens;
  calendars?: AccountCalendar[];
}

type AccountCalendar = Awaited<ReturnType<typeof googleCalendars>>[number];

/** Microsoft's codes live for 15 minutes; a window that stays open longer is begun again. */
const WAITS_MS = 15 * MINUTE_MS;
/** Tokens are used as they are until then: they live an hour. */
const DONE_MS = 50 * MINUTE_MS;
const AT_ONCE_MAX = 10;
const CALENDARS_MAX = 200;
const ASKED_EVERY_MS = 5_000;

const SCOPES: Record<CalendarAccountKind, string> = {
  google:
    'https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly',
  microsoft: 'https://graph.microsoft.com/Calendars.ReadWrite offline_access',
};

/** Where Google sends the window back to: registered at Google, to the letter. */
export const RETURN_PATH = '/calendar-sign-in';
const returnUrl = (context: Pick<ApiContext, 'publicUrl'>): string => `${context.publicUrl()}${RETURN_PATH}`;

/** @throws {ApiError} 409 where the installation has no application there */
export async function beginSignIn(
  context: ApiContext,
  accountId: string,
  kind: CalendarAccountKind,
): Promise<CalendarSignInRecord> {
  const nowMs = context.now();
  if (context.config.calendarAccounts[kind] === null)
    throw refused(
      'CALENDAR_ACCOUNTS_NOT_SET_UP',
      `This service has no application at ${ACCOUNT_NAMES[kind]} yet: its operator sets it up`,
    );
  if ((await countSignIns(context.read, accountId, nowMs)) >= AT_ONCE_MAX)
    throw retryLater('CALENDARS_BUSY', 'Too many sign-ins wait', 60);
  const id = newId('csi');
  const begun = kind === 'google' ? beginAtGoogle(context, id) : await beginAtMicrosoft(context);
  const row: CalendarSignInTable = {
    id,
    accountId,
    kind,
    state: 'waiting',
    error: null,
    sealed: seal(context.secretKey, id, JSON.stringify(begun.kept)),
    askAt: nowMs + begun.everyMs,
    askEveryMs: begun.everyMs,
    expiresAt: nowMs + Math.min(begun.lifeMs, WAITS_MS),
    createdAt: nowMs,
  };
  await insertSignIn(context.db, row);
  return recordOf(row, begun.kept);
}

function beginAtGoogle(context: ApiContext, id: string): { kept: Kept; everyMs: number; lifeMs: number } {
  const { form } = applicationOf(context.config, 'google');
  const [secret, verifier] = [randomText(), randomText()];
  const query = new URLSearchParams({
    client_id: form.client_id,
    redirect_uri: returnUrl(context),
    response_type: 'code',
    scope: SCOPES.google,
    access_type: 'offline',
    // A refresh token is given with a consent only.
    prompt: 'consent',
    state: `${id}.${secret}`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const url = `https://accounts.google.com/o/oauth2/v2/auth?${query}`;
  return { kept: { url, secret, verifier }, everyMs: 0, lifeMs: WAITS_MS };
}

const randomText = (): string => randomBytes(32).toString('base64url');

async function beginAtMicrosoft(context: ApiContext): Promise<{ kept: Kept; everyMs: number; lifeMs: number }> {
  const { microsoft } = context.config.calendarAccounts;
  const { form } = applicationOf(context.config, 'microsoft');
  const url = microsoftUrl(microsoft?.tenant ?? 'common', 'devicecode');
  const answer = await askHost(context, { method: 'POST', url, form: { ...form, scope: SCOPES.microsoft } }).catch(
    (error: unknown) => {
      throw signInFault(error);
    },
  );
  const { json } = answer;
  const [deviceCode, userCode] = [textIn(json, 'device_code'), textIn(json, 'user_code')];
  const shown = textIn(json, 'verification_uri');
  if (answer.status !== 200 || deviceCode === '' || userCode === '' || !shown.startsWith('https://'))
    throw signInFault(new CalendarFailed(`Microsoft answered ${answer.status} ${textIn(json, 'error')}`.trim()));
  const secondsIn = (name: string, otherwise: number): number =>
    Number((json as Record<string, unknown>)[name]) > 0 ? Number((json as Record<string, unknown>)[name]) : otherwise;
  return {
    kept: { url: shown, userCode, deviceCode },
    everyMs: Math.min(secondsIn('interval', 5), 60) * 1_000,
    lifeMs: secondsIn('expires_in', WAITS_MS / 1_000) * 1_000,
  };
}

const signInFault = (error: unknown): unknown =>
  error instanceof CalendarFailed ? invalid([{ field: 'kind', message: error.message }]) : error;

/** How it stands; of Microsoft's, whether somebody has signed in is asked first. @throws {ApiError} 404 */
export async function signInNow(context: ApiContext, accountId: string, id: string): Promise<CalendarSignInRecord> {
  const row = await signInRow(context, accountId, id);
  const nowMs = context.now();
  const isAsked = row.kind === 'microsoft' && (await claimSignIn(context.db, row.id, nowMs, nowMs + row.askEveryMs));
  if (isAsked) await askMicrosoft(context, row);
  return readRecord(context, accountId, id);
}

async function askMicrosoft(context: ApiContext, row: CalendarSignInTable): Promise<void> {
  const kept = keptOf(context, row);
  const grant = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: kept.deviceCode ?? '',
  };
  const answer = await askForTokens(context, 'microsoft', grant).catch((error: unknown) =>
    knownFailure(context, row, error),
  );
  // No answer, or a server in trouble: it is asked again.
  if (answer instanceof CalendarFailed || answer.status >= 500 || answer.status === 429) return;
  const error = textIn(answer.json, 'error');
  if (error === 'authorization_pending') return;
  if (error === 'slow_down') {
    const askEveryMs = row.askEveryMs + ASKED_EVERY_MS;
    return updateSignIn(context.db, row.id, { askEveryMs, askAt: context.now() + askEveryMs });
  }
  await finish(context, row, kept, answer);
}

/** Google's window has come back. @throws {ApiError} 404, 422 */
export async function takeCode(
  context: ApiContext,
  accountId: string,
  id: string,
  { state, code }: CalendarSignInCode,
): Promise<CalendarSignInRecord> {
  const row = await signInRow(context, accountId, id);
  const kept = keptOf(context, row);
  if (row.kind !== 'google' || kept.secret === undefined || !isSame(state, `${id}.${kept.secret}`))
    throw invalid([{ field: 'state', message: 'is not of this sign-in' }]);
  const nowMs = context.now();
  // A code is good for one use.
  if (row.state !== 'waiting' || !(await claimSignIn(context.db, id, nowMs, nowMs + WAITS_MS)))
    return readRecord(context, accountId, id);
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: returnUrl(context),
    code_verifier: kept.verifier ?? '',
  };
  const answer = await askForTokens(context, 'google', grant).catch((error: unknown) =>
    knownFailure(context, row, error),
  );
  if (answer instanceof CalendarFailed) await fail(context, row, answer.message);
  else await finish(context, row, kept, answer);
  return readRecord(context, accountId, id);
}

const isSame = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};

/** Keeps the tokens, and which calendars they open. */
async function finish(context: ApiContext, row: CalendarSignInTable, kept: Kept, answer: Answer): Promise<void> {
  const { kind } = row;
  const nowMs = context.now();
  const tokens = answer.status === 200 ? tokensIn(answer.json, nowMs) : null;
  if (tokens === null) return fail(context, row, refusalOf(kind, textIn(answer.json, 'error')));
  // Google asks for each right by itself.
  const granted = textIn(answer.json, 'scope');
  if (kind === 'google' && SCOPES.google.split(' ').some((scope) => !granted.split(' ').includes(scope)))
    return fail(context, row, 'Google was not allowed to show the calendars: sign in again, and tick both boxes');
  const ask = asAccount(context, kind, () => Promise.resolve(tokens.accessToken));
  try {
    const calendars = (await (kind === 'google' ? googleCalendars(ask) : microsoftCalendars(ask)))
      .filter((each) => each.id !== '')
      .slice(0, CALENDARS_MAX);
    if (calendars.length === 0) return fail(context, row, 'there is no calendar in this account');
    const sealed = seal(context.secretKey, row.id, JSON.stringify({ url: kept.url, tokens, calendars } satisfies Kept));
    await updateSignIn(context.db, row.id, { state: 'done', error: null, sealed, expiresAt: nowMs + DONE_MS });
  } catch (error) {
    await fail(context, row, knownFailure(context, row, error).message);
  }
}

const fail = (context: ApiContext, { id }: CalendarSignInTable, error: string): Promise<void> =>
  updateSignIn(context.db, id, { state: 'failed', error });

function refusalOf(kind: CalendarAccountKind, error: string): string {
  const name = ACCOUNT_NAMES[kind];
  if (/^(authorization_declined|access_denied)$/.test(error)) return `the sign-in at ${name} was declined`;
  if (/^(expired_token|bad_verification_code|invalid_grant)$/.test(error))
    return 'the code is too old, or was used before: begin again';
  return `${name} refused the sign-in (${error.replace(/[^\w-]/g, '').slice(0, 60) || 'without a reason'})`;
}

/** @throws {ApiError} 404, also where it has ended */
async function signInRow(context: ApiContext, accountId: string, id: string): Promise<CalendarSignInTable> {
  const row = await getSignIn(context.db, accountId, id);
  if (row === undefined || row.expiresAt <= context.now()) throw notFound('Sign-in');
  return row;
}

async function readRecord(context: ApiContext, accountId: string, id: string): Promise<CalendarSignInRecord> {
  const row = await signInRow(context, accountId, id);
  return recordOf(row, keptOf(context, row));
}

const keptOf = ({ secretKey }: ApiContext, { id, sealed }: CalendarSignInTable): Kept =>
  JSON.parse(unseal(secretKey, id, sealed)) as Kept;

function recordOf(row: CalendarSignInTable, { url, userCode, calendars = [] }: Kept): CalendarSignInRecord {
  const isWaiting = row.state === 'waiting';
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    url: isWaiting ? url : null,
    code: isWaiting ? (userCode ?? null) : null,
    error: row.error,
    calendars: calendars.map(({ id, name, isWritable }) => ({ id, name: name.slice(0, 200), isWritable })),
    expiresAt: isoTime(row.expiresAt),
  };
}

/**
 * The tokens of a sign-in that is done, and the calendar that is meant: by id or name, the only one where none is.
 * @throws {ApiError} 422
 */
export async function signedIn(
  context: ApiContext,
  accountId: string,
  { id, kind, calendar }: { id: string; kind: CalendarAccountKind; calendar: string | undefined },
): Promise<{ tokens: Tokens; calendar: AccountCalendar; owner: string | null }> {
  const row = await getSignIn(context.db, accountId, id);
  const { tokens, calendars = [] } =
    row === undefined || row.expiresAt <= context.now() || row.kind !== kind ? {} : keptOf(context, row);
  if (tokens === undefined)
    throw invalid([{ field: 'signIn', message: `is no sign-in to ${ACCOUNT_NAMES[kind]} that is done and not over` }]);
  const byId = calendars.filter((each) => each.id === calendar);
  const fitting = byId.length > 0 ? byId : calendars.filter(({ name }) => calendar === undefined || name === calendar);
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) {
    const names = calendars.slice(0, 10).map(({ name }) => name);
    throw invalid([{ field: 'calendar', message: `must be one of ${names.join(', ')}` }]);
  }
  return { tokens, calendar: only, owner: calendars.find(({ owner }) => owner !== null)?.owner ?? null };
}
