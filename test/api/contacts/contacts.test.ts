// Contacts: all or nothing, merged by number, in the order of the request, up to 1,000; removed unless being called.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Setup, setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let set: Setup;
beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
});

const path = () => `/campaigns/${set.campaign.id}/contacts` as const;
const add = (contacts: object) => api.tenant.ask('POST', path(), { contacts });
const list = async (query = '') => (await api.tenant.ask('GET', `${path()}?${query}`)).json;
const number = (i: number) => `+1415${String(5_552_000 + i)}`;

test('contacts are added in the order of the request and read back', async () => {
  const answer = await add([
    { phoneNumber: number(1), name: 'Ann', email: 'ann@example.com' },
    { phoneNumber: number(2), name: null },
  ]);
  assert.equal(answer.status, 201);
  const { added, merged, contacts } = answer.json.data;
  assert.deepEqual([added, merged], [2, 0]);
  assert.deepEqual(
    contacts.map((contact) => [contact.phoneNumber, contact.merged]),
    [
      [number(1), false],
      [number(2), false],
    ],
  );
  const { data } = await list();
  const first = data.find((contact) => contact.id === contacts[0]?.id);
  assert.deepEqual(first, {
    id: contacts[0]?.id,
    phoneNumber: number(1),
    name: 'Ann',
    email: 'ann@example.com',
    status: 'PENDING',
    attempts: 0,
    lastCallId: null,
    nextAttemptAt: null,
    variables: {},
    metadata: {},
    createdAt: new Date(api.clock.now).toISOString(),
  });
});

test('a number that is there already, or twice in the request, is merged and keeps its id', async () => {
  const [known] = (await add([{ phoneNumber: number(1), name: 'Ann' }])).json.data.contacts;
  const { added, merged, contacts } = (
    await add([
      { phoneNumber: number(2), name: 'Bob' },
      { phoneNumber: number(1), email: 'ann@example.com' },
      { phoneNumber: number(2), email: 'bob@example.com' },
    ])
  ).json.data;
  assert.deepEqual([added, merged], [1, 2]);
  assert.deepEqual(
    contacts.map((contact) => contact.merged),
    [false, true, true],
  );
  assert.equal(contacts[1]?.id, known?.id);
  assert.equal(contacts[2]?.id, contacts[0]?.id);
  const { data, pagination } = await list();
  assert.equal(pagination.total, 2);
  const byNumber = Object.fromEntries(data.map((contact) => [contact.phoneNumber, contact]));
  assert.deepEqual(
    [byNumber[number(1)]?.name, byNumber[number(1)]?.email, byNumber[number(2)]?.name, byNumber[number(2)]?.email],
    ['Ann', 'ann@example.com', 'Bob', 'bob@example.com'],
  );
});

test('variables and metadata are kept; sent again, each replaces the earlier as a whole', async () => {
  const variables = { first_name: 'Ann', due: 'May 3' };
  await add([{ phoneNumber: number(1), variables, metadata: { crmId: '4711' } }]);
  assert.deepEqual((await list()).data[0]?.variables, variables);
  await add([{ phoneNumber: number(1), name: 'Ann', variables: null }]);
  assert.deepEqual((await list()).data[0]?.variables, variables);
  await add([{ phoneNumber: number(1), variables: { due: 'May 4' } }]);
  const [contact] = (await list()).data;
  assert.deepEqual([contact?.variables, contact?.metadata], [{ due: 'May 4' }, { crmId: '4711' }]);
  await add([{ phoneNumber: number(1), variables: {}, metadata: {} }]);
  const [emptied] = (await list()).data;
  assert.deepEqual([emptied?.variables, emptied?.metadata], [{}, {}]);
});

test('variables and metadata are flat, named plainly, and bounded', async () => {
  const fault = async (variables: unknown) => {
    const answer = await add([{ phoneNumber: number(1), variables }]);
    assert.equal(answer.status, 422, JSON.stringify(variables).slice(0, 80));
    return answer.json.errors?.[0]?.field;
  };
  assert.equal(await fault({ 'first name': 'Ann' }), 'contacts[0].variables.first name');
  assert.equal(await fault({ due: 3 }), 'contacts[0].variables.due');
  assert.equal(await fault({ due: { day: '3' } }), 'contacts[0].variables.due');
  assert.equal(await fault({ due: 'x'.repeat(1_001) }), 'contacts[0].variables.due');
  assert.equal(
    await fault(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`v${i}`, '']))),
    'contacts[0].variables',
  );
  assert.equal(await fault('first'), 'contacts[0].variables');
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`v_${i}`, 'x'.repeat(1_000)]));
  assert.equal((await add([{ phoneNumber: number(1), variables: full, metadata: full }])).status, 201);
});

test('one wrong contact and none is added', async () => {
  const answer = await add([
    { phoneNumber: number(1) },
    { phoneNumber: '5551234' },
    { phoneNumber: number(3) },
    { phoneNumber: '+1999' },
  ]);
  assert.equal(answer.status, 422);
  assert.deepEqual(
    answer.json.errors?.map(({ field }) => field),
    ['contacts[1].phoneNumber', 'contacts[3].phoneNumber'],
  );
  assert.equal((await list()).pagination.total, 0);
});

test('fields at fault are 422 by their path', async () => {
  const cases: Array<[object, string]> = [
    [[], 'contacts'],
    [{}, 'contacts'],
    [[{}], 'contacts[0].phoneNumber'],
    [[{ phoneNumber: 1 }], 'contacts[0].phoneNumber'],
    [[{ phoneNumber: number(1), email: 'x' }], 'contacts[0].email'],
    [[{ phoneNumber: number(1), phone: 'x' }], 'contacts[0].phone'],
    [Array.from({ length: 1_001 }, (_, i) => ({ phoneNumber: number(i) })), 'contacts'],
  ];
  for (const [contacts, field] of cases) {
    const answer = await add(contacts);
    assert.equal(answer.status, 422, field);
    assert.deepEqual(
      answer.json.errors?.map((error) => error.field),
      [field],
    );
  }
});

test('a thousand at once, then the same again: all merged', async () => {
  const contacts = Array.from({ length: 1_000 }, (_, i) => ({ phoneNumber: number(i) }));
  const first = (await add(contacts)).json.data;
  assert.deepEqual([first.added, first.merged], [1_000, 0]);
  const again = (await add([...contacts].reverse())).json.data;
  assert.deepEqual([again.added, again.merged], [0, 1_000]);
  assert.deepEqual(
    again.contacts.map((contact) => contact.id).reverse(),
    first.contacts.map((contact) => contact.id),
  );
  assert.equal((await list('limit=100&page=10')).data.length, 100);
  assert.equal((await list()).pagination.total, 1_000);
});

test('the same contact added by many requests at once is one contact', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => add([{ phoneNumber: number(7) }])));
  assert.equal(answers.filter(({ json }) => json.data.added === 1).length, 1);
  assert.equal(new Set(answers.map(({ json }) => json.data.contacts[0]?.id)).size, 1);
});

test('lists by status; totals follow the contacts', async () => {
  await add([{ phoneNumber: number(1) }, { phoneNumber: number(2) }, { phoneNumber: number(3) }]);
  await api.context.db
    .updateTable('contacts')
    .set({ status: 'VOICEMAIL' })
    .where('phoneNumber', '=', number(2))
    .execute();
  assert.equal((await list('status=PENDING')).pagination.total, 2);
  assert.equal((await list('status=VOICEMAIL')).data[0]?.phoneNumber, number(2));
  assert.equal((await list('status=FAILED')).pagination.total, 0);
});

test('a contact is removed unless it is being called', async () => {
  const [contact] = (await add([{ phoneNumber: number(1) }])).json.data.contacts;
  await api.context.db.updateTable('contacts').set({ status: 'CALLING' }).execute();
  assert.equal((await api.tenant.ask('DELETE', `${path()}/${contact?.id}`)).status, 409);
  await api.context.db.updateTable('contacts').set({ status: 'PENDING' }).execute();
  const removed = await api.tenant.ask('DELETE', `${path()}/${contact?.id}`);
  assert.equal(removed.status, 200);
  assert.equal(removed.json.data.phoneNumber, number(1));
  assert.equal((await api.tenant.ask('DELETE', `${path()}/${contact?.id}`)).status, 404);
  assert.equal((await list()).pagination.total, 0);
});

test('contacts of a completed campaign are taken with a warning', async () => {
  await api.context.db.updateTable('campaigns').set({ status: 'COMPLETED' }).execute();
  const answer = await add([{ phoneNumber: number(1) }]);
  assert.equal(answer.status, 201);
  assert.match(answer.json.warnings?.[0] ?? '', /COMPLETED/);
});

test('many contacts, which another thread adds, are refused like few', async () => {
  const many = Array.from({ length: 120 }, (_, i) => ({ phoneNumber: number(i) }));
  const wrong = await add([...many, { phoneNumber: '+1999' }]);
  assert.deepEqual(
    [wrong.status, wrong.json.errors?.map((error) => error.field)],
    [422, ['contacts[120].phoneNumber']],
  );
  const elsewhere = await api.tenant.ask('POST', '/campaigns/cmp_none/contacts', { contacts: many });
  assert.deepEqual([elsewhere.status, elsewhere.json.error], [404, 'Campaign not found']);
  assert.equal((await list()).pagination.total, 0);
});

const table = (text: string | Buffer, type = 'text/csv', to = path() as string) =>
  api.inject({
    method: 'POST',
    url: `/api/v1${to}`,
    payload: text,
    headers: { 'content-type': type, authorization: `Bearer ${api.tenant.token}` },
  });

test('a table of contacts is taken as text/csv, its columns by their names', async () => {
  const answer = await table(
    [
      '\ufeffPhone;Name;E-Mail;Due date;CRM id;',
      `${number(1)};"Rivera; Jamie";jamie@example.com;May 3;4711;left out`,
      ';;;;;',
      `${number(2)};;;;`,
      '',
    ].join('\r\n'),
    'text/csv; charset=utf-8',
  );
  assert.equal(answer.status, 201, answer.text);
  const { data } = await list();
  const read = data.map(({ phoneNumber, name, email, variables, metadata }) => [
    phoneNumber,
    name,
    email,
    variables,
    metadata,
  ]);
  assert.deepEqual(
    read.sort((a, b) => String(a[0]).localeCompare(String(b[0]))),
    [
      [number(1), 'Rivera; Jamie', 'jamie@example.com', { dueDate: 'May 3' }, { crmId: '4711' }],
      [number(2), null, null, {}, {}],
    ],
  );
});

test('a table from a spreadsheet on Windows keeps its letters, and one that cannot be read is refused', async () => {
  const rows = (name: string) => Buffer.from(`Name;Phone\r\n${name};${number(1)}\r\n`, 'latin1');
  const names = async () => (await list()).data.map(({ name }) => name);
  for (const [body, type] of [
    [rows('Jürgen Müller'), 'text/csv'],
    [rows('Jürgen Müller'), 'text/csv; charset=ISO-8859-1'],
    [Buffer.from(`\ufeffName\tPhone\nJürgen Müller\t${number(1)}\n`, 'utf16le'), 'text/csv'],
    [Buffer.from(`Name;Phone\nJürgen Müller;${number(1)}\n`), 'text/csv'],
  ] as const) {
    const answer = await table(body, type);
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(await names(), ['Jürgen Müller'], type);
  }
  // One line was pasted from elsewhere.
  assert.equal((await table(Buffer.concat([rows('José'), Buffer.from(`Zoë;${number(2)}\n`)]))).status, 201);
  assert.deepEqual((await names()).sort(), ['José', 'Zoë']);
  for (const [body, type, message] of [
    [rows('J\x81rgen'), 'text/csv', /Windows-1252 in line 2/],
    [rows('Ann'), 'text/csv; charset=klingon', /klingon, which is not known/],
    [rows('Ann\0'), 'text/csv', /save it as UTF-8/],
  ] as const) {
    const answer = await table(body, type);
    assert.equal(answer.status, 422);
    assert.match(answer.text, message);
  }
});

test('a row with one separator too many is refused by its number, and nothing of the table is kept', async () => {
  const answer = await table(
    `Name,Phone,Address\nAnn,${number(1)},1 Elm St\nAlex,${number(2)},12 Main St, Springfield\n`,
  );
  assert.equal(answer.status, 422);
  assert.equal(answer.json.errors?.[0]?.field, 'contacts[1]');
  assert.match(answer.text, /has 4 cells, and the first row of the table names 3/);
  assert.equal((await list()).pagination.total, 0);
});

test('numbers are found by their values, written with blanks and marks, behind a line that names the separator', async () => {
  const [first] = [number(1)];
  const spaced = `${first.slice(0, 2)} (${first.slice(2, 5)}) ${first.slice(5, 8)}-${first.slice(8)}`;
  for (const text of [
    `Customer number,Name,Mobile\n10442,Alex,${first}`,
    `Auftragsnummer;Name;Kontakt\n2026110342;Alex;${first}`,
    `Numéro de client;Name;Fax;Portable\n10442;Alex;+12125550199;${first}`,
    `sep=;\r\nName;Phone\r\nAlex;${first}\r\n`,
    `"sep=|"\nName|Phone\nAlex|${first}\n`,
    `Name,Phone\nAlex,\u202a${spaced}\u202c\n`,
    `Name,Phone\nAlex,"\u00a000${first.slice(1)} "\n`,
    `\u200eName,Phone\nAlex,tel:${first}\n`,
    `Name,Phone\nAlex,'${first}\n`,
  ]) {
    const answer = await table(text);
    assert.equal(answer.status, 201, `${text} ${answer.text}`);
    const { data } = await list();
    assert.deepEqual([data.length, data[0]?.phoneNumber, data[0]?.name], [1, first, 'Alex'], text);
  }
});

test('a table has the limits and the errors of JSON, and nothing of it is kept', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => number(index)).join('\n');
  for (const [text, field, message] of [
    ['', 'contacts', /is empty: the first row must name the columns/],
    ['Name,Note\nAnn,x', 'contacts', /Say which column has the phone number/],
    ['Phone,Note,note\n', 'contacts', /same name/],
    [`Phone,Note\n${number(1)},"open`, 'contacts', /row 2 of the table has a quote/],
    ['Phone\n', 'contacts', /must not be empty/],
    [`Phone\n${rows(1_001)}`, 'contacts', /at most 1000 items/],
    [`Phone,Name\n${number(1)},Ann\n12,Bob`, 'contacts[1].phoneNumber', /E\.164/],
    [`Phone,Mail,Email\n${number(1)},,nobody`, 'contacts[0].email', /e-mail/],
    [`Phone,Note\n${number(1)},${'x'.repeat(1_001)}`, 'contacts[0].variables.note', /1000/],
  ] as const) {
    const answer = await table(text);
    assert.equal(answer.status, 422, `${text.slice(0, 60)} ${answer.text}`);
    assert.equal(answer.json.errors?.[0]?.field, field, answer.text);
    assert.match(answer.json.errors?.[0]?.message ?? '', message);
  }
  assert.equal((await table(`Phone,Note\n${number(1)},${'x'.repeat(1024 * 1024)}`)).status, 413);
  assert.equal((await list()).pagination.total, 0);
  assert.equal((await table('Phone', 'text/csv', '/campaigns')).status, 415, 'no other route takes a table');
});
