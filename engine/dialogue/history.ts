// The conversation as the model sees it. A value: every function returns a new one, so a speculative reply works on its
// own copy and leaves no trace when dropped.
//
// Three rules. The agent's words are those that the caller heard, not those intended. A withdrawn turn (its reply
// dropped unheard because the caller went on) is removed, since its words come again as part of the longer turn. The
// result of a tool that ran always enters, next to its call, however late it comes.
import { type CallNote, noteText } from '../../models/llm/call-note.ts';
import type { Message, ToolCallExtra } from '../../models/llm/llm.ts';

interface Entry {
  /** The reply that it belongs to (for the caller's words: the reply that answers them); null for facts of the call. */
  epoch: number | null;
  message: Message;
}

export interface History {
  readonly entries: readonly Entry[];
}

export const emptyHistory: History = { entries: [] };

/** How much of a long call the model gets. The oldest messages are dropped first. */
const MAX_MESSAGES = 160;
/** Dropped this many at a time, so that many requests begin alike and the provider's cache holds. */
const DROPPED_AT_ONCE = 40;
/** Bounds the memory of an endless call. */
const MAX_ENTRIES = 1_000;

/** For another process that goes on with the conversation: the newest entries, of at most that many characters. */
export function newestOf({ entries }: History, maxChars: number): History {
  let from = entries.length;
  for (let chars = 0; from > 0; from--) {
    chars += JSON.stringify(entries[from - 1]).length;
    if (chars > maxChars) break;
  }
  return { entries: entries.slice(from) };
}

/** The reply ended where the process did: only what was heard of it stands, as interrupted. */
export function cutOff(history: History, epoch: number, heard: string): History {
  const isThere = history.entries.some((entry) => entry.epoch === epoch && entry.message.role === 'agent');
  return cutToHeard(isThere ? history : addAgent(history, epoch, heard), epoch, heard, true);
}

function append(history: History, ...entries: Entry[]): History {
  const all = [...history.entries, ...entries];
  return { entries: all.length > MAX_ENTRIES ? all.slice(-MAX_ENTRIES) : all };
}

export function addCaller(history: History, epoch: number, text: string, understood: boolean): History {
  return append(history, { epoch, message: { role: 'caller', text, understood } });
}

/**
 * Adds the cause of a reply. `epoch` is null for causes that cannot be withdrawn: digits, silence, a failed transfer.
 */
export function addCause(history: History, epoch: number | null, messages: readonly Message[]): History {
  return append(history, ...messages.map((message) => ({ epoch, message })));
}

export function noteMessage(note: CallNote, language: string): Extract<Message, { role: 'note' }> {
  return { role: 'note', note, text: noteText(note, language) };
}

/**
 * Adds the text that the agent intends to say, in speaking order; consecutive text of one reply is joined.
 * `isOwnVoice`: the model has said it itself.
 */
export function addAgent(history: History, epoch: number, text: string, isOwnVoice = false): History {
  const words = text.trim();
  if (words === '') return history;
  const last = history.entries.at(-1);
  const voice = isOwnVoice ? { isOwnVoice } : {};
  if (last?.epoch !== epoch || last.message.role !== 'agent') {
    return append(history, { epoch, message: { role: 'agent', text: words, interrupted: false, ...voice } });
  }
  const message: Message = { ...last.message, text: `${last.message.text} ${words}`, ...voice };
  return { entries: [...history.entries.slice(0, -1), { epoch, message }] };
}

/**
 * The same for what the agent said while tools ran: it stands before their calls, since a model is asked to go on after
 * their results, and some servers refuse a conversation that ends with the agent's own words.
 */
export function addAgentBeforeTools(history: History, epoch: number, text: string, isOwnVoice = false): History {
  let from = history.entries.length;
  while (isToolEntry(history.entries[from - 1])) from--;
  const before = addAgent({ entries: history.entries.slice(0, from) }, epoch, text, isOwnVoice);
  return { entries: [...before.entries, ...history.entries.slice(from)] };
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  extra?: ToolCallExtra;
}

/** Some servers number the calls of each answer anew: an id that the call has is given a number. */
export function freshToolId({ entries }: History, pending: ReadonlyArray<{ id: string }>, id: string): string {
  const isTaken = (wanted: string): boolean =>
    pending.some((each) => each.id === wanted) ||
    entries.some(({ message }) => message.role === 'tool-call' && message.id === wanted);
  let fresh = id;
  for (let n = 2; isTaken(fresh); n++) fresh = `${id}-${n}`;
  return fresh;
}

export function addToolCall(history: History, epoch: number, call: ToolCall): History {
  if (history.entries.some((entry) => entry.message.role === 'tool-call' && entry.message.id === call.id))
    return history;
  return append(history, { epoch, message: { role: 'tool-call', ...call } });
}

/** Enters once, next to its call; a removed call is restored with it. */
export function addToolResult(history: History, epoch: number, call: ToolCall, result: unknown): History {
  const isResult = (entry: Entry) => entry.message.role === 'tool-result' && entry.message.id === call.id;
  if (history.entries.some(isResult)) return history;
  const called = addToolCall(history, epoch, call);
  const { entries } = called;
  const at = entries.findIndex((entry) => entry.message.role === 'tool-call' && entry.message.id === call.id);
  // Calls made together stay together, followed by their results, as model APIs require.
  let after = at + 1;
  while (isToolEntry(entries[after])) after++;
  const message: Message = { role: 'tool-result', id: call.id, name: call.name, result };
  return { entries: [...entries.slice(0, after), { epoch, message }, ...entries.slice(after)] };
}

/** A late result replaces the one that reported the time-out. */
export function replaceToolResult(history: History, call: ToolCall, result: unknown): History {
  const entries = history.entries.map((entry) =>
    entry.message.role === 'tool-result' && entry.message.id === call.id
      ? { ...entry, message: { ...entry.message, result } }
      : entry,
  );
  return { entries };
}

/** Names of tools that run beside the talk, and whose answers somebody waits for. */
export function runningAside({ entries }: History): string[] {
  return entries.flatMap(({ message }) =>
    message.role === 'tool-result' && (message.result as { status?: unknown } | null)?.status === 'running'
      ? [message.name]
      : [],
  );
}

/** Another process died while these tools ran: `lost` says so of each, or null of one that has its answer. */
export function withLostTools({ entries }: History, lost: (result: unknown) => unknown): History {
  const results = new Map<string, unknown>();
  for (const { message } of entries) if (message.role === 'tool-result') results.set(message.id, message.result);
  return entries.reduce<History>(
    (history, { epoch, message }) => {
      if (message.role !== 'tool-call') return history;
      const call = { id: message.id, name: message.name, arguments: message.arguments };
      const instead = lost(results.get(message.id));
      if (instead === null) return history;
      if (results.has(message.id)) return replaceToolResult(history, call, instead);
      return addToolResult(history, epoch ?? 0, call, instead);
    },
    { entries },
  );
}

function isToolEntry(entry: Entry | undefined): boolean {
  return entry?.message.role === 'tool-call' || entry?.message.role === 'tool-result';
}

/** Another recogniser has understood the words that reply `epoch` answers. */
export function replaceCaller({ entries }: History, epoch: number, text: string): History {
  return {
    entries: entries.map((entry) =>
      entry.epoch === epoch && entry.message.role === 'caller'
        ? { ...entry, message: { role: 'caller', text, understood: true } }
        : entry,
    ),
  };
}

/** The reply was dropped before any of it was heard: withdraws the caller's turn. Tools that ran stay. */
export function withdrawTurn(history: History, epoch: number): History {
  return {
    entries: history.entries.filter(
      ({ epoch: of, message }) => of !== epoch || message.role === 'tool-call' || message.role === 'tool-result',
    ),
  };
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Cuts the intended text to the heard part: at the reply's end, where synthesis failed, or at an interruption. */
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
    const isLast = message.isOwnVoice === true && isLastOf(history, entry);
    // A model that speaks itself may tell its last words after its reply.
    if (isLast && words.length > meant) entries.push({ epoch, message: { ...message, text: words.join(' ') } });
    else if (words.length >= meant) entries.push(entry);
    else if (words.length > 0) {
      entries.push({ epoch, message: { ...message, text: words.join(' '), interrupted } });
    }
    words = words.slice(meant);
  }
  return { entries: interrupted ? markInterrupted(entries, epoch) : entries };
}

const isLastOf = ({ entries }: History, of: Entry): boolean =>
  entries.findLast((entry) => entry.epoch === of.epoch && entry.message.role === 'agent') === of;

/** Marks the reply's last heard piece as interrupted, even when the break falls between two pieces. */
function markInterrupted(entries: Entry[], epoch: number): Entry[] {
  const last = entries.findLastIndex((entry) => entry.epoch === epoch && entry.message.role === 'agent');
  return entries.map((entry, index) =>
    index === last && entry.message.role === 'agent'
      ? { ...entry, message: { ...entry.message, interrupted: true } }
      : entry,
  );
}

/** Empty where the caller has said nothing. */
export function lastCallerWords({ entries }: History): string {
  const last = entries.findLast(({ message }) => message.role === 'caller');
  return last?.message.role === 'caller' ? last.message.text : '';
}

/** The messages for the model. An unfinished tool is shown as running, because every call needs a result. */
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

/** The newest messages, never starting between a tool's call and its result. */
function recent(messages: Message[]): Message[] {
  const excess = Math.max(0, messages.length - MAX_MESSAGES);
  let from = Math.ceil(excess / DROPPED_AT_ONCE) * DROPPED_AT_ONCE;
  while (from > 0 && from < messages.length && messages[from]?.role === 'tool-result') from++;
  return messages.slice(from);
}
