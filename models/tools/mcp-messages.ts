// Messages between a process and the thread of its MCP sessions, and the memory that both share.
import type { McpCallOptions, McpServer } from './mcp.ts';

/** Words of the shared memory: a count that grows as the thread turns, and the session that it works for. */
export const BEATS = 0;
export const AT_WORK = 1;

export interface McpThreadData {
  allowPrivate: boolean;
  /** The process resolves names itself. */
  resolves: boolean;
  words: Int32Array;
}

export type McpQuestion =
  | { type: 'catalogue' }
  | { type: 'call'; name: string; given: Record<string, unknown>; options: McpCallOptions }
  | { type: 'close' };

export type ToMcpThread =
  | { type: 'server'; session: number; server: McpServer }
  | { type: 'open'; session: number }
  | ({ session: number; question: number } & McpQuestion)
  | { type: 'give-up'; question: number }
  | { type: 'resolved'; question: number; addresses: string[] };

export type FromMcpThread =
  | { type: 'answer'; question: number; value: unknown }
  | { type: 'failed'; question: number; message: string }
  | { type: 'resolve'; question: number; hostname: string };
