// An object that is written as JSON in a field.
import { messageOf } from '../../../db/domain/unexpected.ts';

export type JsonObject = Record<string, unknown>;
type ReadObject = { value: JsonObject | null; fault: null } | { value: null; fault: string };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads an object of JSON; an empty text is null. */
export function readObject(text: string): ReadObject {
  if (text.trim() === '') return { value: null, fault: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    return { value: null, fault: messageOf(fault) };
  }
  return isObject(value) ? { value, fault: null } : { value: null, fault: 'must be an object: { … }' };
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);
