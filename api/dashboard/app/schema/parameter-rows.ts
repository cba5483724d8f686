// The parameters of a tool as rows beside their JSON Schema. Each side follows the other; what rows do not show,
// such as `additionalProperties`, stays as it is.
import { isObject, type JsonObject, jsonText, readObject } from '../json-object.ts';
import { t } from '../words/words.ts';
import { plainType, schemaOfType, typeFault, typeOfSchema, type ValueType } from './value-type.ts';

export interface ParameterRow {
  name: string;
  description: string;
  isRequired: boolean;
  /** `writeOnly`: its values are kept nowhere. */
  isSecret: boolean;
  type: ValueType;
}

export interface ParametersValue {
  /** Null: the JSON is no schema that rows can show. */
  rows: ParameterRow[] | null;
  json: string;
}

export const freshRow = (): ParameterRow => ({
  name: '',
  description: '',
  isRequired: true,
  isSecret: false,
  type: plainType('string'),
});

export const parametersOf = (schema: JsonObject): ParametersValue => ({
  rows: rowsOf(schema),
  json: jsonText(schema),
});

export const withJson = (json: string): ParametersValue => {
  const { value } = readObject(json);
  return { rows: value === null ? null : rowsOf(value), json };
};

/** The JSON follows as soon as no row is at fault. */
export function withRows({ json }: ParametersValue, rows: ParameterRow[]): ParametersValue {
  if (rowsFault(rows) !== null) return { rows, json };
  return { rows, json: jsonText(schemaOfRows(rows, readObject(json).value ?? {})) };
}

export function rowsOf({ type, properties = {}, required = [] }: JsonObject): ParameterRow[] | null {
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required)) return null;
  const rows: ParameterRow[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (!isObject(schema)) return null;
    const { description = '', writeOnly = false, ...rest } = schema;
    if (typeof description !== 'string' || typeof writeOnly !== 'boolean') return null;
    const isRequired = required.includes(name);
    rows.push({ name, description, isRequired, isSecret: writeOnly, type: typeOfSchema(rest) });
  }
  // A name that has no properties would be lost.
  return required.every((name) => rows.some((row) => row.name === name)) ? rows : null;
}

/** @param before the schema whose other keywords stay */
export function schemaOfRows(rows: readonly ParameterRow[], before: JsonObject = {}): JsonObject {
  const { type: _type, properties: _properties, required: _required, ...rest } = before;
  const required = rows.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = Object.fromEntries(
    rows.map(({ name, description, isSecret, type }) => [
      name,
      {
        ...schemaOfType(type),
        ...(description.trim() === '' ? {} : { description }),
        ...(isSecret ? { writeOnly: true } : {}),
      },
    ]),
  );
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), ...rest };
}

/** The fault in the name of each row; null: none. */
export function nameFaults(rows: readonly ParameterRow[]): Array<string | null> {
  return rows.map(({ name }, index) => {
    if (name.trim() === '') return t('Give it a name.');
    return rows.findIndex((row) => row.name === name) < index ? t('Another argument has this name.') : null;
  });
}

const rowsFault = (rows: readonly ParameterRow[]): string | null =>
  [...nameFaults(rows), ...rows.map(({ type }) => typeFault(type))].find((fault) => fault !== null) ?? null;

/** The first fault of the parameters; null: they can be sent. */
export function parametersFault({ rows, json }: ParametersValue): string | null {
  const { value, fault } = readObject(json);
  return rowsFault(rows ?? []) ?? fault ?? (value === null ? t('must be a JSON Schema whose type is object') : null);
}
