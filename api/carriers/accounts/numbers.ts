// Numbers that an account at a carrier has already: an ADMIN takes them over, bound to the trunk. They are given
// back to the carrier like those that were bought here.
import { describeNumber } from '../../../db/domain/numbers/describe-number.ts';
import { findAccount } from '../../../db/queries/accounts/accounts.ts';
import { reserveCarrierOffers } from '../../../db/queries/numbers/carrier-orders.ts';
import { type CarrierRow, getCarrier, numbersOfCarrier } from '../../../db/queries/numbers/carriers.ts';
import { findNumberInUse } from '../../../db/queries/numbers/inventory.ts';
import { createPhoneNumber } from '../../../db/queries/numbers/phone-numbers.ts';
import type { ApiContext } from '../../context.ts';
import { invalid, notFound, refused } from '../../frame/errors.ts';
import { parseE164 } from '../../frame/phone.ts';
import type { PhoneNumber } from '../../phone-numbers/schema.ts';
import { phoneNumberRecord } from '../../phone-numbers/service.ts';
import type { CarrierApi, TrunkParts } from '../api/carrier-api.ts';
import { openCarrier } from '../api/open.ts';
import { CarrierError } from '../carrier.ts';
import { listenIfCan, listenTo } from '../texting.ts';
import { adminAnswer } from './admin-answer.ts';
import type { CarrierOwned, CarrierTexting, TakeOverBody } from './schema.ts';

async function opened(context: ApiContext, id: string): Promise<{ row: CarrierRow; api: CarrierApi }> {
  const row = await getCarrier(context.read, id);
  if (row === null) throw notFound('Carrier');
  try {
    return { row, api: openCarrier(row, { secretKey: context.secretKey, apiBase: context.config.carrierApiBase }) };
  } catch (error) {
    throw adminAnswer(error);
  }
}

/** @throws {ApiError} 404, 409, 503 */
export async function numbersThere(context: ApiContext, id: string): Promise<CarrierOwned[]> {
  const { api } = await opened(context, id);
  const numbers = await api.numbers().catch((error: unknown) => {
    throw adminAnswer(error);
  });
  const found: CarrierOwned[] = [];
  for (const phoneNumber of numbers.sort()) {
    const here = await findNumberInUse(context.read, phoneNumber);
    found.push({ phoneNumber, accountId: here?.accountId ?? null });
  }
  return found;
}

/**
 * Binds the number to the trunk and gives it to an account. Asked again after a crash, it does the rest.
 * @throws {ApiError} 404, 409, 422, 503
 */
export async function takeOverNumber(
  context: ApiContext,
  id: string,
  ownAccountId: string,
  body: TakeOverBody,
): Promise<PhoneNumber> {
  const phoneNumber = parseE164(body.phoneNumber, 'phoneNumber');
  const accountId = body.accountId ?? ownAccountId;
  const { row, api } = await opened(context, id);
  const { trunkId } = row;
  if (trunkId === null) throw refused('CARRIER_HAS_NO_TRUNK', 'No trunk was made at the carrier yet: make it first');
  if ((await findAccount(context.read, accountId)) === undefined) {
    throw invalid([{ field: 'accountId', message: 'names no account' }]);
  }
  if (await findNumberInUse(context.read, phoneNumber)) throw owned(phoneNumber);
  await api.bind(phoneNumber, JSON.parse(row.trunkParts) as TrunkParts).catch((error: unknown) => {
    throw adminAnswer(error);
  });
  const { carrierApiBase: apiBase, publicUrl } = context.config;
  await listenIfCan({ ...context, apiBase, publicUrl }, row, phoneNumber);
  const nowMs = context.now();
  const monthlyCost = row.monthlyCost ?? 0;
  const offer = { phoneNumber, ...describeNumber(phoneNumber), capabilities: ['voice'], monthlyCost };
  const created = await context.db.transaction().execute(async (trx) => {
    const at = { carrierId: id, trunkId, offers: [{ ...offer, carrierPrice: null }] };
    const [reserved] = await reserveCarrierOffers(trx, accountId, at, { nowMs, untilMs: nowMs });
    if (reserved === undefined) throw owned(phoneNumber);
    return createPhoneNumber(trx, accountId, { ...offer, campaignId: null, trunkId, nowMs });
  });
  if (created === null) throw owned(phoneNumber);
  return phoneNumberRecord(created);
}

/**
 * Has texts to all numbers of the connected account that are owned here come here, as those that are bought do.
 * @throws {ApiError} 404, 409 without PUBLIC_URL
 */
export async function listenToAll(context: ApiContext, id: string): Promise<CarrierTexting[]> {
  const { carrierApiBase: apiBase, publicUrl } = context.config;
  if (publicUrl === null)
    throw refused('NO_PUBLIC_URL', 'Set PUBLIC_URL to the address at which carriers reach this service');
  const told: CarrierTexting[] = [];
  for (const phoneNumber of await numbersOfCarrier(context.read, id)) {
    // Read anew: what was made for the first one is there for the next.
    const row = await getCarrier(context.read, id);
    if (row === null) throw notFound('Carrier');
    try {
      await listenTo({ ...context, apiBase, publicUrl }, row, phoneNumber);
      told.push({ phoneNumber, error: null });
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      told.push({ phoneNumber, error: error.message });
    }
  }
  if (told.length === 0 && (await getCarrier(context.read, id)) === null) throw notFound('Carrier');
  return told;
}

const owned = (phoneNumber: string) =>
  refused('NUMBER_OWNED', `${phoneNumber} is an account's, or in the stock: it must be released, or removed, first`);
