// The dialogue-model port: a conversation in, a stream of text, tool calls and hints out. A model keeps no state of its
// own: what it must remember travels as `memory` and is kept by the caller only when the turn is committed, so that a
// speculative reply can be thrown away without a trace.
import type { Expectation } from '../stt/stt.ts';
import type { CallNote } from './call-note.ts';

export interface DialogueBusiness {
  name: string;
  industry: string | null;
  description: string | null;
  timezone: string;
  address: string | null;
  phone: string | null;
  email: string | null;
  hours: Array<{ day: string; open: string; close: string }>;
  services: Array<{ name: string; duration: number | null; price: number | null }>;
  faqs: Array<{ question: string; answer: string }>;
  policies: unknown[];
  systemPrompt: string | null;
  greetingTemplate: string | null;
  fallbackMessage: string | null;
  transferNumber: string | null;
  businessContext: Record<string, unknown> | null;
}

export type Message =
  | { role: 'caller'; text: string; understood: boolean }
  /** What the caller heard of the agent, not what was meant. */
  | { role: 'agent'; text: string; interrupted: boolean }
  | { role: 'tool-call'; id: string; name: string; arguments: Record<string, unknown> }
  | { role: 'tool-result'; id: string; name: string; result: unknown }
  /** A fact of the call itself, as a value and as `noteText` words it. */
  | { role: 'note'; note: CallNote; text: string };

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>;
}

export interface DialogueRequest {
  business: DialogueBusiness;
  agentName: string;
  callerNumber: string | null;
  callerName: string | null;
  direction: 'inbound' | 'outbound';
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  memory: unknown;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

export type DialogueChunk =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: Record<string, unknown> }
  | { type: 'expects'; expects: Expectation }
  | { type: 'memory'; memory: unknown }
  | { type: 'usage'; inputTokens: number; outputTokens: number };

export interface DialogueModel {
  readonly name: string;
  /** Ends when the reply is complete. Tool calls end a reply: their results come with the next request. */
  reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk>;
  /** One-shot text task (summary, services from a description …); null when the model cannot (receptionist). */
  complete: ((prompt: { system: string; user: string; json: boolean }, signal: AbortSignal) => Promise<string>) | null;
}

export type LlmErrorCode = 'LLM_UNAVAILABLE' | 'LLM_TIMEOUT' | 'LLM_REFUSED' | 'LLM_GARBAGE';

export class LlmError extends Error {
  readonly code: LlmErrorCode;
  constructor(code: LlmErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LlmError';
    this.code = code;
  }
}
