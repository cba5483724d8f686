// Checks and writes the contacts of a request: all or nothing, merged by number. Runs on the API's thread for few
// contacts, in import-thread.ts for many.

import { asE164 } from '../../db/domain/numbers/phone.ts';
import { ACTIVE_STATUSES, getCampaign } from '../../db/queries/campaigns/campaigns.ts';
import { contactsByNumbers, insertContacts, updateContact } from '../../db/queries/campaigns/contacts.ts';
import { campaignDestinationRules, contactFault } from '../../db/rules/destinations.ts';
import { contactQuotaExceeded } from '../../db/rules/quotas.ts';
import type { ContactTable } from '../../db/schema/campaigns.ts';
import type { Db } from '../../db/schema.ts';
import { transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import type { FieldError } from '../frame/errors.ts';
import { NOT_E164 } from '../frame/phone.ts';
import { textsColumn } from '../frame/variables.ts';
import type { AddedContacts, ContactsBody } from './schema.ts';

/** Faults reported per request. */
const FAULTS_MAX = 50;

export interface ContactImport {
  accountId: string;
  campaignId: string;
  contacts: ContactsBody['contacts'];
  nowMs: number;
  /** Contacts of a campaign that runs, or that its time starts, are called. */
  mayCall: boolean;
}

export type ImportOutcome =
  | { type: 'added'; data: AddedContacts; isCompleted: boolean }
  | { type: 'invalid'; faults: FieldError[] }
  | { type: 'not-allowed'; faults: FieldError[] }
  | { type: 'quota'; max: number }
  | { type: 'calls' }
  | { type: 'no-campaign' }
  | { type: 'deleted-campaign' };

/**
 * Adds contacts. A contact whose number is already in the campaign (or earlier in the request) is merged: given name,
 * email, variables and metadata replace the stored ones, each as a whole; null and left-out fields keep them.
 */
export async function importContacts(db: Db, { contacts, ...to }: ContactImport): Promise<ImportOutcome> {
  const { wanted, faults } = checkNumbers(contacts);
  if (faults.length > 0) return { type: 'invalid', faults };
  return transact(db, { accounts: [to.accountId] }, async (trx) => {
    const campaign = await getCampaign(trx, to.accountId, to.campaignId);
    if (campaign === undefined) return { type: 'no-campaign' };
    if (campaign.deletedAt !== null) return { type: 'deleted-campaign' };
    if (!to.mayCall && ACTIVE_STATUSES.includes(campaign.status)) return { type: 'calls' };
    const faults = await destinationFaults(trx, wanted, to);
    if (faults.length > 0) return { type: 'not-allowed', faults };
    const max = await contactQuotaExceeded(trx, to.accountId, wanted.length);
    if (max !== null) return { type: 'quota', max };
    const data = await mergeContacts(trx, wanted, to);
    return { type: 'added', data, isCompleted: campaign.status === 'COMPLETED' };
  });
}

async function mergeContacts(
  trx: Db,
  wanted: ContactsBody['contacts'],
  { accountId, campaignId, nowMs }: Pick<ContactImport, 'accountId' | 'campaignId' | 'nowMs'>,
): Promise<AddedContacts> {
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
  return { added: fresh.size, merged: contacts.length - fresh.size, contacts };
}

/** Contacts that no trunk of the campaign may call by the current rules. */
async function destinationFaults(
  db: Db,
  wanted: ContactsBody['contacts'],
  { accountId, campaignId }: Pick<ContactImport, 'accountId' | 'campaignId'>,
): Promise<FieldError[]> {
  const rules = await campaignDestinationRules(db, { accountId, campaignId });
  const faults: FieldError[] = [];
  for (const [i, { phoneNumber }] of wanted.entries()) {
    const message = contactFault(phoneNumber, rules);
    if (message !== null && faults.push({ field: `contacts[${i}].phoneNumber`, message }) >= FAULTS_MAX) break;
  }
  return faults;
}

function checkNumbers(contacts: ContactsBody['contacts']): { wanted: ContactsBody['contacts']; faults: FieldError[] } {
  const faults: FieldError[] = [];
  const wanted = contacts.map((contact, i) => {
    const phoneNumber = asE164(contact.phoneNumber);
    if (phoneNumber === null && faults.length < FAULTS_MAX) {
      faults.push({
        field: `contacts[${i}].phoneNumber`,
        message: NOT_E164,
      });
    }
    return { ...contact, phoneNumber: phoneNumber ?? '' };
  });
  return { wanted, faults };
}
