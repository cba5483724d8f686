// Tools, documents and results, as somebody sets them up in a real browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startMcpServer } from '../../bench/rig/fakes/mcp-server.ts';
import { startReceiver, TEST_AUTHORITY } from '../../bench/rig/service/receiver.ts';
import { greeted } from '../support/conversation.ts';
import { pdf } from '../support/document-files.ts';
import { skip, useWindow } from './browser.ts';

const receiver = await startReceiver();
const { service, rest, window } = useWindow({ WEBHOOK_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: TEST_AUTHORITY });
after(() => receiver.close());

const open = async (address: string, heading: string | RegExp): Promise<void> => {
  await window.page.goto(`${service.apiUrl}/#${address}`);
  await window.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await window.page.locator('.loading').first().waitFor({ state: 'detached' });
};
const save = async (): Promise<void> => {
  await window.page.getByRole('button', { name: 'Save' }).click();
  await window.page.locator('.save-bar').waitFor({ state: 'detached' });
};
const businessId = async (): Promise<string> => (await rest.must('GET', '/businesses'))[0]?.id ?? '';

test('a tool is made, tried against a system, changed, and kept while somebody has it', { skip }, async () => {
  const { page } = window;
  window.expectStatus(409, 422);
  receiver.behave('/orders', (response) =>
    response.setHeader('content-type', 'application/json').end('{"status":"on its way","customer":{"plan":"gold"}}'),
  );
  await open('/tools/new', 'New tool');
  await page.getByLabel('Name', { exact: true }).fill('find order');
  await page.getByLabel('Description', { exact: true }).fill('Finds an order by its number.');
  await page.getByLabel('Web address').fill(receiver.url('/orders'));
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Header', { exact: true }).fill('Authorization');
  await page.getByLabel('Its value').fill('Bearer of-the-shop');
  await page.getByRole('button', { name: 'Add an argument' }).click();
  const argument = page.getByRole('group', { name: 'argument 1' });
  await argument.getByLabel('Name').fill('number');
  await argument.getByLabel('Description').fill('As it stands on the receipt');
  const schema = page.getByLabel('As JSON Schema');
  assert.deepEqual(JSON.parse(await schema.inputValue()), {
    type: 'object',
    properties: { number: { type: 'string', description: 'As it stands on the receipt' } },
    required: ['number'],
  });
  const properties = { number: { type: 'string' }, what: { type: 'string', enum: ['status', 'price'] } };
  await schema.fill(JSON.stringify({ type: 'object', properties, required: ['number'] }));
  await page.getByRole('group', { name: 'argument 2' }).getByText('price').waitFor();
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Variable', { exact: true }).fill('plan');
  await page.getByLabel('Path').fill('customer.plan');
  await page.getByRole('button', { name: 'Create the tool' }).click();
  await page.locator('input[aria-invalid="true"]').waitFor();
  await page.getByLabel('Name', { exact: true }).first().fill('find_order');
  await page.getByRole('button', { name: 'Create the tool' }).click();
  await page.getByRole('heading', { level: 1, name: 'find_order' }).waitFor();

  await page.getByLabel('number', { exact: true }).fill('4711');
  await page.getByLabel('what (optional)').selectOption('status');
  await page.getByRole('button', { name: 'Run it now' }).click();
  await page.getByText('Answered', { exact: true }).waitFor();
  await page.getByText('plan: gold').waitFor();
  await page.getByRole('region', { name: 'What came back' }).getByText('on its way').waitFor();
  await page.getByRole('region', { name: 'What the model would be told' }).getByText('on its way').waitFor();
  const request = (await page.getByRole('region', { name: 'The request' }).textContent()) ?? '';
  assert.match(request, /Authorization: \*+/i);
  assert.match(request, /"number": "4711"/);
  assert.doesNotMatch(request, /of-the-shop/);

  await page.getByRole('link', { name: 'Settings' }).last().click();
  await page.getByRole('list', { name: 'Headers that stay' }).getByText('Authorization').waitFor();
  await page.getByLabel('Said meanwhile').fill('Let me look.');
  await save();
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByLabel('number', { exact: true }).fill('4712');
  await page.getByRole('button', { name: 'Run it now' }).click();
  await page.getByText('Answered', { exact: true }).waitFor();
  assert.deepEqual(
    receiver.at('/orders').map(({ headers, body }) => [headers.authorization, JSON.parse(body).number]),
    [
      ['Bearer of-the-shop', '4711'],
      ['Bearer of-the-shop', '4712'],
    ],
  );

  await open(`/businesses/${await businessId()}?tab=tools`, /./);
  await page.getByLabel('find_order').check();
  await page.getByLabel('Ask one of your systems as a call begins').check();
  await page.getByLabel('Web address').fill(receiver.url('/who'));
  await save();
  await open('/tools', 'Tools');
  await page.getByRole('link', { name: 'find_order' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete the tool' }).click();
  await dialog.getByText(/The tool is used by .*: take it from there first/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await rest.must('PATCH', `/businesses/${await businessId()}`, { toolIds: [], lookup: null });
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete the tool' }).click();
  await page.getByText('No tools yet').waitFor();
});

test('of a server some tools are offered, each can be tried, and one that goes away is said', { skip }, async (t) => {
  const { page } = window;
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
  const server = await startMcpServer({
    tools: ['search', 'order', 'ticket'].map((name) => ({ name, description: `About ${name}.`, inputSchema })),
    answer: () => ({ content: [{ type: 'text', text: '{"state": "shipped"}' }] }),
  });
  t.after(() => server.close());
  await open('/tools/new', 'New tool');
  await page.getByLabel('Kind').selectOption('mcp');
  await page.getByLabel('Name', { exact: true }).fill('crm');
  await page.getByLabel('Description', { exact: true }).fill('Our customers');
  await page.getByLabel('Web address').fill(server.url);
  await page.getByRole('button', { name: 'Create the tool' }).click();
  await page.getByRole('heading', { level: 1, name: 'crm' }).waitFor();
  await page.getByLabel('Tool', { exact: true }).selectOption('order');
  await page.getByLabel('q', { exact: true }).fill('4711');
  await page.getByRole('button', { name: 'Run it now' }).click();
  await page.getByRole('region', { name: 'What the model would be told' }).getByText('shipped').waitFor();
  assert.deepEqual([server.calls[0]?.name, server.calls[0]?.arguments], ['order', { q: '4711' }]);

  await page.getByRole('link', { name: 'Settings' }).last().click();
  await page.getByText('About ticket.').waitFor();
  await page.getByLabel('All of them, also those to come').uncheck();
  await page.getByLabel('ticket').uncheck();
  await save();
  const [tool] = (await rest.must('GET', '/tools')) as Array<{ only: string[] }>;
  assert.deepEqual(tool?.only, ['search', 'order']);
  await server.close();
  await page.getByRole('button', { name: 'Read them again' }).click();
  await page.getByText('They could not be read the last time.').waitFor();
  await page.getByText('About ticket.').waitFor();
});

test('documents are pasted and chosen as files, found by a question, and deleted', { skip }, async () => {
  const { page } = window;
  await open(`/businesses/${await businessId()}?tab=documents`, /./);
  await page.getByRole('button', { name: 'Paste a text' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Terms');
  await dialog.getByLabel('Text').fill('# How long is the warranty?\n\nTwo years from the day of purchase.');
  assert.equal(await dialog.getByLabel('Kind').inputValue(), 'markdown');
  await dialog.getByRole('button', { name: 'Add the document' }).click();
  const table = page.getByRole('table', { name: 'Documents' });
  await table.getByRole('cell', { name: 'Terms' }).first().waitFor();
  await page.getByLabel('Files', { exact: true }).setInputFiles([
    { name: 'Prices.txt', mimeType: 'text/plain', buffer: Buffer.from('A haircut costs 42 pounds.') },
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('\n') },
    { name: 'Parking.md', mimeType: 'text/markdown', buffer: Buffer.from('# Where can I park?\n\nBehind the mill.') },
  ]);
  await page.getByText('2 added').waitFor();
  await page.getByText('empty.txt: It is empty.').waitFor();
  await table.getByRole('cell', { name: 'Parking' }).first().waitFor();
  const ask = async (question: string) => {
    await page.getByLabel('Question').fill(question);
    await page.getByRole('button', { name: 'Find' }).click();
  };
  const passages = page.getByRole('list', { name: 'Passages, the best first' });
  await ask('Is there a warranty?');
  await passages.getByText('Two years from the day of purchase.').waitFor();
  await passages.getByText('Terms, How long is the warranty?').waitFor();
  await page.getByRole('button', { name: 'Delete Terms' }).click();
  await page.getByRole('button', { name: 'Delete the document' }).click();
  await page.getByText('Deleted Terms').waitFor();
  await ask('Is there a warranty?');
  await page.getByText(/no document has the words/).waitFor();
});

test('a PDF, a page and a Word document are uploaded, and an address is read', { skip }, async () => {
  const { page } = window;
  window.expectStatus(400, 422);
  await open(`/businesses/${await businessId()}?tab=documents`, /./);
  await page.getByLabel('Files', { exact: true }).setInputFiles([
    { name: 'Boiler.pdf', mimeType: 'application/pdf', buffer: pdf([[{ text: 'The boiler valve costs 86 euros.' }]]) },
    {
      name: 'Hours.html',
      mimeType: 'text/html',
      buffer: Buffer.from('<h1>Holidays</h1><p>Closed on Whit Monday.</p>'),
    },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 and nothing else') },
  ]);
  await page.getByText('2 added').waitFor();
  await page.getByText(/^broken.pdf: The document could not be read\./).waitFor();
  const table = page.getByRole('table', { name: 'Documents' });
  await table.getByRole('row', { name: /Boiler.*PDF/ }).waitFor();
  await table.getByRole('row', { name: /Hours.*Web page/ }).waitFor();
  let status = 200;
  const site = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Returns</h1><p>Within thirty days.</p>');
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  after(() => site.close());
  await page.getByRole('button', { name: 'Read from an address' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Web address').fill('ftp://shop.example');
  await dialog.getByLabel('Name').fill('Returns of the shop');
  await dialog.getByRole('button', { name: 'Read it' }).click();
  await dialog.locator('.fault').first().waitFor();
  await dialog.getByLabel('Web address').fill(`http://127.0.0.1:${(site.address() as AddressInfo).port}/terms`);
  await dialog.getByLabel('Read it again').selectOption('24');
  await dialog.getByRole('button', { name: 'Read it' }).click();
  await table.getByRole('row', { name: /Returns of the shop.*Web page/ }).waitFor();
  await page.getByLabel('Question').fill('how much is the boyler valve');
  await page.getByRole('button', { name: 'Find' }).click();
  await page
    .getByRole('list', { name: 'Passages, the best first' })
    .getByText(/valve costs 86/)
    .waitFor();
  status = 404;
  await page.getByRole('button', { name: 'Read Returns of the shop again' }).click();
  await table.getByText('Its address answered 404').waitFor();
});

test('values and criteria of calls are set in a business and in a campaign', { skip }, async () => {
  const { page } = window;
  window.expectStatus(422);
  const id = await businessId();
  await open(`/businesses/${id}?tab=results`, /./);
  await page.getByRole('button', { name: 'Add a value' }).click();
  await page.getByLabel('Name').fill('reason');
  await page.getByLabel('Type').selectOption('one-of');
  await page.getByLabel('What it is').fill('Why the caller called');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Name at least one value.').waitFor();
  await page.getByLabel('Values').fill('booking, question,');
  await page.getByRole('button', { name: 'Add a criterion' }).click();
  const criterion = page.getByRole('group', { name: 'criterion 1' });
  await criterion.getByLabel('Name').fill('offered_appointment');
  await criterion.getByLabel('Question').fill('Did the agent offer an appointment?');
  await save();
  const { outputs, criteria } = (await rest.must('GET', `/businesses/${id}`)) as Record<string, unknown>;
  assert.deepEqual(outputs, [
    {
      name: 'reason',
      schema: { type: 'string', enum: ['booking', 'question'] },
      description: 'Why the caller called',
    },
  ]);
  assert.deepEqual(criteria, [{ name: 'offered_appointment', question: 'Did the agent offer an appointment?' }]);

  const campaignId = (await rest.must('GET', '/campaigns'))[0]?.id ?? '';
  await open(`/campaigns/${campaignId}?tab=settings`, /./);
  await page.getByRole('button', { name: 'Add a value' }).click();
  const value = page.getByRole('group', { name: 'value 1' });
  await value.getByLabel('Name').fill('guests');
  await value.getByLabel('Type').selectOption('integer');
  await value.getByLabel('Type').selectOption('other');
  await value.getByLabel('JSON Schema of the value').fill('{"type": "integer", "minimum": 1}');
  await value.getByLabel('What it is').fill('How many come');
  await save();
  const campaign = (await rest.must('GET', `/campaigns/${campaignId}`)) as Record<string, unknown>;
  assert.deepEqual(campaign.outputs, [
    { name: 'guests', schema: { type: 'integer', minimum: 1 }, description: 'How many come' },
  ]);
});

test('the page of a call shows what was found of it', { skip }, async () => {
  const { page } = window;
  await rest.must('PATCH', `/businesses/${await businessId()}`, {
    outputs: [{ name: 'booked', schema: { type: 'boolean' }, description: 'Whether an appointment was made' }],
    criteria: [{ name: 'offered_appointment', question: 'Did the agent offer an appointment?' }],
  });
  const { caller, number } = await greeted(service);
  await caller.hangUp();
  const { id } = await rest.endedCall(number);
  await open(`/calls/${id}`, /./);
  // It comes some seconds after the end; the page asks again meanwhile.
  await page.getByRole('heading', { name: 'Results' }).waitFor();
  await page.getByText('Booked', { exact: true }).waitFor();
  const criteria = page.getByRole('list', { name: 'Criteria' });
  await criteria.getByRole('listitem').filter({ hasText: 'Offered appointment' }).getByText('Not told').waitFor();
  await page.getByText(/by the built-in receptionist/).waitFor();
});

test('one header of a tool gets a new value, another goes, and an argument is kept nowhere', { skip }, async () => {
  const { page } = window;
  receiver.behave('/stock', (response) => response.setHeader('content-type', 'application/json').end('{"left":3}'));
  const { id } = await rest.must('POST', '/tools', {
    name: 'find_stock',
    description: 'Says how many are left.',
    url: receiver.url('/stock'),
    headers: { Authorization: 'Bearer old', 'X-Shop': 'one', 'X-Old': 'old' },
    parameters: { type: 'object', properties: { pin: { type: 'string' } } },
  });
  await open(`/tools/${id}`, 'find_stock');
  await page.getByRole('button', { name: 'Replace Authorization' }).click();
  await page.getByLabel('New value of Authorization').fill('Bearer new');
  await page.getByRole('button', { name: 'Remove X-Old' }).click();
  await page.getByRole('button', { name: 'Remove X-Shop' }).click();
  await page.getByRole('button', { name: 'Keep X-Shop' }).click();
  await page.getByRole('checkbox', { name: 'Keep no value of it' }).check();
  await save();
  const tool = await rest.must('GET', `/tools/${id}`);
  assert.deepEqual(tool.headerNames, ['Authorization', 'X-Shop']);
  assert.deepEqual(tool.parameters.properties, { pin: { type: 'string', writeOnly: true } });
  await rest.must('POST', `/tools/${id}/test`, { arguments: { pin: '1' } });
  const { headers } = receiver.at('/stock').at(-1) ?? {};
  assert.deepEqual([headers?.authorization, headers?.['x-shop'], headers?.['x-old']], ['Bearer new', 'one', undefined]);
});
