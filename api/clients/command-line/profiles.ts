// Where a person is signed in: several profiles in a file that only its owner reads, or the environment. A token goes
// to the address that it was given for, and to no other.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from './failure.ts';

interface Profile {
  url: string;
  token: string;
}

interface Profiles {
  /** The name of the one that is used. */
  current: string | null;
  profiles: Record<string, Profile>;
}

export type Environment = Record<string, string | undefined>;

const SIGN_IN = 'Sign in first: voicectl login --url URL, or set VOICECTL_URL and VOICECTL_TOKEN';

/** Of this machine's user. */
export function profilesFile(env: Environment): string {
  const base = env.XDG_CONFIG_HOME || join(env.HOME ?? homedir(), '.config');
  return join(base, 'voicectl', 'profiles.json');
}

/** @throws {Failure} where the file cannot be read */
export function readProfiles(file: string): Profiles {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} };
    throw new Failure(`${file} cannot be read: ${(fault as Error).message}`);
  }
  try {
    const { current = null, profiles } = JSON.parse(text) as Partial<Profiles>;
    return { current, profiles: profiles ?? {} };
  } catch {
    throw new Failure(`${file} is no JSON any more: mend or delete it, and sign in again`);
  }
}

/** As a whole: a reader never sees half of it. */
export function writeProfiles(file: string, profiles: Profiles): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}

interface Wanted {
  url?: string | undefined;
  token?: string | undefined;
  profile?: string | undefined;
}

/** By the options, then the environment, then the profile. @throws {Failure} */
export function signedIn(wanted: Wanted, env: Environment): Profile {
  const { current, profiles } = readProfiles(profilesFile(env));
  const name = wanted.profile ?? env.VOICECTL_PROFILE ?? current;
  const named = wanted.profile ?? env.VOICECTL_PROFILE;
  const profile = name === null ? undefined : profiles[name];
  if (named !== undefined && profile === undefined) throw new Failure(`There is no profile ${named}. ${SIGN_IN}`);
  // A profile that was asked for counts more than the environment.
  const fromEnv = wanted.profile === undefined ? env : {};
  const url = wanted.url ?? fromEnv.VOICECTL_URL ?? fromEnv.SERVICE_URL ?? profile?.url;
  const given = wanted.token ?? fromEnv.VOICECTL_TOKEN ?? fromEnv.SERVICE_TOKEN;
  if (url === undefined) throw new Failure(SIGN_IN);
  const own = [profile, ...Object.values(profiles)].find((each) => each !== undefined && isSame(each.url, url));
  const token = given ?? own?.token;
  if (token === undefined) throw new Failure(`There is no token for ${url}. Sign in: voicectl login --url ${url}`);
  return { url, token };
}

const isSame = (a: string, b: string): boolean => a.replace(/\/$/, '') === b.replace(/\/$/, '');
