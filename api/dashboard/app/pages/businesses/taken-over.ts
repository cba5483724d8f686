// Adds a helper's proposal to a business by the service's own rule: existing values are not overwritten.

import { sortedHours } from '../../../../../db/domain/hours/opening-hours.ts';
import type { ExtractFromUrlResult } from '../../api-types.ts';
import type { BusinessValues, Faq, Service } from './business-form.ts';

export type Extracted = ExtractFromUrlResult['extracted'];

const isNew =
  <T>(nameOf: (item: T) => string, current: readonly T[]) =>
  (item: T): boolean =>
    !current.some((each) => nameOf(each).toLowerCase() === nameOf(item).toLowerCase());

export const newServices = (current: readonly Service[], proposed: readonly Service[]): Service[] =>
  proposed.filter(isNew(({ name }) => name, current));

export const newFaqs = (current: readonly Faq[], proposed: readonly Faq[]): Faq[] =>
  proposed.filter(isNew(({ question }) => question, current));

/** The fields of a page that the business does not have yet. */
export function newFields(values: BusinessValues, extracted: Extracted): Partial<BusinessValues> {
  const taken: Partial<BusinessValues> = {};
  for (const name of ['name', 'description', 'address', 'phone', 'email'] as const) {
    const text = extracted[name];
    if (text !== undefined && values[name].trim() === '') taken[name] = text;
  }
  if (extracted.hours !== undefined && values.hours.length === 0) taken.hours = sortedHours(extracted.hours);
  if (extracted.services !== undefined && values.services.length === 0) taken.services = extracted.services;
  if (extracted.faqs !== undefined && values.faqs.length === 0) taken.faqs = extracted.faqs;
  return taken;
}
