// Pages that are sent again without a statement: only while the database shows what it showed, and only to whom they
// belong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptPages } from '../../../../api/calls/list/kept-pages.ts';
import { newId } from '../../../../db/shared/id.ts';
import { seedCall } from '../../../support/api/resources.ts';
import { useApi } from '../../../support/api/use-api.ts';

const api = useApi();

const PAGE = '/calls?limit=5';
const pageOf = async (tenant = api.tenant) => (await tenant.ask('GET', PAGE)).json;

test('whatever changes in the calls of a page is in the next answer', async () => {
  const { db } = api.context;
  const call = await seedCall(api, api.tenant, { summary: 'before' });
  assert.equal((await pageOf()).data[0]?.summary, 'before');
  await db.updateTable('calls').set({ summary: 'after' }).where('id', '=', call.id).execute();
  assert.equal((await pageOf()).data[0]?.summary, 'after');
  const appointment = {
    id: newId('apt'),
    accountId: api.tenant.accountId,
    businessId: 'biz_1',
    callId: call.id,
    service: 'Cleaning',
    startsAt: 0,
    endsAt: 1,
    name: null,
    phone: null,
    phoneProved: 0 as const,
    notes: null,
    status: 'booked' as const,
    resource: null,
    sequence: 0,
    history: '[]',
    reference: null,
    eraseAfter: null,
    createdAt: 0,
  };
  await db.insertInto('appointments').values(appointment).execute();
  assert.equal((await pageOf()).data[0]?.appointments.length, 1);
  await seedCall(api, api.tenant, { summary: 'another' });
  assert.equal((await pageOf()).pagination.total, 2);
  await db.deleteFrom('calls').where('accountId', '=', api.tenant.accountId).execute();
  assert.deepEqual((await pageOf()).data, []);
});

test('a transaction is seen once it is committed, and not before', async () => {
  const { db } = api.context;
  const call = await seedCall(api, api.tenant, { summary: 'before' });
  await pageOf();
  const summaries: unknown[] = [];
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('calls').set({ summary: 'after' }).where('id', '=', call.id).execute();
    summaries.push((await pageOf()).data[0]?.summary);
  });
  summaries.push((await pageOf()).data[0]?.summary);
  assert.deepEqual(summaries, ['before', 'after']);
});

test('accounts that ask for the same address get their own pages', async () => {
  await seedCall(api, api.other, { summary: "the other's" });
  const theirs = await pageOf(api.other);
  assert.deepEqual([theirs.data[0]?.summary, theirs.pagination.total], ["the other's", 1]);
  assert.equal((await pageOf()).data[0]?.summary, 'after');
  assert.equal((await pageOf(api.other)).data[0]?.summary, "the other's");
});

test('a page that is asked for again needs no statement but that of the identity, and is the same answer', async () => {
  const third = await api.newTenant();
  await seedCall(api, third, { callerName: 'Ann \u{1f600}' });
  const { read } = api.context;
  const whole = Object.getPrototypeOf(read.getExecutor().withoutPlugins());
  const { executeQuery } = whole;
  const askedTwice = async () => {
    const first = await third.ask('GET', PAGE);
    let statements = 0;
    whole.executeQuery = function (...args: unknown[]) {
      statements++;
      return executeQuery.apply(this, args);
    };
    const again = await third.ask('GET', PAGE).finally(() => {
      whole.executeQuery = executeQuery;
    });
    return { first, again, statements };
  };
  let { first, again, statements } = await askedTwice();
  // On PostgreSQL a commit in any database of the server is another state, and other tests commit beside this one.
  for (let tries = 0; tries < 100 && statements !== 1; tries++) ({ first, again, statements } = await askedTwice());
  assert.equal(statements, 1);
  assert.equal(again.text, first.text);
  const ofEach = ['x-request-id', 'ratelimit', 'date'];
  const kept = ({ headers }: typeof first) => Object.entries(headers).filter(([name]) => !ofEach.includes(name));
  assert.deepEqual(Object.fromEntries(kept(again)), Object.fromEntries(kept(first)));
  for (const name of ofEach.slice(0, 2)) assert.notEqual(again.headers[name], first.headers[name]);
});

test('a revoked token gets no page that is kept', async () => {
  const { db } = api.context;
  const third = await api.newTenant();
  await third.ask('GET', PAGE);
  await db.updateTable('users').set({ sessionGeneration: 1 }).where('id', '=', third.userId).execute();
  assert.equal((await third.ask('GET', PAGE)).status, 401);
});

test('pages of one state are kept up to a number of bytes, the oldest goes first', () => {
  const pages = new KeptPages(3_000);
  const page = Buffer.alloc(800);
  for (const key of ['a', 'b', 'c']) pages.keep('1', key, page);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => pages.find('1', key)?.length),
    [undefined, 800, 800],
  );
  assert.equal(pages.find('2', 'b'), undefined);
  assert.equal(pages.find('1', 'b'), undefined, 'another state was seen since');
  pages.keep('2', 'x'.repeat(600), page);
  assert.equal(pages.find('2', 'x'.repeat(600)), undefined, 'its address is too long');
});
