// The conversation as the model sees it. A value: every function returns a new one, so a speculative reply works on a
// history of its own and leaves no trace when it is dropped.
//
// Three rules. The agent has said what the caller heard of it, not what was meant. A turn that was taken back (its reply
// dropped unheard, because the caller went on) leaves, since its words come again joined with the rest. The result of a
// tool that ran always enters, beside its call, however late it comes.
import { type CallNote, noteText } from '../../models/llm/call-note.ts';
import type { Message } from '../../models/llm/llm.ts';

interface Entry {
  /** The reply to which it belongs (for a caller's message: which answers it); null for facts of the call. */
  epoch: number | null;
  message: Message;
}

export interface History {
  readonly entries: readonly Entry[];
}

export const emptyHistory: History = { entries: [] };

/** What a model is given of a long call. The oldest messages leave first. */
const MAX_MESSAGES = 160;
/** Bounds the memory of a call without end. */
const MAX_ENTRIES = 1_000;

function append(history: History, ...entries: Entry[]): History {
  const all = [...history.entries, ...entries];
  return { entries: all.length > MAX_ENTRIES ? all.slice(-MAX_ENTRIES) : all };
}

export function addCaller(history: History, epoch: number, text: string, understood: boolean): History {
  return append(history, { epoch, message: { role: 'caller', text, understood } });
}

/** A fact of the call: digits, silence, a transfer that failed. */
export function addNote(history: History, note: CallNote): History {
  return append(history, { epoch: null, message: noteMessage(note) });
}

export function noteMessage(note: CallNote): Extract<Message, { role: 'note' }> {
  return { role: 'note', note, text: noteText(note) };
}

/** What the agent means to say, in the order of speaking; text that follows text of the same reply joins it. */
export function addAgent(history: History, epoch: number, text: string): History {
  const words = text.trim();
  if (words === '') return history;
  const last = history.entries.at(-1);
  if (last?.epoch !== epoch || last.message.role !== 'agent') {
    return append(history, { epoch, message: { role: 'agent', text: words, interrupted: false } });
  }
  const message: Message = { ...last.message, text: `${last.message.text} ${words}` };
  return { entries: [...history.entries.slice(0, -1), { epoch, message }] };
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

export function addToolCall(history: History, epoch: number, call: ToolCall): History {
  if (history.entries.some((entry) => entry.message.role === 'tool-call' && entry.message.id === call.id))
    return history;
  return append(history, { epoch, message: { role: 'tool-call', ...call } });
}

/** Enters beside its call (which enters with it where it is gone), once. */
export function addToolResult(history: History, epoch: number, call: ToolCall, result: unknown): History {
  const isResult = (entry: Entry) => entry.message.role === 'tool-result' && entry.message.id === call.id;
  if (history.entries.some(isResult)) return history;
  const called = addToolCall(history, epoch, call);
  const { entries } = called;
  const at = entries.findIndex((entry) => entry.message.role === 'tool-call' && entry.message.id === call.id);
  // Calls that were made together stand together, their results after them (the order that model APIs ask for).
  let after = at + 1;
  while (isToolEntry(entries[after])) after++;
  const message: Message = { role: 'tool-result', id: call.id, name: call.name, result };
  return { entries: [...entries.slice(0, after), { epoch, message }, ...entries.slice(after)] };
}

/** A result that came after its tool was given up takes the place of the one that said so. */
export function replaceToolResult(history: History, call: ToolCall, result: unknown): History {
  const entries = history.entries.map((entry) =>
    entry.message.role === 'tool-result' && entry.message.id === call.id
      ? { ...entry, message: { ...entry.message, result } }
      : entry,
  );
  return { entries };
}

function isToolEntry(entry: Entry | undefined): boolean {
  return entry?.message.role === 'tool-call' || entry?.message.role === 'tool-result';
}

/** The reply was dropped before any of it was heard: the caller's turn is taken back. Tools that ran stay. */
export function withdrawTurn(history: History, epoch: number): History {
  return {
    entries: history.entries.filter(
      ({ epoch: of, message }) => of !== epoch || (message.role !== 'caller' && message.role !== 'agent'),
    ),
  };
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/**
 * Cuts what was meant to what was heard: at the reply's end, where speech synthesis broke off, or where the caller
 * interrupted.
 */
export function cutToHeard(history: History, epoch: number, heard: string, interrupted: boolean): History {
  let words = wordsOf(heard);
  const entries: Entry[] = [];
  for (const entry of history.entries) {
    const { message } = entry;
    if (entry.epoch !== epoch || message.role !== 'agent') {
      entries.push(entry);
      continue;
    }
    const meant = wordsOf(message.text).length;
    if (words.length >= meant) entries.push(entry);
    else if (words.length > 0) {
      entries.push({ epoch, message: { role: 'agent', text: words.join(' '), interrupted } });
    }
    words = words.slice(meant);
  }
  return { entries: interrupted ? markInterrupted(entries, epoch) : entries };
}

/** The last that was heard of the reply is where it broke off, also when it broke off between two pieces. */
function markInterrupted(entries: Entry[], epoch: number): Entry[] {
  const last = entries.findLastIndex((entry) => entry.epoch === epoch && entry.message.role === 'agent');
  return entries.map((entry, index) =>
    index === last && entry.message.role === 'agent'
      ? { ...entry, message: { ...entry.message, interrupted: true } }
      : entry,
  );
}

/** For the model. A tool that has not answered yet is shown as running: no call stands without a result. */
export function messagesOf(history: History): Message[] {
  const answered = new Set<string>();
  for (const { message } of history.entries) if (message.role === 'tool-result') answered.add(message.id);
  const messages: Message[] = [];
  let unanswered: Message[] = [];
  for (const { message } of history.entries) {
    if (message.role !== 'tool-call' && message.role !== 'tool-result') {
      messages.push(...unanswered);
      unanswered = [];
    }
    messages.push(message);
    if (message.role === 'tool-call' && !answered.has(message.id)) {
      unanswered.push({ role: 'tool-result', id: message.id, name: message.name, result: { status: 'running' } });
    }
  }
  messages.push(...unanswered);
  return recent(messages);
}

/** The newest messages, never beginning in the middle of a tool's call and result. */
function recent(messages: Message[]): Message[] {
  let from = Math.max(0, messages.length - MAX_MESSAGES);
  while (from > 0 && from < messages.length && messages[from]?.role === 'tool-result') from++;
  return messages.slice(from);
}
