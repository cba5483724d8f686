// The look-up of a business: its address and headers as columns.
import type { BusinessTable } from '../../db/schema/businesses.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { urlFault } from '../frame/url-fault.ts';
import { headerFaults, isSameOrigin } from '../tools/rules.ts';
import type { BusinessPatch } from './schema.ts';

const TIMEOUT_MS = 800;

type Columns = Pick<BusinessTable, 'lookup' | 'lookupHeadersSealed'>;

/** The columns that a body sets; `current`: as they are. @throws {ApiError} 422 */
export function lookupColumns(
  context: ApiContext,
  id: string,
  { lookup }: BusinessPatch,
  current: Columns,
): Partial<Columns> {
  if (lookup === undefined) return {};
  if (lookup === null) return { lookup: null, lookupHeadersSealed: null };
  const { url, headers, timeoutMs = TIMEOUT_MS } = lookup;
  const fault = urlFault(context, url);
  const faults: FieldError[] = [
    ...(fault === null ? [] : [{ field: 'lookup.url', message: fault }]),
    ...headerFaults('lookup.headers', headers),
  ];
  if (faults.length > 0) throw invalid(faults);
  const before =
    current.lookup === null ? null : (JSON.parse(current.lookup) as { url: string; headerNames: string[] });
  // Sealed headers are shown to nobody: another origin gets none of them unless they come anew.
  const isKept = headers === undefined && before !== null && isSameOrigin(url, before.url);
  const headerNames = isKept ? before.headerNames : Object.keys(headers ?? {});
  return {
    lookup: JSON.stringify({ url, timeoutMs, headerNames }),
    ...(isKept
      ? {}
      : { lookupHeadersSealed: headerNames.length > 0 ? seal(context.secretKey, id, JSON.stringify(headers)) : null }),
  };
}
