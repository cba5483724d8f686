// Two-factor authentication: set-up, the second step of a login, recovery codes. Each code is valid once.
import { countTry, findOneTimeToken, useOneTimeToken } from '../../db/queries/accounts/one-time-tokens.ts';
import {
  findUserById,
  replaceRecoveryCodes,
  updateUser,
  useRecoveryCode,
  useTotpStep,
} from '../../db/queries/accounts/users.ts';
import type { UserTable } from '../../db/schema/users.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { type ApiError, refused } from '../frame/errors.ts';
import { beginSecondFactor, forgiveSecondFactor } from './lockout.ts';
import type { Session } from './schema.ts';
import { hashToken, sealCode } from './secrets.ts';
import type { SessionTokens } from './session-tokens.ts';
import { type Device, noteSignIn, startSession } from './sessions.ts';
import {
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
  plainRecoveryCode,
  sealTotpSecret,
  totpStep,
  unsealTotpSecret,
} from './totp.ts';

const PENDING_TRIES_MAX = 5;
const WRONG_PENDING = 'Invalid or expired code';
const WRONG_CODE = 'Invalid code';

export async function requireUser(context: ApiContext, auth: Auth): Promise<UserTable> {
  const user = await findUserById(context.read, auth.userId);
  if (!user) throw refused('TOKEN_REVOKED', 'Token has been revoked');
  return user;
}

/** Creates a secret, which takes effect when `enable` gets a code of it. */
export async function setUpSecondFactor(
  context: ApiContext,
  auth: Auth,
): Promise<{ secret: string; otpauthUrl: string }> {
  const user = await requireUser(context, auth);
  if (user.totpEnabledAt !== null) throw refused('TWO_FACTOR_ENABLED', 'Two-factor authentication is already enabled');
  const secret = newTotpSecret();
  await updateUser(context.db, user.id, {
    totpSecret: sealTotpSecret(context.secretKey, user.id, secret),
    totpLastStep: null,
  });
  return { secret, otpauthUrl: otpauthUrl(user.email, secret) };
}

export async function enableSecondFactor(context: ApiContext, auth: Auth, code: string): Promise<string[]> {
  const user = await requireUser(context, auth);
  if (user.totpEnabledAt !== null) throw refused('TWO_FACTOR_ENABLED', 'Two-factor authentication is already enabled');
  if (user.totpSecret === null) throw refused('TWO_FACTOR_NOT_SET_UP', 'Two-factor authentication has not been set up');
  await beginSecondFactor(context, user.id);
  const codes = newRecoveryCodes();
  const enabled = await context.db.transaction().execute(async (tx) => {
    if (!(await useTotp(context, tx, user, code))) return false;
    await replaceRecoveryCodes(
      tx,
      user.id,
      codes.map((plain) => sealRecoveryCode(context, user.id, plain)),
    );
    await updateUser(tx, user.id, { totpEnabledAt: context.now() });
    return true;
  });
  if (!enabled) throw refused('INVALID_CODE', WRONG_CODE);
  await forgiveSecondFactor(context, user.id);
  return codes;
}

export async function disableSecondFactor(
  context: ApiContext,
  auth: Auth,
  body: { password: string; code: string },
): Promise<void> {
  const user = await requireUser(context, auth);
  if (user.totpEnabledAt === null) throw refused('TWO_FACTOR_NOT_ENABLED', 'Two-factor authentication is not enabled');
  await beginSecondFactor(context, user.id);
  // Of a user whom the identity provider made the code is all that there is.
  if (user.passwordHash !== null && !(await context.passwords.verify(user.passwordHash, body.password)))
    throw refused('INVALID_PASSWORD', 'Invalid password');
  await context.db.transaction().execute(async (tx) => {
    if (!(await useCode(context, tx, user, body.code))) throw refused('INVALID_CODE', WRONG_CODE);
    await updateUser(tx, user.id, { totpSecret: null, totpEnabledAt: null, totpLastStep: null });
    await replaceRecoveryCodes(tx, user.id, []);
  });
  await forgiveSecondFactor(context, user.id);
}

/** The second step of a login. */
export async function verifySecondFactor(
  context: ApiContext,
  tokens: SessionTokens,
  body: { pendingToken: string; code: string },
  device: Device,
): Promise<Session> {
  const tokenHash = hashToken(body.pendingToken);
  const pending = await findOneTimeToken(
    context.read,
    { kind: 'pending-2fa', appEnv: context.config.appEnv },
    tokenHash,
    context.now(),
  );
  const user = pending && (await findUserById(context.read, pending.userId));
  if (!user) throw refused('SECOND_FACTOR_FAILED', WRONG_PENDING);
  await beginSecondFactor(context, user.id);
  const outcome = await context.db.transaction().execute(async (tx): Promise<ApiError | null> => {
    // Returned, not thrown: the try must stay counted.
    if (!(await countTry(tx, tokenHash, PENDING_TRIES_MAX))) return refused('SECOND_FACTOR_FAILED', WRONG_PENDING);
    if (!(await useCode(context, tx, user, body.code))) return refused('SECOND_FACTOR_FAILED', WRONG_PENDING);
    return (await useOneTimeToken(tx, tokenHash, context.now()))
      ? null
      : refused('SECOND_FACTOR_FAILED', WRONG_PENDING);
  });
  if (outcome !== null) {
    await noteSignIn(context, 'signInRefused', user, device.address);
    throw outcome;
  }
  await forgiveSecondFactor(context, user.id);
  return startSession(context, tokens, user, device, pending.provider);
}

async function useCode(context: ApiContext, tx: Db, user: UserTable, code: string): Promise<boolean> {
  if (await useTotp(context, tx, user, code)) return true;
  const codeHash = sealRecoveryCode(context, user.id, code);
  return useRecoveryCode(tx, user.id, codeHash, context.now());
}

async function useTotp(context: ApiContext, tx: Db, user: UserTable, code: string): Promise<boolean> {
  if (user.totpSecret === null) return false;
  const secret = unsealTotpSecret(context.secretKey, user.id, user.totpSecret);
  const step = totpStep(secret, code.replace(/\s/g, ''), context.now());
  return step !== null && (await useTotpStep(tx, user.id, step));
}

const sealRecoveryCode = (context: ApiContext, userId: string, code: string): string =>
  sealCode(context.secretKey, `recovery:${userId}`, plainRecoveryCode(code));
