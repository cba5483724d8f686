// `resources` and `bufferMinutes` of a business: the schemas of the fields, their rules, and the column.

import { type Static, Type } from 'typebox';
import {
  type BookingResource,
  BUFFER_MINUTES_MAX,
  RESOURCES_MAX,
  resourceKey,
} from '../../db/domain/booking/resources.ts';
import { storedHours } from '../../db/domain/hours/opening-hours.ts';
import { nullable } from '../frame/envelope-schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { VISIBLE } from '../frame/patterns.ts';
import { Hours, HoursRecord } from './hours-schema.ts';
import { hoursFaults } from './opening-hours.ts';

const ALIASES_MAX = 10;
const Name = Type.String({ minLength: 1, maxLength: 80, pattern: VISIBLE });

export const BookingResources = Type.Array(
  Type.Object(
    {
      name: Name,
      aliases: Type.Optional(Type.Array(Name, { maxItems: ALIASES_MAX, description: 'Other names that callers use' })),
      hours: Type.Optional(
        nullable(Type.Array(Hours, { maxItems: 70, description: 'Within the business’s; null: all of them' })),
      ),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: RESOURCES_MAX,
    description:
      'Persons, chairs or rooms that appointments are made with, one at a time each: a time is free where one of them is. Without any, the business takes one appointment at a time',
  },
);
type BookingResources = Static<typeof BookingResources>;

export const BufferMinutes = Type.Integer({
  minimum: 0,
  maximum: BUFFER_MINUTES_MAX,
  description: 'Between two appointments of one of them, or of the business. Default 0',
});

export const BookingResourceRecord = Type.Object(
  { name: Type.String(), aliases: Type.Array(Type.String()), hours: nullable(Type.Array(HoursRecord)) },
  { title: 'BookingResource' },
);

/** The column of a body's field; undefined if it is left out. @throws {ApiError} 422 naming every field at fault */
export function resourcesColumn(body: BookingResources | undefined): string | undefined {
  if (body === undefined) return undefined;
  const faults: FieldError[] = [];
  const known = new Map<string, string>();
  const stored = body.map(({ name, aliases = [], hours }, index): BookingResource => {
    const at = `resources[${index}]`;
    const named = [
      { field: `${at}.name`, text: name },
      ...aliases.map((text, i) => ({ field: `${at}.aliases[${i}]`, text })),
    ];
    for (const { field, text } of named) {
      const key = resourceKey(text);
      const earlier = known.get(key);
      if (key === '') faults.push({ field, message: 'must not be blank' });
      else if (earlier !== undefined) faults.push({ field, message: `is the same as ${earlier}` });
      else known.set(key, field);
    }
    faults.push(...hoursFaults(`${at}.hours`, hours ?? []));
    return {
      name: name.trim(),
      aliases: aliases.map((alias) => alias.trim()),
      hours: hours?.length ? hours.map(storedHours) : null,
    };
  });
  if (faults.length > 0) throw invalid(faults);
  return JSON.stringify(stored);
}
