// One request to a fake of Google or Microsoft, its answer, and whether it has the names that stand in their documents.
import type { IncomingMessage } from 'node:http';

export interface Call {
  method: string;
  /** Behind the host, decoded: `calendars`, `anna@example.com`, `events`. */
  path: string[];
  query: Record<string, string>;
  form: Record<string, string>;
  json: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

export interface Told {
  status: number;
  json?: unknown;
  headers?: Record<string, string>;
}

/** Notes what is unknown, and what is missing (`*`). */
export function compare(faults: string[], what: string, given: object, known: string): void {
  const names = known.split(' ').filter((name) => name !== '');
  const bare = names.map((name) => name.replace('*', ''));
  for (const name of Object.keys(given)) if (!bare.includes(name)) faults.push(`${what}: ${name} is unknown`);
  for (const name of names)
    if (name.endsWith('*') && !(name.slice(0, -1) in given)) faults.push(`${what}: ${name} is missing`);
}
