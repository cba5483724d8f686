// The user who somebody is whom the identity provider has signed in: known by the provider's own id of them, which is
// never given to another person; at the first time found by a verified address, or made, where the installation allows
// it. Their rights are taken from their groups anew each time.

import { EMAIL_CHARACTERS_MAX } from '../../../db/domain/email-address.ts';
import { revokeAccessTokens } from '../../../db/queries/accounts/access-tokens.ts';
import { findAccount } from '../../../db/queries/accounts/accounts.ts';
import { hasIdentity, identityOf, insertIdentity, touchIdentity } from '../../../db/queries/accounts/identities.ts';
import { revokeSessions } from '../../../db/queries/accounts/sessions.ts';
import {
  deleteRegistration,
  findUserByEmail,
  findUserById,
  firstAdminAccount,
  updateUser,
} from '../../../db/queries/accounts/users.ts';
import type { UserTable } from '../../../db/schema/users.ts';
import type { Db } from '../../../db/schema.ts';
import { addUser } from '../registration.ts';
import type { Claims } from './provider.ts';
import { accessOf, GOOGLE, type ProviderRole, roleOf, type SignInProviderSettings } from './settings.ts';

/** Somebody who is not let in; the message is for them. */
export class NotLetIn extends Error {}

const GROUPS_MAX = 2_000;
/** Looser than that of a body: a provider's directory has letters of any alphabet. */
const EMAIL = /^[^\s@<>\0]{1,64}@[^\s@<>\0]{1,189}$/;
/** OpenID Connect Core, 2. */
const SUBJECT = /^[^\p{Cc}]{1,255}$/u;

interface Known {
  user: UserTable;
  /** Whether the groups gave other rights than the last time. */
  isChanged: boolean;
  isNew: boolean;
}

/** The user, with the rights of now. @throws {NotLetIn} */
export async function personOf(
  tx: Db,
  settings: SignInProviderSettings,
  claims: Claims,
  nowMs: number,
): Promise<Known> {
  if (!SUBJECT.test(claims.sub)) throw new NotLetIn('The provider names you by an id that is none');
  const email = emailOf(settings, claims);
  refuseForeign(settings, claims, email);
  const role = roleOf(settings, groupsOf(settings, claims));
  if (role === null) throw new NotLetIn('None of your groups is let in here: ask the administrator');
  const { issuer } = settings;
  const identity = await identityOf(tx, issuer, claims.sub);
  const known = identity && (await findUserById(tx, identity.userId));
  if (identity !== undefined && known !== undefined) {
    await touchIdentity(tx, issuer, claims.sub, nowMs);
    return { ...(await withRights(tx, settings, known, role, nowMs)), isNew: false };
  }
  const user = await firstTime(tx, settings, email, role, nowMs);
  await insertIdentity(tx, { issuer, subject: claims.sub, userId: user.id, createdAt: nowMs, lastUsedAt: nowMs });
  return { ...(await withRights(tx, settings, user, role, nowMs)), isNew: true };
}

async function firstTime(
  tx: Db,
  settings: SignInProviderSettings,
  email: string | null,
  role: ProviderRole,
  nowMs: number,
): Promise<UserTable> {
  if (email === null) throw new NotLetIn('The provider does not say that your e-mail address is verified');
  const user = await findUserByEmail(tx, email);
  // An invitation that nobody has accepted proves nothing: `addUser` takes its place.
  if (user !== undefined && user.emailVerifiedAt !== null) {
    // An ADMIN's password is the way in while the provider is down, and no address opens the whole installation.
    if (!settings.mayLinkByEmail || user.role === 'ADMIN' || (await hasIdentity(tx, settings.issuer, user.id)))
      throw new NotLetIn('Somebody with your e-mail address is here already: ask the administrator');
    return taken(tx, user, nowMs);
  }
  if (!settings.mayCreate) throw new NotLetIn('You have no user here yet: ask the administrator');
  // Neither does a registration: a stranger could keep somebody out by their address.
  if (user !== undefined && user.passwordHash !== null) await deleteRegistration(tx, user, nowMs);
  const accountId = await homeAccount(tx, settings);
  if (accountId === undefined || (await findAccount(tx, accountId)) === undefined)
    throw new NotLetIn('The account that you would join does not exist: tell the administrator (OIDC_ACCOUNT)');
  return addUser(tx, accountId, { email, passwordHash: null, verified: true, ...accessOf(role) }, nowMs);
}

/**
 * The user is this person's from now on, and nobody else's: another may have registered the address, and had its owner
 * open the mailed link, to share what the owner's groups give.
 */
async function taken(tx: Db, user: UserTable, nowMs: number): Promise<UserTable> {
  await updateUser(tx, user.id, { passwordHash: null });
  await revokeSessions(tx, user.id, nowMs);
  await revokeAccessTokens(tx, { accountId: user.accountId, userId: user.id }, nowMs);
  return { ...user, passwordHash: null, sessionGeneration: user.sessionGeneration + 1 };
}

/** The account that the provider's people join. */
const homeAccount = async (tx: Db, { accountId }: SignInProviderSettings): Promise<string | undefined> =>
  accountId ?? (await firstAdminAccount(tx));

/** Tokens were made with the rights of before, and end where there are other ones now. */
async function withRights(
  tx: Db,
  settings: SignInProviderSettings,
  user: UserTable,
  given: ProviderRole,
  nowMs: number,
) {
  // An account with an ADMIN of the installation is the operator's own: none that only invited one becomes it.
  const isAtHome = given !== 'installation-admin' || user.accountId === (await homeAccount(tx, settings));
  const { role, access } = accessOf(isAtHome ? given : 'admin');
  if (user.role === role && user.access === access) return { user, isChanged: false };
  await updateUser(tx, user.id, { role, access });
  await revokeAccessTokens(tx, { accountId: user.accountId, userId: user.id }, nowMs);
  return { user: { ...user, role, access }, isChanged: true };
}

/** In lower case; null where it is not the person's own for sure. */
function emailOf({ trustsEmail }: SignInProviderSettings, claims: Claims): string | null {
  const { email, email_verified: verified } = claims;
  if (typeof email !== 'string' || email.length > EMAIL_CHARACTERS_MAX || !EMAIL.test(email)) return null;
  // Some send the word.
  const isVerified = verified === true || verified === 'true' || (verified === undefined && trustsEmail);
  return isVerified ? email.toLowerCase() : null;
}

/** Google names the organisation apart: anybody may have an account of their own by any address. */
function refuseForeign({ domains, issuer }: SignInProviderSettings, claims: Claims, email: string | null): void {
  if (domains.length === 0) return;
  const domain = issuer === GOOGLE ? claims.hd : email?.slice(email.lastIndexOf('@') + 1);
  if (typeof domain !== 'string' || !domains.includes(domain.toLowerCase()))
    throw new NotLetIn('People of your organisation are not let in here');
}

/** A list, or one name. */
function groupsOf({ groupsClaim }: SignInProviderSettings, claims: Claims): string[] {
  const given = claims[groupsClaim];
  const all = Array.isArray(given) ? given : [given];
  return all.slice(0, GROUPS_MAX).filter((each): each is string => typeof each === 'string');
}
