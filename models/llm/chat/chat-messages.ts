// The conversation as chat-completion messages, in the form that the strictest chat templates take (Gemma, Mistral): at
// most one system message, first; then user and assistant in turn, the user first; tool results right after their call;
// no empty text.
//
// Parts that change stand last. The system prompt is the same for all calls of a business, the first message within a
// call, and the current minute ends the caller's last words: a provider finds everything before it in its cache.
import { DateTime } from 'luxon';
import { unreachable } from '../../../db/domain/unexpected.ts';
import { aside, resultText, withoutAsides } from '../asides.ts';
import type { DialogueRequest, Message } from '../llm.ts';
import { phrasesFor } from '../phrases/languages.ts';
import { fill, type Phrases } from '../phrases/phrases.ts';
import { dateText } from '../spoken.ts';
import type { Accepted } from './accepted-parameters.ts';
import { systemPrompt } from './prompt.ts';

interface ToolCallParam {
  id: string;
  type: 'function';
  function: { name: string; arguments: string; [unknown: string]: unknown };
  [unknown: string]: unknown;
}

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCallParam[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** All messages of one request to the server at `place`. */
export function requestMessages(
  request: DialogueRequest,
  { systemRole, tools }: Pick<Accepted, 'systemRole' | 'tools'>,
  place = '',
): ChatMessage[] {
  const { model } = phrasesFor(request.language);
  const hasTools = tools && request.tools.length > 0;
  const chat = chatMessages(request.messages, { words: model, opening: callText(request, model), hasTools, place });
  const last = chat.findLast((message) => message.role === 'user');
  if (last) last.content += `${passagesText(request, model)}\n${aside(nowText(request, model))}`;
  const system = systemPrompt(request, hasTools);
  if (systemRole) return [{ role: 'system', content: system }, ...chat];
  const [first, ...rest] = chat;
  return [{ role: 'user', content: `${system}\n\n${first?.content ?? ''}` }, ...rest];
}

interface ChatOptions {
  words: Pick<Phrases['model'], 'unclear' | 'interrupted'>;
  /** The user's first message. */
  opening: string;
  /** If false, calls are left out and results become remarks. */
  hasTools: boolean;
  place: string;
}

function chatMessages(messages: readonly Message[], { words, opening, hasTools, place }: ChatOptions): ChatMessage[] {
  const chat = new Chat(words.interrupted, place);
  chat.user(aside(opening));
  for (const message of messages) {
    switch (message.role) {
      case 'caller': {
        const text = withoutAsides(message.text) || '…';
        chat.user(message.understood ? text : `${text} ${aside(words.unclear)}`);
        break;
      }
      case 'agent': {
        // It may have repeated what a stranger wrote.
        const text = withoutAsides(message.text);
        if (text) chat.assistant(message.interrupted ? `${text} … ${aside(words.interrupted)}` : text);
        break;
      }
      case 'note':
        chat.user(aside(message.text));
        break;
      case 'tool-call':
        if (hasTools) chat.call(message);
        break;
      case 'tool-result': {
        const content = resultText(message.result);
        if (hasTools) chat.messages.push({ role: 'tool', tool_call_id: message.id, content });
        else chat.user(aside(`${message.name}: ${content}`));
        break;
      }
      default:
        unreachable(message);
    }
  }
  return chat.messages;
}

/** Joins consecutive messages of one side. */
class Chat {
  readonly messages: ChatMessage[] = [];
  readonly #interrupted: string;
  readonly #place: string;

  constructor(interrupted: string, place: string) {
    this.#interrupted = interrupted;
    this.#place = place;
  }

  user(text: string): void {
    const last = this.messages.at(-1);
    if (last?.role === 'user') last.content += `\n${text}`;
    else {
      // The agent was interrupted before it spoke about the result, but the format requires its turn.
      if (last?.role === 'tool') this.assistant(`… ${aside(this.#interrupted)}`);
      this.messages.push({ role: 'user', content: text });
    }
  }

  assistant(text: string): void {
    const last = this.messages.at(-1);
    if (last?.role === 'assistant') last.content = last.content === null ? text : `${last.content} ${text}`;
    else this.messages.push({ role: 'assistant', content: text });
  }

  /** Adds the call to the agent's last text, and to calls made together with it. */
  call(message: Extract<Message, { role: 'tool-call' }>): void {
    const { id, name } = message;
    // Gemini refuses a call without the signature that it gave it; another server may refuse one with it.
    const extra = message.extra?.place === this.#place ? message.extra : undefined;
    const call: ToolCallParam = {
      ...extra?.call,
      id,
      type: 'function',
      function: { ...extra?.function, name, arguments: JSON.stringify(message.arguments) },
    };
    const last = this.messages.at(-1);
    if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
    else this.messages.push({ role: 'assistant', content: null, tool_calls: [call] });
  }
}

/** The facts of this call. */
function callText(request: DialogueRequest, model: Phrases['model']): string {
  const { direction, callerName, callerNumber, isWritten } = request;
  const facts = [
    isWritten ? model.written.begins : model.callBegins,
    isWritten ? null : direction === 'outbound' ? model.outbound : model.inbound,
    callerName ? fill(model.callerName, { name: JSON.stringify(callerName) }) : null,
    callerNumber ? fill(model.callerNumber, { number: callerNumber }) : null,
  ];
  return facts.filter((fact) => fact !== null).join(' ');
}

/** After the caller's words: everything before them is in the provider's cache. */
function passagesText({ passages = [] }: Pick<DialogueRequest, 'passages'>, model: Phrases['model']): string {
  if (passages.length === 0) return '';
  const texts = passages.map(({ name, heading, body }) => `${[name, heading].filter(Boolean).join(' > ')}: ${body}`);
  return `\n${aside([model.passages, ...texts].join('\n'))}`;
}

/** The same as a note of its own; null: nothing was found. */
export function passagesNote(request: Pick<DialogueRequest, 'passages' | 'language'>): string | null {
  const text = passagesText(request, phrasesFor(request.language).model).trim();
  return text === '' ? null : text;
}

/** The instructions for a model with a conversation of its own, which it is told at its beginning. */
export function sessionInstructions(request: DialogueRequest): string {
  const { model } = phrasesFor(request.language);
  const facts = `${callText(request, model)} ${nowText(request, model)}`;
  return `${systemPrompt(request, request.tools.length > 0)}\n\n${aside(facts)}`;
}

function nowText({ business, nowMs, language }: DialogueRequest, model: Phrases['model']): string {
  const local = DateTime.fromMillis(nowMs, { zone: business.timezone });
  const now = local.isValid ? local : DateTime.fromMillis(nowMs, { zone: 'utc' });
  return fill(model.now, {
    date: dateText(language, now),
    time: now.toFormat('HH:mm'),
    timezone: business.timezone,
    offset: now.toFormat('ZZ'),
  });
}
