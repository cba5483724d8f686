// Forgotten passwords: a code of six digits by mail. Neither the answers nor their timing reveal whether an address is
// known.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { revokeAccessTokens } from '../../db/queries/accounts/access-tokens.ts';
import {
  countTry,
  expireOneTimeTokens,
  findNewestOneTimeToken,
  insertOneTimeToken,
  useOneTimeToken,
} from '../../db/queries/accounts/one-time-tokens.ts';
import { revokeSessions } from '../../db/queries/accounts/sessions.ts';
import { findUserByEmail, updateUser } from '../../db/queries/accounts/users.ts';
import type { UserTable } from '../../db/schema/users.ts';
import type { ApiContext } from '../context.ts';
import { refused } from '../frame/errors.ts';
import { type MailLanguage, mailLanguage } from '../mail/mail-language.ts';
import { beginReset, cancelReset, mayMail } from './lockout.ts';
import { resetMail } from './mails.ts';
import { randomDigits, randomToken, sameText, sealCode } from './secrets.ts';

const CODE_LIFETIME_MS = 15 * MINUTE_MS;
const CODE_TRIES_MAX = 5;
const WRONG_CODE = 'Invalid or expired reset code';
/** Duration of the answer to known and unknown addresses; writing a code and a mail takes far less. */
const ANSWER_AFTER_MS = 150;

export async function forgotPassword(context: ApiContext, email: string, language: MailLanguage | null): Promise<void> {
  const even = new Promise<void>((resolve) => setTimeout(resolve, ANSWER_AFTER_MS));
  const allowed = await mayMail(context, 'reset', email.toLowerCase());
  const user = allowed ? await findUserByEmail(context.read, email) : undefined;
  if (user && !isOfProvider(context, user)) {
    await sendCode(context, user, language ?? mailLanguage(user.language) ?? 'en').catch((error: unknown) => {
      context.log.error({ err: error, userId: user.id }, 'could not mail the reset code');
    });
  }
  await even;
}

/** Made by the identity provider: a password that was got by mail would outlast its word. */
const isOfProvider = ({ config }: ApiContext, { passwordHash, emailVerifiedAt }: UserTable): boolean =>
  config.signInProvider !== null && passwordHash === null && emailVerifiedAt !== null;

async function sendCode(context: ApiContext, user: UserTable, language: MailLanguage): Promise<void> {
  const code = randomDigits(6);
  const nowMs = context.now();
  const nonce = randomToken('');
  const { appEnv } = context.config;
  await context.db.transaction().execute(async (tx) => {
    await expireOneTimeTokens(tx, { kind: 'reset', appEnv }, user.id, nowMs);
    await insertOneTimeToken(tx, {
      // Two users may get the same digits, so the row's key begins with a nonce.
      tokenHash: `${nonce}.${sealCode(context.secretKey, nonce, code)}`,
      kind: 'reset',
      userId: user.id,
      tries: 0,
      expiresAt: nowMs + CODE_LIFETIME_MS,
      usedAt: null,
      createdAt: nowMs,
      appEnv,
    });
    await context.mail.post(tx, resetMail(user.email, language, code), CODE_LIFETIME_MS);
  });
  await context.mail.wake();
}

/**
 * Sets a new password and ends all sessions and personal tokens, access tokens at once. @throws {ApiError} 429 after
 * too many wrong codes
 */
export async function resetPassword(
  context: ApiContext,
  body: { email: string; code: string; newPassword: string },
  ip: string,
): Promise<void> {
  await beginReset(context, body.email, ip);
  const user = await findUserByEmail(context.read, body.email);
  const tokenHash = user && (await checkCode(context, user.id, body.code.trim()));
  if (!user || tokenHash == null) throw refused('INVALID_RESET_CODE', WRONG_CODE);
  await cancelReset(context, body.email, ip);
  const passwordHash = await context.passwords.hash(body.newPassword);
  const nowMs = context.now();
  await context.db.transaction().execute(async (tx) => {
    if (!(await useOneTimeToken(tx, tokenHash, nowMs))) throw refused('INVALID_RESET_CODE', WRONG_CODE);
    // The code from the mail has verified the address.
    await updateUser(tx, user.id, { passwordHash, emailVerifiedAt: user.emailVerifiedAt ?? nowMs });
    await revokeSessions(tx, user.id, nowMs);
    // Another person may have created them before the owner regained access.
    await revokeAccessTokens(tx, { accountId: user.accountId, userId: user.id }, nowMs);
  });
  context.log.info({ userId: user.id }, 'password reset');
}

/** The key of the code's row when it is the right one; each call counts as a try. */
async function checkCode(context: ApiContext, userId: string, code: string): Promise<string | null> {
  const kind = { kind: 'reset', appEnv: context.config.appEnv } as const;
  const row = await findNewestOneTimeToken(context.db, kind, userId, context.now());
  if (!row || !(await countTry(context.db, row.tokenHash, CODE_TRIES_MAX))) return null;
  const nonce = row.tokenHash.split('.', 1)[0] ?? '';
  return sameText(row.tokenHash, `${nonce}.${sealCode(context.secretKey, nonce, code)}`) ? row.tokenHash : null;
}
