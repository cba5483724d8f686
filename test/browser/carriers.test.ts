// A carrier is connected, tested, given its trunk and bought from, as an ADMIN does it in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { FakeCarriers } from '../support/carriers/fake-carrier.ts';
import { FakeTelnyx, TELNYX_KEY } from '../support/carriers/fake-telnyx.ts';
import { openBrowser, signIn, skip, type Window } from './browser.ts';

const NUMBER = '+14155550123';
const HAD = '+14155550177';

const telnyx = new FakeTelnyx();
let http: FakeCarriers;
let service: Service;
let window: Window;

before(async () => {
  if (skip) return;
  http = await FakeCarriers.start(telnyx.routes, new Map(telnyx.authorizations));
  service = await startService({ CARRIER_API_BASE: http.url });
  window = await openBrowser(service.apiUrl);
  await signIn(window, service.apiUrl);
});
after(async () => {
  await window?.close();
  await service?.stop();
  await http?.close();
});

test('from a key to a number: connected, tested, a trunk, and bought at the price that is shown', {
  skip,
}, async () => {
  const { page } = window;
  window.expectStatus(422, 409);
  telnyx.forSale.add(NUMBER);
  await page.goto(`${service.apiUrl}/#/admin/carriers`);
  await page.getByRole('link', { name: 'Connect a carrier' }).first().click();
  await page.getByLabel('Carrier').selectOption('telnyx');
  await page.getByLabel('API key').fill('not a key');
  await page.getByRole('button', { name: 'Connect and test' }).click();
  await page.getByText(/begins with KEY: make one/).waitFor();
  await page.getByLabel('API key').fill(TELNYX_KEY.key);
  await page.getByRole('button', { name: 'Connect and test' }).click();
  await page.getByText('The balance is 20.00 USD').waitFor();
  await page.getByRole('button', { name: 'Make the trunk' }).click();
  await page.getByRole('link', { name: 'Open the trunk' }).waitFor();
  assert.equal(telnyx.connections.size, 1);
  await page.getByRole('link', { name: 'Buy a number' }).click();
  await page.getByLabel('Area code').fill('415');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('cell', { name: 'US$1.00 a month, US$1.00 once' }).waitFor();
  await page.getByRole('button', { name: `Buy ${NUMBER}` }).click();
  await page.getByRole('button', { name: /Buy for/ }).click();
  await page.getByRole('heading', { level: 1, name: NUMBER }).waitFor();
  assert.equal(telnyx.purchases, 1);
  await page.goto(`${service.apiUrl}/#/admin/carriers`);
  await page.getByRole('link', { name: 'Telnyx' }).click();
  await page.getByRole('cell', { name: NUMBER }).waitFor();
  // One that the account at the carrier had before is taken over.
  telnyx.numbers.set('had', { id: 'had', phone_number: HAD, connection_id: '', customer_reference: '' });
  await page.getByRole('button', { name: 'Show them' }).click();
  await page.getByRole('button', { name: `Take over ${HAD}` }).click();
  await page.getByText(`${HAD} is yours`).waitFor();
  assert.equal(telnyx.numbers.get('had')?.connection_id, [...telnyx.connections.keys()][0]);
  // Numbers of it are owned: it stays connected.
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText(/Release them first/).waitFor();
  assert.deepEqual(http.faults, []);
});
