// The environment's words about the identity provider: mistakes that would let strangers in end the start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessOf, readSignInProvider, roleOf } from '../../../../api/auth/provider/settings.ts';

const GIVEN = { OIDC_ISSUER: 'https://id.example.com/realms/main', OIDC_CLIENT_ID: 'voice', OIDC_ROLES: 'a=viewer' };
const read = (more: Record<string, string> = {}, appEnv = 'production') =>
  readSignInProvider({ ...GIVEN, ...more }, appEnv);

test('without an issuer there is no provider; with one the least is given', () => {
  assert.equal(readSignInProvider({}, 'production'), null);
  const settings = read();
  assert.ok(settings);
  assert.deepEqual(
    [settings.defaultRole, settings.mayLinkByEmail, settings.trustsEmail, settings.isOnly, settings.sessionHours],
    [null, false, false, false, 12],
  );
});

test('an issuer keeps the slash at its end, by which its tokens are compared', () => {
  assert.equal(read({ OIDC_ISSUER: 'https://org.auth.example.com/' })?.issuer, 'https://org.auth.example.com/');
});

for (const [variable, more] of [
  ['OIDC_CLIENT_ID', { OIDC_CLIENT_ID: '' }],
  ['OIDC_ROLES', { OIDC_ROLES: '' }],
  ['OIDC_ROLES', { OIDC_ROLES: 'a=owner' }],
  ['OIDC_ROLES', { OIDC_ROLES: 'viewer' }],
  ['OIDC_ROLES', { OIDC_ROLES: '100%=viewer' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example.com' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'https://id.example.com?realm=main' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' }],
  ['OIDC_DOMAINS', { OIDC_ISSUER: 'https://accounts.google.com' }],
  ['OIDC_SCOPES', { OIDC_SCOPES: 'email profile' }],
  ['OIDC_SESSION_HOURS', { OIDC_SESSION_HOURS: '1000' }],
] as const)
  test(`${JSON.stringify(more)} is a mistake of ${variable}`, () => {
    assert.throws(() => read(more), new RegExp(`^ConfigError: ${variable}: `));
  });

test('a provider without TLS is one on this machine, in development', () => {
  const local = { OIDC_ISSUER: 'http://127.0.0.1:8080/realms/main' };
  assert.ok(read(local, 'development'));
  assert.throws(() => read(local), /https/);
});

test('of several groups the most counts; names are written as in an address', () => {
  const settings = read({ OIDC_ROLES: 'Team%2C%20north=operator, a=b=viewer ,CN%3Droot=installation-admin' });
  assert.ok(settings);
  assert.equal(roleOf(settings, ['Team, north', 'a=b']), 'operator');
  assert.equal(roleOf(settings, ['a=b', 'CN=root']), 'installation-admin');
  assert.equal(roleOf(settings, ['team, north', '']), null);
  assert.equal(roleOf({ ...settings, defaultRole: 'viewer' }, []), 'viewer');
  assert.deepEqual(accessOf('operator'), { role: 'USER', access: 'operator' });
  assert.deepEqual(accessOf('admin'), { role: 'USER', access: null });
  assert.deepEqual(accessOf('installation-admin'), { role: 'ADMIN', access: null });
});
