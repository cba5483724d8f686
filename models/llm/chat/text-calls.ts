// Calls of tools that a model has written into its text, in the forms of the common chat templates: JSON objects with
// a name and arguments (Hermes, Qwen, Llama, Mistral, Granite), `<function=NAME>` with JSON or parameters (Llama 3,
// Qwen 3 Coder), `<invoke name="NAME">` with parameters, and a name before JSON (DeepSeek, Kimi, harmony).
import type { ToolDefinition } from '../llm.ts';

export interface TextCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** More calls than any reply needs. */
const MAX_CALLS = 4;
const NAMED =
  /^(?:to=|(?:<\|tool_call_begin\|>|<｜tool▁call▁begin｜>)?(?:function<｜tool▁sep｜>)?)(?:functions\.)?([\w.-]{1,64})(?::\d{1,4})?(?=[\s<{`])/;

/** The calls that name a tool which there is, with an object of arguments that has all that it requires. */
export function callsInText(text: string, tools: readonly ToolDefinition[]): TextCall[] {
  const found: TextCall[] = [];
  for (const candidate of [...elements(text), ...named(text), ...objects(text)]) {
    const fitting = fittingCall(candidate, tools);
    if (fitting !== null && found.length < MAX_CALLS) found.push(fitting);
  }
  return found;
}

interface Candidate {
  name: unknown;
  arguments: unknown;
}

function fittingCall({ name, arguments: given }: Candidate, tools: readonly ToolDefinition[]): TextCall | null {
  if (typeof name !== 'string') return null;
  const tool = tools.find((each) => each.name === name || `functions.${each.name}` === name);
  const args = typeof given === 'string' ? parsedOf(given) : (given ?? {});
  if (tool === undefined || args === null || typeof args !== 'object' || Array.isArray(args)) return null;
  const { required } = tool.parameters as { required?: unknown };
  const isWhole = !Array.isArray(required) || required.every((key) => Object.hasOwn(args, String(key)));
  return isWhole ? { name: tool.name, arguments: args as Record<string, unknown> } : null;
}

/** `<function=NAME>…` and `<invoke name="NAME">…`, with parameters as elements or as JSON. */
function elements(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const part of text.split(/<(?=function=|invoke\b)/i).slice(1)) {
    const end = part.indexOf('>');
    if (end < 0) continue;
    const name = /^function="?([\w.-]{1,64})|\bname="([\w.-]{1,64})"/i.exec(part.slice(0, end));
    const body = part.slice(end + 1);
    found.push({ name: name?.[1] ?? name?.[2], arguments: parametersOf(body) ?? parsedOf(jsonIn(body) ?? '') ?? {} });
  }
  return found;
}

/** `<parameter=KEY>VALUE</parameter>` and `<parameter name="KEY">VALUE</parameter>`; null: there is none. */
function parametersOf(body: string): Record<string, unknown> | null {
  const found: Record<string, unknown> = {};
  for (const part of body.split(/<parameter/i).slice(1)) {
    const end = part.indexOf('>');
    const key = /^(?:=|\s+name=)"?([\w.-]{1,64})/.exec(part.slice(0, Math.max(0, end)))?.[1];
    if (key === undefined) continue;
    const value = (part.slice(end + 1).split(/<\/parameter/i)[0] ?? '').trim();
    const json = parsedOf(value);
    found[key] = json !== null && typeof json !== 'string' ? json : value;
  }
  return Object.keys(found).length === 0 ? null : found;
}

/** A name, and behind it JSON with the arguments. */
function named(text: string): Candidate[] {
  const name = NAMED.exec(text.trimStart())?.[1];
  const json = jsonIn(text);
  return name === undefined || json === null ? [] : [{ name, arguments: parsedOf(json) }];
}

/** Objects with a name and arguments, one after the other or in a list. */
function objects(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (let rest = text; found.length < MAX_CALLS; ) {
    const json = jsonIn(rest);
    if (json === null) return found;
    const value = parsedOf(json);
    for (const each of Array.isArray(value) ? value : [value]) {
      const { name, function: inner, arguments: args, parameters } = (each ?? {}) as Record<string, unknown>;
      const nested = (typeof inner === 'object' ? inner : {}) as Record<string, unknown> | null;
      found.push({
        name: name ?? nested?.name ?? inner,
        arguments: args ?? parameters ?? nested?.arguments ?? nested?.parameters,
      });
    }
    rest = rest.slice(rest.indexOf(json) + json.length);
  }
  return found;
}

/** The first JSON object or list in the text, from bracket to bracket; null: there is none, or it does not end. */
function jsonIn(text: string): string | null {
  const begin = text.search(/[[{]/);
  if (begin < 0) return null;
  let depth = 0;
  let isQuoted = false;
  for (let at = begin; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === '\\') at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return text.slice(begin, at + 1);
  }
  return null;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
