// The arguments of a tool as fields of a form, by its JSON Schema.

import { messageOf } from '../../../../db/domain/unexpected.ts';
import type { FieldFault } from '../client.ts';
import { isObject, type JsonObject } from '../json-object.ts';
import { t } from '../words/words.ts';

export interface ArgumentField {
  name: string;
  hint: string | undefined;
  isRequired: boolean;
  /** `json`: a value of any other type, written as JSON. */
  kind: 'text' | 'number' | 'yes-no' | 'choice' | 'json';
  choices: string[];
  /** Of a number: whole ones alone. */
  isWhole: boolean;
}

/** As they were entered; an empty text: left out. */
export type Entered = Record<string, string>;

/** A fixed argument is none: nobody gives it. */
export function argumentFields({ properties, required }: JsonObject): ArgumentField[] {
  if (!isObject(properties)) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema) || 'const' in schema) return [];
    const hasDefault = 'default' in schema;
    const about = typeof schema.description === 'string' ? schema.description : '';
    const standard = hasDefault ? t('Default {value}', { value: JSON.stringify(schema.default) }) : '';
    return [
      {
        name,
        hint: [about, standard].filter(Boolean).join('. ') || undefined,
        isRequired: names.includes(name) && !hasDefault,
        ...kindOf(schema),
        isWhole: schema.type === 'integer',
      },
    ];
  });
}

function kindOf({ type, enum: choices }: JsonObject): Pick<ArgumentField, 'kind' | 'choices'> {
  if (Array.isArray(choices) && choices.every((each) => typeof each === 'string')) return { kind: 'choice', choices };
  if (choices === undefined) {
    if (type === 'string') return { kind: 'text', choices: [] };
    if (type === 'number' || type === 'integer') return { kind: 'number', choices: [] };
    if (type === 'boolean') return { kind: 'yes-no', choices: [] };
  }
  return { kind: 'json', choices: [] };
}

export function argumentsOf(
  fields: readonly ArgumentField[],
  entered: Entered,
): { arguments: JsonObject; faults: FieldFault[] } {
  const given: JsonObject = {};
  const faults: FieldFault[] = [];
  for (const { name, kind } of fields) {
    const text = entered[name] ?? '';
    if (text === '') continue;
    if (kind === 'text' || kind === 'choice') given[name] = text;
    else
      try {
        given[name] = JSON.parse(text);
      } catch (fault) {
        faults.push({ field: `arguments.${name}`, message: messageOf(fault) });
      }
  }
  return { arguments: given, faults };
}
