// Contacts from a file: columns, rows, batches, and what the service refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactsOfCsv } from '../../api/contacts/csv.ts';
import { columnsFault, guessColumns, keyOf } from '../../db/domain/contacts/contact-columns.ts';

Object.assign(globalThis, {
  location: { hash: '' },
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
const { ApiError } = await import('../../api/dashboard/app/client.ts');
const { batchesOf, csvOf, isSendable, readContacts } = await import(
  '../../api/dashboard/app/pages/campaigns/contacts-csv.ts'
);
const { uploadContacts } = await import('../../api/dashboard/app/pages/campaigns/contacts-upload.ts');
const { readCsv } = await import('../../api/dashboard/app/pages/campaigns/csv-file.ts');
const { loadPhoneReader } = await import('../../api/dashboard/app/phone-reader.ts');
type Uploaded = Parameters<Parameters<typeof uploadContacts>[2]>[0];

const HEADERS = ['Mobile number', 'Name', 'E-mail', 'First name', 'CRM id', 'Due date', ''];
const plain = (text: string) => (text.startsWith('+') ? text : null);
const never = () => assert.fail('it need not wait');

test('columns are guessed by their names', () => {
  const columns = guessColumns(HEADERS);
  assert.deepEqual(
    columns.map(({ target, key }) => [target, key]),
    [
      ['phoneNumber', 'mobileNumber'],
      ['name', 'name'],
      ['email', 'eMail'],
      ['variable', 'firstName'],
      ['metadata', 'crmId'],
      ['variable', 'dueDate'],
      ['skip', ''],
    ],
  );
  assert.equal(columnsFault(columns), null);
  assert.match(columnsFault(guessColumns(['Name'])) ?? '', /phone number/);
  assert.match(columnsFault(guessColumns(['Phone', 'Due date', 'due_date', 'dueDate'])) ?? '', /same name/);
  const orders = guessColumns(['Order number', 'Cancelled', 'Who'], [['20261103', '2026-11-03', '+12125550143']]);
  assert.deepEqual(
    orders.map(({ target }) => target),
    ['variable', 'variable', 'phoneNumber'],
  );
  assert.equal(keyOf('Prénom du client'), 'prenomDuClient');
});

test('a row becomes a contact, or says what is wrong with it and on which line', () => {
  const rows = readContacts(
    [
      ['+12125550143', 'Jamie', 'jamie@example.com', 'Jamie', '4711', 'May 3'],
      ['not a number', 'Alex'],
      ['', 'Nobody'],
      ['+12125550144', '', 'at home'],
      ['+12125550143', 'Jamie again'],
      ['+12125550145', 'Jo', '', '', '', 'May 3', 'a note', ' 2026'],
    ],
    guessColumns(HEADERS),
    plain,
    [2, 3, 4, 5, 6, 7],
  );
  assert.deepEqual(rows[0]?.contact, {
    phoneNumber: '+12125550143',
    name: 'Jamie',
    email: 'jamie@example.com',
    variables: { firstName: 'Jamie', dueDate: 'May 3' },
    metadata: { crmId: '4711' },
  });
  assert.deepEqual(
    rows.map(({ line, problem, sameAs }) => [line, problem, sameAs]),
    [
      [2, null, null],
      [3, 'not a number is no phone number', null],
      [4, 'No phone number', null],
      [5, 'at home is no e-mail address', null],
      [6, null, 2],
      [7, 'More cells than the first line: quotes are missing', null],
    ],
  );
});

test('a file is read as the service reads it: its quotes, its lines, its addresses and its numbers', async () => {
  const { toE164 } = await loadPhoneReader();
  const read = async (text: string) => {
    const { rows, lines } = await readCsv(new File([text], 'people.csv'));
    const [headers = [], ...others] = rows;
    const columns = guessColumns(headers, others);
    return readContacts(others, columns, (number) => toE164(number, 'GB'), lines.slice(1));
  };
  const kept = 'Phone,Email\n\n+44 (0)20 7946 0123,ann@localhost\n+442079460124,jö@example.com\n';
  const found = await read(kept);
  assert.deepEqual(
    found.map(({ line, contact, problem }) => [line, contact?.phoneNumber ?? problem, contact?.email]),
    [
      [3, '+442079460123', 'ann@localhost'],
      [4, 'jö@example.com is no e-mail address', undefined],
    ],
  );
  const sent = contactsOfCsv(Buffer.from('Phone,Email\n+44 (0)20 7946 0123,ann@localhost\n'), null);
  assert.deepEqual(sent.contacts, [found[0]?.contact]);
  const broken = 'Phone,Name\n+442079460123,"Ann "the best" Lee"\n';
  await assert.rejects(read(broken), /Line 2 of people.csv has a quote/);
  assert.throws(() => contactsOfCsv(Buffer.from(broken), null), /Validation failed/);
});

test('numbers are read as people write them, in the country that is chosen', async () => {
  const { toE164, countries } = await loadPhoneReader();
  assert.equal(toE164('020 7946 0123', 'GB'), '+442079460123');
  assert.equal(toE164('0044 20 7946 0123', 'DE'), '+442079460123');
  assert.equal(toE164('(212) 555-0143', 'US'), '+12125550143');
  assert.equal(toE164('12', 'GB'), null);
  assert.equal(toE164('+44 1624 439975', 'GB'), null, 'the service would refuse it: nobody on the Isle of Man has it');
  assert.ok(countries.length > 200);
});

const sendable = (count: number, text = '') =>
  readContacts(
    Array.from({ length: count }, (_, index) => [`+1212555${String(index).padStart(4, '0')}`, text]),
    guessColumns(['Phone', 'Note']),
    plain,
    Array.from({ length: count }, (_, index) => index + 2),
  ).filter(isSendable);

test('a batch holds 500 contacts, fewer where they are large', () => {
  assert.deepEqual(
    batchesOf(sendable(1_001)).map(({ length }) => length),
    [500, 500, 1],
  );
  for (const batch of batchesOf(sendable(900, 'ü'.repeat(900)))) {
    assert.ok(new TextEncoder().encode(JSON.stringify(batch.map(({ contact }) => contact))).length < 1_000_000);
  }
});

test('rows that the service refuses are put aside with its reason, the others of their batch are sent', async () => {
  const results: Uploaded = [];
  const sent: number[] = [];
  await uploadContacts(
    sendable(4),
    async (contacts) => {
      sent.push(contacts.length);
      if (contacts.length === 4) {
        const faults = [{ field: 'contacts[1].phoneNumber', message: 'must be a valid phone number in E.164 form' }];
        throw new ApiError(422, 'VALIDATION_FAILED', 'Some fields are not as they should be', faults, null);
      }
      const answered = contacts.map(({ phoneNumber }, index) => ({ id: '', phoneNumber, merged: index === 0 }));
      return { added: 2, merged: 1, contacts: answered };
    },
    (rows) => results.push(...rows),
    never,
  );
  assert.deepEqual(sent, [4, 3]);
  assert.deepEqual(
    results.map(({ row, result, reason }) => [row.line, result, reason]),
    [
      [2, 'merged', ''],
      [4, 'added', ''],
      [5, 'added', ''],
      [3, 'refused', 'phoneNumber must be a valid phone number in E.164 form'],
    ],
  );
});

test('a busy service is asked again, and a lasting error ends the upload', async () => {
  let waits = 0;
  let asked = 0;
  const busy = () => new ApiError(429, 'TOO_MANY_REQUESTS', 'Too many requests', [], null);
  await uploadContacts(
    sendable(1),
    async () => {
      if (asked++ < 2) throw busy();
      return { added: 1, merged: 0, contacts: [{ id: '', phoneNumber: '', merged: false }] };
    },
    () => undefined,
    async () => {
      waits++;
    },
  );
  assert.deepEqual([asked, waits], [3, 2]);
  const send = async () => {
    throw busy();
  };
  await assert.rejects(
    uploadContacts(sendable(1), send, never, async () => undefined),
    { status: 429 },
  );
});

test('what is downloaded is read back as it was', () => {
  assert.equal(
    csvOf([
      ['a', 'b, "c"'],
      ['line\nbreak', ''],
    ]),
    'a,"b, ""c"""\r\n"line\nbreak",\r\n',
  );
});
