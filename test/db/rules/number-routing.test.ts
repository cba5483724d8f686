// The answerer of a number: by the hour, by the number that the caller dialled first, and the last resort where nobody
// else can.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { routeInbound } from '../../../db/rules/routing.ts';
import { type Setup, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();
const LINE = '+442079460018';
const EVENINGS = [{ day: 'monday', open: '17:00', close: '09:00' }] as const;
/** Monday, 23 November 2026, noon in London. */
const NOON = Date.UTC(2026, 10, 23, 12);
const EVENING = NOON + 7 * 3_600_000;
const PERSON = '+14155550111';

let day: Setup;
let night: Setup;
beforeEach(async () => {
  [day, night] = [await setUpCampaign(api, api.tenant), await setUpCampaign(api, api.tenant)];
  for (const { campaign } of [day, night]) await api.tenant.ask('POST', `/campaigns/${campaign.id}/start`);
});

const change = (routes: object[]) => api.tenant.ask('PATCH', `/phone-numbers/${day.number.id}`, { routes });
async function set(...routes: object[]): Promise<void> {
  const { status, text } = await change(routes);
  assert.equal(status, 200, text);
}
async function answers(
  nowMs: number,
  forwardedFrom: string | null = null,
  callerNumber = '+14155550199',
): Promise<string | undefined> {
  const asked = { forwardedFrom, callerNumber, nowMs };
  const route = await routeInbound(api.context.read, day.number.phoneNumber, asked);
  return route.found ? (route.target ?? route.setup.campaign.id) : route.reason;
}

test('the first route that fits answers, and the number’s campaign where none does', async () => {
  const campaignId = night.campaign.id;
  await set({ hours: EVENINGS, timezone: 'Europe/London', campaignId }, { forwardedFrom: LINE, target: PERSON });
  assert.equal(await answers(NOON), day.campaign.id);
  assert.equal(await answers(EVENING), campaignId);
  assert.equal(await answers(EVENING + 13 * 3_600_000), campaignId, 'until Tuesday morning');
  assert.equal(await answers(NOON, LINE), PERSON);
  assert.equal(await answers(NOON, '+442079460019'), day.campaign.id);
  assert.equal(await answers(EVENING, LINE), campaignId);
  const { data } = (await api.tenant.ask('GET', `/phone-numbers/${day.number.id}`)).json;
  assert.deepEqual(data.routes, [
    { forwardedFrom: null, hours: EVENINGS, timezone: 'Europe/London', campaignId, target: null },
    { forwardedFrom: LINE, hours: null, timezone: null, campaignId: null, target: PERSON },
  ]);
  await set();
  assert.equal(await answers(EVENING, LINE), day.campaign.id);
});

test('hours are in the account’s zone by default', async () => {
  await set({ hours: EVENINGS, campaignId: night.campaign.id });
  await api.tenant.ask('PATCH', '/account', { timezone: 'Asia/Tokyo' });
  assert.equal(await answers(NOON), night.campaign.id);
});

test('where a route’s campaign does not answer, the next one does', async () => {
  await set({ campaignId: night.campaign.id });
  await api.tenant.ask('POST', `/campaigns/${night.campaign.id}/pause`);
  assert.equal(await answers(NOON), day.campaign.id);
  await api.tenant.ask('POST', `/campaigns/${day.campaign.id}/pause`);
  assert.equal(await answers(NOON), 'campaign_not_answering');
  await set({ target: PERSON });
  assert.equal(await answers(NOON), 'campaign_not_answering', 'nobody would put the caller through');
});

test('no call goes round: not to a number of the installation, and not from one', async () => {
  const { status, json } = await change([{ target: night.number.phoneNumber }]);
  assert.deepEqual([status, json.errors?.[0]?.field], [422, 'routes[0].target']);
  await set({ target: PERSON });
  assert.equal(await answers(NOON), PERSON);
  assert.equal(await answers(NOON, null, night.number.phoneNumber), day.campaign.id);
});

test('what is wrong with a route is said by its field', async () => {
  const faults = async (route: object) =>
    (await change([{ campaignId: night.campaign.id }, route])).json.errors?.map(({ field }) => field);
  assert.deepEqual(await faults({}), ['routes[1].campaignId']);
  assert.deepEqual(await faults({ campaignId: night.campaign.id, target: PERSON }), ['routes[1].campaignId']);
  assert.deepEqual(await faults({ campaignId: 'camp_none' }), ['routes[1].campaignId']);
  assert.deepEqual(await faults({ target: 'nobody' }), ['routes[1].target']);
  assert.deepEqual(await faults({ target: 'sip:nobody' }), ['routes[1].target']);
  assert.deepEqual(await faults({ target: '+19005550123' }), ['routes[1].target']);
  assert.deepEqual(await faults({ target: PERSON, forwardedFrom: '12' }), ['routes[1].forwardedFrom']);
  assert.deepEqual(await faults({ target: PERSON, timezone: 'Mars/Base' }), ['routes[1].timezone']);
  assert.deepEqual(await faults({ target: PERSON, hours: [{ day: 'monday', open: '09:00', close: '09:00' }] }), [
    'routes[1].hours[0].close',
  ]);
  const foreign = (await setUpCampaign(api, api.other)).campaign.id;
  assert.deepEqual(await faults({ campaignId: foreign }), ['routes[1].campaignId']);
  assert.equal((await change(Array.from({ length: 21 }, () => ({ target: PERSON })))).status, 422);
});
