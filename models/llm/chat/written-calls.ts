// Calls of tools that a model has written as text, because its server does not know its format: as JSON with a name,
// as a name and JSON, or with a tag for each argument. One is run only if it names a tool and its arguments fit.
import { isObject } from '../../tools/schema.ts';
import type { ToolDefinition } from '../llm.ts';
import { newCallId, type ToolCall } from './tool-calls.ts';

const MAX_CALLS = 4;
const NAMES = ['name', 'tool_name', 'tool', 'function', 'function_name'];
const ARGUMENTS = ['arguments', 'parameters', 'args', 'input', 'kwargs'];

export interface WrittenCall extends ToolCall {
  /** As the model wrote it. */
  text: string;
}

/** The calls in these texts that can be run. */
export function writtenCalls(texts: readonly string[], tools: readonly ToolDefinition[]): WrittenCall[] {
  return texts
    .flatMap((text) => callsIn(text, tools))
    .slice(0, MAX_CALLS)
    .map(({ name, given, text }) => ({ id: newCallId(), name, arguments: given, text }));
}

interface Wish {
  name: string;
  given: Record<string, unknown>;
}

interface Written extends Wish {
  text: string;
}

function callsIn(text: string, tools: readonly ToolDefinition[]): Written[] {
  const found = jsonIn(text);
  const named = found.flatMap(({ value, json }) => wishesIn(value).map((wish) => ({ ...wish, text: json })));
  const unnamed = byItsName(text, found, tools);
  const wishes = named.length > 0 || unnamed === null ? named : [{ ...unnamed, text }];
  return wishes.flatMap((wish) => {
    const tool = tools.find(({ name }) => name === wish.name);
    const given = tool ? fitting(tool, wish.given) : null;
    return tool && given ? [{ name: tool.name, given, text: wish.text }] : [];
  });
}

/** Objects with a name and arguments, also in lists. */
function wishesIn(value: unknown, depth = 0): Wish[] {
  if (depth > 3 || value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.slice(0, MAX_CALLS).flatMap((each) => wishesIn(each, depth + 1));
  const fields = value as Record<string, unknown>;
  if (Array.isArray(fields.tool_calls)) return wishesIn(fields.tool_calls, depth + 1);
  if (fields.function !== null && typeof fields.function === 'object') return wishesIn(fields.function, depth + 1);
  const name = NAMES.map((key) => fields[key]).find((each) => typeof each === 'string');
  if (typeof name !== 'string') return [];
  const given = ARGUMENTS.map((key) => fields[key]).find((each) => each !== undefined);
  const parsed = typeof given === 'string' ? objectOf(given) : given;
  if (parsed !== undefined && !isObject(parsed)) return [];
  return [{ name: name.replace(/^functions\./, ''), given: parsed ?? {} }];
}

/** A name in the text, with an object or tags as its arguments. */
function byItsName(text: string, found: readonly Found[], tools: readonly ToolDefinition[]): Wish | null {
  const brace = text.indexOf('{');
  const head = brace < 0 ? text : text.slice(0, brace);
  const tool = tools.find(({ name }) => isWordIn(head, name));
  if (tool === undefined) return null;
  const object = found.map(({ value }) => value).find(isObject);
  return { name: tool.name, given: object ?? taggedArguments(text) };
}

export function isWordIn(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  return !/[\w-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + name.length] ?? ' ');
}

/** `<parameter=day>`, `<parameter name="day">`, `<arg_key>day</arg_key><arg_value>`. */
function taggedArguments(text: string): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const tagged =
    /<(?:parameter(?:=| name=)"?([\w.-]{1,64})"?|arg_key>\s*([\w.-]{1,64})\s*<\/arg_key>\s*<arg_value)>([^<]*)</g;
  for (const [, first, second, value = ''] of text.matchAll(tagged)) given[first ?? second ?? ''] = value.trim();
  return given;
}

/** The arguments in the types of the tool's schema; null if they do not fit. */
function fitting({ parameters }: ToolDefinition, given: Record<string, unknown>): Record<string, unknown> | null {
  const properties = isObject(parameters.properties) ? parameters.properties : {};
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const fit: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const schema = properties[name];
    if (!isObject(schema)) continue;
    const typed = typedAs(schema, value);
    if (typed === undefined) return null;
    fit[name] = typed;
  }
  return required.every((name) => typeof name === 'string' && fit[name] !== undefined) ? fit : null;
}

/** Undefined: the value is of another type. */
function typedAs({ type, enum: choices }: Record<string, unknown>, value: unknown): unknown {
  if (Array.isArray(choices) && !choices.includes(value)) return undefined;
  if (type === 'number' || type === 'integer') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    const fits = typeof number === 'number' && Number.isFinite(number);
    return fits && (type === 'number' || Number.isInteger(number)) ? number : undefined;
  }
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : is(value, 'boolean');
  if (type === 'string') return is(value, 'string');
  if (type === 'array') return Array.isArray(value) ? value : undefined;
  return type === 'object' && !isObject(value) ? undefined : value;
}

const is = (value: unknown, type: 'boolean' | 'string'): unknown => (typeof value === type ? value : undefined);

interface Found {
  value: unknown;
  json: string;
}

/** The JSON values in a text: each from its first bracket to the one that closes it. */
function jsonIn(text: string): Found[] {
  const values: Found[] = [];
  let depth = 0;
  let from = -1;
  let isString = false;
  for (let at = 0; at < text.length && values.length < MAX_CALLS; at++) {
    const char = text[at];
    if (isString) {
      if (char === '\\') at++;
      else if (char === '"') isString = false;
    } else if (char === '"' && depth > 0) isString = true;
    else if (char === '{' || (char === '[' && /^\[\s*[{[]/.test(text.slice(at, at + 8)))) {
      if (depth++ === 0) from = at;
    } else if (depth > 0 && char === '[') depth++;
    else if (depth > 0 && (char === '}' || char === ']') && --depth === 0) {
      const json = text.slice(from, at + 1);
      const value = parsedOr(json);
      if (value !== undefined) values.push({ value, json });
    }
  }
  return values;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  const value = parsedOr(text);
  return isObject(value) ? value : null;
}
