// Bodies that may be sent as a table too: what is sent there is text, whatever the service makes of it.
import type { Document } from './components.ts';

const CONTACTS = 'phone,name,due date\n+12125550143,Jamie Rivera,May 3\n';
/** By path: operations have no names yet. */
const EXAMPLES: Record<string, string> = {
  '/api/v1/admin/prices/import': 'prefix,perMinute,increment\n+49,0.012,60/60\n',
};

/** In place, before the schemas are named. */
export function describeTables(document: Document): void {
  for (const [path, methods] of Object.entries(document.paths))
    for (const { requestBody } of Object.values(methods)) {
      const table = requestBody?.content?.['text/csv'];
      if (table !== undefined)
        Object.assign(table, { schema: { type: 'string' }, example: EXAMPLES[path] ?? CONTACTS });
    }
}
