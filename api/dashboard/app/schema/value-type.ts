// The type of one value as a simple choice, and as JSON Schema. A type beyond the choices stays JSON.
import { type JsonObject, jsonText, readObject } from '../json-object.ts';
import { t } from '../words/words.ts';

export type ValueKind = 'string' | 'number' | 'integer' | 'boolean' | 'one-of' | 'other';

export interface ValueType {
  kind: ValueKind;
  /** Of `one-of`. */
  choices: string[];
  /** Of `other`. */
  json: string;
}

const PLAIN = ['string', 'number', 'integer', 'boolean'] as const;

export const plainType = (kind: ValueKind): ValueType => ({ kind, choices: [], json: '' });

export function typeOfSchema(schema: JsonObject): ValueType {
  const { type, enum: choices, ...rest } = schema;
  const plain = PLAIN.find((each) => each === type);
  if (Object.keys(rest).length === 0) {
    if (plain !== undefined && choices === undefined) return plainType(plain);
    if (type === 'string' && isTexts(choices)) return { ...plainType('one-of'), choices: [...choices] };
  }
  return { ...plainType('other'), json: jsonText(schema) };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');

/** The fault of a type; null: none. */
export function typeFault({ kind, choices, json }: ValueType): string | null {
  if (kind === 'one-of') return choices.length === 0 ? t('Name at least one value.') : null;
  if (kind !== 'other') return null;
  const { value, fault } = readObject(json);
  return fault ?? (value === null ? t('Write the JSON Schema of the value.') : null);
}

/** Of a type without a fault. */
export function schemaOfType(type: ValueType): JsonObject {
  if (type.kind === 'other') return readObject(type.json).value ?? {};
  return type.kind === 'one-of' ? { type: 'string', enum: type.choices } : { type: type.kind };
}

/** The type with another kind. The type before is the JSON to begin with. */
export function withKind(type: ValueType, kind: ValueKind): ValueType {
  if (kind !== 'other' || type.kind === 'other') return { ...type, kind };
  return { ...type, kind, json: jsonText(typeFault(type) === null ? schemaOfType(type) : { type: 'string' }) };
}
