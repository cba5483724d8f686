// Tools of a tenant, which its agents may use in a call.
import type { Json } from './columns.ts';

export interface ToolTable {
  id: string;
  /** The tenant. */
  accountId: string;
  /** As the model calls it; unique in its account among those that are not deleted. */
  name: string;
  description: string;
  /** `mcp`: a server with tools of its own, in its catalogue; the name is their prefix. */
  kind: 'http' | 'mcp';
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headerNames: Json; // string[]
  /** The headers as a JSON object, sealed with the installation's key (secret-box.ts) for the tool's id. */
  headersSealed: string | null;
  parameters: Json; // JSON Schema of an object
  timeoutMs: number;
  /** Whether the agent waits for the answer, or goes on and takes it as a new turn. */
  mode: 'wait' | 'background';
  /** The agent's words as the tool starts; null: none. */
  sayWhile: string | null;
  assigns: Json; // {variable: path in the answer}
  /** Phrases of a caller at which the built-in receptionist uses it. */
  phrases: Json; // string[]
  whenInterrupted: 'finish' | 'cancel';
  /** Of a server's tools those that are offered; null: all. */
  onlyNames: Json | null; // string[]
  /** Of a server, as it was read last; null: it never was, or of an HTTP tool. */
  catalogue: Json | null; // {name, description, parameters}[]
  catalogueAt: number | null;
  /** When it was last asked for. */
  catalogueTriedAt: number | null;
  /** Why it could not be read the last time. */
  catalogueError: string | null;
  createdAt: number;
  deletedAt: number | null;
  /** Of what stands here (versions.ts). */
  version: number;
}
