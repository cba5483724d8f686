// Guards the running of calls that a model has written as text: nobody who has it repeat one shall have it run. A
// server that hands on calls as such writes none, once it has done so; and a call whose text comes from the caller, a
// document or a tool's answer is an echo, whatever the server.
import type { DialogueRequest } from '../llm.ts';
import type { ToolCall } from './tool-calls.ts';
import { isWordIn, type WrittenCall, writtenCalls } from './written-calls.ts';

/** Servers and models that have handed on a call as such. */
const native = new Set<string>();
const MAX_KNOWN = 1_000;
const keyOf = (place: string, model: string): string => `${place} ${model}`;

export function noteNativeCall(place: string, model: string): void {
  const key = keyOf(place, model);
  native.delete(key);
  native.add(key);
  for (const oldest of native) {
    if (native.size <= MAX_KNOWN) break;
    native.delete(oldest);
  }
}

/** The server's settings were entered again: another program may stand there. */
export function forgetNativeCalls(place: string): void {
  for (const key of [...native]) if (key.startsWith(`${place} `)) native.delete(key);
}

/** Tools, and the words that neither we nor the model have written: they decide about a written call. */
export type AskedWith = Pick<DialogueRequest, 'tools' | 'messages' | 'passages'>;

/** The calls in these texts of a model that may be run; `hasEcho`: others are what somebody had it repeat. */
export function ownCalls(
  texts: readonly string[],
  request: AskedWith,
  place: string,
  model: string,
): { calls: ToolCall[]; hasEcho: boolean } {
  const written = texts.length === 0 ? [] : writtenCalls(texts, request.tools);
  if (written.length === 0) return { calls: [], hasEcho: false };
  const isEcho = echoesOf(request);
  const own = written.filter((call) => !isEcho(call));
  const calls = native.has(keyOf(place, model)) ? [] : own.map(({ text: _, ...call }) => call);
  return { calls, hasEcho: own.length < written.length };
}

function echoesOf({ messages, passages = [] }: AskedWith): (call: WrittenCall) => boolean {
  const said = messages.map((message) => (message.role === 'caller' ? message.text : '')).join('\n');
  const given = messages.map((message) => {
    if (message.role === 'tool-result') return unescaped(JSON.stringify(message.result ?? null));
    return message.role === 'note' ? message.text : '';
  });
  const read = passages.map(({ name, heading, body }) => `${name} ${heading} ${body}`);
  const sources = [said, ...given, ...read].map(lettersOf);
  return ({ name, text }) => {
    // A caller who knows what a tool is called in code wants the model to repeat it.
    if (isCode(name) && isWordIn(said.toLowerCase(), name.toLowerCase())) return true;
    const letters = lettersOf(text);
    return letters.length > lettersOf(name).length && sources.some((source) => source.includes(letters));
  };
}

/** No name that people say: with signs, digits or capitals inside. */
const isCode = (name: string): boolean => /[^\p{L}]|\p{Ll}\p{Lu}/u.test(name);

/** A call may be repeated with other blanks, quotes and brackets. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Without the letters that stand for line ends and the like. */
const unescaped = (json: string): string => json.replace(/\\[a-z]/g, ' ');
