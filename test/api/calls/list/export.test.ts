// Calls as CSV: all that match, with what was found of each, and nothing that a spreadsheet would compute.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import Papa from 'papaparse';
import { exportStream } from '../../../../api/calls/list/export-places.ts';
import { comesToRest } from '../../../../bench/rig/eventually.ts';
import { seedCall, setUpCampaign } from '../../../support/api/resources.ts';
import { useTenants } from '../../../support/api/use-api.ts';

const api = useTenants();

async function exported(query = ''): Promise<Array<Record<string, string>>> {
  const answer = await api.tenant.ask('GET', `/calls/export${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.match(String(answer.headers['content-type']), /^text\/csv/);
  assert.match(String(answer.headers['content-disposition']), /calls\.csv/);
  return Papa.parse<Record<string, string>>(answer.text.trim(), { header: true }).data;
}

test('every call that matches is a line, newest first, over many pages', async () => {
  const startedAt = api.clock.now - 1_000_000;
  for (let i = 0; i < 900; i++) {
    // Many begin in the same millisecond.
    await seedCall(api, api.tenant, {
      startedAt: startedAt + Math.floor(i / 100),
      direction: i % 2 ? 'inbound' : 'outbound',
    });
  }
  await seedCall(api, api.other, {});
  const lines = await exported();
  assert.equal(lines.length, 900);
  assert.equal(new Set(lines.map(({ id }) => id)).size, 900);
  const times = lines.map(({ startedAt: at = '' }) => at);
  assert.deepEqual(times, [...times].sort().reverse());
  assert.equal((await exported('?direction=inbound')).length, 450);
  const until = encodeURIComponent(new Date(startedAt + 1).toISOString());
  assert.equal((await exported(`?endDate=${until}`)).length, 200);
});

test('those of one number, and those that were forwarded from one', async () => {
  await seedCall(api, api.tenant, { direction: 'inbound', fromNumber: '+14155550101', forwardedFrom: '+14155550900' });
  await seedCall(api, api.tenant, { direction: 'outbound', toNumber: '+14155550101' });
  await seedCall(api, api.tenant, { direction: 'outbound', fromNumber: '+14155550101', toNumber: '+14155550102' });
  for (const [query, lines] of [
    ['number=%2B14155550101', 2],
    ['number=%2B14155550101&direction=inbound', 1],
    ['number=%2B14155550103', 0],
    ['forwardedFrom=%2B14155550900', 1],
    ['forwardedFrom=%2B14155550901', 0],
  ] as const) {
    assert.equal((await exported(`?${query}`)).length, lines, query);
    assert.equal((await api.tenant.ask('GET', `/calls?${query}`)).json.pagination.total, lines, query);
  }
});

test('an output of a business or a campaign is a column', async () => {
  const { business, campaign } = await setUpCampaign(api, api.tenant);
  const output = (name: string) => ({ name, schema: { type: 'string' }, description: name });
  await api.tenant.ask('PATCH', `/businesses/${business.id}`, { outputs: [output('topic')] });
  await api.tenant.ask('PATCH', `/campaigns/${campaign.id}`, { outputs: [output('guests')] });
  const analysis = { data: { topic: 'hours', guests: null }, reasons: {}, criteria: {}, by: 'model', analysedAt: '' };
  await seedCall(api, api.tenant, { analysis: JSON.stringify(analysis), score: 0.5, disposition: 'partly_met' });
  const [line] = await exported();
  assert.deepEqual([line?.['data.topic'], line?.['data.guests']], ['hours', '']);
  assert.deepEqual([line?.score, line?.disposition], ['0.5', 'partly_met']);
});

test('what a caller says is no formula, and a comma no column', async () => {
  await seedCall(api, api.tenant, {
    callerName: '=HYPERLINK("https://evil.example")',
    summary: 'Asked, "twice"\nfor Sam',
    fromNumber: '+4930123456',
  });
  await seedCall(api, api.tenant, { callerName: '-1+cmd', summary: '+1+SUM(A1)' });
  await seedCall(api, api.tenant, { callerName: 'Ann;=1+1', summary: 'At 9; not at 10;@x\t=2' });
  const lines = await exported();
  const line = lines.find(({ callerName }) => callerName?.includes('HYPERLINK'));
  assert.equal(line?.fromNumber, '+4930123456', 'a number is read by other programs');
  const other = lines.find(({ callerName }) => callerName?.includes('cmd'));
  const split = lines.find(({ callerName }) => callerName?.includes('Ann'));
  assert.deepEqual([split?.callerName, split?.summary], ["Ann;'=1+1", "At 9; not at 10;'@x\t'=2"]);
  assert.deepEqual([other?.callerName, other?.summary], ["'-1+cmd", "'+1+SUM(A1)"]);
  assert.equal(line?.callerName, `'=HYPERLINK("https://evil.example")`);
  assert.equal(line?.summary, 'Asked, "twice"\nfor Sam');
});

test('an account without calls has a table without lines', async () => {
  assert.deepEqual(await exported(), []);
});

test('an account has two exports at once, eight all together, and the rest is told when to ask again', async () => {
  const pieces = async function* () {
    yield 'id\r\n';
  };
  const first = exportStream(api.tenant.accountId, pieces());
  const second = exportStream(api.tenant.accountId, pieces());
  const refused = await api.tenant.ask('GET', '/calls/export');
  assert.deepEqual([refused.status, refused.json.code, refused.headers['retry-after']], [429, 'ACCOUNT_BUSY', '5']);
  assert.equal((await api.other.ask('GET', '/calls/export')).status, 200);
  await comesToRest();
  const others = Array.from({ length: 6 }, (_, index) => exportStream(`acc_${index >> 1}`, pieces()));
  assert.equal((await api.other.ask('GET', '/calls/export')).json.code, 'EXPORTS_BUSY');
  for (const stream of [first, ...others]) stream.destroy();
  await comesToRest();
  assert.equal((await api.tenant.ask('GET', '/calls/export')).status, 200);
  assert.equal(await text(second), 'id\r\n', 'read to its end it has its place until then');
  await exportStream(api.tenant.accountId, pieces()).toArray();
  await exportStream(api.tenant.accountId, pieces()).toArray();
  assert.equal((await api.tenant.ask('GET', '/calls/export')).status, 200);
});

test('between two pieces of an export everybody else has a turn', async () => {
  const pieces = async function* () {
    for (let piece = 0; piece < 50; piece++) yield 'id\r\n';
  };
  const read = exportStream(api.tenant.accountId, pieces()).toArray();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await read.finally(() => {
    isOver = true;
  });
  assert.ok(turns >= 49, `${turns} turns`);
});
