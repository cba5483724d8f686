// Campaigns: fields, references, numbers that move, the table of transitions, races, preflight, stats against hand
// counts.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Answer } from '../../../bench/rig/api/api.ts';
import { addNumber, addTrunk, type Setup, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let set: Setup;
beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
});

const fields = (answer: Answer) => answer.json.errors?.map((error) => error.field);
const create = (body: object = {}) =>
  api.tenant.ask('POST', '/campaigns', {
    name: 'Recalls',
    agentId: set.agent.id,
    businessId: set.business.id,
    phoneNumberIds: [],
    ...body,
  });
const patch = (body: object, id = set.campaign.id) => api.tenant.ask('PATCH', `/campaigns/${id}`, body);
type Action = 'start' | 'pause' | 'resume';
const act = <A extends Action>(action: A, id = set.campaign.id) =>
  api.tenant.ask('POST', `/campaigns/${id}/${action}` as const);
const read = async (id = set.campaign.id) => (await api.tenant.ask('GET', `/campaigns/${id}`)).json.data;
const statusIs = (status: string, id = set.campaign.id) =>
  api.context.db
    .updateTable('campaigns')
    .set({ status: status as 'DRAFT' })
    .where('id', '=', id)
    .execute();
const ahead = (ms = 3_600_000) => new Date(api.clock.now + ms).toISOString();

test('a campaign gets its defaults', async () => {
  const { id, createdAt, ...rest } = (await create()).json.data;
  assert.match(id, /^cmp_/);
  assert.ok(createdAt);
  assert.deepEqual(rest, {
    name: 'Recalls',
    description: null,
    agentId: set.agent.id,
    businessId: set.business.id,
    phoneNumberIds: [],
    status: 'DRAFT',
    scheduledAt: null,
    callingWindow: {
      timezone: null,
      days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      start: '09:00',
      end: '20:00',
    },
    maxConcurrentCalls: 5,
    maxAttempts: 3,
    retryDelayMinutes: 60,
    greetingTemplate: null,
    instructions: null,
    voicemail: { action: 'hangup', message: null },
    recording: { enabled: true, format: 'wav' },
    destinations: [],
    listeningNotice: 'none',
    toolIds: [],
    outputs: [],
    criteria: [],
    split: [],
    _count: { contacts: 0, calls: 0 },
    startedAt: null,
    completedAt: null,
    deletedAt: null,
  });
});

test('every field is kept as it was sent, and can be sent back', async () => {
  const sent = {
    description: 'd',
    status: 'SCHEDULED',
    scheduledAt: ahead(),
    phoneNumberIds: [(await addNumber(api, api.tenant)).id],
    callingWindow: { timezone: 'Europe/Berlin', days: ['monday', 'friday'], start: '20:00', end: '02:00' },
    maxConcurrentCalls: 9,
    maxAttempts: 10,
    retryDelayMinutes: 10_080,
    voicemail: { action: 'leave_message', message: 'Please call back.' },
    recording: { enabled: false, format: 'mp3' },
    listeningNotice: 'tone',
  };
  const { data } = (await create(sent)).json;
  assert.deepEqual({ ...data, ...sent }, data);
  api.clock.advance(7_200_000);
  const again = await patch(data, data.id);
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(again.json.data, data);
  const partly = await patch({ voicemail: { action: 'hangup' }, recording: { enabled: true } }, data.id);
  assert.deepEqual(partly.json.data.voicemail, { action: 'hangup', message: 'Please call back.' });
  assert.deepEqual(partly.json.data.recording, { enabled: true, format: 'mp3' });
});

test('fields at fault are 422 by their path', async () => {
  const cases: Array<[object, string]> = [
    [{ name: '' }, 'name'],
    [{ agentId: 'agt_none' }, 'agentId'],
    [{ businessId: 'biz_none' }, 'businessId'],
    [{ phoneNumberIds: [set.number.id, 'pn_none'] }, 'phoneNumberIds[1]'],
    [{ scheduledAt: 'soon' }, 'scheduledAt'],
    [{ scheduledAt: new Date(api.clock.now).toISOString() }, 'scheduledAt'],
    [{ maxAttempts: 11 }, 'maxAttempts'],
    [{ maxAttempts: 0 }, 'maxAttempts'],
    [{ retryDelayMinutes: 10_081 }, 'retryDelayMinutes'],
    [{ maxConcurrentCalls: 0 }, 'maxConcurrentCalls'],
    [{ voicemail: { action: 'sing' } }, 'voicemail.action'],
    [{ voicemail: { action: 'leave_message' } }, 'voicemail.message'],
    [{ recording: { format: 'ogg' } }, 'recording.format'],
    [{ callingWindow: { days: [], start: '09:00', end: '10:00' } }, 'callingWindow.days'],
    [{ callingWindow: { days: ['someday'], start: '09:00', end: '10:00' } }, 'callingWindow.days[0]'],
    [{ callingWindow: { days: ['monday'], start: '9', end: '10:00' } }, 'callingWindow.start'],
    [{ callingWindow: { days: ['monday'], start: '09:00' } }, 'callingWindow.end'],
    [
      { callingWindow: { timezone: 'Nowhere/At_All', days: ['monday'], start: '09:00', end: '10:00' } },
      'callingWindow.timezone',
    ],
    [{ phoneNumberId: set.number.id }, 'phoneNumberId'],
  ];
  for (const [body, field] of cases) {
    for (const answer of [await create(body), await patch(body)]) {
      assert.equal(answer.status, 422, JSON.stringify(body));
      assert.deepEqual(fields(answer), [field], JSON.stringify(body));
    }
  }
  assert.deepEqual(fields(await create({ status: 'RUNNING' })), ['status']);
  assert.deepEqual(fields(await create({ status: 'SCHEDULED' })), ['scheduledAt']);
  assert.deepEqual(fields(await create({ status: 'SCHEDULED', scheduledAt: ahead() })), ['phoneNumberIds']);
});

test('an inactive, deleted or foreign agent, business or number is 422 on its field', async () => {
  const other = await setUpCampaign(api, api.other);
  assert.deepEqual(fields(await create({ agentId: other.agent.id })), ['agentId']);
  assert.deepEqual(fields(await create({ businessId: other.business.id })), ['businessId']);
  assert.deepEqual(fields(await create({ phoneNumberIds: [other.number.id] })), ['phoneNumberIds[0]']);
  await api.tenant.ask('PATCH', `/agents/${set.agent.id}`, { isActive: false });
  assert.deepEqual(fields(await create()), ['agentId']);
  assert.equal((await patch({ agentId: set.agent.id, name: 'unchanged agent' })).status, 200);
  assert.equal((await act('start')).status, 409);
  await api.tenant.ask('PATCH', `/agents/${set.agent.id}`, { isActive: true });
  await api.tenant.ask('DELETE', `/businesses/${set.business.id}`);
  assert.deepEqual(fields(await create()), ['businessId']);
  const released = await addNumber(api, api.tenant, { status: 'released' });
  assert.deepEqual(fields(await patch({ phoneNumberIds: [released.id] })), ['phoneNumberIds[0]']);
});

test('a number serves one campaign: naming it in another moves it, unless its campaign is active', async () => {
  const second = (await create({ phoneNumberIds: [set.number.id, set.number.id] })).json.data;
  assert.deepEqual(second.phoneNumberIds, [set.number.id]);
  assert.deepEqual((await read()).phoneNumberIds, []);
  assert.equal((await act('start', second.id)).status, 200);
  const taken = await patch({ phoneNumberIds: [set.number.id] });
  assert.equal(taken.status, 409);
  assert.match(taken.json.error ?? '', /RUNNING/);
  assert.equal((await patch({ phoneNumberIds: [] }, second.id)).status, 409, 'a running campaign needs one');
  await act('pause', second.id);
  assert.deepEqual((await patch({ phoneNumberIds: [set.number.id] })).json.data.phoneNumberIds, [set.number.id]);
  const another = await addNumber(api, api.tenant);
  assert.deepEqual((await patch({ phoneNumberIds: [another.id] })).json.data.phoneNumberIds, [another.id]);
  const row = await api.context.read
    .selectFrom('phoneNumbers')
    .select('campaignId')
    .where('id', '=', set.number.id)
    .executeTakeFirstOrThrow();
  assert.equal(row.campaignId, null);
});

test('transitions: what each state allows, and 409 with the state for everything else', async () => {
  const allowed: Record<Action, Record<string, string>> = {
    start: { DRAFT: 'RUNNING', SCHEDULED: 'RUNNING', FAILED: 'RUNNING' },
    pause: { RUNNING: 'PAUSED', SCHEDULED: 'PAUSED' },
    resume: { PAUSED: 'RUNNING' },
  };
  for (const action of ['start', 'pause', 'resume'] as const) {
    const moves = allowed[action];
    for (const status of ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED']) {
      await statusIs(status);
      const answer = await act(action);
      const to = moves[status];
      assert.equal(answer.status, to === undefined ? 409 : 200, `${action} of ${status}`);
      if (to === undefined) assert.ok(answer.json.error?.includes(status), answer.json.error);
      else assert.equal(answer.json.data.status, to);
      assert.equal((await read()).status, to ?? status);
    }
  }
});

test('start needs a number; it tells when', async () => {
  await patch({ phoneNumberIds: [] });
  assert.equal((await act('start')).status, 409);
  await patch({ phoneNumberIds: [set.number.id] });
  const started = await act('start');
  assert.equal(started.json.data.startedAt, new Date(api.clock.now).toISOString());
});

test('a paused campaign whose time lies ahead is scheduled again, else it runs', async () => {
  const number = await addNumber(api, api.tenant);
  const { id } = (await create({ status: 'SCHEDULED', scheduledAt: ahead(), phoneNumberIds: [number.id] })).json.data;
  await act('pause', id);
  assert.equal((await act('resume', id)).json.data.status, 'SCHEDULED');
  await act('pause', id);
  api.clock.advance(3_600_001);
  assert.equal((await act('resume', id)).json.data.status, 'RUNNING');
  assert.deepEqual(fields(await patch({ scheduledAt: null, status: 'RUNNING' }, id)), undefined);
});

test('status is not changed by PATCH', async () => {
  assert.equal((await patch({ status: 'DRAFT', name: 'x' })).status, 200);
  const answer = await patch({ status: 'RUNNING' });
  assert.equal(answer.status, 409);
  assert.match(answer.json.error ?? '', /DRAFT/);
});

test('of many starts, pauses and resumes at once exactly one wins each', async () => {
  for (const [from, action] of [
    ['DRAFT', 'start'],
    ['RUNNING', 'pause'],
    ['PAUSED', 'resume'],
  ] as const) {
    await statusIs(from);
    const answers = await Promise.all(Array.from({ length: 50 }, () => act(action)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, action);
    assert.equal(answers.filter(({ status }) => status === 409).length, 49, action);
  }
});

test('deleting: 409 while active, else soft, and its numbers are free', async () => {
  for (const status of ['SCHEDULED', 'RUNNING']) {
    await statusIs(status);
    const answer = await api.tenant.ask('DELETE', `/campaigns/${set.campaign.id}`);
    assert.equal(answer.status, 409, status);
    assert.match(answer.json.error ?? '', new RegExp(status));
  }
  await statusIs('PAUSED');
  const deleted = await api.tenant.ask('DELETE', `/campaigns/${set.campaign.id}`);
  assert.equal(deleted.status, 200);
  assert.notEqual(deleted.json.data.deletedAt, null);
  assert.equal((await api.tenant.ask('GET', '/campaigns')).json.pagination.total, 0);
  assert.equal((await act('resume')).status, 409);
  assert.equal((await patch({ name: 'x' })).status, 409);
  const next = await create({ phoneNumberIds: [set.number.id] });
  assert.equal(next.status, 201);
});

test('lists by status and agent', async () => {
  const agent = (await api.tenant.ask('POST', '/agents', { name: 'B', voiceId: 'flite-slt' })).json.data;
  api.clock.advance(1);
  const second = (await create({ agentId: agent.id })).json.data;
  const list = async (query: string) =>
    (await api.tenant.ask('GET', `/campaigns?${query}`)).json.data.map((campaign) => campaign.id);
  assert.deepEqual(await list(''), [second.id, set.campaign.id]);
  assert.deepEqual(await list(`agentId=${agent.id}`), [second.id]);
  await act('start');
  assert.deepEqual(await list('status=RUNNING'), [set.campaign.id]);
  assert.deepEqual(await list(`status=RUNNING&agentId=${agent.id}`), []);
  assert.deepEqual(fields(await api.tenant.ask('GET', '/campaigns?status=GOING')), ['status']);
});

const addContacts = (...numbers: string[]) =>
  api.tenant.ask('POST', `/campaigns/${set.campaign.id}/contacts`, {
    contacts: numbers.map((phoneNumber) => ({ phoneNumber })),
  });

test('a transition takes no fields: what is sent is refused, and nothing is done', async () => {
  const started = await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/start`, { dryRun: true });
  assert.deepEqual([started.status, started.json.errors?.[0]?.field], [422, 'dryRun']);
  assert.equal((await api.tenant.ask('GET', `/campaigns/${set.campaign.id}`)).json.data.status, 'DRAFT');
  assert.equal((await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/start`, {})).status, 200);
});

test('preflight: who will be called, and who will not for which reason', async () => {
  await addContacts('+14155552671', '+14155552672', '+14155552673', '+14155552674');
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: '+14155552672' });
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: '+14155559999' });
  assert.deepEqual((await act('start')).json.data.preflight, {
    willCall: 0,
    willSkip: { do_not_call: 1, no_trunk: 3 },
  });
  await addTrunk(api);
  await act('pause');
  assert.deepEqual((await act('resume')).json.data.preflight, { willCall: 3, willSkip: { do_not_call: 1 } });
  const path = `/campaigns/${set.campaign.id}`;
  const read = (await api.tenant.ask('GET', path)).json.data;
  assert.equal((await api.tenant.ask('PATCH', path, read)).status, 200, 'what was read may be sent back');
  await api.context.db
    .updateTable('contacts')
    .set({ status: 'COMPLETED' })
    .where('phoneNumber', '=', '+14155552671')
    .execute();
  await api.context.db
    .insertInto('accountUsage')
    .values({ accountId: api.tenant.accountId, month: '2026-11', seconds: 30_000 })
    .execute();
  await act('pause');
  assert.deepEqual((await act('resume')).json.data.preflight, {
    willCall: 0,
    willSkip: { do_not_call: 1, minutes: 2 },
  });
});

test('the calls of a campaign are filtered further, also by a campaign, which leaves none of another', async () => {
  await seedCall(api, api.tenant, { campaignId: set.campaign.id });
  const total = async (query: string) =>
    (await api.tenant.ask('GET', `/campaigns/${set.campaign.id}/calls${query}`)).json.pagination.total;
  assert.deepEqual([await total(''), await total(`?campaignId=${set.campaign.id}`)], [1, 1]);
  assert.equal(await total('?campaignId=cmp_of_nobody'), 0);
});

test('a campaign none of whose numbers is active is neither started nor resumed, and is told what to do', async () => {
  const second = await addNumber(api, api.tenant, { campaignId: set.campaign.id });
  const isActive = (id: string, active: boolean) =>
    api.tenant.ask('PATCH', `/phone-numbers/${id}`, { isActive: active });
  await isActive(set.number.id, false);
  assert.equal((await act('start')).status, 200);
  await act('pause');
  await isActive(second.id, false);
  for (const [status, action] of [
    ['DRAFT', 'start'],
    ['PAUSED', 'resume'],
  ] as const) {
    await statusIs(status);
    const answer = await act(action);
    assert.equal(answer.status, 409);
    assert.equal(answer.json.code, 'CAMPAIGN_NEEDS_NUMBER');
    assert.equal(
      answer.json.error,
      'No phone number of the campaign is active: activate one of them, or give the campaign another',
    );
  }
  await isActive(second.id, true);
  assert.equal((await act('resume')).status, 200);
});

test('a running campaign says why its contacts wait, when its numbers were switched off meanwhile', async () => {
  await addContacts('+14155552671', '+14155552672');
  await addTrunk(api);
  assert.equal((await act('start')).status, 200);
  const preflight = async () => {
    const { data } = (await api.tenant.ask('GET', `/campaigns/${set.campaign.id}`)).json;
    return 'preflight' in data ? data.preflight : undefined;
  };
  assert.deepEqual(await preflight(), { willCall: 2, willSkip: {} });
  await api.tenant.ask('PATCH', `/phone-numbers/${set.number.id}`, { isActive: false });
  assert.deepEqual(await preflight(), { willCall: 0, willSkip: { numbers: 2 } });
  await statusIs('PAUSED');
  assert.equal(await preflight(), undefined);
  const listed = (await api.tenant.ask('GET', '/campaigns')).json.data;
  assert.ok(listed.every((campaign: object) => !('preflight' in campaign)));
});

test('stats and counts equal hand counts, also after calls have changed', async () => {
  const campaignId = set.campaign.id;
  const stats = async () => (await api.tenant.ask('GET', `/campaigns/${campaignId}/stats`)).json.data;
  assert.deepEqual(await stats(), {
    totalContacts: 0,
    completedCalls: 0,
    successfulCalls: 0,
    failedCalls: 0,
    voicemails: 0,
    averageCallDuration: 0,
    totalMinutes: 0,
  });
  await addContacts('+14155552671', '+14155552672', '+14155552673');
  const call = (changes: object) => seedCall(api, api.tenant, { campaignId, ...changes });
  await call({ durationSeconds: 60, outcome: 'completed' });
  await call({ durationSeconds: 31, outcome: 'transferred' });
  await call({ durationSeconds: 4, outcome: 'hung_up' });
  await call({ durationSeconds: 20, outcome: null });
  const failed = await call({ durationSeconds: 9, outcome: 'agent_failed' });
  await call({ status: 'VOICEMAIL', durationSeconds: 12, outcome: 'voicemail_left' });
  await call({ status: 'FAILED', answeredAt: null, durationSeconds: 0, outcome: 'busy' });
  await call({ status: 'FAILED', answeredAt: null, durationSeconds: 0, outcome: 'no_answer' });
  const running = await call({ status: 'IN_PROGRESS', endedAt: null, durationSeconds: 0, outcome: null });
  await call({ status: 'RINGING', answeredAt: null, endedAt: null, durationSeconds: 0, outcome: null });
  await seedCall(api, api.tenant, { campaignId: 'cmp_another' });
  await seedCall(api, api.other, { campaignId: 'cmp_foreign' });
  const before = {
    totalContacts: 3,
    completedCalls: 5,
    successfulCalls: 3,
    failedCalls: 2,
    voicemails: 1,
    averageCallDuration: 22.67,
    totalMinutes: 2.27,
  };
  assert.deepEqual(await stats(), before);
  await api.context.db
    .updateTable('calls')
    .set({ status: 'COMPLETED', outcome: 'completed', endedAt: api.clock.now, durationSeconds: 53 })
    .where('id', '=', running.id)
    .execute();
  assert.deepEqual(await stats(), {
    ...before,
    completedCalls: 6,
    successfulCalls: 4,
    averageCallDuration: 27,
    totalMinutes: 3.15,
  });
  await api.context.db.updateTable('calls').set({ outcome: 'completed' }).where('id', '=', failed.id).execute();
  assert.equal((await stats()).successfulCalls, 5);
  assert.deepEqual((await read())._count, { contacts: 3, calls: 10 });
  const calls = await api.tenant.ask('GET', `/campaigns/${campaignId}/calls?limit=4&page=3`);
  assert.equal(calls.json.data.length, 2);
  assert.equal(calls.json.pagination.total, 10);
  assert.ok(calls.json.data.every((item) => item.campaignId === campaignId));
});

test('another tenant’s campaign is answered like a missing one', async () => {
  const id = set.campaign.id;
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/start', undefined],
    ['POST', '/pause', undefined],
    ['POST', '/resume', undefined],
    ['GET', '/stats', undefined],
    ['GET', '/calls', undefined],
    ['GET', '/contacts', undefined],
    ['POST', '/contacts', { contacts: [{ phoneNumber: '+14155552671' }] }],
    ['DELETE', '/contacts/cnt_1', undefined],
  ] as const) {
    const foreign = await api.other.ask(method, `/campaigns/${id}${path}`, body);
    assert.equal(foreign.status, 404, path);
    assert.equal(foreign.text, (await api.other.ask(method, `/campaigns/cmp_none${path}`, body)).text);
  }
});
