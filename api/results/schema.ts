// The results that a business or a campaign wants of each of its calls, as clients send and read them.

import { type Static, Type } from 'typebox';
import type { Criterion, OutputWish } from '../../db/domain/results.ts';
import { RERUN_STATUSES } from '../../db/schema/reruns.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { instant } from '../frame/instants.ts';
import { IDENTIFIER, NOT_BLANK } from '../frame/patterns.ts';

const Name = Type.String({ pattern: IDENTIFIER });

export const Outputs = Type.Unsafe<OutputWish[]>(
  Type.Array(
    Type.Object(
      {
        name: Name,
        schema: Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'JSON Schema of the value: {"type": "string", "enum": ["yes", "no"]}',
        }),
        description: Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK, description: 'What it is' }),
      },
      { additionalProperties: false },
    ),
    { maxItems: 30, description: 'Values that each call is read for after its end (docs/results.md)' },
  ),
);

export const Criteria = Type.Unsafe<Criterion[]>(
  Type.Array(
    Type.Object(
      { name: Name, question: Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK }) },
      { additionalProperties: false },
    ),
    { maxItems: 30, description: 'Questions about each call that are answered yes or no' },
  ),
);

const Id = Type.String({ minLength: 1, maxLength: 200 });

export const BusinessParams = Type.Object({ id: Type.String() });
export const RerunParams = Type.Object({ id: Type.String(), rerunId: Type.String() });

export const RerunCreate = Type.Object(
  {
    campaignId: Type.Optional(Id),
    startDate: Type.Optional(instant('From', 'the calls’ startedAt')),
    endDate: Type.Optional(instant('To', 'the calls’ startedAt')),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Calls at most, the newest ones; default 1,000' }),
    ),
    missingOnly: Type.Optional(Type.Boolean({ description: 'Only calls without results' })),
    webhooks: Type.Optional(
      Type.Boolean({ description: 'Whether `call.analysed` tells of each, with `rerunId`; default false' }),
    ),
  },
  { additionalProperties: false },
);
export type RerunCreate = Static<typeof RerunCreate>;

export const RerunRecord = Type.Object(
  {
    id: Type.String(),
    businessId: Type.String(),
    campaignId: nullable(Type.String()),
    startDate: nullable(Timestamp),
    endDate: nullable(Timestamp),
    missingOnly: Type.Boolean(),
    webhooks: Type.Boolean(),
    status: oneOf(RERUN_STATUSES, {
      description: '`FAILED`: ten calls in a row failed, and the others were left as they are',
    }),
    total: Type.Integer({ description: 'Calls' }),
    done: Type.Integer({ description: 'Calls with new results' }),
    failed: Type.Integer({ description: 'Calls that keep what they had' }),
    failures: Type.Array(Type.Object({ callId: Type.String(), reason: Type.String() }), {
      description: 'The newest 100 of them; empty in lists',
    }),
    error: nullable(Type.String({ description: 'Why it ended early' })),
    createdAt: Timestamp,
    endedAt: nullable(Timestamp),
  },
  { title: 'Rerun' },
);
export type RerunRecord = Static<typeof RerunRecord>;

/** Rules that a schema cannot express. @throws {ApiError} 422 */
export async function checkWishes({
  outputs = [],
  criteria = [],
}: {
  outputs?: readonly OutputWish[];
  criteria?: readonly Criterion[];
}): Promise<void> {
  if (outputs.length === 0 && criteria.length === 0) return;
  const { PROPERTIES_MAX, propertiesIn, schemaFault } = await import('../../models/tools/parameters.ts');
  const faults: FieldError[] = [];
  // One budget for all: they are examined together after each call.
  const properties = outputs.reduce((sum, { schema }) => sum + 1 + propertiesIn(schema), 0);
  if (properties > PROPERTIES_MAX)
    faults.push({ field: 'outputs', message: `must have at most ${PROPERTIES_MAX} properties, at all levels` });
  for (const [i, { name, schema }] of outputs.entries()) {
    const fault = schemaFault({ type: 'object', properties: { [name]: schema } });
    if (fault !== null) faults.push({ field: `outputs[${i}].schema`, message: fault });
  }
  for (const [field, wishes] of [
    ['outputs', outputs],
    ['criteria', criteria],
  ] as const) {
    const names = wishes.map(({ name }) => name);
    names.forEach((name, i) => {
      if (names.indexOf(name) < i) faults.push({ field: `${field}[${i}].name`, message: 'stands there twice' });
    });
  }
  if (faults.length > 0) throw invalid(faults);
}
