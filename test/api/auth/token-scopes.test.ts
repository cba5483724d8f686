// Personal access tokens with fewer rights: what each scope may do, and when a token ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPersonalToken } from '../../../api/auth/personal-tokens.ts';
import { hashToken } from '../../../api/auth/secrets.ts';
import { bearer, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { makeWorld } from '../../../bench/rig/api/world.ts';
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { insertAccessToken } from '../../../db/queries/accounts/access-tokens.ts';
import { conversationWith } from '../../../db/queries/conversations/conversations.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

async function tokenOf(session: string, body: { scopes?: ('read' | 'call' | 'change')[]; expiresAt?: string }) {
  const answer = await api.ask('POST', '/auth/tokens', { name: 'CI', ...body }, bearer(session));
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data;
}

test('a token without scopes may read, call and change, as before', async () => {
  const { token: session } = await signedIn(api);
  const made = await tokenOf(session, {});
  assert.deepEqual(made.scopes, ['read', 'call', 'change']);
  assert.equal(made.expiresAt, null);
  const business = { name: 'One', industry: 'bakery', timezone: 'UTC' };
  assert.equal((await api.ask('POST', '/businesses', business, bearer(made.token))).status, 201);
  assert.equal((await api.ask('POST', '/calls', {}, bearer(made.token))).status, 422);
});

test('a request beyond the scopes of its token is 403 and says which scope it needs', async () => {
  const { token: session } = await signedIn(api);
  const business = { name: 'One', industry: 'bakery', timezone: 'UTC' };
  const requests = [
    ['read', 'GET', '/businesses', undefined, 200],
    ['change', 'POST', '/businesses', business, 201],
    ['change', 'PATCH', '/account', {}, 200],
    ['change', 'DELETE', '/agents/agt_none', undefined, 404],
    ['call', 'POST', '/calls', {}, 422],
    ['call', 'POST', '/calls/web', {}, 422],
    ['call', 'POST', '/calls/call_none/end', undefined, 404],
    ['call', 'POST', '/calls/call_none/control', { kind: 'mute' }, 404],
    ['call', 'POST', '/calls/call_none/listen', undefined, 404],
    ['call', 'POST', '/campaigns/cmp_none/start', undefined, 404],
    ['call', 'POST', '/campaigns/cmp_none/resume', undefined, 404],
    ['change', 'POST', '/campaigns/cmp_none/pause', undefined, 404],
    ['read', 'POST', '/campaigns/cmp_none/preview', {}, 404],
    ['read', 'POST', '/businesses/biz_none/documents/search', { question: 'flour' }, 404],
  ] as const;
  for (const only of ['read', 'call', 'change'] as const) {
    const { token } = await tokenOf(session, { scopes: [only] });
    for (const [scope, method, path, body, status] of requests) {
      const answer = await api.ask(method, path, body, bearer(token));
      const what = `${only}: ${method} ${path} ${answer.text}`;
      if (scope === only) {
        assert.equal(answer.status, status, what);
        continue;
      }
      assert.equal(answer.status, 403, what);
      assert.equal(answer.json.code, 'SCOPE_MISSING', what);
      assert.equal(answer.json.error, `The token lacks the scope "${scope}": it has ${only}`);
    }
    // The question whose token it is, and its own end, are open to each.
    assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(token))).status, 200);
    assert.equal((await api.ask('POST', '/auth/logout', undefined, bearer(token))).status, 200);
  }
});

test('a campaign that its time starts is not scheduled by a token that may not call', async () => {
  const { agentId, businessId, spareNumberId } = await makeWorld(api, api.tenant);
  const { accountId, userId } = api.tenant;
  await insertAccessToken(api.context.db, {
    ...{ id: 'pat_import', accountId, userId, name: 'Import', tokenHash: hashToken('vcs_import'), role: 'USER' },
    ...{ lastUsedAt: null, revokedAt: null, createdAt: api.clock.now, appEnv: 'development' },
    ...{ scopes: '["read","change"]', expiresAt: null },
  });
  const campaign = { name: 'Spring', agentId, businessId };
  const scheduledAt = new Date(api.clock.now + DAY_MS).toISOString();
  const phoneNumberIds = [spareNumberId];
  const scheduled = { ...campaign, phoneNumberIds, status: 'SCHEDULED', scheduledAt };
  const answer = await api.ask('POST', '/campaigns', scheduled, bearer('vcs_import'));
  assert.equal(answer.json.code, 'SCOPE_MISSING', answer.text);
  const draft = await api.ask('POST', '/campaigns', campaign, bearer('vcs_import'));
  assert.equal(draft.status, 201, draft.text);
  const byUser = await api.tenant.ask('POST', '/campaigns', scheduled);
  assert.equal(byUser.status, 201, byUser.text);
});

test('a token that may not call adds nobody to a campaign that runs, and does not change when it calls', async () => {
  const { campaign } = await setUpCampaign(api, api.tenant);
  const campaignId = campaign.id;
  const { accountId, userId } = api.tenant;
  await insertAccessToken(api.context.db, {
    ...{ id: 'pat_change', accountId, userId, name: 'Import', tokenHash: hashToken('vcs_change'), role: 'USER' },
    ...{ lastUsedAt: null, revokedAt: null, createdAt: api.clock.now, appEnv: 'development' },
    ...{ scopes: '["change"]', expiresAt: null },
  });
  const people = (count: number) => ({
    contacts: Array.from({ length: count }, (_, n) => ({ phoneNumber: `+1415555${2_000 + n}` })),
  });
  const path = `/campaigns/${campaignId}` as const;
  const set = (status: string) =>
    api.context.db
      .updateTable('campaigns')
      .set({ status: status as 'RUNNING' })
      .where('id', '=', campaignId)
      .execute();
  const asImport = bearer('vcs_change');
  assert.equal((await api.ask('POST', `${path}/contacts`, people(1), asImport)).status, 201);
  for (const status of ['RUNNING', 'SCHEDULED']) {
    await set(status);
    // On this thread, and on that of long lists.
    for (const count of [2, 60]) {
      const answer = await api.ask('POST', `${path}/contacts`, people(count), asImport);
      assert.equal(answer.json.code, 'SCOPE_MISSING', answer.text);
    }
    for (const change of [{ maxAttempts: 9 }, { scheduledAt: new Date(api.clock.now + DAY_MS).toISOString() }]) {
      const answer = await api.ask('PATCH', path, change, asImport);
      assert.equal(answer.json.code, 'SCOPE_MISSING', answer.text);
    }
  }
  await set('RUNNING');
  assert.equal((await api.ask('PATCH', path, { name: 'Autumn' }, asImport)).status, 200);
  const { total } = (await api.tenant.ask('GET', `${path}/contacts`)).json.pagination;
  assert.equal(total, 1);
  assert.equal((await api.tenant.ask('POST', `${path}/contacts`, people(2))).status, 201);
  await set('PAUSED');
  assert.equal((await api.ask('PATCH', path, { maxAttempts: 9 }, asImport)).status, 200);
});

test('a token that may not call has nobody reminded, and writes to nobody but the agent', async () => {
  const { campaign, business } = await setUpCampaign(api, api.tenant);
  const { accountId, userId } = api.tenant;
  await insertAccessToken(api.context.db, {
    ...{ id: 'pat_texts', accountId, userId, name: 'Import', tokenHash: hashToken('vcs_texts'), role: 'USER' },
    ...{ lastUsedAt: null, revokedAt: null, createdAt: api.clock.now, appEnv: 'development' },
    ...{ scopes: '["read","change"]', expiresAt: null },
  });
  const asImport = bearer('vcs_texts');
  const campaignId = campaign.id;
  const who = { accountId, businessId: business.id, personNumber: '+14155552671' };
  const own = { id: null, phoneNumber: '+14155550123', campaignId, agentId: campaign.agentId };
  const person = await conversationWith(api.context.db, who, own, api.clock.now);
  const takeOver = { answeredBy: 'person' as const };
  assert.equal((await api.ask('PATCH', `/conversations/${person.id}`, takeOver, asImport)).status, 200);
  const path = `/businesses/${business.id}` as const;
  const remind = { appointmentTexts: { remindHoursBefore: 2 } };
  for (const [method, url, body] of [
    ['PUT', `${path}/reminders`, { campaignId, hoursBefore: 2 }],
    ['PATCH', path, remind],
    ['POST', '/businesses', { name: 'Two', industry: 'bakery', timezone: 'UTC', ...remind }],
    ['POST', '/conversations', { campaignId, to: '+14155552671' }],
    ['POST', `/conversations/${person.id}/messages`, { text: 'Hello' }],
    // The agent would write.
    ['PATCH', `/conversations/${person.id}`, { answeredBy: 'agent' }],
  ] as const) {
    const answer = await api.ask(method, url, body, asImport);
    assert.equal(answer.json.code, 'SCOPE_MISSING', `${method} ${url} ${answer.text}`);
  }
  assert.equal((await api.tenant.ask('PATCH', path, remind)).status, 200);
  // As it was read, it may be sent back; and who may change may end them.
  const { appointmentTexts } = (await api.ask('GET', path, undefined, asImport)).json.data;
  assert.equal((await api.ask('PATCH', path, { name: 'One', appointmentTexts }, asImport)).status, 200);
  assert.equal((await api.ask('PATCH', path, { appointmentTexts: null }, asImport)).status, 200);
  const chat = await api.ask('POST', '/conversations', { campaignId }, asImport);
  const said = await api.ask('POST', `/conversations/${chat.json.data.id}/messages`, { text: 'Hello' }, asImport);
  assert.deepEqual([chat.status, said.status], [201, 201]);
});

test('a token that may not call has nobody told by text', async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  const { accountId, userId } = api.tenant;
  await insertAccessToken(api.context.db, {
    ...{ id: 'pat_owners', accountId, userId, name: 'Import', tokenHash: hashToken('vcs_owners'), role: 'USER' },
    ...{ lastUsedAt: null, revokedAt: null, createdAt: api.clock.now, appEnv: 'development' },
    ...{ scopes: '["read","change"]', expiresAt: null },
  });
  const asImport = bearer('vcs_owners');
  const path = `/businesses/${business.id}` as const;
  const text = { by: 'sms' as const, to: '+14155552671' };
  const notify = [{ on: 'appointment' as const, ...text }];
  const rule = {
    name: 'None',
    metric: 'calls' as const,
    comparison: 'below' as const,
    value: 1,
    windowMinutes: 60,
    to: [text],
  };
  const ofBusiness = { ...rule, businessId: business.id };
  for (const [method, url, body] of [
    ['PATCH', path, { notify }],
    ['POST', '/businesses', { name: 'Two', industry: 'bakery', timezone: 'UTC', notify }],
    ['POST', '/alert-rules', ofBusiness],
  ] as const) {
    const answer = await api.ask(method, url, body, asImport);
    assert.equal(answer.json.code, 'SCOPE_MISSING', `${method} ${url} ${answer.text}`);
  }
  const mail = [{ on: 'appointment' as const, by: 'mail' as const, to: 'owner@example.com' }];
  assert.equal((await api.ask('PATCH', path, { notify: mail }, asImport)).status, 200);
  assert.equal((await api.tenant.ask('PATCH', path, { notify, drafts: true })).status, 200);
  const made = await api.tenant.ask('POST', '/alert-rules', ofBusiness);
  assert.equal(made.status, 201, made.text);
  // As it was read, in a draft too, it may be sent back; and who may change may end it.
  const { notify: shown } = (await api.ask('GET', path, undefined, asImport)).json.data;
  assert.equal((await api.ask('PATCH', path, { name: 'One', notify: shown as never }, asImport)).status, 200);
  const other = await api.ask(
    'PATCH',
    `/alert-rules/${made.json.data.id}`,
    { to: [{ ...text, to: '+14155552672' }] },
    asImport,
  );
  assert.equal(other.json.code, 'SCOPE_MISSING', other.text);
  assert.equal((await api.ask('PATCH', `/alert-rules/${made.json.data.id}`, { name: 'Still' }, asImport)).status, 200);
  const tried = await api.ask('POST', `/alert-rules/${made.json.data.id}/test`, { index: 0 }, asImport);
  assert.equal(tried.json.code, 'SCOPE_MISSING', tried.text);
  assert.equal((await api.ask('PATCH', path, { notify: [] }, asImport)).status, 200);
});

test('a token that may not call brings back no version that writes to people', async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  const { accountId, userId } = api.tenant;
  await insertAccessToken(api.context.db, {
    ...{ id: 'pat_restore', accountId, userId, name: 'Import', tokenHash: hashToken('vcs_restore'), role: 'USER' },
    ...{ lastUsedAt: null, revokedAt: null, createdAt: api.clock.now, appEnv: 'development' },
    ...{ scopes: '["read","change"]', expiresAt: null },
  });
  const path = `/businesses/${business.id}` as const;
  const texts = [
    { notify: [{ on: 'appointment' as const, by: 'sms' as const, to: '+14155552671' }] },
    { appointmentTexts: { remindHoursBefore: 2 } },
  ];
  const ended = { notify: [], appointmentTexts: null };
  for (const wanted of texts) {
    const { publishedVersion } = (await api.tenant.ask('PATCH', path, wanted)).json.data;
    await api.tenant.ask('PATCH', path, ended);
    const restore = `${path}/versions/${publishedVersion}/restore` as const;
    const answer = await api.ask('POST', restore, undefined, bearer('vcs_restore'));
    assert.equal(answer.json.code, 'SCOPE_MISSING', answer.text);
    assert.equal((await api.tenant.ask('POST', restore)).status, 200);
    await api.tenant.ask('PATCH', path, ended);
  }
});

test('of many tokens that are made at once a user gets fifty', async () => {
  const { accountId, userId } = await api.newTenant();
  const make = () => createPersonalToken(api.context, { accountId, userId, role: 'USER' }, { name: 'CI' });
  const made = await Promise.allSettled(Array.from({ length: 60 }, make));
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 50);
});

test('a token is refused from its expiry on, and stays listed', async () => {
  const { token: session } = await signedIn(api);
  const expiresAt = new Date(api.clock.now + 60_000).toISOString();
  const made = await tokenOf(session, { expiresAt });
  assert.equal(made.expiresAt, expiresAt);
  assert.equal((await api.ask('GET', '/account', undefined, bearer(made.token))).status, 200);
  api.clock.advance(60_000);
  const answer = await api.ask('GET', '/account', undefined, bearer(made.token));
  assert.equal(answer.status, 401);
  assert.equal(answer.json.code, 'TOKEN_EXPIRED');
  const listed = (await api.ask('GET', '/auth/tokens', undefined, bearer(session))).json.data;
  assert.deepEqual(
    listed.map((each) => [each.id, each.expiresAt]),
    [[made.id, expiresAt]],
  );
});

test('scopes that there are not, none at all, and an expiry that has passed are 422 on their field', async () => {
  const { token: session } = await signedIn(api);
  const past = new Date(api.clock.now - 1).toISOString();
  for (const [body, field] of [
    [{ scopes: ['write'] }, 'scopes[0]'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['read', 'read'] }, 'scopes'],
    [{ expiresAt: past }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  ] as const) {
    const answer = await api.ask('POST', '/auth/tokens', { name: 'CI', ...body }, bearer(session));
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      answer.json.errors?.map((error) => error.field),
      [field],
    );
  }
});
