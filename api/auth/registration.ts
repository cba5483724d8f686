// Creates users: by registration and verification of their address, or by an invitation, whose link does both.

import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { findAccount, insertAccount } from '../../db/queries/accounts/accounts.ts';
import {
  expireOneTimeTokens,
  findOneTimeToken,
  hasLiveToken,
  insertOneTimeToken,
  useOneTimeToken,
} from '../../db/queries/accounts/one-time-tokens.ts';
import { deleteUser, findUserByEmail, findUserById, insertUser, updateUser } from '../../db/queries/accounts/users.ts';
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { UserTable } from '../../db/schema/users.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { refused } from '../frame/errors.ts';
import { type MailLanguage, mailLanguage } from '../mail/mail-language.ts';
import { countInvitation, countRegistration, mayMail } from './lockout.ts';
import { invitationMail, invitationUrl, verificationMail } from './mails.ts';
import type { InvitedUser, User } from './schema.ts';
import { hashToken, randomToken } from './secrets.ts';
import { userRecord } from './users.ts';

const VERIFICATION_LIFETIME_MS = DAY_MS;
const INVITATION_LIFETIME_MS = 7 * DAY_MS;
const WRONG_TOKEN = 'Invalid or expired verification token';

export interface NewUser {
  email: string;
  passwordHash: string | null;
  role?: UserTable['role'];
  /** Default: everything. */
  access?: UserTable['access'];
  verified?: boolean;
  /** Of mails. */
  language?: string | null;
}

/** The row of a new user; nothing is written. */
export function newUserRow(accountId: string, user: NewUser, nowMs: number): UserTable {
  return {
    id: newId('user'),
    accountId,
    email: user.email.toLowerCase(),
    passwordHash: user.passwordHash,
    role: user.role ?? 'USER',
    emailVerifiedAt: user.verified ? nowMs : null,
    totpSecret: null,
    totpEnabledAt: null,
    totpLastStep: null,
    sessionGeneration: 0,
    createdAt: nowMs,
    language: user.language ?? null,
    access: user.access ?? null,
  };
}

export function newAccountRow(name: string, nowMs: number, plan: AccountTable['plan'] = 'STARTER'): AccountTable {
  return {
    id: newId('acc'),
    name,
    plan,
    timezone: 'UTC',
    defaultCampaignId: null,
    overageEnabled: 0,
    billingCustomerId: null,
    retentionDays: null,
    setup: null,
    destinations: null,
    spendLimits: null,
    createdAt: nowMs,
  };
}

/** Writes an account with its first user. @throws {ApiError} 409 if the e-mail is taken */
export async function createAccount(
  tx: Db,
  accountName: string,
  user: NewUser,
  nowMs: number,
): Promise<{ account: AccountTable; user: UserTable }> {
  const account = newAccountRow(accountName, nowMs);
  await insertAccount(tx, account);
  return { account, user: await addUser(tx, account.id, user, nowMs) };
}

/** Writes a user, in place of an invitation to the address. @throws {ApiError} 409 if the e-mail is taken */
export async function addUser(tx: Db, accountId: string, user: NewUser, nowMs: number): Promise<UserTable> {
  await refuseTaken(tx, user.email);
  await replaceInvitation(tx, user.email, nowMs);
  const row = newUserRow(accountId, user, nowMs);
  await insertUser(tx, row);
  return row;
}

async function refuseTaken(db: Db, email: string): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (user && !isInvited(user)) throw refused('EMAIL_TAKEN', 'An account with this email already exists');
}

/** Invited without having accepted: nobody has proved to own the address. */
const isInvited = (user: UserTable): boolean => user.passwordHash === null && user.emailVerifiedAt === null;

/** An invitation does not reserve its address: the owner's registration ends it. */
async function replaceInvitation(tx: Db, email: string, nowMs: number): Promise<void> {
  const user = await findUserByEmail(tx, email);
  if (user && isInvited(user)) await deleteUser(tx, user.accountId, user.id, nowMs);
}

export async function register(
  context: ApiContext,
  body: { email: string; password: string; accountName?: string },
  { ip, language }: { ip: string; language: MailLanguage | null },
): Promise<User> {
  if (context.config.registration === 'invite' || context.config.signInProvider?.isOnly)
    throw refused('REGISTRATION_CLOSED', 'Registration is by invitation only');
  // Checked before the expensive hash, and again in the transaction, which decides.
  await refuseTaken(context.read, body.email);
  await countRegistration(context, ip);
  const passwordHash = await context.passwords.hashLast(body.password);
  const nowMs = context.now();
  const mayPost = await mayMail(context, 'verify', body.email.toLowerCase());
  const { account, user } = await context.db.transaction().execute(async (tx) => {
    const name = body.accountName ?? body.email.toLowerCase();
    const created = await createAccount(tx, name, { email: body.email, passwordHash, language }, nowMs);
    if (mayPost) await postVerification(context, tx, created.user, language);
    return created;
  });
  await context.mail.wake();
  context.log.info({ userId: user.id, accountId: account.id }, 'an account was registered');
  return userRecord(user, account.plan);
}

async function postVerification(
  context: ApiContext,
  tx: Db,
  user: UserTable,
  asked: MailLanguage | null,
): Promise<void> {
  const token = await issueLink(context, tx, 'verify-email', user.id, VERIFICATION_LIFETIME_MS);
  const language = asked ?? mailLanguage(user.language) ?? 'en';
  const mail = verificationMail(user.email, language, context.publicUrl(), token);
  await context.mail.post(tx, mail, VERIFICATION_LIFETIME_MS);
}

async function issueLink(
  context: ApiContext,
  db: Db,
  kind: 'verify-email' | 'invite',
  userId: string,
  lifetimeMs: number,
): Promise<string> {
  const token = randomToken('');
  const nowMs = context.now();
  const { appEnv } = context.config;
  await expireOneTimeTokens(db, { kind, appEnv }, userId, nowMs);
  await insertOneTimeToken(db, {
    tokenHash: hashToken(token),
    kind,
    userId,
    tries: 0,
    expiresAt: nowMs + lifetimeMs,
    usedAt: null,
    createdAt: nowMs,
    appEnv,
  });
  return token;
}

/** Another verification mail; the answer does not reveal whether the address is known or verified. */
export async function resendVerification(
  context: ApiContext,
  email: string,
  language: MailLanguage | null,
): Promise<void> {
  if (!(await mayMail(context, 'verify', email.toLowerCase()))) return;
  const user = await findUserByEmail(context.read, email);
  if (!user || user.emailVerifiedAt !== null || user.passwordHash === null) return;
  await context.db.transaction().execute((tx) => postVerification(context, tx, user, language));
  await context.mail.wake();
}

export async function verifyEmail(context: ApiContext, token: string): Promise<void> {
  const nowMs = context.now();
  const tokenHash = hashToken(token);
  const kind = { kind: 'verify-email', appEnv: context.config.appEnv } as const;
  await context.db.transaction().execute(async (tx) => {
    const row = await findOneTimeToken(tx, kind, tokenHash, nowMs);
    if (!row || !(await useOneTimeToken(tx, tokenHash, nowMs)))
      throw refused('INVALID_VERIFICATION_TOKEN', WRONG_TOKEN);
    await updateUser(tx, row.userId, { emailVerifiedAt: nowMs });
  });
}

/** `file`: mails wait in a folder that no page of the dashboard shows. */
export function deliveryOf({ config }: Pick<ApiContext, 'config'>): 'mail' | 'file' {
  return config.smtpUrl === null ? 'file' : 'mail';
}

/**
 * Adds a user to an account and mails the link that sets the password. A second invitation before the first is accepted
 * sends a new link; another account may invite the address after the link has expired.
 * @throws {ApiError} 409 if the e-mail is taken, 429 after too many invitations
 */
export async function inviteUser(
  context: ApiContext,
  accountId: string,
  email: string,
  language: MailLanguage = 'en',
): Promise<InvitedUser> {
  const nowMs = context.now();
  const { account, user, token } = await context.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, accountId);
    if (!account) throw new Error(`account ${accountId} is gone`);
    const known = await findUserByEmail(tx, email);
    const isOurs = known?.accountId === accountId;
    if (known && !(isInvited(known) && (isOurs || !(await hasLiveToken(tx, 'invite', known.id, nowMs))))) {
      throw refused('EMAIL_TAKEN', 'An account with this email already exists');
    }
    await countInvitation(tx, accountId, email, nowMs);
    if (!isOurs) await replaceInvitation(tx, email, nowMs);
    const user = known && isOurs ? known : newUserRow(accountId, { email, passwordHash: null, language }, nowMs);
    if (user !== known) await insertUser(tx, user);
    const token = await issueLink(context, tx, 'invite', user.id, INVITATION_LIFETIME_MS);
    const parts = { publicUrl: context.publicUrl(), token, accountName: account.name };
    await context.mail.post(tx, invitationMail(user.email, language, parts));
    return { account, user, token };
  });
  await context.mail.wake();
  const delivery = deliveryOf(context);
  // A mail server proves that the address is theirs; a file that nobody reads only keeps two people waiting.
  const inviteUrl = delivery === 'file' ? invitationUrl(context.publicUrl(), token) : null;
  return { ...userRecord(user, account.plan), delivery, inviteUrl };
}

/** The link of an invitation: sets the password and verifies the address. */
export async function acceptInvite(context: ApiContext, token: string, password: string): Promise<User> {
  const tokenHash = hashToken(token);
  const kind = { kind: 'invite', appEnv: context.config.appEnv } as const;
  if (!(await findOneTimeToken(context.read, kind, tokenHash, context.now())))
    throw refused('INVALID_VERIFICATION_TOKEN', WRONG_TOKEN);
  const passwordHash = await context.passwords.hash(password);
  const nowMs = context.now();
  return context.db.transaction().execute(async (tx) => {
    const row = await findOneTimeToken(tx, kind, tokenHash, nowMs);
    if (!row || !(await useOneTimeToken(tx, tokenHash, nowMs)))
      throw refused('INVALID_VERIFICATION_TOKEN', WRONG_TOKEN);
    await updateUser(tx, row.userId, { passwordHash, emailVerifiedAt: nowMs });
    const user = await findUserById(tx, row.userId);
    const account = user && (await findAccount(tx, user.accountId));
    if (!user || !account) throw refused('INVALID_VERIFICATION_TOKEN', WRONG_TOKEN);
    return userRecord(user, account.plan);
  });
}
