// Calls that clients begin: outbound ones (POST /calls) and browser calls (POST /calls/web). The call's row and the
// request to the engine are written in one transaction; the engine sees it within milliseconds.

import { randomBytes } from 'node:crypto';
import { addEvent } from '../../../db/outbox.ts';
import { insertCall } from '../../../db/queries/calls/life.ts';
import { campaignNumberIds } from '../../../db/queries/campaigns/campaigns.ts';
import { contactByNumber } from '../../../db/queries/campaigns/contacts.ts';
import { insertEngineRequest } from '../../../db/queries/engine/engine-requests.ts';
import { getPhoneNumber } from '../../../db/queries/numbers/phone-numbers.ts';
import { type CallResource, callResource } from '../../../db/records/call-record.ts';
import { trunkOfNumber } from '../../../db/rules/destinations.ts';
import type { CallTable, NewCall } from '../../../db/schema/call-columns.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import type { PhoneNumberTable } from '../../../db/schema/lines/phone-numbers.ts';
import type { Db } from '../../../db/schema.ts';
import { alsoExclude, transact, trunkWord } from '../../../db/scope.ts';
import { newId } from '../../../db/shared/id.ts';
import { tokenHash } from '../../../db/shared/secrets/token-hash.ts';
import { namedCampaign } from '../../campaigns/named-campaign.ts';
import type { ApiContext } from '../../context.ts';
import { invalid, retryLater } from '../../frame/errors.ts';
import { parseE164 } from '../../frame/phone.ts';
import { textsColumn } from '../../frame/variables.ts';
import { awaitRequest } from '../../peers/await-request.ts';
import { socketUrlOf } from '../../peers/socket-url.ts';
import { checkDestination } from '../../spend/destinations.ts';
import { checkMayCall } from '../../spend/may-call.ts';
import { checkEngine, checkTrunk } from './admission.ts';
import { type IceServer, iceServers } from './ice-servers.ts';
import type { CallCreate, WebCallCreate } from './schema.ts';

/** A request that no engine takes within this time is never dialled. */
const DIAL_EXPIRES_MS = 30_000;
/** Lifetime of the socket's token: a browser joins within seconds. */
const JOIN_EXPIRES_MS = 60_000;
const TOKEN_BYTES = 32;
const SOCKET_WAIT_MS = 500;
const SOCKET_POLL_MS = 10;

/** Called with the answer, in the transaction that creates the call. */
export type Remember<Answer = CallResource> = (trx: Db, answer: Answer) => Promise<void>;

export async function placeCall(
  context: ApiContext,
  accountId: string,
  body: CallCreate,
  remember: Remember,
): Promise<CallResource> {
  const wish = wishOf(body);
  return transact(context.db, { accounts: [accountId] }, async (trx) => {
    const answer = callResource(await beginCall(context, trx, accountId, newId('call'), wish));
    await remember(trx, answer);
    return answer;
  });
}

/** A call that a client wants, checked as far as it can be without the database. */
interface WantedCall {
  campaignId: string;
  toNumber: string;
  phoneNumberId: string;
  /** As stored; null: the contact's. */
  variables: string | null;
  metadata: string | null;
}

/** @throws {ApiError} 422 on `toNumber` */
export const wishOf = (body: CallCreate): WantedCall => ({
  campaignId: body.campaignId,
  toNumber: parseE164(body.toNumber, 'toNumber'),
  phoneNumberId: body.fromPhoneNumberId,
  variables: textsColumn(body.variables) ?? null,
  metadata: textsColumn(body.metadata) ?? null,
});

/** Writes the call and the request to dial it. @throws {ApiError} why it may not begin now */
export async function beginCall(
  context: ApiContext,
  trx: Db,
  accountId: string,
  id: string,
  wish: WantedCall,
): Promise<CallTable> {
  const nowMs = context.now();
  const { toNumber } = wish;
  const campaign = await namedCampaign(trx, accountId, wish.campaignId);
  await checkMayCall(trx, campaign, 'single', { nowMs, toNumber });
  const number = await callingNumber(trx, accountId, campaign.id, wish.phoneNumberId);
  const outbound = await trunkOfNumber(trx, number.trunkId);
  await checkDestination(trx, 'toNumber', { accountId, toNumber, trunkId: outbound });
  const { share } = await checkEngine(context, trx, accountId);
  if (outbound !== null) await alsoExclude(trx, trunkWord(outbound));
  const trunkId = await checkTrunk(trx, { accountId, numberTrunkId: number.trunkId, share }, nowMs);
  const contact = await contactByNumber(trx, accountId, campaign.id, toNumber);
  const row = await insertCall(trx, accountId, {
    ...servedBy(campaign),
    id,
    direction: 'outbound',
    medium: 'sip',
    forwardedFrom: null,
    fromNumber: number.phoneNumber,
    toNumber,
    phoneNumberId: number.id,
    callerName: contact?.name ?? null,
    variables: wish.variables ?? contact?.variables ?? '{}',
    metadata: wish.metadata ?? contact?.metadata ?? '{}',
    trunkId,
    nowMs,
  });
  const payload = { callId: row.id };
  const expiresAt = nowMs + DIAL_EXPIRES_MS;
  await insertEngineRequest(trx, accountId, { kind: 'dial', callId: row.id, payload, nowMs, expiresAt });
  return row;
}

type CallingNumber = Pick<PhoneNumberTable, 'id' | 'phoneNumber' | 'trunkId'>;

/** The fields that a call takes from its campaign. No engine has taken it yet, and it has no contact. */
function servedBy({
  id: campaignId,
  businessId,
  agentId,
}: CampaignTable): Pick<NewCall, 'campaignId' | 'businessId' | 'agentId' | 'contactId' | 'engineId'> {
  return { campaignId, businessId, agentId, contactId: null, engineId: null };
}

/** A calling number of the campaign. @throws {ApiError} 422 on `fromPhoneNumberId` */
export async function callingNumber(db: Db, accountId: string, campaignId: string, id: string): Promise<CallingNumber> {
  const number = await getPhoneNumber(db, accountId, id);
  const fault = (message: string) => invalid([{ field: 'fromPhoneNumberId', message }]);
  if (number === null) throw fault('names no phone number');
  if (number.campaignId !== campaignId) throw fault('names a phone number that does not belong to the campaign');
  if (number.isActive === 0) throw fault('names a phone number that is not active');
  return number;
}

interface WebCall {
  call: CallResource;
  socketUrl: string;
  iceServers: IceServer[];
}

/** Places a call from a browser: the engine has its socket; its token is stored only as SHA-256. */
export async function placeWebCall(
  context: ApiContext,
  accountId: string,
  body: WebCallCreate,
  remember: Remember = async () => {},
): Promise<WebCall> {
  const nowMs = context.now();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { requestId, ...answer } = await transact(context.db, { accounts: [accountId] }, async (trx) => {
    const campaign = await namedCampaign(trx, accountId, body.campaignId);
    await checkMayCall(trx, campaign, 'browser', { nowMs });
    const { engine } = await checkEngine(context, trx, accountId);
    const { mediaWsUrl } = engine;
    if (mediaWsUrl === null)
      throw retryLater('BROWSER_CALLS_DOWN', 'The engine takes no browser calls at the moment', 5);
    const row = await insertCall(trx, accountId, {
      ...servedBy(campaign),
      id: newId('call'),
      direction: 'inbound',
      medium: 'web',
      forwardedFrom: null,
      fromNumber: 'web',
      toNumber: await firstNumber(trx, accountId, campaign.id),
      phoneNumberId: null,
      callerName: null,
      variables: textsColumn(body.variables) ?? '{}',
      metadata: textsColumn(body.metadata) ?? '{}',
      trunkId: null,
      nowMs,
    });
    const call = callResource(row);
    await remember(trx, call);
    const requestId = await insertEngineRequest(trx, accountId, {
      kind: 'web-call',
      callId: row.id,
      target: engine.id,
      payload: {
        callId: row.id,
        tokenHash: tokenHash(token),
        tokenExpiresAt: nowMs + JOIN_EXPIRES_MS,
      },
      nowMs,
      expiresAt: nowMs + JOIN_EXPIRES_MS,
    });
    await addEvent(trx, { accountId, type: 'call.received', subjectId: row.id, data: call, nowMs });
    const socketUrl = socketUrlOf(mediaWsUrl, `/calls/${row.id}`, token);
    return { requestId, call, socketUrl, iceServers: iceServers(context.config.turn, row.id, nowMs) };
  });
  // A browser that joins at once must find the socket, which opens within milliseconds. Waits only briefly for a slow
  // engine.
  const wait = { withinMs: SOCKET_WAIT_MS, everyMs: SOCKET_POLL_MS };
  await awaitRequest(context.read, { accountId, id: requestId }, wait);
  return answer;
}

/** The number that a browser calls: the campaign's first, or `web`. */
async function firstNumber(db: Db, accountId: string, campaignId: string): Promise<string> {
  const [id] = (await campaignNumberIds(db, accountId, [campaignId])).get(campaignId) ?? [];
  const number = id === undefined ? null : await getPhoneNumber(db, accountId, id);
  return number?.phoneNumber ?? 'web';
}
