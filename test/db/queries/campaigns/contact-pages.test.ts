// Pages of contacts: each is the one that sorting everything would give, wherever reading begins.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshDatabase } from '../../../../bench/rig/database/fresh-database.ts';
import { openDatabase } from '../../../../db/database.ts';
import { listContacts } from '../../../../db/queries/campaigns/contact-pages.ts';
import { insertContacts } from '../../../../db/queries/campaigns/contacts.ts';
import type { ContactStatus } from '../../../../db/schema/campaigns.ts';
import type { Db } from '../../../../db/schema.ts';
import { newId } from '../../../../db/shared/id.ts';
import { seededRandom } from '../../../../engine/test-runs/caller/seeded-random.ts';

const CONTACTS = 9_000;
const ACCOUNT = 'acc_pages';
const CAMPAIGN = 'cmp_pages';

let directory: string;
let db: Db;
let contacts: Array<{ id: string; status: ContactStatus; createdAt: number }>;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'voice-pages-'));
  freshDatabase(join(directory, 'voice.db'));
  db = openDatabase(join(directory, 'voice.db'), { synchronous: 'NORMAL' });
  const random = seededRandom(7);
  // Imports of thousands within a second, others one by one.
  let createdAt = Date.UTC(2026, 10, 1);
  contacts = Array.from({ length: CONTACTS }, (_, i) => {
    createdAt += random() < 0.01 ? Math.floor(random() * 5_000) : i % 500 === 0 ? 40 : 0;
    return { id: newId('cnt'), status: random() < 0.8 ? 'PENDING' : 'COMPLETED', createdAt };
  });
  const row = (contact: (typeof contacts)[number], i: number) => ({
    ...contact,
    campaignId: CAMPAIGN,
    phoneNumber: `+1415${2_000_000 + i}`,
    name: null,
    email: null,
    attempts: 0,
    lastCallId: null,
    nextAttemptAt: null,
    variables: '{}',
    metadata: '{}',
  });
  await insertContacts(db, ACCOUNT, contacts.map(row));
});
after(async () => {
  await db.destroy();
  rmSync(directory, { recursive: true, force: true });
});

async function assertPages(status?: ContactStatus): Promise<void> {
  const sorted = contacts
    .filter((contact) => status === undefined || contact.status === status)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
  for (let offset = 0; offset < sorted.length + 300; offset += 299) {
    const page = { limit: 20, offset };
    const { rows, total } = await listContacts(db, ACCOUNT, CAMPAIGN, status === undefined ? {} : { status }, page);
    assert.equal(total, sorted.length);
    assert.deepEqual(
      rows.map(({ id }) => id),
      sorted.slice(offset, offset + 20),
      `${status} from ${offset}`,
    );
  }
}

test('every page, with a status and without, is the one that sorting everything would give', async () => {
  await assertPages();
  await assertPages('PENDING');
  await assertPages('COMPLETED');
});

test('pages stay right after contacts have changed their status and others were removed', async () => {
  for (const [i, contact] of contacts.entries()) {
    if (i % 7 !== 0) continue;
    contact.status = 'FAILED';
    await db.updateTable('contacts').set({ status: 'FAILED' }).where('id', '=', contact.id).execute();
  }
  for (const { id } of contacts.splice(3_000, 500)) await db.deleteFrom('contacts').where('id', '=', id).execute();
  await assertPages();
  await assertPages('PENDING');
  await assertPages('FAILED');
});

test('another account sees none of them', async () => {
  const { rows } = await listContacts(db, 'acc_other', CAMPAIGN, {}, { limit: 20, offset: 0 });
  assert.deepEqual(rows, []);
});
