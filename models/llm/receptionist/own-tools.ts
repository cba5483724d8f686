// The tenant's own tools, used without a language model: a phrase of the caller names the tool, and its answer is read
// aloud where it has words for that.
import type { ToolDefinition } from '../llm.ts';
import { type Context, call, type ReceptionistReply } from './context.ts';
import { saysPhrase } from './said-words.ts';

/** As much of an answer as one likes to hear. */
const MAX_SPOKEN_CHARS = 400;
/** Where systems put words for people, the best first. */
const SPOKEN_FIELDS = ['say', 'message', 'answer', 'text', 'result', 'status'];

/** The call of the tool that the caller's words name; null if they name none, or one that needs more than they say. */
export function askedTool(context: Context, text: string): ReceptionistReply | null {
  for (const tool of context.request.tools) {
    const { language } = context.request;
    if (!(tool.phrases ?? []).some((phrase) => saysPhrase(text, phrase, language))) continue;
    const given = argumentsFrom(tool, text);
    if (given !== null) return call(context, '', tool.name, given);
  }
  return null;
}

/** One argument may be taken from the words: a number where they have one, else the sentence. */
function argumentsFrom({ parameters }: ToolDefinition, text: string): Record<string, unknown> | null {
  const properties = (parameters.properties ?? {}) as Record<string, { type?: unknown; default?: unknown }>;
  const missing = ((parameters.required ?? []) as string[]).filter((name) => properties[name]?.default === undefined);
  const [name] = missing;
  if (name === undefined) return {};
  if (missing.length > 1) return null;
  const digits = (text.match(/\d[\d -]*/g) ?? []).join('').replace(/\D/g, '');
  const type = properties[name]?.type;
  if (type === 'integer' || type === 'number') return digits === '' ? null : { [name]: Number(digits) };
  return type === 'string' ? { [name]: digits === '' ? text : digits } : null;
}

/** The last answer of a tool that ran beside the talk. */
export function lateResult(context: Context, tool: string): unknown {
  const found = context.request.messages.findLast((message) => message.role === 'tool-result' && message.name === tool);
  return found?.role === 'tool-result' ? found.result : null;
}

/** A tool's answer as words for a person: null if it failed, or has no words. */
export function wordsOfAnswer(result: unknown): string | null {
  if (result === null || typeof result !== 'object' || (result as { ok?: unknown }).ok !== true) return null;
  const { data } = result as { data?: unknown };
  const words = typeof data === 'string' ? data : fieldOf(data);
  const text = words?.replace(/\s+/g, ' ').trim() ?? '';
  return text === '' ? null : text.slice(0, MAX_SPOKEN_CHARS);
}

function fieldOf(data: unknown): string | null {
  if (data === null || typeof data !== 'object') return null;
  const fields = data as Record<string, unknown>;
  const name = SPOKEN_FIELDS.find((each) => typeof fields[each] === 'string');
  return name === undefined ? null : String(fields[name]);
}
