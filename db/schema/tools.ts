// Tools of a tenant, which its agents may use in a call.
import type { Json } from './columns.ts';

export interface ToolTable {
  id: string;
  /** The tenant. */
  accountId: string;
  /** As the model calls it; unique in its account among those that are not deleted. */
  name: string;
  description: string;
  kind: 'http';
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headerNames: Json; // string[]
  /** The headers as a JSON object, sealed with the installation's key (db/shared/secret-box.ts) for the tool's id. */
  headersSealed: string | null;
  parameters: Json; // JSON Schema of an object
  timeoutMs: number;
  /** Whether the agent waits for the answer, or goes on and takes it as a new turn. */
  mode: 'wait' | 'background';
  /** What the agent says as the tool starts; null: nothing. */
  sayWhile: string | null;
  assigns: Json; // {variable: path in the answer}
  /** What a caller says when the built-in receptionist is to use it. */
  phrases: Json; // string[]
  whenInterrupted: 'finish' | 'cancel';
  createdAt: number;
  deletedAt: number | null;
}
