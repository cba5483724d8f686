// A whole service with a number at a carrier: a person's texts are answered by the built-in receptionist, which books;
// STOP ends them; and of an erased conversation nothing is left in the files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { FakeCarriers } from '../support/carriers/fake-carrier.ts';
import { FakeTwilio, TWILIO_KEY } from '../support/carriers/fake-twilio.ts';
import { useService } from '../support/use-service.ts';

const twilio = new FakeTwilio();
const http = await FakeCarriers.start(twilio.routes, new Map(twilio.authorizations));
const PUBLIC_URL = 'https://voice.example.com';
const port = await reservePort();
const { service, rest } = useService({
  ...{ LLM: 'receptionist', PUBLIC_URL, CARRIER_API_BASE: http.url, EXTERNAL_IP: '203.0.113.20' },
  SIP_PORT: String(port),
});
after(async () => {
  await http.close();
  assert.deepEqual(http.faults, []);
});

const OWN = '+14155550123';
const PERSON = '+14155550177';
let url = '';
let texts = 0;

async function numberAtTwilio(): Promise<void> {
  if (url !== '') return;
  const { id } = await rest.must('POST', '/admin/carriers', TWILIO_KEY);
  await rest.must('POST', `/admin/carriers/${id}/trunk`, {});
  const [campaign] = await rest.must('GET', '/campaigns');
  twilio.forSale.set(OWN, { kind: 'Local', country: 'US' });
  await rest.must('GET', '/phone-numbers/search?country=US');
  await rest.must('POST', '/phone-numbers/purchase', { phoneNumber: OWN, campaignId: campaign?.id });
  url = [...twilio.numbers.values()][0]?.sms_url ?? '';
  assert.ok(url.startsWith(PUBLIC_URL), url);
}

/** A person's text; resolves with the next answer that Twilio has. */
async function ask(text: string): Promise<string> {
  const before = twilio.messages.size;
  await tell(text);
  return rest.eventually('an answer', async () => [...twilio.messages.values()][before]?.body);
}

async function tell(text: string): Promise<void> {
  const MessageSid = `SM${String(++texts).padStart(32, '0')}`;
  const request = twilio.signed(url, { MessageSid, From: PERSON, To: OWN, Body: text });
  const answer = await fetch(request.url.replace(PUBLIC_URL, service.apiUrl), {
    ...{ method: 'POST', headers: request.headers, body: request.body },
  });
  assert.equal(answer.status, 200);
}

test('the receptionist says the opening hours, and books an appointment', async () => {
  await numberAtTwilio();
  assert.match(await ask('What are your opening hours?'), /Monday|open/i);
  const services = (await rest.must('GET', '/businesses'))[0]?.services ?? [];
  await ask(`I would like to book a ${services[0]?.name}`);
  await ask('Next Wednesday at 10 am');
  await ask('My name is Jane Miller');
  await tell('yes');
  const [booked] = await rest.eventually('the appointment', async () => {
    const list = await rest.must('GET', '/appointments');
    return list.length > 0 ? list : undefined;
  });
  assert.deepEqual([booked?.name, booked?.phone, booked?.callId], ['Jane Miller', PERSON, null]);
});

test('after STOP nothing is sent but its confirmation', async () => {
  await numberAtTwilio();
  await rest.eventually('the last answer', async () => {
    const [one] = await rest.must('GET', '/conversations');
    return one?.isWaiting === false && one.lastMessage?.status === 'sent' ? one : undefined;
  });
  assert.match(await ask('STOP'), /no more messages/);
  const before = twilio.messages.size;
  await tell('Are you open on Sunday?');
  const [conversation] = await rest.must('GET', '/conversations');
  assert.deepEqual([conversation?.note, conversation?.isWaiting], ['opted_out', false]);
  assert.equal(twilio.messages.size, before);
});

test('of an erased conversation nothing is left', async () => {
  const [conversation] = await rest.must('GET', '/conversations');
  await rest.must('DELETE', `/conversations/${conversation?.id}`);
  assert.deepEqual(await rest.must('GET', '/conversations'), []);
  await rest.eventually('no word of it in the files', async () => {
    const files = readdirSync(service.dataDir).filter((name) => name.startsWith('voice.db'));
    const isThere = files.some((name) => readFileSync(join(service.dataDir, name)).includes('Are you open on Sunday'));
    return isThere ? undefined : true;
  });
});
