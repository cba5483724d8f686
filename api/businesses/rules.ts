// Rules of a business that a schema cannot express: real zones and numbers, opening hours without overlaps, the size of
// the context.

import { isCurrency } from '../../db/domain/currency.ts';
import {
  CHARACTERS_PER_TOKEN,
  CONTEXT_BYTES_MAX,
  CONTEXT_TOKENS_ADVISED,
  POLICY_CHARACTERS_MAX,
} from '../../db/domain/field-limits.ts';
import { asE164 } from '../../db/domain/numbers/phone.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { NOT_E164 } from '../frame/phone.ts';
import { isZone, NOT_A_ZONE } from '../frame/zones.ts';
import { NOT_A_TARGET, readTarget } from '../spend/targets.ts';
import { hoursFaults } from './opening-hours.ts';
import type { BusinessPatch } from './schema.ts';

/** The body itself. @throws {ApiError} 422 naming every field at fault */
export function checkBusiness<B extends BusinessPatch>(body: B): B {
  const faults: FieldError[] = [];
  if (body.timezone !== undefined && !isZone(body.timezone)) {
    faults.push({ field: 'timezone', message: NOT_A_ZONE });
  }
  if (body.currency != null && !isCurrency(body.currency)) {
    faults.push({ field: 'currency', message: 'must be a currency code of ISO 4217, e.g. EUR' });
  }
  if (typeof body.phone === 'string' && asE164(body.phone) === null) {
    faults.push({ field: 'phone', message: NOT_E164 });
  }
  const target = body.transferNumber;
  if (typeof target === 'string' && readTarget(target) === null) {
    faults.push({ field: 'transferNumber', message: NOT_A_TARGET });
  }
  faults.push(...hoursFaults('hours', body.hours ?? []));
  if (body.businessContext && Buffer.byteLength(JSON.stringify(body.businessContext)) > CONTEXT_BYTES_MAX) {
    faults.push({ field: 'businessContext', message: 'must not be larger than 16 KiB' });
  }
  for (const [index, policy] of (body.policies ?? []).entries())
    if (typeof policy === 'object' && JSON.stringify(policy).length > POLICY_CHARACTERS_MAX)
      faults.push({
        field: `policies[${index}]`,
        message: `must not be longer than ${POLICY_CHARACTERS_MAX} characters`,
      });
  if (faults.length > 0) throw invalid(faults);
  return body;
}

/** Warnings for a request that succeeded; undefined: none. */
export function contextWarnings(context: Record<string, unknown> | null | undefined): string[] | undefined {
  if (!context) return undefined;
  const tokens = Math.ceil(JSON.stringify(context).length / CHARACTERS_PER_TOKEN);
  if (tokens <= CONTEXT_TOKENS_ADVISED) return undefined;
  return [
    `businessContext is about ${tokens} tokens; keep it to about ${CONTEXT_TOKENS_ADVISED}, because it is sent to the model at every turn of a call`,
  ];
}
