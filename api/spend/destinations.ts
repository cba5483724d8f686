// Policies of call destinations in bodies and records, and the refusal of a number by them.

import { type Static, Type } from 'typebox';
import { DESTINATION_TYPES, type DestinationPolicy } from '../../db/domain/numbers/destinations.ts';
import { countryFault } from '../../db/domain/numbers/phone.ts';
import { destinationObstacle, policyOf } from '../../db/rules/destinations.ts';
import type { Db } from '../../db/schema.ts';
import { nullable, oneOf } from '../frame/envelope-schema.ts';
import { ApiError, type FieldError, invalid } from '../frame/errors.ts';
import { COUNTRY, patterned } from '../frame/patterns.ts';

const Prefixes = Type.Array(
  Type.String({
    pattern: patterned('^\\+[1-9][0-9]{0,14}$', 'must be the beginning of a number in E.164 form, for example +49'),
  }),
  { maxItems: 1_000 },
);

const DestinationsBody = Type.Object(
  {
    countries: Type.Optional(Type.Array(Type.String({ pattern: COUNTRY }), { maxItems: 300 })),
    prefixes: Type.Optional(
      Type.Object(
        { allow: Type.Optional(Prefixes), deny: Type.Optional(Prefixes) },
        { additionalProperties: false, description: 'Beginnings of numbers; the longest that fits decides' },
      ),
    ),
    types: Type.Optional(Type.Array(oneOf(DESTINATION_TYPES), { maxItems: DESTINATION_TYPES.length })),
  },
  {
    additionalProperties: false,
    description:
      'Where calls may go. An empty list states nothing; a number must be allowed by all that state something',
  },
);
type DestinationsBody = Static<typeof DestinationsBody>;

export const DestinationsField = Type.Optional(nullable(DestinationsBody));

export const Destinations = Type.Object(
  {
    countries: Type.Array(Type.String()),
    prefixes: Type.Object({ allow: Type.Array(Type.String()), deny: Type.Array(Type.String()) }),
    types: Type.Array(oneOf(DESTINATION_TYPES)),
  },
  { title: 'Destinations' },
);

const NONE: DestinationPolicy = { countries: [], prefixes: { allow: [], deny: [] }, types: [] };

export function destinationsRecord(json: string | null): Static<typeof Destinations> {
  const { countries, prefixes, types } = policyOf(json) ?? NONE;
  return {
    countries: [...countries],
    prefixes: { allow: [...prefixes.allow], deny: [...prefixes.deny] },
    types: [...types],
  };
}

/**
 * The column of a body's field: undefined if it is left out, null if it states nothing. @throws {ApiError} 422
 */
export function destinationsColumn(body: DestinationsBody | null | undefined): string | null | undefined {
  if (body == null) return body;
  const faults: FieldError[] = [];
  const countries = (body.countries ?? []).map((code) => code.toUpperCase());
  for (const [i, code] of countries.entries()) {
    const message = countryFault(code);
    if (message !== null) faults.push({ field: `destinations.countries[${i}]`, message });
  }
  if (faults.length > 0) throw invalid(faults);
  const policy: DestinationPolicy = {
    countries: [...new Set(countries)],
    prefixes: { allow: body.prefixes?.allow ?? [], deny: body.prefixes?.deny ?? [] },
    types: [...new Set(body.types ?? [])],
  };
  const { prefixes, types } = policy;
  const isEmpty = [policy.countries, prefixes.allow, prefixes.deny, types].every((list) => list.length === 0);
  return isEmpty ? null : JSON.stringify(policy);
}

export const destinationNotAllowed = (fields: readonly FieldError[]): ApiError =>
  new ApiError('DESTINATION_NOT_ALLOWED', 'Destination is not allowed', { fields });

/** @throws {ApiError} 422 on `field` if the account may not call the number over the trunk */
export async function checkDestination(
  db: Db,
  field: string,
  call: { accountId: string; trunkId: string | null; toNumber: string },
): Promise<void> {
  const message = await destinationObstacle(db, call);
  if (message !== null) throw destinationNotAllowed([{ field, message }]);
}
