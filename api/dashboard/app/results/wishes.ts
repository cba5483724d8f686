// The wanted results of each call, as rows of a form, and back to a body.
import type { Business } from '../api-types.ts';
import type { FieldFault } from '../client.ts';
import { plainType, schemaOfType, typeFault, typeOfSchema, type ValueType } from '../schema/value-type.ts';

type Output = Business['outputs'][number];
export type Criterion = Business['criteria'][number];

export interface OutputRow {
  name: string;
  description: string;
  type: ValueType;
}

export const freshOutput = (): OutputRow => ({ name: '', description: '', type: plainType('string') });

export const outputRows = (outputs: readonly Output[]): OutputRow[] =>
  outputs.map(({ name, description, schema }) => ({ name, description, type: typeOfSchema(schema) }));

export const outputsOf = (rows: readonly OutputRow[]): Output[] =>
  rows.map(({ name, description, type }) => ({ name, schema: schemaOfType(type), description }));

export const outputFaults = (rows: readonly OutputRow[]): FieldFault[] =>
  rows.flatMap(({ type }, index) => {
    const message = typeFault(type);
    return message === null ? [] : [{ field: `outputs[${index}].schema`, message }];
  });
