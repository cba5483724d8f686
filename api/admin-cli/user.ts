// Creates users as verified, because the operator vouches for the address; resets passwords and ends all sessions.

import { revokeAccessTokens } from '../../db/queries/accounts/access-tokens.ts';
import { findAccount } from '../../db/queries/accounts/accounts.ts';
import { revokeSessions } from '../../db/queries/accounts/sessions.ts';
import { findUserByEmail, updateUser } from '../../db/queries/accounts/users.ts';
import type { UserTable } from '../../db/schema/users.ts';
import type { Db } from '../../db/schema.ts';
import { LIMITED_ACCESS } from '../../db/shared/secrets/token-scopes.ts';
import { generatePassword } from '../auth/generated-password.ts';
import { addUser, createAccount, type NewUser } from '../auth/registration.ts';
import { notFound } from '../frame/errors.ts';
import { type Command, print, readArguments, requireText, standardInput, UsageError } from './command.ts';

const PASSWORD_OPTION = `  --password-stdin   read the password (12 to 128 characters) from standard input; default: one is generated`;

export const userCreate: Command = {
  name: 'user create',
  usage: `user create --email EMAIL [--admin] [--account-name NAME | --account ACC_ID] [--password-stdin]
  --admin            role ADMIN (of the installation); default USER
  --account-name     name of the new account; default the e-mail
  --account          add the user to this account instead of a new one
${PASSWORD_OPTION}`,
  async run(args, context) {
    const { values } = readArguments(args, {
      email: { type: 'string' },
      admin: { type: 'boolean' },
      account: { type: 'string' },
      'account-name': { type: 'string' },
      'password-stdin': { type: 'boolean' },
    });
    const email = requireText(values.email, 'email').toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`"${email}" is not an e-mail address`);
    const password = await newPassword(values['password-stdin'] === true);
    const user = {
      email,
      passwordHash: await context.passwords.hash(password.text),
      role: values.admin ? ('ADMIN' as const) : ('USER' as const),
      verified: true,
    };
    const name = typeof values['account-name'] === 'string' ? values['account-name'] : email;
    const row = await context.db.transaction().execute(async (tx) => {
      if (typeof values.account === 'string') return addToAccount(tx, values.account, user, context.now());
      return (await createAccount(tx, name, user, context.now())).user;
    });
    print(`created ${row.id} ${row.email} ${row.role} in ${row.accountId}`);
    if (password.generated) print(`password ${password.text}`);
  },
};

async function addToAccount(tx: Db, accountId: string, user: NewUser, nowMs: number): Promise<UserTable> {
  if (!(await findAccount(tx, accountId))) throw notFound('Account');
  return addUser(tx, accountId, user, nowMs);
}

export const userResetPassword: Command = {
  name: 'user reset-password',
  usage: `user reset-password --email EMAIL [--password-stdin] [--disable-2fa]
  --disable-2fa      also ends two-factor authentication, for users without device and recovery codes
${PASSWORD_OPTION}`,
  async run(args, context) {
    const { values } = readArguments(args, {
      email: { type: 'string' },
      'password-stdin': { type: 'boolean' },
      'disable-2fa': { type: 'boolean' },
    });
    const user = await findUserByEmail(context.read, requireText(values.email, 'email'));
    if (!user) throw notFound('User');
    const password = await newPassword(values['password-stdin'] === true);
    const passwordHash = await context.passwords.hash(password.text);
    const nowMs = context.now();
    await context.db.transaction().execute(async (tx) => {
      await updateUser(tx, user.id, {
        passwordHash,
        emailVerifiedAt: user.emailVerifiedAt ?? nowMs,
        ...(values['disable-2fa'] ? { totpSecret: null, totpEnabledAt: null, totpLastStep: null } : {}),
      });
      await revokeSessions(tx, user.id, nowMs);
      await revokeAccessTokens(tx, { accountId: user.accountId, userId: user.id }, nowMs);
    });
    print(`password of ${user.email} reset, all sessions and personal tokens ended`);
    if (password.generated) print(`password ${password.text}`);
  },
};

const ACCESS = [...LIMITED_ACCESS, 'admin'] as const;

export const userAccess: Command = {
  name: 'user access',
  usage: `user access --email EMAIL --access ${ACCESS.join('|')}
  what the user may do in the account, at once; personal tokens end. With an identity provider, until the next sign-in`,
  async run(args, context) {
    const { values } = readArguments(args, { email: { type: 'string' }, access: { type: 'string' } });
    const user = await findUserByEmail(context.read, requireText(values.email, 'email'));
    if (!user) throw notFound('User');
    const given = ACCESS.find((each) => each === values.access);
    if (given === undefined) throw new UsageError(`--access must be one of ${ACCESS.join(', ')}`);
    if (user.role === 'ADMIN' && given !== 'admin') throw new UsageError('an ADMIN of the installation has no limit');
    const access = LIMITED_ACCESS.find((each) => each === given) ?? null;
    const { id: userId, accountId } = user;
    await context.db.transaction().execute(async (tx) => {
      await updateUser(tx, userId, { access });
      await revokeAccessTokens(tx, { accountId, userId }, context.now());
    });
    print(`${user.email} is ${given} of ${accountId}`);
  },
};

/** From standard input, never from an argument: arguments are seen in process lists and shell histories. */
async function newPassword(fromStdin: boolean): Promise<{ text: string; generated: boolean }> {
  if (!fromStdin) return { text: generatePassword(), generated: true };
  const text = await standardInput();
  if (text.length < 12 || text.length > 128) throw new UsageError('a password has 12 to 128 characters');
  return { text, generated: false };
}
