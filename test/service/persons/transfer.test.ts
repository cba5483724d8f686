// A caller asks for a person: transferred by REFER if the peer supports it, else joined with the person here, else
// returned to the agent. Judged by what caller and person hear, and by what an API client reads afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import { Phone } from '../../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { rms } from '../../../media/frame.ts';
import { greeted, testCaller } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import {
  agentSaid,
  askForPerson,
  CALLER_HZ,
  PERSON,
  PERSON_HZ,
  transferToPerson,
  withPerson,
} from '../../support/sip/transfers.ts';
import { useService } from '../../support/use-service.ts';

const wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
const { service, rest } = useService(
  { MAX_CALLS: '10', LLM: 'receptionist' },
  { prepare: () => transferToPerson(rest) },
);

/** Number of `call.transferred` events for the call, the source of webhooks. */
function transfersTold(callId: string): number {
  const db = openRaw(`${service.dataDir}/voice.db`, { readonly: true });
  const select = "SELECT count(*) AS told FROM events WHERE type = 'call.transferred' AND subject_id = ?";
  const { told } = db.prepare<[string], { told: number }>(select).get(callId) ?? { told: -1 };
  db.close();
  return told;
}

test('a peer that accepts REFER gets the target, and the call ends for us', async () => {
  const { caller, number } = await greeted(service, { acceptsRefer: true });
  await askForPerson(rest, caller, number, wish);
  await caller.until('the agent hangs up', () => caller.ended, 40_000);
  caller.call.close();
  const referred = caller.events.find((event) => event.type === 'referred');
  assert.match(referred?.type === 'referred' ? referred.target : '', /\+12125550177@127\.0\.0\.1/);
  const call = await rest.endedCall(number);
  assert.equal(call.outcome, 'transferred');
  assert.equal(call.status, 'COMPLETED');
  assert.equal(transfersTold(call.id), 1);
});

test('if REFER is refused, the person is called, hears who is waiting, and is joined with the caller', async () => {
  await withPerson(rest, 'answer', async (person) => {
    const { caller, number } = await greeted(service, { record: true });
    await askForPerson(rest, caller, number, wish);
    await rest.eventually('the person answers', async () => person.isUp);
    assert.ok(person.callTo(PERSON));
    void caller.call.speak(tone([CALLER_HZ], 60_000, 6_000));
    person.audio.speak(tone([PERSON_HZ], 60_000, 6_000));
    await rest.eventually('the person hears the caller', async () =>
      person.audio.heard.some(({ samples }) => isTone(CALLER_HZ, samples)),
    );
    await rest.eventually('the caller hears the person', async () =>
      caller.call.heard.some((samples) => isTone(PERSON_HZ, samples)),
    );
    const joinedAt = person.audio.heard.findIndex(({ samples }) => isTone(CALLER_HZ, samples));
    const announced = person.audio.heard.slice(0, joinedAt).filter(({ samples }) => rms(samples) > 300);
    assert.ok(announced.length > 100, `${announced.length} frames of announcement before both were joined`);
    await rest.eventually('they talk for a while', async () => person.audio.heard.length > joinedAt + 100);
    const since = person.audio.heard.slice(joinedAt + 25, joinedAt + 75);
    assert.ok(
      since.filter(({ samples }) => isTone(CALLER_HZ, samples)).length > 0.9 * since.length,
      'the agent is silent once they are joined',
    );
    person.callTo(PERSON)?.hangUp();
    await caller.until('the call ends with the person', () => caller.ended, 20_000);
    caller.call.close();
    const call = await rest.endedCall(number);
    assert.equal(call.outcome, 'transferred');
    assert.equal(call.status, 'COMPLETED');
    assert.equal(transfersTold(call.id), 1);
  });
});

for (const pickup of ['busy', 'ring'] as const) {
  test(`nobody takes the call (${pickup}): the agent is back, and the call goes on`, {
    skip: pickup !== 'ring' && nightly,
  }, async () => {
    await withPerson(rest, pickup, async (person) => {
      const { caller, number } = await greeted(service);
      await askForPerson(rest, caller, number, wish);
      await rest.eventually('the person is called', async () => person.requests.includes('INVITE'));
      if (pickup === 'ring') {
        const cancelled = (): boolean => person.requests.includes('CANCEL');
        await caller.until('the person rings for long enough', cancelled, 60_000);
      }
      await rest.eventually('the agent says so', async () => /sorry/i.test(await agentSaid(rest, number)));
      await caller.agentQuiet(900);
      const askedAt = await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
      await caller.agentSound(askedAt);
      await caller.agentQuiet(1_000);
      await caller.hangUp();
      const call = await rest.endedCall(number);
      assert.equal(call.outcome, 'completed');
      assert.equal(transfersTold(call.id), 0);
      const answer = call.transcript.findLast(({ speaker }) => speaker === 'agent')?.text ?? '';
      assert.match(answer, /open/i, JSON.stringify(call.transcript));
    });
  });
}

test('a softphone of the house calls the demo as its account, and takes a transfer', async () => {
  const made = await rest.request('POST', '/admin/sip-accounts', {
    username: 'desk',
    displayName: 'Front desk',
    callsTo: 'demo',
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const phone = await Phone.start({ talks: true });
  const credentials = { username: 'desk', password: made.body.data.password };
  await rest.eventually('the phone is registered', async () => {
    return (await phone.register(service.sipAddress, credentials)) === 200;
  });
  await rest.eventually('the registration is shown', async () => {
    const { body } = await rest.request('GET', `/admin/sip-accounts/${made.body.data.id}`);
    return body.data.registration?.port === phone.port;
  });
  const [host = '', port = ''] = service.sipAddress.split(':');
  const own = phone.place({
    target: { uri: `sip:${service.sipAddress}`, host, port: Number(port) },
    from: 'desk',
    domain: service.sipAddress,
    credentials,
  });
  assert.equal(await own.final(), 200);
  await rest.eventually('the call is there', async () => (await rest.callsFrom('desk')).length === 1);
  own.hangUp();
  const record = await rest.endedCall('desk');
  assert.deepEqual([record.direction, record.fromNumber], ['inbound', 'desk']);

  const businesses = await rest.request('GET', '/businesses');
  const business = `/businesses/${businesses.body.data[0]?.id}`;
  const changed = await rest.request('PATCH', business, { transferNumber: 'sip:desk' });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const { caller, number } = await greeted(service, { acceptsRefer: true });
  await askForPerson(rest, caller, number, wish);
  await rest.eventually('the softphone answers', async () => phone.isUp);
  await rest.eventually('the softphone hears who calls', async () => phone.audio.heard.length > 50);
  await caller.hangUp();
  assert.ok(!caller.events.some(({ type }) => type === 'referred'), 'the caller’s side knows no phone of ours');
  await rest.endedCall(number);
  phone.stop();
});

test('a caller whose number is routed to a person is put through at once, and where they dialled is on the call', async () => {
  const { body } = await rest.request('GET', '/phone-numbers');
  const id = body.data[0]?.id;
  const line = '+442079460018';
  const route = (routes: object[]) => rest.must('PATCH', `/phone-numbers/${id}`, { routes });
  await route([{ forwardedFrom: line, target: PERSON }]);
  try {
    await withPerson(rest, 'answer', async (person) => {
      const headers = [`Diversion: <sip:${line}@127.0.0.1>;reason=unconditional`];
      const { caller, number } = testCaller(service, 'demo', { headers });
      await caller.answered();
      await rest.eventually('the person is called', async () => person.isUp);
      void caller.call.speak(tone([CALLER_HZ], 60_000, 6_000));
      await rest.eventually('the person hears the caller', async () =>
        person.audio.heard.some(({ samples }) => isTone(CALLER_HZ, samples)),
      );
      assert.match(await agentSaid(rest, number), /^Thank you for calling .* I am connecting you\.$/);
      await caller.hangUp();
      caller.call.close();
      const call = await rest.endedCall(number);
      assert.deepEqual([call.outcome, call.forwardedFrom], ['transferred', line]);
      const forwarded = await rest.must('GET', `/calls?forwardedFrom=${encodeURIComponent(line)}`);
      assert.deepEqual(
        forwarded.map(({ id }) => id),
        [call.id],
      );
    });
  } finally {
    await route([]);
  }
});
