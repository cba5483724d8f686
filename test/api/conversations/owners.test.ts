// Owners told of calls by text: a link and no name, by a number of the business, once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { NoticeJob } from '../../../api/notices/send.ts';
import { useTexts } from '../../support/carriers/text-lab.ts';

/** The process dies before it has noted that a message is sent. */
const DIES: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'UpdateQueryNode' && /done_?at/i.test(JSON.stringify(node.updates))) throw new Error('killed');
    return node;
  },
  transformResult: async ({ result }) => result,
};

const OWNER = '+14155550166';
const lab = useTexts();

async function round(): Promise<string[]> {
  const job = new NoticeJob(lab.api.context);
  lab.api.clock.advance(5_000);
  await job.run();
  await job.settled();
  const before = lab.sent().length;
  await lab.send();
  return lab.sent().slice(before);
}

/** A text that is queued without its note would be sent again. */
async function runAndDie(): Promise<void> {
  const { context, clock } = lab.api;
  const dying = new NoticeJob({ ...context, db: context.db.withPlugin(DIES) });
  clock.advance(5_000);
  await dying.run();
  await dying.settled();
  const texts = context.db.selectFrom('messages').select('id').where('author', '=', 'service');
  assert.deepEqual(await texts.execute(), []);
  // Beyond its claim.
  clock.advance(2 * 60_000);
}

test('an appointment that was booked in writing is told by text, without a name, once also where a process dies', async () => {
  const { admin } = lab.api;
  await round();
  const notify = [{ on: 'appointment', by: 'sms', to: OWNER }];
  const set = await admin.ask('PATCH', `/businesses/${lab.businessId}`, { notify });
  assert.equal(set.json.data.notify[0]?.detail, 'link', set.text);
  for (const text of ['I would like to book a check-up', 'Tomorrow at 10 am', 'My name is Jane Miller', 'yes'])
    await lab.ask(text);
  const [booked] = (await admin.ask('GET', '/appointments')).json.data;
  assert.ok(booked?.conversationId);
  await runAndDie();
  const [told, ...more] = await round();
  assert.deepEqual(more, []);
  assert.match(told ?? '', /ppointment/);
  assert.doesNotMatch(told ?? '', /Jane|Miller|5550177/);
  const sent = [...lab.twilio.messages.values()].at(-1);
  assert.equal(sent?.to, OWNER);
  const [log] = (await admin.ask('GET', `/businesses/${lab.businessId}/notices`)).json.data;
  assert.deepEqual([log?.by, log?.status, log?.to], ['sms', 'sent', '+14…66']);
  assert.deepEqual(await round(), []);
});
