// The dialogue-model port: a conversation in, a stream of text, tool calls and hints out. A model keeps no state: it
// returns it as `memory`. The dialogue keeps the memory only when the turn is committed, so that a speculative reply
// can be dropped without a trace.
import type { BookingResource } from '../../db/domain/booking/resources.ts';
import type { TransferDestination } from '../../db/domain/numbers/transfer-destinations.ts';
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
  /** Persons, chairs and rooms of appointments; absent: there is one of them, without a name. */
  resources?: readonly BookingResource[];
  /** Between two appointments; absent: none. */
  bufferMinutes?: number;
  /** ISO 4217: how prices are said. */
  currency: string;
  faqs: Array<{ question: string; answer: string }>;
  policies: unknown[];
  /** With placeholders, see template.ts. */
  systemPrompt: string | null;
  /** The campaign's, if it has one. */
  greetingTemplate: string | null;
  fallbackMessage: string | null;
  transferNumber: string | null;
  /** Persons to whom a caller may be handed; absent: there are none. */
  destinations?: readonly TransferDestination[];
  businessContext: Record<string, unknown> | null;
}

export type Message =
  | { role: 'caller'; text: string; understood: boolean }
  /** The agent's words that the caller heard, without the unspoken rest. */
  | {
      role: 'agent';
      text: string;
      interrupted: boolean;
      /** A speech-to-speech model said it itself, and knows it. */
      isOwnVoice?: true;
    }
  | {
      role: 'tool-call';
      id: string;
      name: string;
      arguments: Record<string, unknown>;
      /** Members of the call that only the server at `place` knows, and wants back as they came. */
      extra?: ToolCallExtra;
    }
  | { role: 'tool-result'; id: string; name: string; result: unknown }
  /** A fact about the call, as a value and in the words of `noteText`. */
  | { role: 'note'; note: CallNote; text: string };

export interface ToolCallExtra {
  place: string;
  call?: Record<string, unknown>;
  function?: Record<string, unknown>;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>;
  /** Of a tenant's own tool: what a caller says when the built-in receptionist is to use it. */
  phrases?: readonly string[];
}

/** A passage of a business's documents that fits what the caller asks. */
export interface FoundPassage {
  documentId: string;
  /** The document's. */
  name: string;
  /** The headings above it; empty: none. */
  heading: string;
  body: string;
}

export interface DialogueRequest {
  /** The number of the reply; absent: it is for no caller's ears. */
  epoch?: number;
  business: DialogueBusiness;
  agentName: string;
  callerNumber: string | null;
  callerName: string | null;
  direction: 'inbound' | 'outbound';
  /** The language in which the agent speaks, as BCP 47: `de-DE`. */
  language: string;
  /** Further languages in which it may answer. */
  additionalLanguages: readonly string[];
  /** All that it may go on in with the tool switch_language, `language` among them; absent: there is one only. */
  languages?: readonly string[];
  /** The other side writes and reads; absent: it speaks and hears. */
  isWritten?: boolean;
  /** The campaign's instructions, with placeholders; added to the business's prompt. */
  instructions: string | null;
  /** Values of the placeholders. */
  variables: Readonly<Record<string, string>>;
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  /** Passages of the documents about the caller's last words, the best first; absent: none. */
  passages?: readonly FoundPassage[];
  memory: unknown;
  /** The agent's own model on the configured server, and its temperature; null: as configured. */
  model?: string | null;
  temperature?: number | null;
  /**
   * How long the caller waits for the first word at least, from now; absent: FIRST_WORD_MS. A model may ask its server
   * again within it. Once nobody waits any longer, the reply is aborted.
   */
  firstWordWithinMs?: number;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/** How long a caller waits for a model's first word, unless LLM_TIMEOUT_MS or the agent says otherwise. */
export const FIRST_WORD_MS = 8_000;

export type DialogueChunk =
  | { type: 'text'; text: string }
  /** Words that the model has spoken itself, as they come, with their spaces: they need no voice of ours. */
  | { type: 'voiced'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: Record<string, unknown>; extra?: ToolCallExtra }
  /** A tool call is being written: as good as a first word to those who wait for one. */
  | { type: 'began' }
  | { type: 'expects'; expects: Expectation }
  | { type: 'memory'; memory: unknown }
  /** It could not answer what the caller said, by a rule of the model's own; comes before its text. */
  | { type: 'unanswered' }
  /** The reply promises a call back, by a rule of the model's own: nobody reads that out of free words. */
  | { type: 'call-back-promised' }
  /**
   * A request is sent to a model server; a model without a server has none. `byFallback`: to the second model.
   * `promptEstimate`: its tokens, reckoned by its length.
   */
  | { type: 'request'; byFallback: boolean; model?: string; promptEstimate?: number }
  /**
   * The usage of the last request. `cachedTokens` is part of `inputTokens`. `promptEstimate`: as it was told with the
   * request. `isEstimated`: its server reports none, and the tokens are reckoned.
   */
  | {
      type: 'usage';
      inputTokens: number;
      outputTokens: number;
      cachedTokens?: number;
      model?: string;
      promptEstimate?: number;
      isEstimated?: true;
    };

/** A notice to the operator on a model's servers. It never contains a caller's words or a key. */
export interface ModelNotice {
  level: 'info' | 'warn';
  text: string;
  details: FailureDetails;
}

/** Facts of a failure that may be logged. */
export type FailureDetails = Readonly<Record<string, string | number>>;

/** Parts of a request that a model on a server was found to refuse; later requests are sent without them. */
export interface LearnedRefusals {
  /** Host and path of its base URL. */
  server: string;
  model: string;
  /** Names of parameters and parts of a request. */
  refused: string[];
  /** Since the trial that found it. */
  ageMs: number;
}

/** `model`: another one than the configured, on the same server. */
export interface TextTask {
  system: string;
  user: string;
  json: boolean;
  model?: string;
  /** Told once the server has answered. */
  onUsed?(used: TaskUse): void;
}

/** The tokens of a text task. */
interface TaskUse {
  model: string;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** Its server reports none. */
  isEstimated: boolean;
}

export interface DialogueModel {
  readonly name: string;
  /**
   * Ends when the reply is complete. Tool calls end a reply; their results come with the next request. @throws
   * {LlmError}
   */
  reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk>;
  /** A one-shot text task, such as a summary; null when the model cannot do it. @throws {LlmError} */
  complete: ((prompt: TextTask, signal: AbortSignal) => Promise<string>) | null;
  /**
   * Connects to the server when a call begins, so that the first turn need not. `briefing`: the call's facts and rules,
   * which the server may read ahead. Never fails.
   */
  warm?(briefing?: () => DialogueRequest): void;
  /** Checks that the servers answer and accept key and model; resolves with the faults. Never fails. */
  check?(): Promise<ModelNotice[]>;
  /** Reports changes at run time; one listener. */
  onNotice?(listener: (notice: ModelNotice) => void): void;
  /** The refusals of its servers, for an operator to see. */
  learned?(): LearnedRefusals[];
  /** The servers' settings were entered again: what was learned of them no longer counts. */
  forget?(): void;
  /** Replaces "How can I help you?" after the greeting, for a model that cannot converse in the language. */
  invitation?(call: Pick<DialogueRequest, 'business' | 'direction' | 'language' | 'nowMs'>): string | null;
}

export type LlmErrorCode = 'LLM_UNAVAILABLE' | 'LLM_TIMEOUT' | 'LLM_REFUSED' | 'LLM_GARBAGE';

export class LlmError extends Error {
  readonly code: LlmErrorCode;
  readonly details: FailureDetails;
  constructor(code: LlmErrorCode, message: string, options: ErrorOptions & { details?: FailureDetails } = {}) {
    super(message, options);
    this.name = 'LlmError';
    this.code = code;
    this.details = options.details ?? {};
  }
}
