// Reads the content of a business from its row, for its record and for the dialogue model.

import { storedResources } from '../../domain/booking/resources.ts';
import { currencyOf } from '../../domain/currency.ts';
import type { BusinessTable } from '../../schema/businesses.ts';

export function businessContent(row: BusinessTable) {
  return {
    name: row.name,
    industry: row.industry,
    description: row.description,
    timezone: row.timezone,
    address: row.address,
    phone: row.phone,
    email: row.email,
    hours: JSON.parse(row.hours),
    services: JSON.parse(row.services),
    resources: storedResources(row.resources),
    bufferMinutes: row.bufferMinutes,
    currency: currencyOf(row),
    faqs: JSON.parse(row.faqs),
    policies: JSON.parse(row.policies),
    systemPrompt: row.systemPrompt,
    greetingTemplate: row.greetingTemplate,
    fallbackMessage: row.fallbackMessage,
    transferNumber: row.transferNumber,
    businessContext: row.businessContext === null ? null : JSON.parse(row.businessContext),
  };
}
