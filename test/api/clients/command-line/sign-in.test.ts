// Signing in: a token is kept for its owner alone, and goes to its own service only.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { data, refusal } from '../typescript/answering.ts';
import { useConsole } from './console.ts';

const ME = { email: 'ada@example.com', role: 'USER' };
const { folder, run } = useConsole();
const file = join(folder, '.config/voicectl/profiles.json');

/** Answers all, and keeps which token went where. */
function service() {
  const seen: string[] = [];
  const answer = async (url: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization');
    seen.push(`${new URL(url).host} ${token}`);
    if (token === 'Bearer wrong') return refusal(401, 'INVALID_TOKEN');
    return url.includes('/auth/me') ? data(ME) : data([]);
  };
  return { seen, fetch: answer as typeof fetch };
}

test('a token is tried, then kept in a file that only its owner reads', async () => {
  const { fetch } = service();
  const wrong = await run(['login', '--url', 'https://a.example', '--token', 'wrong'], { fetch });
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /INVALID_TOKEN[\s\S]*new token/);
  assert.throws(() => statSync(file));
  const done = await run(['login', '--url', 'https://a.example'], { fetch, input: 'vcs_a\n' });
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /Signed in to https:\/\/a\.example as ada@example\.com, profile default/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const asked = await run(['login', '--url', 'https://b.example', '--profile', 'b'], { fetch, answers: ['vcs_b'] });
  assert.equal(asked.code, 0);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).profiles.b.token, 'vcs_b');
});

test('each service gets its own token, and an unknown one none', async () => {
  const { fetch, seen } = service();
  const show = (...more: string[]) => run(['calls', 'show', 'call_1', '--json', ...more], { fetch });
  await show();
  await show('--profile', 'default');
  await show('--url', 'https://a.example/');
  assert.deepEqual(seen.splice(0), ['b.example Bearer vcs_b', 'a.example Bearer vcs_a', 'a.example Bearer vcs_a']);
  const other = await show('--url', 'https://evil.example');
  assert.deepEqual(seen, []);
  assert.match(other.err, /no token for https:\/\/evil\.example/);
  await run(['calls', 'show', 'call_1'], {
    fetch,
    env: { VOICECTL_URL: 'https://c.example', VOICECTL_TOKEN: 'vcs_c' },
  });
  assert.deepEqual(seen, ['c.example Bearer vcs_c']);
});

test('profiles are listed, chosen and forgotten; their tokens are never shown', async () => {
  const { fetch } = service();
  const listed = await run(['profiles'], { fetch });
  assert.match(listed.out, /\* {2}b +https:\/\/b\.example/);
  assert.doesNotMatch(listed.out + (await run(['profiles', '--json'], { fetch })).out, /vcs_/);
  assert.equal((await run(['profiles', 'default'], { fetch })).code, 0);
  assert.equal((await run(['profiles', 'nobody'], { fetch })).code, 2);
  await run(['logout'], { fetch });
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles), ['b']);
  assert.equal((await run(['logout', '--profile', 'default'], { fetch })).code, 2);
});

test('without a sign-in it is said how to do it, and over http that it is not secret', async () => {
  const other = useConsole();
  const { fetch } = service();
  const none = await other.run(['calls', 'list'], { fetch });
  assert.deepEqual(
    [none.code, none.err.trim()],
    [2, 'Sign in first: voicectl login --url URL, or set VOICECTL_URL and VOICECTL_TOKEN'],
  );
  const plain = await other.run(['login', '--url', 'http://phone.example', '--token', 'vcs_x'], { fetch });
  assert.match(plain.err, /use https/);
});
