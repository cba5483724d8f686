// An agent is tried by text, and a person's conversation is taken over from it and given back.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { FakeCarriers } from '../support/carriers/fake-carrier.ts';
import { FakeTwilio, TWILIO_KEY } from '../support/carriers/fake-twilio.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const twilio = new FakeTwilio();
const http = await FakeCarriers.start(twilio.routes, new Map(twilio.authorizations));
const PUBLIC_URL = 'https://voice.example.com';
const { service, rest } = useService(
  {
    ...{ LLM: 'receptionist', PUBLIC_URL, CARRIER_API_BASE: http.url, EXTERNAL_IP: '203.0.113.20' },
    SIP_PORT: String(await reservePort()),
  },
  { skip },
);
after(() => http.close());

const OWN = '+14155550123';
const PERSON = '+14155550177';
const PICTURES = process.env.MESSAGE_PICTURES;

async function textFromPerson(Body: string, MessageSid: string): Promise<void> {
  const url = [...twilio.numbers.values()][0]?.sms_url ?? '';
  const request = twilio.signed(url, { MessageSid, From: PERSON, To: OWN, Body });
  const answer = await fetch(request.url.replace(PUBLIC_URL, service.apiUrl), { method: 'POST', ...request });
  assert.equal(answer.status, 200);
}

test('an agent is tried by text; a conversation is taken over and given back', { skip }, async () => {
  const { id: carrierId } = await rest.must('POST', '/admin/carriers', TWILIO_KEY);
  await rest.must('POST', `/admin/carriers/${carrierId}/trunk`, {});
  const campaignId = (await rest.must('GET', '/campaigns'))[0]?.id;
  twilio.forSale.set(OWN, { kind: 'Local', country: 'US' });
  await rest.must('GET', '/phone-numbers/search?country=US');
  await rest.must('POST', '/phone-numbers/purchase', { phoneNumber: OWN, campaignId });
  const window = await openBrowser(service.apiUrl, { width: 1440 });
  const { page } = window;
  await signIn(window, service.apiUrl);
  const pictures = async (name: string) => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        if (!PICTURES) continue;
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await page.goto(`${service.apiUrl}/#/messages`);
  await page.getByText('No messages yet').waitFor();
  await page.getByRole('button', { name: 'Try an agent by text' }).first().click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByLabel('Your message').fill('What are your opening hours?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.thread .agent .bubble').waitFor();

  await textFromPerson('What are your opening hours?', `SM${'1'.repeat(32)}`);
  await page.goto(`${service.apiUrl}/#/messages`);
  await page.getByRole('link', { name: PERSON }).click();
  await page.locator('.thread .agent .bubble').waitFor();
  await page.getByLabel('Your message').fill('This is Ana. I keep a table for you.');
  await page.getByRole('button', { name: 'Send and take over' }).click();
  await page.locator('.thread .user .bubble').waitFor();
  await page.getByRole('button', { name: 'Give back to the agent' }).waitFor();
  await textFromPerson('Great. And the prices?', `SM${'2'.repeat(32)}`);
  await page.getByText('Great. And the prices?').waitFor();
  await pictures('conversation');
  await page.getByRole('button', { name: 'Give back to the agent' }).click();
  await page.locator('.thread .agent .bubble').nth(1).waitFor();
  await page.goto(`${service.apiUrl}/#/messages`);
  await page.getByRole('link', { name: PERSON }).waitFor();
  await pictures('messages');
  await page.getByRole('link', { name: PERSON }).click();
  await page.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
  await page.getByRole('link', { name: PERSON }).waitFor({ state: 'detached' });
  await window.close();
});
