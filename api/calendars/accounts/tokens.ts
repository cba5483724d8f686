// Tokens of an account at Google or Microsoft (RFC 6749): taken for a code, renewed for an hour at a time, and renewed
// by one process at a time.
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { calendarById, claimRenewal, updateCalendar } from '../../../db/queries/calendars/calendars.ts';
import type { CalendarAccountKind, CalendarTable } from '../../../db/schema/calendars.ts';
import type { ApiConfig } from '../../config.ts';
import type { ApiContext } from '../../context.ts';
import { type AccountAccess, accountAccessOf, sealedAccess } from '../access.ts';
import type { Fetching } from '../servers/ask.ts';
import { CalendarFailed } from '../servers/calendar-failed.ts';
import { ACCOUNT_NAMES, type Answer, askHost, textIn, withdrawn } from './ask-account.ts';

export type Tokens = Pick<AccountAccess, 'accessToken' | 'refreshToken' | 'expiresAt'>;

/** A token that is as good as over when the request arrives is renewed before. */
const EARLY_MS = MINUTE_MS;
const LIFE_MS = 60 * MINUTE_MS;
/** A process that died while it renewed is waited for no longer: a request takes 15 s at most. */
const CLAIM_MS = 20_000;
const LOOKS = 80;
const BETWEEN_LOOKS_MS = 250;

/** @throws {CalendarFailed} where the operator has taken the application out of the settings */
export function applicationOf(config: Pick<ApiConfig, 'calendarAccounts'>, kind: CalendarAccountKind) {
  const { google, microsoft } = config.calendarAccounts;
  if (kind === 'google' && google !== null)
    return {
      tokenUrl: 'https://oauth2.googleapis.com/token',
      form: { client_id: google.clientId, client_secret: google.clientSecret },
    };
  if (kind === 'microsoft' && microsoft !== null)
    return { tokenUrl: microsoftUrl(microsoft.tenant, 'token'), form: { client_id: microsoft.clientId } };
  throw new CalendarFailed(`this service has no application at ${ACCOUNT_NAMES[kind]} any more`, true);
}

export const microsoftUrl = (tenant: string, what: 'token' | 'devicecode'): string =>
  `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0/${what}`;

/** The other side's answer to a request for tokens. @throws {CalendarFailed} */
export function askForTokens(
  fetching: Fetching,
  kind: CalendarAccountKind,
  grant: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { tokenUrl, form } = applicationOf(fetching.config, kind);
  return askHost(fetching, { method: 'POST', url: tokenUrl, form: { ...form, ...grant } });
}

/** `before`: what is kept where the answer has no other refresh token. Null: it has no tokens. */
export function tokensIn(json: unknown, nowMs: number, before = ''): Tokens | null {
  const accessToken = textIn(json, 'access_token');
  const refreshToken = textIn(json, 'refresh_token') || before;
  const seconds = Number((json as { expires_in?: unknown } | null)?.expires_in);
  const lifeMs = seconds > 0 ? Math.min(seconds * 1_000, LIFE_MS) : LIFE_MS;
  return accessToken === '' || refreshToken === '' ? null : { accessToken, refreshToken, expiresAt: nowMs + lifeMs };
}

type Calendar = Pick<CalendarTable, 'id' | 'kind' | 'sealed'>;

/** Tokens of a calendar's account: renewed where they are over, or were refused. */
export class CalendarToken {
  readonly #context: ApiContext;
  readonly #kind: CalendarAccountKind;
  #calendar: Calendar;

  constructor(context: ApiContext, calendar: Calendar, kind: CalendarAccountKind) {
    this.#context = context;
    this.#calendar = calendar;
    this.#kind = kind;
  }

  /** `isRefused`: the one that this gave last does not open it. @throws {CalendarFailed} */
  async give(isRefused: boolean): Promise<string> {
    const { accessToken, expiresAt } = accountAccessOf(this.#context, this.#calendar);
    if (!isRefused && this.#isFresh(expiresAt)) return accessToken;
    return this.#renewed(isRefused ? accessToken : null);
  }

  #isFresh = (expiresAt: number): boolean => expiresAt - EARLY_MS > this.#context.now();

  /** Another process may be renewing it, or have done so: its token is taken then. */
  async #renewed(refusedToken: string | null): Promise<string> {
    const { db } = this.#context;
    const { id } = this.#calendar;
    for (let look = 0; look < LOOKS; look++) {
      const nowMs = this.#context.now();
      const isMine = await claimRenewal(db, id, nowMs, nowMs + CLAIM_MS);
      const calendar = await calendarById(db, id);
      if (calendar === undefined) throw new CalendarFailed('it was taken out meanwhile', true);
      this.#calendar = calendar;
      const access = accountAccessOf(this.#context, calendar);
      const isNew = access.accessToken !== refusedToken && this.#isFresh(access.expiresAt);
      if (isMine && !isNew) return this.#renew(access);
      if (isMine) await updateCalendar(db, id, { renewingUntil: 0 });
      if (isNew) return access.accessToken;
      await pause(BETWEEN_LOOKS_MS);
    }
    throw new CalendarFailed('its access is being renewed by another process of this service');
  }

  async #renew(access: AccountAccess): Promise<string> {
    const { db, now } = this.#context;
    const { id } = this.#calendar;
    try {
      const grant = { grant_type: 'refresh_token', refresh_token: access.refreshToken };
      const { status, json, retryAfterMs } = await askForTokens(this.#context, this.#kind, grant);
      const name = ACCOUNT_NAMES[this.#kind];
      // Also `interaction_required` of Microsoft: only a person helps.
      if (status === 400 && /^(invalid_grant|interaction_required)$/.test(textIn(json, 'error')))
        throw withdrawn(this.#kind);
      // The application's own: its secret was changed, or it was deleted there.
      if (status === 400 || status === 401)
        throw new CalendarFailed(`${name} does not know this service's application: its operator has to mend it`, true);
      const tokens = status === 200 ? tokensIn(json, now(), access.refreshToken) : null;
      if (tokens === null)
        throw new CalendarFailed(`${name} answered ${status} when asked for access`, false, retryAfterMs ?? 0);
      const sealed = sealedAccess(this.#context, id, { ...access, ...tokens });
      await updateCalendar(db, id, { sealed, renewingUntil: 0 });
      this.#calendar = { ...this.#calendar, sealed };
      return tokens.accessToken;
    } catch (error) {
      await updateCalendar(db, id, { renewingUntil: 0 });
      throw error;
    }
  }
}
