// Users who sign in like real ones: registered, verified by e-mail, with a password.
import assert from 'node:assert/strict';
import type { AnswerJson } from './answers.ts';
import type { Answer, TestApi } from './api.ts';

export const PASSWORD = 'correct horse battery';
let users = 0;

/** The token in the newest mail to the address. */
export function mailedToken(api: TestApi, email: string): string {
  const mail = api.mails.findLast(({ to }) => to === email.toLowerCase());
  const token = /\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  assert.ok(token, `no mail with a link to ${email}`);
  return token;
}

/** The six digits in the newest mail to the address. */
export function mailedCode(api: TestApi, email: string): string {
  const mail = api.mails.findLast(({ to }) => to === email.toLowerCase());
  const code = /^(\d{6})$/m.exec(mail?.text ?? '')?.[1];
  assert.ok(code, `no mail with a code to ${email}`);
  return code;
}

export async function registered(api: TestApi): Promise<{ email: string; userId: string }> {
  const email = `person${++users}-${process.pid}@example.com`;
  const answer = await api.ask('POST', '/auth/register', { email, password: PASSWORD });
  assert.equal(answer.status, 201, answer.text);
  return { email, userId: answer.json.data.user.id };
}

export async function verified(api: TestApi): Promise<{ email: string; userId: string }> {
  const user = await registered(api);
  const answer = await api.ask('POST', '/auth/verify-email', { token: mailedToken(api, user.email) });
  assert.equal(answer.status, 200, answer.text);
  return user;
}

export async function logIn(api: TestApi, email: string, password = PASSWORD, ip = '203.0.113.1') {
  const payload = { email, password };
  const answer = await api.inject({ method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress: ip });
  return answer as Answer<AnswerJson<'POST', '/auth/login'>>;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export async function signedIn(api: TestApi) {
  const user = await verified(api);
  const answer = await logIn(api, user.email);
  assert.equal(answer.status, 200, answer.text);
  const { token, refreshToken } = answer.json.data;
  return { ...user, token, refreshToken };
}
