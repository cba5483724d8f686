// A stored tool as it is run, and what its answer gives to the call's variables.
import { valueAt } from './answer.ts';
import type { HttpTool } from './tool.ts';

/** As a row has it; JSON is text. */
interface StoredTool {
  id: string;
  name: string;
  description: string;
  method: HttpTool['method'];
  url: string;
  headersSealed: string | null;
  parameters: string;
  timeoutMs: number;
}

/** @throws Error if `open` cannot open the headers */
export function openedTool(row: StoredTool, open: (box: string) => string): HttpTool {
  const { id, name, description, method, url, headersSealed, parameters, timeoutMs } = row;
  return {
    id,
    name,
    description,
    method,
    url,
    headers: headersSealed === null ? {} : (JSON.parse(open(headersSealed)) as Record<string, string>),
    parameters: JSON.parse(parameters) as HttpTool['parameters'],
    timeoutMs,
  };
}

/** Of a server's tool, as models take it: the server's name before its own. */
export function serverToolName(server: string, name: string): string {
  return `${server}_${name.replace(/\W+/g, '_')}`.slice(0, 64);
}

/** An assigned value is one line of at most so many characters. */
const MAX_VALUE_CHARS = 500;

/** Values by variable: those that the answer has at their paths. */
export function assignedValues(assigns: Readonly<Record<string, string>>, data: unknown): Record<string, string> {
  const values = Object.entries(assigns).flatMap(([name, path]) => {
    const value = valueAt(data, path);
    if (value === undefined || value === null || typeof value === 'object') return [];
    return [[name, String(value).replaceAll('\0', '').replace(/\s+/g, ' ').trim().slice(0, MAX_VALUE_CHARS)] as const];
  });
  return Object.fromEntries(values);
}
