// What a business or a campaign wants to know of each of its calls, as clients send and read it.
import { Type } from 'typebox';
import type { Criterion, OutputWish } from '../../db/domain/results.ts';
import { type FieldError, invalid } from '../errors.ts';

const Name = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' });

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
        description: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'What it is' }),
      },
      { additionalProperties: false },
    ),
    { maxItems: 30, description: 'Values that each call is read for after its end (docs/results.md)' },
  ),
);

export const Criteria = Type.Unsafe<Criterion[]>(
  Type.Array(
    Type.Object(
      { name: Name, question: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) },
      { additionalProperties: false },
    ),
    { maxItems: 30, description: 'Questions about each call that are answered yes or no' },
  ),
);

/** Rules that a schema cannot express. @throws {ApiError} 422 */
export async function checkWishes({
  outputs = [],
  criteria = [],
}: {
  outputs?: readonly OutputWish[];
  criteria?: readonly Criterion[];
}): Promise<void> {
  if (outputs.length === 0 && criteria.length === 0) return;
  const { schemaFault } = await import('../../models/tools/parameters.ts');
  const faults: FieldError[] = [];
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
