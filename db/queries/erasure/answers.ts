// Answers that are kept for repeated requests, without the persons in them who are erased.
import { HOUR_MS } from '../../domain/hours/durations.ts';
import type { Db } from '../../schema.ts';
import { type Blanks, blanked, blanksOf } from './blanks.ts';

/** Answers to idempotent requests are kept for a day; here an hour is to spare. */
export const ANSWERS_KEPT_MS = 25 * HOUR_MS;

/** Erases these calls from the kept answers. */
export async function eraseCallAnswers(trx: Db, accountId: string, callIds: ReadonlySet<string>): Promise<void> {
  if (callIds.size === 0) return;
  await eraseAnswers(trx, accountId, {
    path: '%/calls%',
    isPersonal: (response) => namesAny(response, callIds),
    blank: blanksOf,
  });
}

const namesAny = (text: string, ids: ReadonlySet<string>): boolean =>
  [...text.matchAll(/"id":"(call_\w+)"/g)].some(([, id = '']) => ids.has(id));

/** Erases a contact from the kept answers. */
export async function eraseContactAnswers(trx: Db, accountId: string, contactId: string): Promise<void> {
  await eraseAnswers(trx, accountId, {
    path: '%/contacts',
    isPersonal: (response) => response.includes(`"id":"${contactId}"`),
    blank: (value) => (value.id === contactId ? { phoneNumber: '' } : {}),
  });
}

/** Erases what was written in these conversations from the kept answers. */
export async function eraseWrittenAnswers(trx: Db, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await eraseAnswers(trx, accountId, {
    path: '%/conversations/%',
    isPersonal: (response) => ids.some((id) => response.includes(`"conversationId":"${id}"`)),
    blank: blanksOf,
  });
}

/** Erases appointments that were made by hand from the kept answers. */
export async function eraseAppointmentAnswers(trx: Db, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await eraseAnswers(trx, accountId, {
    path: '%/appointments',
    isPersonal: (response) => ids.some((id) => response.includes(`"id":"${id}"`)),
    blank: blanksOf,
  });
}

/** Which kept answers name the person, and what takes the place of their members. */
interface PersonalAnswers {
  path: string;
  isPersonal: (response: string) => boolean;
  blank: Blanks;
}

async function eraseAnswers(trx: Db, accountId: string, { path, isPersonal, blank }: PersonalAnswers): Promise<void> {
  const rows = await trx
    .selectFrom('idempotencyKeys')
    .select(['key', 'response'])
    .where('accountId', '=', accountId)
    .where('path', 'like', path)
    .where('response', 'is not', null)
    .execute();
  for (const { key, response } of rows) {
    if (response === null || !isPersonal(response)) continue;
    await trx
      .updateTable('idempotencyKeys')
      .set({ response: blanked(response, blank) })
      .where('accountId', '=', accountId)
      .where('key', '=', key)
      .execute();
  }
}
