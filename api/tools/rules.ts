// Rules of a tool that a schema cannot express: its name, address, headers and parameters, and the paths that it
// assigns.

import { isBuiltInTool } from '../../db/domain/built-in-tools.ts';
import {
  HEADER_NAME_CHARACTERS_MAX,
  PATH_CHARACTERS_MAX,
  VARIABLE_NAME_CHARACTERS_MAX,
} from '../../db/domain/field-limits.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { urlFault } from '../frame/url-fault.ts';
import type { ToolPatch } from './schema.ts';

/** They belong to the connection, or to us. */
const OWN_HEADERS = new Set([
  ...[
    'host',
    'connection',
    'content-length',
    'content-type',
    'transfer-encoding',
    'upgrade',
    'expect',
    'te',
    'trailer',
  ],
  ...['keep-alive', 'proxy-authorization', 'proxy-connection', 'idempotency-key', 'accept-encoding'],
]);
const HEADER_NAME = new RegExp(`^[A-Za-z0-9!#$%&'*+.^_\`|~-]{1,${HEADER_NAME_CHARACTERS_MAX}}$`);
const HEADER_VALUE = /^[\t\u0020-\u007e\u00a0-\u00ff]*$/;
const VARIABLE_NAME = new RegExp(`^\\w{1,${VARIABLE_NAME_CHARACTERS_MAX}}$`);
const PATH = new RegExp(`^[^.\\s][^\\s]{0,${PATH_CHARACTERS_MAX - 1}}$`);

/** @throws {ApiError} 422 */
export async function checkTool(context: ApiContext, body: ToolPatch): Promise<void> {
  const faults: FieldError[] = [];
  const add = (field: string, message: string | null): void => {
    if (message !== null) faults.push({ field, message });
  };
  if (body.name !== undefined && isBuiltInTool(body.name)) add('name', 'is the name of a built-in tool');
  if (body.url !== undefined) add('url', urlFault(context, body.url));
  faults.push(...headerFaults('headers', body.headers));
  const { setHeaders } = body;
  if (setHeaders !== undefined) {
    // Of one that goes only the name counts.
    const values = Object.entries(setHeaders).map(([name, value]) => [name, value ?? '']);
    faults.push(...headerFaults('setHeaders', Object.fromEntries(values)));
    if (body.headers !== undefined) add('setHeaders', 'stands beside headers, which replace all: send one of them');
  }
  for (const [name, path] of Object.entries(body.assign ?? {})) {
    if (!VARIABLE_NAME.test(name)) add(`assign.${name}`, 'must be letters, digits and underscores');
    else if (!PATH.test(path)) add(`assign.${name}`, 'must be a path such as customer.name');
  }
  if (body.parameters !== undefined) {
    const { schemaFault } = await import('../../models/tools/parameters.ts');
    add('parameters', schemaFault(body.parameters));
  }
  if (faults.length > 0) throw invalid(faults);
}

/** Of two addresses with placeholders, none of which stands in the host. */
export function isSameOrigin(one: string, other: string): boolean {
  const originOf = (url: string): string => new URL(url.replace(/\{\{[^{}]{0,104}\}\}/g, 'x')).origin;
  return originOf(one) === originOf(other);
}

export function headerFaults(
  field: string,
  headers: Readonly<Record<string, string>> | null | undefined,
): FieldError[] {
  const names = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
  return Object.entries(headers ?? {}).flatMap(([name, value], index) => {
    const isTwice = names.indexOf(name.toLowerCase()) < index;
    const message = isTwice ? 'stands there twice: case does not count' : headerFault(name, value);
    return message === null ? [] : [{ field: `${field}.${name}`, message }];
  });
}

function headerFault(name: string, value: string): string | null {
  if (!HEADER_NAME.test(name)) return 'is no name of a header';
  if (OWN_HEADERS.has(name.toLowerCase())) return 'is set by the service';
  return HEADER_VALUE.test(value) ? null : 'must be one line without control characters';
}
