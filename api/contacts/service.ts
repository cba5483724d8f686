// Contacts: added to a campaign all or nothing, merged by number.

import { listContacts } from '../../db/queries/contact-pages.ts';
import {
  contactsByNumbers,
  deleteContact,
  getContact,
  insertContacts,
  updateContact,
} from '../../db/queries/contacts.ts';
import { type ContactResource, contactResource } from '../../db/resources.ts';
import type { ContactTable } from '../../db/schema/campaigns.ts';
import { newId } from '../../db/shared/id.ts';
import { textsColumn } from '../calls/variables.ts';
import { campaignRow, liveCampaign } from '../campaigns/service.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid, notFound, refused } from '../errors.ts';
import { offsetOf, pagination } from '../pagination.ts';
import { asE164 } from '../phone.ts';
import type { AddedContacts, ContactQuery, ContactsBody } from './schema.ts';

/** Faults reported per request. */
const FAULTS_MAX = 50;

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

/**
 * Adds contacts; one whose number is in the campaign already (or earlier in the request) is merged: what is sent of name,
 * email, variables and metadata replaces what is known, each as a whole; null and what is left out keep it.
 */
export async function addContacts(
  context: ApiContext,
  accountId: string,
  campaignId: string,
  body: ContactsBody,
): Promise<{ data: AddedContacts; warnings?: string[] }> {
  const wanted = checkNumbers(body);
  const nowMs = context.now();
  return context.db.transaction().execute(async (trx) => {
    const campaign = await liveCampaign(trx, accountId, campaignId);
    const known = await contactsByNumbers(trx, accountId, campaignId, [...new Set(wanted.map((w) => w.phoneNumber))]);
    const fresh = new Map<string, ContactTable>();
    const contacts: AddedContacts['contacts'] = [];
    for (const { phoneNumber, name, email, ...sent } of wanted) {
      const [variables, metadata] = [textsColumn(sent.variables), textsColumn(sent.metadata)];
      const earlier = known.get(phoneNumber) ?? fresh.get(phoneNumber);
      if (earlier !== undefined) {
        const changes = {
          ...(name != null && { name }),
          ...(email != null && { email }),
          ...(variables !== undefined && { variables }),
          ...(metadata !== undefined && { metadata }),
        };
        if (!fresh.has(phoneNumber) && Object.keys(changes).length > 0) {
          await updateContact(trx, accountId, earlier.id, changes);
        }
        Object.assign(earlier, changes);
        contacts.push({ id: earlier.id, phoneNumber, merged: true });
        continue;
      }
      const row: ContactTable = {
        id: newId('cnt'),
        accountId,
        campaignId,
        phoneNumber,
        name: name ?? null,
        email: email ?? null,
        status: 'PENDING',
        attempts: 0,
        lastCallId: null,
        nextAttemptAt: null,
        variables: variables ?? '{}',
        metadata: metadata ?? '{}',
        createdAt: nowMs,
      };
      fresh.set(phoneNumber, row);
      contacts.push({ id: row.id, phoneNumber, merged: false });
    }
    await insertContacts(trx, accountId, [...fresh.values()]);
    const data = { added: fresh.size, merged: contacts.length - fresh.size, contacts };
    if (campaign.status !== 'COMPLETED') return { data };
    return { data, warnings: ['The campaign is COMPLETED: new contacts of it are not called'] };
  });
}

function checkNumbers(body: ContactsBody): ContactsBody['contacts'] {
  const faults: FieldError[] = [];
  const contacts = body.contacts.map((contact, i) => {
    const phoneNumber = asE164(contact.phoneNumber);
    if (phoneNumber === null && faults.length < FAULTS_MAX) {
      faults.push({
        field: `contacts[${i}].phoneNumber`,
        message: 'must be a valid phone number in E.164 form',
      });
    }
    return { ...contact, phoneNumber: phoneNumber ?? '' };
  });
  if (faults.length > 0) throw invalid(faults);
  return contacts;
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
    if (row !== undefined) return contactResource(row);
    if ((await getContact(trx, accountId, campaignId, contactId)) === undefined) throw notFound('Contact');
    throw refused('CONTACT_BEING_CALLED', 'Contact is being called');
  });
}
