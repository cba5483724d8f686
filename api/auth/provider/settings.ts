// The identity provider of the installation (OpenID Connect), as the environment names it: where it is, who may come,
// and with which rights. One provider for all: no tenant names an address that this service then asks.
import { LIMITED_ACCESS, type LimitedAccess } from '../../../db/shared/secrets/token-scopes.ts';
import {
  ConfigError,
  type Environment,
  readChoice,
  readFlag,
  readInteger,
  readText,
  readUrl,
} from '../../../db/shared/settings/environment.ts';

/** `admin` of the account; `installation-admin` of everything. From the least to the most. */
const PROVIDER_ROLES = [...LIMITED_ACCESS, 'admin', 'installation-admin'] as const;
export type ProviderRole = (typeof PROVIDER_ROLES)[number];

export interface SignInProviderSettings {
  issuer: string;
  /** On the button of the sign-in page. */
  name: string;
  clientId: string;
  /** Null: a public client, whose proof is PKCE alone. */
  clientSecret: string | null;
  /** Separated by blanks. */
  scopes: string;
  groupsClaim: string;
  roles: ReadonlyMap<string, ProviderRole>;
  /** Of people in none of these groups; null: they are not let in. */
  defaultRole: ProviderRole | null;
  /** Whose people may come, by the domain of their mail address, in lower case; empty: all whom the provider knows. */
  domains: readonly string[];
  /** New people join this account; null: that of the installation's first ADMIN. */
  accountId: string | null;
  mayCreate: boolean;
  /** Whether a first sign-in may be that of a user who is here already, with the same address. */
  mayLinkByEmail: boolean;
  /** Addresses are taken for verified where the provider does not say. */
  trustsEmail: boolean;
  sessionHours: number;
  /** Passwords are for ADMINs of the installation alone. */
  isOnly: boolean;
  /** A sign-out here leads to the provider's. */
  signsOut: boolean;
}

/** Directories of Microsoft that are nobody's own. */
const EVERYBODYS = ['common', 'organizations', 'consumers'].map((name) => `https://login.microsoftonline.com/${name}/`);
const NAME_MAX = 40;
const ROLES_MAX = 200;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** @throws {ConfigError} */
export function readSignInProvider(environment: Environment, appEnv: string): SignInProviderSettings | null {
  const issuer = readIssuer(environment, appEnv);
  if (issuer === null) return null;
  const clientId = readText(environment, 'OIDC_CLIENT_ID', null);
  if (clientId === null) throw new ConfigError('OIDC_CLIENT_ID', 'is required with OIDC_ISSUER');
  const scopes = readText(environment, 'OIDC_SCOPES', 'openid email profile');
  if (!scopes.split(/ +/).includes('openid')) throw new ConfigError('OIDC_SCOPES', 'must name openid');
  const name = readText(environment, 'OIDC_NAME', 'your organisation');
  if (name.length > NAME_MAX) throw new ConfigError('OIDC_NAME', `has more than ${NAME_MAX} characters`);
  const roles = readRoles(environment);
  const fallback = readChoice(environment, 'OIDC_DEFAULT_ROLE', ['none', ...PROVIDER_ROLES], 'none');
  if (roles.size === 0 && fallback === 'none')
    throw new ConfigError('OIDC_ROLES', 'or OIDC_DEFAULT_ROLE is required with OIDC_ISSUER: nobody would have a role');
  return {
    issuer,
    name,
    clientId,
    clientSecret: readText(environment, 'OIDC_CLIENT_SECRET', null),
    scopes,
    groupsClaim: readText(environment, 'OIDC_GROUPS_CLAIM', 'groups'),
    roles,
    defaultRole: fallback === 'none' ? null : fallback,
    domains: readDomains(environment, issuer),
    accountId: readText(environment, 'OIDC_ACCOUNT', null),
    mayCreate: readFlag(environment, 'OIDC_CREATE_USERS', true),
    mayLinkByEmail: readFlag(environment, 'OIDC_LINK_BY_EMAIL', false),
    trustsEmail: readFlag(environment, 'OIDC_TRUST_EMAIL', false),
    sessionHours: readInteger(environment, 'OIDC_SESSION_HOURS', 12, { min: 1, max: 168 }),
    isOnly: readFlag(environment, 'OIDC_ONLY', false),
    signsOut: readFlag(environment, 'OIDC_SIGN_OUT', false),
  };
}

/** As it stands, also with a slash at its end: the provider's tokens repeat it to the letter. */
function readIssuer(environment: Environment, appEnv: string): string | null {
  const checked = readUrl(environment, 'OIDC_ISSUER', null, ['https', 'http']);
  if (checked === null) return null;
  const { protocol, hostname, search, hash, username } = new URL(checked);
  if (search !== '' || hash !== '' || username !== '')
    throw new ConfigError('OIDC_ISSUER', 'must have no query, no fragment and no user');
  if (protocol === 'http:' && (appEnv === 'production' || !LOOPBACK.includes(hostname)))
    throw new ConfigError(
      'OIDC_ISSUER',
      'must begin with https:// (http:// is for a provider on this machine, in development)',
    );
  if (EVERYBODYS.some((start) => checked.startsWith(start)))
    throw new ConfigError(
      'OIDC_ISSUER',
      'must name your own directory: by this one everybody at Microsoft would come in',
    );
  return readText(environment, 'OIDC_ISSUER', checked);
}

/** Google's provider knows everybody, also people whose address is one of yours and whose account is not. */
export const GOOGLE = 'https://accounts.google.com';

function readDomains(environment: Environment, issuer: string): string[] {
  const domains = readText(environment, 'OIDC_DOMAINS', '')
    .toLowerCase()
    .split(',')
    .map((domain) => domain.trim())
    .filter((domain) => domain !== '');
  if (issuer === GOOGLE && domains.length === 0)
    throw new ConfigError(
      'OIDC_DOMAINS',
      'is required with Google, where everybody has an account: name your own domain',
    );
  return domains;
}

/** `group=role`, separated by commas, the group encoded as in an address. */
function readRoles(environment: Environment): Map<string, ProviderRole> {
  const parts = readText(environment, 'OIDC_ROLES', '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length > ROLES_MAX) throw new ConfigError('OIDC_ROLES', `names more than ${ROLES_MAX} groups`);
  return new Map(parts.map((part) => readRole(part)));
}

function readRole(part: string): [group: string, role: ProviderRole] {
  const at = part.lastIndexOf('=');
  const role = PROVIDER_ROLES.find((each) => each === part.slice(at + 1).trim());
  const group = decoded(part.slice(0, Math.max(at, 0)).trim());
  if (role === undefined || group === '')
    throw new ConfigError('OIDC_ROLES', `"${part}" must be group=role, the role one of ${PROVIDER_ROLES.join(', ')}`);
  return [group, role];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError('OIDC_ROLES', `"${text}" has a % that is not one of an address: write it as %25`);
  }
}

/** The most that the groups give; null: nothing. */
export function roleOf({ roles, defaultRole }: SignInProviderSettings, groups: readonly string[]): ProviderRole | null {
  const given = groups.flatMap((group) => roles.get(group) ?? []);
  const best = given.reduce((most, each) => Math.max(most, PROVIDER_ROLES.indexOf(each)), -1);
  return PROVIDER_ROLES[best] ?? defaultRole;
}

export const accessOf = (role: ProviderRole): { role: 'USER' | 'ADMIN'; access: LimitedAccess | null } => ({
  role: role === 'installation-admin' ? 'ADMIN' : 'USER',
  access: LIMITED_ACCESS.find((limited) => limited === role) ?? null,
});
