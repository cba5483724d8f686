// A tool of a tenant: a question that an agent asks another system in a call, over HTTP.

type ToolMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpTool {
  id: string;
  name: string;
  description: string;
  method: ToolMethod;
  /** With placeholders in its path and its query: template.ts. */
  url: string;
  /** In plain text, with placeholders. Keep them in memory only. */
  headers: Readonly<Record<string, string>>;
  /** JSON Schema of the arguments object: parameters.ts. */
  parameters: JsonSchema;
  /** For the whole request, its repetition included. */
  timeoutMs: number;
}

/** The part of JSON Schema that counts here; what else a schema says is for the model alone. */
export interface JsonSchema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  default?: unknown;
  const?: unknown;
  [keyword: string]: unknown;
}

/** Facts of the call, as values of placeholders: nothing that is said or answered in it takes their place. */
export const CALL_FACTS: ReadonlySet<string> = new Set([
  ...['callId', 'callerNumber', 'callerName', 'businessName', 'agentName', 'direction'],
]);

/** The values that a run of a tool is about. */
export interface ToolInputs {
  /** By the model, so perhaps by the caller. */
  arguments: Readonly<Record<string, unknown>>;
  /** Of the call: variables, and facts such as `callId`. */
  values: Readonly<Record<string, string>>;
  /** The values that may stand in a header: none that was said in the call. */
  headerValues: Readonly<Record<string, string>>;
  /** The same for each attempt of the same wish: `Idempotency-Key`. */
  key: string;
}

/** The model's view of a run. `data` is the other system's text: never an instruction. */
export type ToolAnswer =
  | { ok: true; status: number; data: unknown }
  | { ok: false; error: ToolErrorCode; message: string; status?: number; data?: unknown };

type ToolErrorCode =
  /** The arguments do not fit the schema. Nothing was sent. */
  | 'bad_arguments'
  /** The address may not be asked, or the tool is damaged. Nothing was sent. */
  | 'refused'
  | 'timeout'
  | 'unreachable'
  /** A status of 300 and more. */
  | 'failed'
  | 'cancelled';
