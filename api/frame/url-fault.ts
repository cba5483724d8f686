// Addresses that a client gives and the service asks: tools, look-ups, notices, calendars.
import { checkUrl, RefusedAddress } from '../../db/shared/net/address-rules.ts';
import { hasOtherBraces, placeholders } from '../../models/tools/template.ts';
import type { ApiContext } from '../context.ts';

/** Without DNS: the connection examines every address again, at each run. */
export function urlFault({ config }: ApiContext, url: string): string | null {
  const [origin = ''] = url.match(/^[a-z]+:\/\/[^/?#]*/i) ?? [];
  if (placeholders(origin).length > 0) return 'must name its host without a placeholder';
  if (hasOtherBraces(url)) return 'has {{…}} that is no placeholder: {{name}} has letters A-Z, digits and underscores';
  if (url.includes('#')) return 'must not contain #';
  try {
    checkUrl(url.replace(/\{\{[^{}]{0,104}\}\}/g, 'x'), {
      schemes: ['https:'],
      allowPrivate: config.webhookAllowPrivate,
      plainToLoopback: config.webhookAllowPrivate,
    });
    return null;
  } catch (error) {
    if (error instanceof RefusedAddress) return error.message;
    throw error;
  }
}
