// Viewers and operators at every operation that is not a mere question: a new one is refused to both until it says
// otherwise, and stands here then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { updateUser } from '../../../db/queries/accounts/users.ts';
import type { LimitedAccess } from '../../../db/shared/secrets/token-scopes.ts';
import { endpoints } from '../../fixtures/endpoints.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

/** They ask, whatever their method is. */
const QUESTIONS = ['POST /campaigns/{id}/preview', 'POST /businesses/{id}/documents/search'];
const OF_CALLS = [
  ...['POST /calls', 'POST /calls/web', 'POST /calls/{id}/control', 'POST /calls/{id}/end', 'POST /calls/{id}/listen'],
  ...['POST /campaigns/{id}/start', 'POST /campaigns/{id}/pause', 'POST /campaigns/{id}/resume'],
];
const OF_EACH_DAY = [
  ...['POST /campaigns/{id}/contacts', 'DELETE /campaigns/{id}/contacts/{contactId}', 'POST /do-not-call'],
  ...['POST /conversations', 'PATCH /conversations/{id}', 'POST /conversations/{id}/messages'],
  ...[
    'POST /appointments',
    'PATCH /appointments/{id}',
    'PUT /calls/{id}/problems/{timestamp}',
    'DELETE /calls/{id}/problems/{timestamp}',
  ],
];
/** Everybody's own: sessions, second factor, password, the end of a token. */
const isOwn = (method: string, path: string): boolean =>
  path.startsWith('/auth/') && `${method} ${path}` !== 'POST /auth/tokens';

async function allowed(access: LimitedAccess): Promise<string[]> {
  const { token, userId } = await signedIn(api);
  await updateUser(api.context.db, userId, { access });
  const asked = endpoints.filter(
    ({ method, path, access: of }) => method !== 'GET' && of !== 'public' && !isOwn(method, path),
  );
  assert.ok(asked.length > 100);
  const taken: string[] = [];
  for (const { method, path, access: of } of asked) {
    const url = path.replace(/\{\w+\}/g, 'none');
    const { status, json } = await api.ask(method, url as '/none', method === 'DELETE' ? undefined : {}, bearer(token));
    if (status === 403) assert.ok(['INSUFFICIENT_PERMISSIONS', 'SESSION_REQUIRED'].includes(String(json.code)), url);
    else taken.push(`${method} ${path}`);
    assert.ok(of !== 'admin' || status === 403, `${method} ${path}: ${status}`);
  }
  return [...new Set(taken)];
}

test('a viewer asks, and changes nothing', async () => {
  assert.deepEqual((await allowed('viewer')).sort(), [...QUESTIONS].sort());
});

test('an operator reaches people and does the work of each day, and changes nothing else', async () => {
  assert.deepEqual((await allowed('operator')).sort(), [...QUESTIONS, ...OF_CALLS, ...OF_EACH_DAY].sort());
});
