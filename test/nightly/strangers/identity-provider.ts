// Sign-in by a provider that others wrote, Glewlwyd, set up as docs/sign-in.md says: a code with PKCE, roles by groups,
// somebody who is not let in, keys that were replaced, and the sign-out. Prints what it saw; not part of `npm test`.
//
//   node supervise.mjs run test/nightly/strangers/identity-provider.ts [PART]
import { Rest } from '../../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../../bench/rig/service/service.ts';
import { expect, runTrial, saw, type TrialPart } from '../trial.ts';
import { CLIENT, Glewlwyd, missingGlewlwyd } from './glewlwyd.ts';

interface House {
  provider: Glewlwyd;
  service: Service;
  rest: Rest;
}

const parts: Array<TrialPart<House>> = [
  { name: 'roles', run: roles },
  { name: 'refused', run: refused },
  { name: 'keys', run: keys },
  { name: 'sign-out', run: signOut },
  { name: 'away', run: away },
];

type Signed = Awaited<ReturnType<typeof signIn>>;

async function signIn({ provider, rest }: House, username: string) {
  const { url, proof } = await rest.must('POST', '/auth/provider/begin', {});
  const answer = await provider.answerTo(url, username);
  return rest.request('POST', '/auth/provider/finish', { answer, proof });
}

const told = ({ status, body }: Signed): string => (status === 200 ? '200' : `${status} ${body.code}`);

async function roles(house: House): Promise<void> {
  for (const [username, access, role] of [
    ['vera', 'viewer', 'USER'],
    ['otto', 'operator', 'USER'],
    ['ada', 'admin', 'ADMIN'],
  ] as const) {
    const signed = await signIn(house, username);
    const { user } = signed.body.data ?? {};
    saw(`${username}: ${told(signed)}, ${user?.email}, ${user?.access}, ${user?.role}`);
    expect(user?.access === access && user.role === role, 'another role than that of the groups');
  }
}

async function refused(house: House): Promise<void> {
  const stranger = await signIn(house, 'mallory');
  saw(`in none of the groups: ${told(stranger)}`);
  expect(stranger.status === 403, 'somebody of no group is let in');
  const { url, proof } = await house.rest.must('POST', '/auth/provider/begin', {});
  const answer = await house.provider.answerTo(url, 'vera');
  const other = await house.rest.must('POST', '/auth/provider/begin', {});
  const mixed = await house.rest.request('POST', '/auth/provider/finish', { answer, proof: other.proof });
  saw(`the code of another browser: ${told(mixed)}`);
  expect(mixed.status === 401, 'a code is taken with the proof of another sign-in');
  const bent = answer.replace(/code=[^&]{8}/, 'code=AAAAAAAA');
  const wrong = await house.rest.request('POST', '/auth/provider/finish', { answer: bent, proof });
  saw(`a code that was never given: ${told(wrong)}`);
  expect(wrong.status === 401 || wrong.status === 403, 'a code that was never given is taken');
}

async function keys(house: House): Promise<void> {
  await house.provider.replaceKeys();
  const signed = await signIn(house, 'vera');
  saw(`after its keys were replaced: ${told(signed)}`);
  expect(signed.status === 200, 'replaced keys are an obstacle');
}

async function signOut(house: House): Promise<void> {
  const { signOutUrl } = (await signIn(house, 'vera')).body.data;
  expect(signOutUrl !== undefined, 'no address of a sign-out');
  const { status, headers } = await fetch(signOutUrl ?? '', { redirect: 'manual' });
  saw(`its sign-out: ${status}, ${headers.get('location')?.replace(/sid=\w+/, 'sid=…')}`);
  expect(/prompt=end_session/.test(headers.get('location') ?? ''), 'it does not ask whether to sign out');
}

async function away(house: House): Promise<void> {
  const { url, proof } = await house.rest.must('POST', '/auth/provider/begin', {});
  const answer = await house.provider.answerTo(url, 'vera');
  await house.provider.stop();
  const signed = await house.rest.request('POST', '/auth/provider/finish', { answer, proof });
  saw(`while it is down: ${told(signed)}`);
  expect(signed.status === 503, 'a provider that is down is told as something else');
}

if (missingGlewlwyd) saw(`skip: ${missingGlewlwyd}`);
else {
  const provider = await Glewlwyd.start();
  const service = await startService({
    ...{ ...CLIENT, OIDC_ISSUER: provider.issuer, OIDC_NAME: 'Glewlwyd', OIDC_SCOPES: 'openid', OIDC_TRUST_EMAIL: '1' },
    OIDC_SIGN_OUT: '1',
    OIDC_ROLES: 'readers=viewer,desk=operator,root=installation-admin',
  });
  try {
    await provider.register(`${service.apiUrl}/signed-in`, `${service.apiUrl}/`);
    for (const [username, groups] of [
      ['vera', ['readers']],
      ['otto', ['readers', 'desk']],
      ['ada', ['root', 'elsewhere']],
      ['mallory', ['strangers']],
    ] as const)
      await provider.addPerson(username, [...groups]);
    const house = { provider, service, rest: new Rest(service) };
    process.exitCode = (await runTrial(parts, house, process.argv[2])) === 0 ? 0 : 1;
  } finally {
    await service.stop();
    await provider.stop();
  }
}
