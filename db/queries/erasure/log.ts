// The log of what happened to somebody who is erased: the events of a resource, and their deliveries.
import type { Db } from '../../schema.ts';
import { blanked, padded } from './blanks.ts';

/** Erases the events of the resources and the log of their deliveries. */
export async function eraseLog(trx: Db, subjectIds: readonly string[]): Promise<void> {
  if (subjectIds.length === 0) return;
  const events = await trx
    .selectFrom('events')
    .select(['seq', 'id', 'data'])
    .where('subjectId', 'in', subjectIds)
    .execute();
  for (const { seq, data } of events) {
    await trx
      .updateTable('events')
      .set({ data: blanked(data) })
      .where('seq', '=', seq)
      .execute();
  }
  if (events.length === 0) return;
  const deliveries = await trx
    .selectFrom('webhookDeliveries')
    .select(['id', 'requestBody', 'responseBody'])
    .where(
      'eventId',
      'in',
      events.map(({ id }) => id),
    )
    .execute();
  for (const { id, requestBody, responseBody } of deliveries) {
    await trx
      .updateTable('webhookDeliveries')
      .set(blankDelivery({ requestBody, responseBody }))
      .where('id', '=', id)
      .execute();
  }
}

/** The log entry of an attempt after the erasure of its call. */
export function blankDelivery<T extends { requestBody: string; responseBody: string | null }>(
  entry: T,
): { requestBody: string; responseBody: null } {
  const bytes = Buffer.byteLength(entry.requestBody) + Buffer.byteLength(entry.responseBody ?? '');
  return { requestBody: padded(blanked(entry.requestBody), bytes), responseBody: null };
}
