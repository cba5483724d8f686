// Selects the loggable words of a model's or a server's error: enough for an operator to correct the fault, nothing
// that repeats the conversation or the key.
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { type DialogueRequest, type FailureDetails, LlmError, type Message } from './llm.ts';

const MAX_CHARS = 200;
/** This many characters in common with the request are not a coincidence. */
const REPEATED_CHARS = 16;

/** A failed reply, for the log: its code, and facts or words that do not repeat the request. */
export function failureDetails(error: unknown, request: DialogueRequest): FailureDetails & { code: string } {
  if (error instanceof LlmError) return { ...error.details, code: error.code };
  const { messages, callerName, callerNumber } = request;
  const sent = [callerName ?? '', callerNumber ?? '', ...messages.flatMap(privateTexts)];
  const name = error instanceof Error ? error.name : typeof error;
  return { code: 'LLM_FAILED', error: loggableWords(messageOf(error), sent, null) ?? name };
}

function privateTexts(message: Message): string[] {
  switch (message.role) {
    case 'caller':
    case 'agent':
    case 'note':
      return [message.text];
    case 'tool-call':
      return Object.values(message.arguments).map(textOf);
    case 'tool-result':
      return [textOf(message.result)];
    default:
      return unreachable(message);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The server's words, shortened; null if they are empty or repeat a part of `sent`. */
export function loggableWords(words: string, sent: readonly string[], apiKey: string | null): string | null {
  const text = words.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS);
  if (text === '' || (apiKey !== null && text.includes(apiKey))) return null;
  return repeats(text, sent) ? null : text.replace(/\b(sk|key|pk)-[\w*-]{4,}/g, '[key]');
}

function repeats(text: string, sent: readonly string[]): boolean {
  const all = sent.join('\n');
  const quoted = [...text.matchAll(/["'`“‘«]([^"'`“‘«”’»]+)["'`”’»]/g)].map(([, inside = '']) => inside);
  if (quoted.some((inside) => all.includes(inside))) return true;
  if (sent.some((one) => one.trim().length > 2 && text.includes(one.trim()))) return true;
  for (let at = 0; at + REPEATED_CHARS <= text.length; at++) {
    if (all.includes(text.slice(at, at + REPEATED_CHARS))) return true;
  }
  return false;
}

/** The texts of a chat completion's messages. */
export function messageTexts(body: unknown): string[] {
  const { messages } = (body ?? {}) as { messages?: unknown };
  if (!Array.isArray(messages)) return [];
  return messages.flatMap(({ content }: { content?: unknown }) => (typeof content === 'string' ? [content] : []));
}
