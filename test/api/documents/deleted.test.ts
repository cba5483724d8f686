// A document is deleted with its passages, and no other business of the tenant takes them away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentRecord } from '../../../api/documents/schema.ts';
import { deleteDocument } from '../../../db/queries/knowledge/documents.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

test('a document that is asked for under another business keeps its passages', async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  const text = 'The warranty is two years.';
  const path = `/businesses/${business.id}/documents`;
  const made = await api.tenant.ask('POST', path, { name: 'Warranty', kind: 'text', text });
  assert.equal(made.status, 201, made.text);
  const { id } = made.json.data as DocumentRecord;
  const { db } = api.context;
  const stored = await db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const passages = async () =>
    (await db.selectFrom('passages').select('seq').where('documentId', '=', id).execute()).length;
  assert.equal(await passages(), 1);
  assert.equal(await deleteDocument(db, stored.accountId, 'biz_other', id), false);
  assert.equal(await passages(), 1);
  assert.equal(await deleteDocument(db, stored.accountId, stored.businessId, id), true);
  assert.equal(await passages(), 0);
});
