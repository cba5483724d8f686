// Controls of a running call by clients, with an engine that is only played: whose call it is, what is asked of the
// engine, and what each of its answers becomes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { finishRequest } from '../../../../db/rules/engine-claims.ts';
import type { Credential } from '../../../../db/rules/live-credential.ts';
import { engineIs, seedCall, setUpCampaign } from '../../../support/api/resources.ts';
import { useFreshApi } from '../../../support/api/use-api.ts';

const api = useFreshApi();
let callId: string;
let businessId: string;

beforeEach(async () => {
  const set = await setUpCampaign(api, api.tenant);
  businessId = set.business.id;
  await engineIs(api);
  const engine = await api.context.read.selectFrom('engines').select('id').executeTakeFirstOrThrow();
  const running = { endedAt: null, status: 'IN_PROGRESS', outcome: null, endReason: null } as const;
  const of = { businessId, campaignId: set.campaign.id, agentId: set.agent.id, engineId: engine.id };
  callId = (await seedCall(api, api.tenant, { ...running, ...of })).id;
});

/** Answers the next request as the engine would; resolves with what was asked. */
async function engineAnswers(result: object): Promise<{ kind: string; payload: Record<string, unknown> }> {
  return eventually(async () => {
    const open = await api.context.read
      .selectFrom('engineRequests')
      .selectAll()
      .where('doneAt', 'is', null)
      .executeTakeFirst();
    if (!open) return null;
    await finishRequest(api.context.db, { id: open.id, result, nowMs: api.clock.now });
    return { kind: open.kind, payload: JSON.parse(open.payload) };
  });
}

const control = (body: object, headers: Record<string, string> = {}) =>
  api.tenant.ask('POST', `/calls/${callId}/control`, body, headers);
const requests = () => api.context.read.selectFrom('engineRequests').selectAll().execute();
const audits = () =>
  api.context.read.selectFrom('businessAudit').selectAll().where('action', 'like', 'call-%').execute();

test('what is asked reaches the engine of the call, is answered once it is done, and leaves no words behind', async () => {
  const [answer, asked] = await Promise.all([
    control({ kind: 'say', text: 'Hold the line.' }),
    engineAnswers({ state: 'done' }),
  ]);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json.data, { kind: 'say', callId, state: 'done' });
  assert.equal(asked.kind, 'control');
  assert.deepEqual(asked.payload, { control: { kind: 'say', text: 'Hold the line.', when: 'pause' } });
  assert.deepEqual(await requests(), []);
  const [entry] = await audits();
  assert.equal(entry?.action, 'call-controlled');
  assert.equal(entry?.businessId, businessId);
  assert.ok(!entry?.changes.includes('Hold the line'), 'the audit log says what was done, and not the words');
});

test('the engine’s refusals are conflicts with their own codes', async () => {
  for (const refused of ['CALL_TAKEN_OVER', 'NO_KEYPAD', 'CALL_ENDED'] as const) {
    const [answer] = await Promise.all([control({ kind: 'digits', digits: '12#' }), engineAnswers({ refused })]);
    assert.equal(answer.status, 409);
    assert.equal(answer.json.code, refused);
  }
});

test('a repeated Idempotency-Key asks the engine once', async () => {
  const headers = { 'idempotency-key': 'a7c1b4a0-5c1b-4f5e-9d0a-2f3a2c7f7a11' };
  const [first] = await Promise.all([control({ kind: 'mute' }, headers), engineAnswers({ state: 'done' })]);
  const again = await control({ kind: 'mute' }, headers);
  assert.equal(again.text, first.text);
  assert.equal((await audits()).length, 1);
});

test('each kind has its fields, and no others', async () => {
  const faults: Array<[object, string]> = [
    [{ kind: 'say' }, 'text'],
    [{ kind: 'say', text: '  ' }, 'text'],
    [{ kind: 'mute', text: 'now' }, 'text'],
    [{ kind: 'digits', digits: '12x' }, 'digits'],
    [{ kind: 'collect-digits', minDigits: 0 }, 'minDigits'],
    [{ kind: 'collect-digits', minDigits: 9, maxDigits: 4 }, 'maxDigits'],
    [{ kind: 'collect-digits', digits: '12' }, 'digits'],
    [{ kind: 'digits', digits: '12', isCard: true }, 'isCard'],
    [{ kind: 'transfer', to: '911' }, 'to'],
    [{ kind: 'transfer', to: 'sip:nobody' }, 'to'],
    [{ kind: 'recording' }, 'recording'],
    [{ kind: 'take-over' }, 'by'],
    [{ kind: 'take-over', by: 'socket' }, 'listenerId'],
    [{ kind: 'take-over', by: 'sip:nobody' }, 'by'],
    [{ kind: 'dance' }, 'kind'],
  ];
  for (const [body, field] of faults) {
    const answer = await control(body);
    assert.equal(answer.status, 422, `${JSON.stringify(body)}: ${answer.text}`);
    assert.ok(
      answer.json.errors?.some((error) => error.field === field),
      answer.text,
    );
  }
  assert.deepEqual(await requests(), []);
});

test('another tenant’s call is not there, whatever is asked of it', async () => {
  const stranger = api.other;
  for (const body of [{ kind: 'mute' }, { kind: 'transfer', to: 'sip:nobody' }]) {
    assert.equal((await stranger.ask('POST', `/calls/${callId}/control`, body)).status, 404);
  }
  assert.equal((await stranger.ask('POST', `/calls/${callId}/listen`)).status, 404);
  assert.deepEqual(await requests(), []);
});

test('a call that has ended, rings without an engine, or lost its engine is refused with what to do', async () => {
  const set = (row: object) => api.context.db.updateTable('calls').set(row).where('id', '=', callId).execute();
  await set({ engineId: null });
  assert.equal((await control({ kind: 'mute' })).json.code, 'CALL_NOT_ANSWERED');
  await set({ engineId: 'eng_gone' });
  const lost = await control({ kind: 'mute' });
  assert.deepEqual([lost.status, lost.json.code], [503, 'ENGINE_DOWN']);
  await set({ endedAt: api.clock.now });
  assert.equal((await control({ kind: 'mute' })).json.code, 'CALL_ENDED');
  assert.equal((await api.tenant.ask('POST', `/calls/${callId}/listen`)).json.code, 'CALL_ENDED');
});

test('who may listen gets a token once, and the engine its hash and whose session it is', async () => {
  const [answer, asked] = await Promise.all([
    api.tenant.ask('POST', `/calls/${callId}/listen`),
    engineAnswers({ ok: true }),
  ]);
  assert.equal(answer.status, 201, answer.text);
  const { id, token, socketUrl } = answer.json.data;
  assert.match(socketUrl, new RegExp(`/calls/${callId}/listen\\?token=${token}$`));
  assert.equal(asked.payload.listenerId, id);
  assert.equal(asked.payload.tokenHash, createHash('sha256').update(token).digest('hex'));
  const { accountId, needs, endsAt } = asked.payload.credential as Credential;
  assert.deepEqual([accountId, needs, endsAt], [api.tenant.accountId, 'call', null]);
  assert.equal((await audits())[0]?.action, 'call-listened');
  const [full] = await Promise.all([
    api.tenant.ask('POST', `/calls/${callId}/listen`),
    engineAnswers({ refused: 'LISTENERS_FULL' }),
  ]);
  assert.deepEqual([full.status, full.json.code], [429, 'LISTENERS_FULL']);
});
