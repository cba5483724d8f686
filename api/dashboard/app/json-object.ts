// JSON that is written in a field: mostly an object.
import { messageOf } from '../../../db/domain/unexpected.ts';
import { t } from './words/words.ts';

export type JsonObject = Record<string, unknown>;
type ReadObject = { value: JsonObject | null; fault: null } | { value: null; fault: string };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads any JSON. */
export function readJson(text: string): { value: unknown; fault: string | null } {
  try {
    return { value: JSON.parse(text), fault: null };
  } catch (fault) {
    return { value: null, fault: messageOf(fault) };
  }
}

/** Reads an object of JSON; an empty text is null. */
export function readObject(text: string): ReadObject {
  if (text.trim() === '') return { value: null, fault: null };
  const { value, fault } = readJson(text);
  if (fault !== null) return { value: null, fault };
  return isObject(value) ? { value, fault: null } : { value: null, fault: t('must be an object: { … }') };
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);
