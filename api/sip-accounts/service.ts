// Accounts of softphones, which an ADMIN sets up. The engine notices a change of the row and accepts or drops the
// phone; it reports registrations in sip_bindings.
import {
  callsToOwner,
  getSipAccount,
  addSipAccount as insertSipAccount,
  listSipAccounts,
  newSipAccountId,
  deleteSipAccount as retireSipAccount,
  type SipAccountFields,
  type SipAccountRow,
  sipAccountNamed,
  updateSipAccount,
} from '../../db/queries/trunks/sip-accounts.ts';
import { type SipBindingRow, sipBindingsOf } from '../../db/queries/trunks/sip-bindings.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';
import { generatePassword } from '../auth/generated-password.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import type { NewSipAccount, SipAccount, SipAccountBody, SipAccountPatch } from './schema.ts';

/** The new phone belongs to the account of its campaign, else to the ADMIN's own. @throws {ApiError} 409, 422 */
export async function addAccount(
  context: ApiContext,
  adminAccountId: string,
  body: SipAccountBody,
): Promise<NewSipAccount> {
  const id = newSipAccountId();
  const password = body.password ?? generatePassword();
  const row = await context.db.transaction().execute(async (trx) => {
    const changes = await columns(context, trx, id, { ...body, password });
    return insertSipAccount(
      trx,
      id,
      {
        accountId: adminAccountId,
        username: body.username.toLowerCase(),
        displayName: null,
        passwordSealed: null,
        callsTo: null,
        enabled: 1,
        ...changes,
      },
      context.now(),
    );
  });
  return { ...sipAccountRecord(row, undefined), password };
}

/** @throws {ApiError} 404, 409, 422 */
export async function changeAccount(context: ApiContext, id: string, patch: SipAccountPatch): Promise<SipAccount> {
  const row = await context.db.transaction().execute(async (trx) => {
    if ((await getSipAccount(trx, id)) === null) throw notFound('SIP account');
    return updateSipAccount(trx, id, await columns(context, trx, id, patch));
  });
  if (row === null) throw notFound('SIP account');
  return withBinding(context, row);
}

/** The columns of a body's fields. @throws {ApiError} 409, 422 */
async function columns(
  context: ApiContext,
  trx: Db,
  id: string,
  { username, password, callsTo, enabled, ...plain }: SipAccountPatch,
): Promise<Partial<SipAccountFields>> {
  const name = username?.toLowerCase();
  if (name !== undefined) {
    const holder = await sipAccountNamed(trx, name);
    if (holder !== null && holder.id !== id) {
      throw refused('SIP_USERNAME_TAKEN', 'Another SIP account has this username');
    }
  }
  return {
    ...plain,
    ...(name === undefined ? {} : { username: name }),
    ...(password === undefined ? {} : { passwordSealed: seal(context.secretKey, id, password) }),
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
    ...(callsTo === undefined ? {} : await target(trx, callsTo)),
  };
}

/** @throws {ApiError} 422 */
async function target(trx: Db, callsTo: string | null): Promise<Partial<SipAccountFields>> {
  if (callsTo === null) return { callsTo };
  const accountId = await callsToOwner(trx, callsTo);
  if (accountId === null)
    throw invalid([{ field: 'callsTo', message: 'must be demo, where there is one, or a campaign' }]);
  return { callsTo, accountId };
}

export async function sipAccounts(context: ApiContext, page: PageQuery) {
  const { rows, total } = await listSipAccounts(context.read, { limit: page.limit, offset: offsetOf(page) });
  const bindings = await sipBindingsOf(
    context.read,
    rows.map((row) => row.id),
    context.now(),
  );
  return {
    data: rows.map((row) => sipAccountRecord(row, bindings.get(row.id))),
    pagination: pagination(page.page, page.limit, total),
  };
}

/** @throws {ApiError} 404 */
export async function sipAccount(context: ApiContext, id: string): Promise<SipAccount> {
  const row = await getSipAccount(context.read, id);
  if (row === null) throw notFound('SIP account');
  return withBinding(context, row);
}

/** @throws {ApiError} 404 */
export async function removeAccount(context: ApiContext, id: string): Promise<SipAccount> {
  const row = await context.db.transaction().execute((trx) => retireSipAccount(trx, id, context.now()));
  if (row === null) throw notFound('SIP account');
  return sipAccountRecord(row, undefined);
}

async function withBinding(context: ApiContext, row: SipAccountRow): Promise<SipAccount> {
  return sipAccountRecord(row, (await sipBindingsOf(context.read, [row.id], context.now())).get(row.id));
}

function sipAccountRecord(row: SipAccountRow, binding: SipBindingRow | undefined): SipAccount {
  return {
    id: row.id,
    accountId: row.accountId,
    username: row.username,
    displayName: row.displayName,
    callsTo: row.callsTo,
    enabled: row.enabled === 1,
    registration: binding === undefined || row.enabled === 0 ? null : registrationOf(binding),
    createdAt: isoTime(row.createdAt),
    deletedAt: isoOrNull(row.deletedAt),
  };
}

function registrationOf(binding: SipBindingRow): NonNullable<SipAccount['registration']> {
  const { contact, transport, address, port, userAgent, registeredAt, expiresAt } = binding;
  return {
    contact,
    transport,
    address,
    port,
    userAgent,
    since: isoTime(registeredAt),
    expiresAt: isoTime(expiresAt),
  };
}
