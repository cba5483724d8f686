// Counts failed logins and similar attempts. An attempt is counted before its password is checked, and removed when it
// was right, so parallel attempts cannot exceed the limit. Unknown addresses are counted like known ones.

import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { clearLoginFailures, findLoginFailures, putLoginFailures } from '../../db/queries/accounts/login-failures.ts';
import type { LoginFailureTable } from '../../db/schema/users.ts';
import type { Db } from '../../db/schema.ts';
import { sourceNetwork } from '../../db/shared/source-network.ts';
import type { ApiContext } from '../context.ts';
import { refused, retryLater } from '../frame/errors.ts';

interface Rule {
  failuresMax: number;
  /** Failures older than this are forgotten. */
  windowMs: number;
  lockMs: number;
}

const EMAIL_RULE: Rule = { failuresMax: 5, windowMs: 30 * MINUTE_MS, lockMs: 30 * MINUTE_MS };
const IP_RULE: Rule = { failuresMax: 20, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS };
/** Wrong second factors: a pending login has five tries, and an attacker with the password could start many of them. */
const SECOND_FACTOR_RULE: Rule = { failuresMax: 20, windowMs: 30 * MINUTE_MS, lockMs: 30 * MINUTE_MS };
/** Wrong reset codes: a code has five tries, and an attacker could have many sent. */
const RESET_EMAIL_RULE: Rule = { failuresMax: 10, windowMs: 60 * MINUTE_MS, lockMs: 60 * MINUTE_MS };
const RESET_IP_RULE: Rule = { failuresMax: 20, windowMs: 60 * MINUTE_MS, lockMs: 60 * MINUTE_MS };
/** Invitations send mail to strangers. */
const INVITE_ACCOUNT_RULE: Rule = { failuresMax: 20, windowMs: 60 * MINUTE_MS, lockMs: 60 * MINUTE_MS };
const INVITE_EMAIL_RULE: Rule = { failuresMax: 3, windowMs: 24 * 60 * MINUTE_MS, lockMs: 24 * 60 * MINUTE_MS };
/** Sign-ins by the identity provider that came to nothing: each asks the provider. */
const PROVIDER_RULE: Rule = { failuresMax: 20, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS };
/** Each registration costs a hash, an account and a mail to an unverified address. */
const REGISTRATION_RULE: Rule = { failuresMax: 5, windowMs: 60 * MINUTE_MS, lockMs: 60 * MINUTE_MS };
/** Mails to one address that anybody may request. */
const MAIL_RULE: Rule = { failuresMax: 10, windowMs: 60 * MINUTE_MS, lockMs: 60 * MINUTE_MS };

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const emailKey = (email: string) => `email:${digest(email)}`;
const ipKey = (ip: string) => `ip:${sourceNetwork(ip)}`;

/** The row after one more failure. The failure that reaches the limit is still allowed; the next one is not. */
function countFailure(row: LoginFailureTable | undefined, key: string, rule: Rule, nowMs: number) {
  if (row?.lockedUntil != null && row.lockedUntil > nowMs) return { allowed: false as const, until: row.lockedUntil };
  const current = row && row.lockedUntil === null && nowMs - row.firstAt < rule.windowMs;
  const failures = current ? row.failures + 1 : 1;
  return {
    allowed: true as const,
    row: {
      key,
      failures,
      firstAt: current ? row.firstAt : nowMs,
      lockedUntil: failures >= rule.failuresMax ? nowMs + rule.lockMs : null,
    },
  };
}

/**
 * Counts a login attempt against its e-mail and its IP address.
 * @throws {ApiError} 429 if the IP address must wait, 423 if the account is locked
 */
export async function beginLogin(context: ApiContext, email: string, ip: string): Promise<void> {
  const nowMs = context.now();
  await context.db.transaction().execute(async (tx) => {
    const byIp = countFailure(await findLoginFailures(tx, ipKey(ip)), ipKey(ip), IP_RULE, nowMs);
    if (!byIp.allowed)
      throw retryLater('LOGIN_THROTTLED', 'Too many failed login attempts', (byIp.until - nowMs) / 1000);
    const key = emailKey(email);
    const byEmail = countFailure(await findLoginFailures(tx, key), key, EMAIL_RULE, nowMs);
    if (!byEmail.allowed) throw temporarilyLocked(byEmail.until - nowMs);
    await putLoginFailures(tx, byIp.row);
    await putLoginFailures(tx, byEmail.row);
  });
}

function temporarilyLocked(forMs: number) {
  const minutes = Math.max(1, Math.ceil(forMs / MINUTE_MS));
  return refused(
    'ACCOUNT_LOCKED',
    `Account temporarily locked. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
  );
}

/** The password was right: the e-mail's count is reset, and the IP address gets this one attempt back. */
export async function forgiveLogin(context: ApiContext, email: string, ip: string): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    await clearLoginFailures(tx, emailKey(email));
    await takeBack(tx, ipKey(ip), IP_RULE);
  });
}

/** The password was not checked (the queue was full): both get the attempt back. */
export async function cancelLogin(context: ApiContext, email: string, ip: string): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    await takeBack(tx, emailKey(email), EMAIL_RULE);
    await takeBack(tx, ipKey(ip), IP_RULE);
  });
}

async function takeBack(tx: Db, key: string, rule: Rule): Promise<void> {
  const row = await findLoginFailures(tx, key);
  if (!row) return;
  const failures = row.failures - 1;
  if (failures <= 0) return clearLoginFailures(tx, key);
  await putLoginFailures(tx, { ...row, failures, lockedUntil: failures < rule.failuresMax ? null : row.lockedUntil });
}

/** @throws {ApiError} 423 after too many wrong second factors of one user */
export async function beginSecondFactor(context: ApiContext, userId: string): Promise<void> {
  const until = await count(context, `2fa:${userId}`, SECOND_FACTOR_RULE);
  if (until !== null) throw temporarilyLocked(until - context.now());
}

const providerKey = (ip: string) => `provider:${sourceNetwork(ip)}`;

/** Counts a return from the identity provider. @throws {ApiError} 429 */
export async function beginProviderSignIn(context: ApiContext, ip: string): Promise<void> {
  const until = await count(context, providerKey(ip), PROVIDER_RULE);
  if (until === null) return;
  throw retryLater('LOGIN_THROTTLED', 'Too many failed login attempts', (until - context.now()) / 1000);
}

/** It was somebody, or the provider was down: the network gets the try back. */
export async function forgiveProviderSignIn(context: ApiContext, ip: string): Promise<void> {
  await context.db.transaction().execute((tx) => takeBack(tx, providerKey(ip), PROVIDER_RULE));
}

/** Counts a try of the old password by a signed-in user, whose session may be stolen. @throws {ApiError} 423 */
export async function beginPasswordCheck(context: ApiContext, userId: string): Promise<void> {
  const until = await count(context, `password:${userId}`, EMAIL_RULE);
  if (until !== null) throw temporarilyLocked(until - context.now());
}

export async function forgivePasswordCheck(context: ApiContext, userId: string): Promise<void> {
  await clearLoginFailures(context.db, `password:${userId}`);
}

export async function forgiveSecondFactor(context: ApiContext, userId: string): Promise<void> {
  await clearLoginFailures(context.db, `2fa:${userId}`);
}

const resetEmailKey = (email: string) => `reset:email:${digest(email.toLowerCase())}`;
const resetIpKey = (ip: string) => `reset:ip:${sourceNetwork(ip)}`;

/** Counts a try of a reset code, for unknown addresses like known ones. @throws {ApiError} 429 */
export async function beginReset(context: ApiContext, email: string, ip: string): Promise<void> {
  const rules = [
    { key: resetIpKey(ip), rule: RESET_IP_RULE },
    { key: resetEmailKey(email), rule: RESET_EMAIL_RULE },
  ];
  const until = await context.db.transaction().execute((tx) => countAll(tx, rules, context.now()));
  if (until === null) return;
  throw retryLater('RESET_THROTTLED', 'Too many wrong reset codes', (until - context.now()) / 1000);
}

/** The code was right, or was not checked: both get the try back. */
export async function cancelReset(context: ApiContext, email: string, ip: string): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    await takeBack(tx, resetEmailKey(email), RESET_EMAIL_RULE);
    await takeBack(tx, resetIpKey(ip), RESET_IP_RULE);
  });
}

/** Counts an invitation in the transaction that makes it. @throws {ApiError} 429 */
export async function countInvitation(tx: Db, accountId: string, email: string, nowMs: number): Promise<void> {
  const rules = [
    { key: `invite:account:${accountId}`, rule: INVITE_ACCOUNT_RULE },
    { key: `invite:email:${digest(email.toLowerCase())}`, rule: INVITE_EMAIL_RULE },
  ];
  const until = await countAll(tx, rules, nowMs);
  if (until !== null) throw retryLater('INVITATION_LIMIT', 'Too many invitations', (until - nowMs) / 1000);
}

/**
 * Counts a registration for its network. Outside of production this machine is not counted: it is a developer's own.
 * @throws {ApiError} 429
 */
export async function countRegistration(context: ApiContext, ip: string): Promise<void> {
  if (context.config.appEnv !== 'production' && ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(ip)) return;
  const until = await count(context, `register:${sourceNetwork(ip)}`, REGISTRATION_RULE);
  if (until === null) return;
  throw retryLater(
    'REGISTRATION_THROTTLED',
    'Too many registrations from this network',
    (until - context.now()) / 1000,
  );
}

/** Counts by all the rules or by none; the time until which a rule refuses, or null. */
async function countAll(tx: Db, rules: readonly { key: string; rule: Rule }[], nowMs: number): Promise<number | null> {
  const rows: LoginFailureTable[] = [];
  for (const { key, rule } of rules) {
    const counted = countFailure(await findLoginFailures(tx, key), key, rule, nowMs);
    if (!counted.allowed) return counted.until;
    rows.push(counted.row);
  }
  for (const row of rows) await putLoginFailures(tx, row);
  return null;
}

/** Whether one more mail of this kind may go to the address. */
export async function mayMail(context: ApiContext, kind: 'reset' | 'verify', email: string): Promise<boolean> {
  return (await count(context, `mail:${kind}:${digest(email)}`, MAIL_RULE)) === null;
}

async function count(context: ApiContext, key: string, rule: Rule): Promise<number | null> {
  return context.db.transaction().execute((tx) => countAll(tx, [{ key, rule }], context.now()));
}
