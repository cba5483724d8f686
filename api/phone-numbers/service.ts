// Search, list and routing of phone numbers. Buying one is in purchase.ts, giving one back in release.ts.

import type { NumberRoute } from '../../db/domain/numbers/number-routes.ts';
import { countryFault } from '../../db/domain/numbers/phone.ts';
import { listUnpaidCharges } from '../../db/queries/numbers/charges.ts';
import {
  assignNumber,
  getPhoneNumber,
  listPhoneNumbers,
  type NumberChanges,
  type PhoneNumberRow,
  updatePhoneNumber,
} from '../../db/queries/numbers/phone-numbers.ts';
import { hasCurrent } from '../../db/queries/tenant-rows.ts';
import { isoTime } from '../../db/records/resources.ts';
import { payArrears } from '../billing/monthly.ts';
import { CarrierError } from '../carriers/carrier.ts';
import { carrierAnswer, carrierDown } from '../carriers/carrier-calls.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { routesColumn } from './number-routes.ts';
import { CAPABILITIES, type NumberListQuery, type NumberPatch, type PhoneNumber, type SearchQuery } from './schema.ts';

const missing = () => notFound('Phone number');

export function phoneNumberRecord(row: PhoneNumberRow): PhoneNumber {
  return {
    id: row.id,
    phoneNumber: row.phoneNumber,
    country: row.country,
    type: row.type,
    capabilities: JSON.parse(row.capabilities) as string[],
    campaignId: row.campaignId,
    isActive: row.isActive === 1,
    trunkId: row.trunkId,
    routes: JSON.parse(row.routes) as NumberRoute[],
    createdAt: isoTime(row.createdAt),
  };
}

/** Free numbers, each reserved for the account. @throws {ApiError} 422, 503 */
export async function searchNumbers(context: ApiContext, accountId: string, query: SearchQuery) {
  const capabilities = parseCapabilities(query.capabilities);
  const fault = countryFault(query.country);
  if (fault !== null) throw invalid([{ field: 'country', message: fault }]);
  try {
    const offers = await context.carrier.search(
      accountId,
      {
        country: query.country.toUpperCase(),
        capabilities,
        ...(query.areaCode === undefined ? {} : { areaCode: query.areaCode }),
        ...(query.type === undefined ? {} : { type: query.type }),
      },
      context.now(),
    );
    return offers.map(({ trunkId: _trunkId, carrierPrice, ...offer }) => ({
      ...offer,
      ...(carrierPrice === null ? {} : { carrierPrice }),
      reservedUntil: isoTime(offer.reservedUntil),
    }));
  } catch (error) {
    throw error instanceof CarrierError && error.code !== 'CARRIER_BUSY' ? carrierDown() : carrierAnswer(error);
  }
}

function parseCapabilities(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return [];
  const wanted = text.split(',').map((word) => word.trim().toLowerCase());
  if (wanted.some((word) => !CAPABILITIES.some((known) => known === word))) {
    throw invalid([{ field: 'capabilities', message: `must be a list of ${CAPABILITIES.join(', ')}` }]);
  }
  return [...new Set(wanted)];
}

export async function accountNumbers(context: ApiContext, accountId: string, query: NumberListQuery) {
  const { rows, total } = await listPhoneNumbers(context.read, accountId, {
    ...(query.campaignId === undefined ? {} : { campaignId: query.campaignId }),
    limit: query.limit,
    offset: offsetOf(query),
  });
  return { data: rows.map(phoneNumberRecord), pagination: pagination(query.page, query.limit, total) };
}

export async function accountNumber(context: ApiContext, accountId: string, id: string): Promise<PhoneNumber> {
  const row = await getPhoneNumber(context.read, accountId, id);
  if (row === null) throw missing();
  return phoneNumberRecord(row);
}

/** @throws {ApiError} 404, 409 if its campaign is active or the number is unpaid, 422, 503 */
export async function changeNumber(
  context: ApiContext,
  accountId: string,
  id: string,
  patch: NumberPatch,
): Promise<PhoneNumber> {
  const changes: NumberChanges = {
    ...(patch.campaignId === null ? { campaignId: null } : {}),
    ...(patch.isActive === undefined ? {} : { isActive: patch.isActive ? 1 : 0 }),
  };
  if (patch.isActive) await settleArrears(context, accountId, id);
  const row = await context.db.transaction().execute(async (trx) => {
    const number = await getPhoneNumber(trx, accountId, id);
    if (number === null) throw missing();
    if (patch.isActive && number.suspendedAt !== null && (await listUnpaidCharges(trx, accountId, id)).length > 0)
      throw unpaid();
    if (typeof patch.campaignId === 'string') {
      if (!(await hasCurrent(trx, 'campaigns', accountId, patch.campaignId))) {
        throw invalid([{ field: 'campaignId', message: 'names no campaign of this account' }]);
      }
      if ((await assignNumber(trx, accountId, id, patch.campaignId)) === 'campaign-active') {
        throw refused('CAMPAIGN_ACTIVE', 'The campaign that the number serves is active: pause it first');
      }
    }
    if (patch.routes !== undefined) changes.routes = await routesColumn(trx, accountId, patch.routes);
    return updatePhoneNumber(trx, accountId, id, changes);
  });
  if (row === null) throw missing();
  return phoneNumberRecord(row);
}

const unpaid = () => refused('NUMBER_UNPAID', 'A charge for the number is unpaid: add a card that can be charged');

/** Charges the card now: a suspended number is active again when its debts are paid. */
async function settleArrears(context: ApiContext, accountId: string, id: string): Promise<void> {
  const number = await getPhoneNumber(context.read, accountId, id);
  if (number === null || number.suspendedAt === null) return;
  if (!(await payArrears(context, accountId, id))) throw unpaid();
}
