// The commands of signing in: login, logout, profiles.
import { createClient } from '../typescript/client.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import { profilesFile, readProfiles, writeProfiles } from './profiles.ts';

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/;

const login: Command = {
  name: 'login',
  about:
    'Signs in with a personal access token (dashboard: API keys), and keeps it for you alone. Without --token it is asked for, or read from the standard input.',
  isLocal: true,
  options: {},
  examples: [
    'voicectl login --url https://phone.example.com',
    'voicectl login --url https://staging.example.com --profile staging < token.txt',
  ],
  async run({ options, output, surroundings }) {
    const { env } = surroundings;
    const url = options.url ?? env.VOICECTL_URL;
    if (url === undefined) throw new Failure('Say where: voicectl login --url https://phone.example.com');
    const name = options.profile ?? 'default';
    const token = (options.token ?? env.VOICECTL_TOKEN ?? (await askToken(surroundings)) ?? '').trim();
    if (token === '') throw new Failure('There is no token: give one with --token, or on the standard input');
    const { email, role } = await createClient({
      url,
      token,
      fetch: surroundings.fetch,
    }).authentication.getCurrentUser();
    const file = profilesFile(env);
    const { profiles } = readProfiles(file);
    writeProfiles(file, { current: name, profiles: { ...profiles, [name]: { url, token } } });
    if (url.startsWith('http:') && !LOOPBACK.test(url))
      output.note('The token goes over the network unencrypted: use https');
    output.line(`Signed in to ${url} as ${email}${role === 'ADMIN' ? ' (ADMIN)' : ''}, profile ${name}`);
    output.json({ url, email, role, profile: name });
    return undefined;
  },
};

async function askToken({ ask, read }: Parameters<Command['run']>[0]['surroundings']): Promise<string | null> {
  return (await ask('Token: ', { isSecret: true })) ?? read();
}

const logout: Command = {
  name: 'logout',
  about: 'Forgets a profile. The token itself stays valid until it is revoked in the dashboard.',
  isLocal: true,
  examples: ['voicectl logout', 'voicectl logout --profile staging'],
  async run({ options, output, surroundings }) {
    const file = profilesFile(surroundings.env);
    const { current, profiles } = readProfiles(file);
    const name = options.profile ?? current;
    if (name === null || profiles[name] === undefined) throw new Failure(`There is no profile ${name ?? ''}`.trim());
    const { [name]: _, ...others } = profiles;
    writeProfiles(file, { current: name === current ? (Object.keys(others)[0] ?? null) : current, profiles: others });
    output.line(`Forgot ${name}`);
    output.json({ profile: name });
    return undefined;
  },
};

const profiles: Command = {
  name: 'profiles',
  about: 'Lists where you are signed in; with a NAME, goes on there.',
  args: [{ name: 'NAME', about: 'the profile to use from now on', isOptional: true }],
  isLocal: true,
  examples: ['voicectl profiles', 'voicectl profiles staging'],
  async run({ args, output, surroundings }) {
    const file = profilesFile(surroundings.env);
    const all = readProfiles(file);
    const { NAME: name } = args;
    if (name !== undefined && all.profiles[name] === undefined) throw new Failure(`There is no profile ${name}`);
    const current = name ?? all.current;
    if (name !== undefined) writeProfiles(file, { ...all, current });
    const entries = Object.entries(all.profiles);
    if (entries.length === 0) output.line('You are signed in nowhere: voicectl login --url URL');
    else
      output.table(
        ['', 'profile', 'service'],
        entries.map(([each, { url }]) => [each === current ? '*' : '', each, url]),
      );
    output.json(entries.map(([each, { url }]) => ({ profile: each, url, isCurrent: each === current })));
    return undefined;
  },
};

export const SIGN_IN: readonly Command[] = [login, logout, profiles];
