// Contacts: added to a campaign all or nothing, merged by number.

import { unreachable } from '../../db/domain/unexpected.ts';
import { listContacts } from '../../db/queries/campaigns/contact-pages.ts';
import { deleteContact, getContact } from '../../db/queries/campaigns/contacts.ts';
import { eraseConversationsWith } from '../../db/queries/conversations/erasure.ts';
import { eraseContactAnswers } from '../../db/queries/erasure/answers.ts';
import { eraseLog } from '../../db/queries/erasure/log.ts';
import { type ContactResource, contactResource } from '../../db/records/resources.ts';
import { campaignRow } from '../campaigns/service.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { scopeMissing } from '../plugins/auth.ts';
import { destinationNotAllowed } from '../spend/destinations.ts';
import { overQuota } from '../spend/quotas.ts';
import type { ContactImporter } from './importer.ts';
import { importContacts } from './merge.ts';
import type { AddedContacts, ContactQuery, ContactsBody } from './schema.ts';

/** Requests up to this size are handled on the API's own thread, in 2 ms. */
const CONTACTS_INLINE = 50;

export async function listContactRecords(
  context: ApiContext,
  accountId: string,
  campaignId: string,
  query: ContactQuery,
) {
  await campaignRow(context.read, accountId, campaignId);
  const { page, limit, status } = query;
  const filter = status === undefined ? {} : { status };
  const { rows, total } = await listContacts(context.read, accountId, campaignId, filter, {
    limit,
    offset: offsetOf(query),
  });
  return { data: rows.map(contactResource), pagination: pagination(page, limit, total) };
}

/** Adds contacts: all or nothing, merged by number. */
export async function addContacts(
  context: ApiContext,
  importer: ContactImporter,
  auth: Auth,
  campaignId: string,
  { contacts }: ContactsBody,
): Promise<{ data: AddedContacts; warnings?: string[] }> {
  const { accountId, scopes } = auth;
  const request = { accountId, campaignId, contacts, nowMs: context.now(), mayCall: scopes.includes('call') };
  const isSmall = contacts.length <= CONTACTS_INLINE;
  const outcome = await (isSmall ? importContacts(context.db, request) : importer.run(request));
  switch (outcome.type) {
    case 'invalid':
      throw invalid(outcome.faults);
    case 'not-allowed':
      throw destinationNotAllowed(outcome.faults);
    case 'quota':
      throw overQuota('contacts', outcome.max);
    case 'calls':
      throw scopeMissing(auth, 'call');
    case 'no-campaign':
      throw notFound('Campaign');
    case 'deleted-campaign':
      throw refused('CAMPAIGN_DELETED', 'Campaign is deleted');
    case 'added':
      if (!outcome.isCompleted) return { data: outcome.data };
      return { data: outcome.data, warnings: ['The campaign is COMPLETED: new contacts of it are not called'] };
    default:
      return unreachable(outcome);
  }
}

export async function removeContact(
  context: ApiContext,
  accountId: string,
  campaignId: string,
  contactId: string,
): Promise<ContactResource> {
  return context.db.transaction().execute(async (trx) => {
    await campaignRow(trx, accountId, campaignId);
    const row = await deleteContact(trx, accountId, campaignId, contactId);
    if (row !== undefined) {
      await eraseLog(trx, [contactId]);
      await eraseContactAnswers(trx, accountId, contactId);
      await eraseConversationsWith(trx, accountId, row.phoneNumber, context.now());
      return contactResource(row);
    }
    if ((await getContact(trx, accountId, campaignId, contactId)) === undefined) throw notFound('Contact');
    throw refused('CONTACT_BEING_CALLED', 'Contact is being called');
  });
}
