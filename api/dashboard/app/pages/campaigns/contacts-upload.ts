// Sends contacts in batches. The service accepts a batch as a whole or not at all: refused rows are removed, and the
// others of the batch are sent again.

import type { AddedContacts } from '../../api-types.ts';
import { ApiError } from '../../client.ts';
import { batchesOf, type ContactInput, type Sendable } from './contacts-csv.ts';

export interface UploadedRow {
  row: Sendable;
  result: 'added' | 'merged' | 'refused';
  reason: string;
}

/** The service reports at most 50 faults a request. */
const TRIES_MAX = 12;
const WAIT_MS = 5_000;
const WAITS_MAX = 6;

/** @throws {ApiError} if the service is unavailable; the rows passed to `onDone` are stored, the others are not */
export async function uploadContacts(
  rows: readonly Sendable[],
  send: (contacts: ContactInput[]) => Promise<AddedContacts>,
  onDone: (rows: UploadedRow[]) => void,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  for (const batch of batchesOf(rows)) onDone(await uploadBatch(batch, send, wait));
}

async function uploadBatch(
  batch: readonly Sendable[],
  send: (contacts: ContactInput[]) => Promise<AddedContacts>,
  wait: (ms: number) => Promise<void>,
): Promise<UploadedRow[]> {
  const refused: UploadedRow[] = [];
  let left = batch;
  let waits = 0;
  for (let tries = 0; left.length > 0; ) {
    try {
      const { contacts } = await send(left.map(({ contact }) => contact));
      const taken = left.map((row, index): UploadedRow => {
        const merged = contacts[index]?.merged === true;
        return { row, result: merged ? 'merged' : 'added', reason: '' };
      });
      return [...taken, ...refused];
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      if (isBusy(fault) && waits < WAITS_MAX) {
        waits++;
        await wait(WAIT_MS);
        continue;
      }
      const reasons = faultsByIndex(fault);
      if (reasons.size === 0 || ++tries > TRIES_MAX) throw fault;
      for (const [index, reason] of reasons) {
        const row = left[index];
        if (row !== undefined) refused.push({ row, result: 'refused', reason });
      }
      left = left.filter((_, index) => !reasons.has(index));
    }
  }
  return refused;
}

const isBusy = ({ status }: ApiError): boolean => status === 429 || status === 503;

/** `contacts[3].phoneNumber must …` by 3. */
function faultsByIndex({ status, faults }: ApiError): Map<number, string> {
  const reasons = new Map<number, string>();
  if (status !== 422) return reasons;
  for (const { field, message } of faults) {
    const [, index, name = ''] = /^contacts\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    if (index !== undefined) reasons.set(Number(index), `${name} ${message}`.trim());
  }
  return reasons;
}
