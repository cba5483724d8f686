// Chats, systems and mail servers that are busy or gone: nothing is lost, nothing is sent for ever, and no address of
// the operator's network is reached.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { digestSecret } from '../../../../api/delivery/signature.ts';
import type { MailTransport } from '../../../../api/mail/mail.ts';
import { NoticeJob } from '../../../../api/notices/send.ts';
import { startApi, type TestApi } from '../../../../bench/rig/api/api.ts';
import { type Receiver, respond, startReceiver, trustTestAuthority } from '../../../../bench/rig/service/receiver.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../db/domain/hours/durations.ts';
import { ended, log, tell } from '../../../api/notices/told.ts';
import { setUpCampaign } from '../../../support/api/resources.ts';

trustTestAuthority();

let receiver: Receiver;
let api: TestApi;
let businessId: string;
let isAnswerLost = false;
/** The mail server's answer; null: it takes the mail. */
let refusal: { code: string; responseCode?: number } | null = null;
const sent: Array<{ id: string; text: string }> = [];
const mailTransport: MailTransport = {
  isLocal: true,
  async send(id, { text }) {
    if (refusal !== null) throw Object.assign(new Error('no'), refusal);
    sent.push({ id, text });
    if (isAnswerLost) throw Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
  },
};

before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.close());
beforeEach(async () => {
  receiver.received.length = 0;
  sent.length = 0;
  refusal = null;
  api = await startApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' }, mailTransport, nowMs: Date.now() });
  ({ id: businessId } = (await setUpCampaign(api, api.tenant)).business);
});
afterEach(() => api.close());

async function telling(...notify: object[]): Promise<void> {
  const { status, text } = await api.tenant.ask('PATCH', `/businesses/${businessId}`, { notify } as object);
  assert.equal(status, 200, text);
}
const to = (by: string, path: string, more: object = {}) => ({ on: 'call_ended', by, to: receiver.url(path), ...more });

test('Slack gets a text without mark-up, Teams a card, a system signed JSON', async () => {
  const secret = 'a secret of mine, long enough';
  await telling(
    to('slack', '/slack'),
    to('teams', '/teams'),
    to('webhook', '/hook', { secret }),
    to('webhook', '/open'),
  );
  const call = await ended(api, businessId, {
    callerName: 'Eve <!channel>',
    summary: 'Says <https://evil.example|this> & *that*',
  });
  await tell(api);
  const [slack] = receiver.at('/slack');
  const { text, mrkdwn } = JSON.parse(slack?.body ?? '{}') as { text: string; mrkdwn: boolean };
  assert.equal(mrkdwn, false);
  assert.match(text, /^Call from Eve channel, \+14155552671 · Bright Dental\n/);
  assert.match(text, /Summary: Says &lt;https:\/\/evil\.example\|this&gt; &amp; \*that\*\n/);
  assert.ok(text.includes(`/calls/${call.id}`));
  const [teams] = receiver.at('/teams');
  const { attachments } = JSON.parse(teams?.body ?? '{}') as {
    attachments: Array<{ content: { type: string; body: unknown[] } }>;
  };
  assert.equal(attachments[0]?.content.type, 'AdaptiveCard');
  assert.ok(JSON.stringify(attachments).includes('*that*'));
  const [hook] = receiver.at('/hook');
  const key = `whsec_${Buffer.from(digestSecret(secret), 'base64').toString('base64')}`;
  const event = new Webhook(key).verify(hook?.body ?? '', hook?.headers as Record<string, string>) as {
    type: string;
    data: { notices: Array<{ callId: string; callerName: string }> };
  };
  assert.equal(event.type, 'notice');
  assert.deepEqual(
    event.data.notices.map(({ callId, callerName }) => [callId, callerName]),
    [[call.id, 'Eve <!channel>']],
  );
  assert.equal(receiver.at('/open')[0]?.headers['webhook-signature'], undefined);
  assert.deepEqual(
    (await log(api, businessId)).map(({ status }) => status),
    ['sent', 'sent', 'sent', 'sent'],
  );
});

test('a chat that is busy is asked again when it wants, then it has the message once', async () => {
  receiver.behave('/busy', (response, request, count) =>
    (count === 0 ? respond(429, 'slow down', { 'retry-after': '120' }) : respond(200, 'ok'))(response, request, count),
  );
  await telling(to('slack', '/busy'));
  await ended(api, businessId);
  await tell(api);
  const [waiting] = await log(api, businessId);
  assert.deepEqual([waiting?.status, waiting?.error, waiting?.attempts], ['waiting', 'answered 429', 1]);
  api.clock.advance(MINUTE_MS);
  await tell(api);
  assert.equal(receiver.at('/busy').length, 1);
  api.clock.advance(MINUTE_MS);
  await tell(api);
  await tell(api);
  assert.equal(receiver.at('/busy').length, 2);
  assert.equal((await log(api, businessId))[0]?.status, 'sent');
});

test('one that is gone is told so at once; one that fails for a day is given up after eight attempts', async () => {
  receiver.behave('/gone', respond(404, 'no_service'));
  receiver.behave('/broken', respond(500));
  await telling(to('slack', '/gone'), to('webhook', '/broken'));
  await ended(api, businessId);
  await tell(api);
  const gone = (await log(api, businessId)).find(({ by }) => by === 'slack');
  assert.deepEqual([gone?.status, gone?.error], ['failed', 'answered 404']);
  for (let i = 0; i < 12; i++) {
    api.clock.advance(16 * HOUR_MS);
    await tell(api);
  }
  assert.equal(receiver.at('/broken').length, 8);
  assert.equal(receiver.at('/gone').length, 1);
  const broken = (await log(api, businessId)).find(({ by }) => by === 'webhook');
  assert.deepEqual([broken?.status, broken?.error, broken?.attempts], ['failed', 'answered 500', 8]);
  assert.deepEqual(await api.context.read.selectFrom('notices').selectAll().execute(), []);
});

test('a mail server that is down loses nothing: the same mail is sent when it is back, and says why it waits', async () => {
  await telling({ on: 'call_ended', by: 'mail', to: 'owner@example.com' });
  refusal = { code: 'ECONNECTION' };
  const call = await ended(api, businessId);
  await tell(api);
  const [waiting] = await log(api, businessId);
  assert.deepEqual([waiting?.status, waiting?.error], ['waiting', 'the mail server did not take it: ECONNECTION']);
  refusal = null;
  api.clock.advance(MINUTE_MS);
  await api.context.mail.wake();
  assert.equal(sent.length, 1);
  assert.match(sent[0]?.id ?? '', /^mail_/);
  assert.ok(sent[0]?.text.includes(call.id));
  assert.equal((await log(api, businessId))[0]?.status, 'sent');
});

test('a mail that waits for its server says nothing of a call that is erased meanwhile', async () => {
  await telling({ on: 'call_ended', by: 'mail', to: 'owner@example.com' });
  refusal = { code: 'ECONNECTION' };
  const call = await ended(api, businessId);
  await tell(api);
  assert.equal((await api.tenant.ask('DELETE', `/calls/${call.id}`)).status, 200);
  refusal = null;
  api.clock.advance(MINUTE_MS);
  await api.context.mail.wake();
  assert.equal(sent.length, 0);
  assert.equal((await log(api, businessId))[0]?.status, 'dropped');
  assert.deepEqual(await api.context.read.selectFrom('mails').selectAll().execute(), []);
});

test('a mail whose sender dies, or hears nothing, after it was sent comes again under one Message-ID', async () => {
  await telling({ on: 'call_ended', by: 'mail', to: 'owner@example.com' });
  isAnswerLost = true;
  await ended(api, businessId);
  await tell(api);
  isAnswerLost = false;
  api.clock.advance(MINUTE_MS);
  await api.context.mail.wake();
  assert.equal(sent.length, 2);
  assert.equal(sent[0]?.id, sent[1]?.id);
  assert.equal((await log(api, businessId)).length, 1);
});

test('a recipient whom the mail server refuses for good has failed', async () => {
  await telling({ on: 'call_ended', by: 'mail', to: 'owner@example.com' });
  refusal = { code: 'EENVELOPE', responseCode: 550 };
  await ended(api, businessId);
  await tell(api);
  assert.deepEqual(
    (await log(api, businessId)).map(({ status, error }) => [status, error]),
    [['failed', 'the mail server did not take it: 550']],
  );
});

test('an example says what the receiver answered', async () => {
  receiver.behave('/no', respond(403, 'invalid_token'));
  await telling(to('slack', '/no'), to('slack', '/yes'));
  const tried = async (index: number) =>
    (await api.tenant.ask('POST', `/businesses/${businessId}/notices/test`, { index })).json.data;
  const no = await tried(0);
  assert.deepEqual([no.status, no.error, no.isTest], ['failed', 'answered 403', true]);
  assert.equal((await tried(1)).status, 'sent');
  assert.match(receiver.at('/yes')[0]?.body ?? '', /This is an example/);
});

test('a name that points into the network is refused by the connection', async () => {
  await api.close();
  const resolve = async () => ['10.0.0.7'];
  api = await startApi({ context: { resolve }, mailTransport, nowMs: Date.now() });
  ({ id: businessId } = (await setUpCampaign(api, api.tenant)).business);
  await telling({ on: 'call_ended', by: 'slack', to: 'https://inside.example/hook' });
  await ended(api, businessId);
  await tell(api);
  const [message] = await log(api, businessId);
  assert.match(message?.error ?? '', /private or internal/);
});

test('receivers of one account that hang keep no message of another one waiting', async () => {
  const held: Array<() => void> = [];
  const hang = ['/h1', '/h2', '/h3', '/h4', '/h5', '/h6'];
  for (const path of hang) receiver.behave(path, (response) => void held.push(() => response.end()));
  await telling(...hang.map((path) => to('webhook', path)));
  await ended(api, businessId);
  const tenants = [api.tenant, api.other] as const;
  const other = await setUpCampaign(api, api.other);
  const notify = [to('webhook', '/other')];
  await api.other.ask('PATCH', `/businesses/${other.business.id}`, { notify } as object);
  api.tenant = tenants[1];
  await ended(api, other.business.id);
  api.tenant = tenants[0];
  const job = new NoticeJob(api.context);
  await job.run();
  await receiver.until(() => receiver.received.length === 5);
  assert.equal(receiver.at('/other').length, 1, 'four of the first account, and the other one');
  for (const letGo of held) letGo();
  await job.settled();
  await job.run();
  await receiver.until(() => receiver.received.length === 7);
  for (const letGo of held) letGo();
  await job.settled();
});
