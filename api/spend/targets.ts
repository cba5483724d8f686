// Targets of transfers and routes: a number, or a softphone of the account as `sip:USERNAME`.
import { asE164 } from '../../db/domain/numbers/phone.ts';
import { sipAccountNamed } from '../../db/queries/trunks/sip-accounts.ts';
import { destinationObstacle, trunkOfNumber } from '../../db/rules/destinations.ts';
import type { Db } from '../../db/schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { NOT_E164 } from '../frame/phone.ts';
import { destinationNotAllowed } from './destinations.ts';

export const NOT_A_TARGET = `${NOT_E164}, or sip:USERNAME`;

/** The username of a transfer to a softphone, in lower case; null for a number. */
const softphoneOf = (target: string): string | null =>
  /^sip:([a-z0-9][a-z0-9_-]{1,31})$/i.exec(target)?.[1]?.toLowerCase() ?? null;

/** A body's target in normal form; null: it is neither a number nor a softphone. */
export function readTarget(value: string): string | null {
  const username = softphoneOf(value);
  return username === null ? asE164(value) : `sip:${username}`;
}

/** Softphones must be the account's, and numbers be callable. @throws {ApiError} 422 naming every field at fault */
export async function checkTargets(
  db: Db,
  accountId: string,
  targets: ReadonlyArray<{ field: string; target: string }>,
): Promise<void> {
  const unknown: FieldError[] = [];
  const forbidden: FieldError[] = [];
  const trunkId = await trunkOfNumber(db, null);
  for (const { field, target } of targets) {
    const username = softphoneOf(target);
    if (username !== null) {
      if ((await sipAccountNamed(db, username))?.accountId !== accountId)
        unknown.push({ field, message: 'names no softphone of this account' });
      continue;
    }
    const message = await destinationObstacle(db, { accountId, toNumber: target, trunkId });
    if (message !== null) forbidden.push({ field, message });
  }
  if (unknown.length > 0) throw invalid(unknown);
  if (forbidden.length > 0) throw destinationNotAllowed(forbidden);
}
