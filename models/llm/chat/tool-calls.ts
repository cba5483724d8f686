// Assembles tool calls from the parts of a stream. Servers differ: some send no index, some send the whole call at
// once, some repeat the name, some omit the id, some send the arguments as an object.
import { randomBytes } from 'node:crypto';

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

export interface Part {
  index?: number | undefined;
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: unknown } | undefined;
}

/** More calls than any reply needs; further ones are dropped. */
const MAX_CALLS = 4;
const MAX_ARGUMENT_CHARS = 8_000;

export class ToolCallAssembler {
  readonly #open = new Map<number, { id: string; name: string; text: string }>();
  #sawBroken = false;

  get hasBegun(): boolean {
    return this.#open.size > 0;
  }

  get sawBroken(): boolean {
    return this.#sawBroken;
  }

  add(part: Part): void {
    const index = part.index ?? (part.id ? this.#indexOfId(part.id) : Math.max(0, this.#open.size - 1));
    let call = this.#open.get(index);
    if (!call) {
      if (this.#open.size >= MAX_CALLS) return;
      call = { id: '', name: '', text: '' };
      this.#open.set(index, call);
    }
    if (part.id) call.id = part.id;
    const { name, arguments: text } = part.function ?? {};
    if (name && name !== call.name) call.name += name;
    if (typeof text === 'string') call.text = (call.text + text).slice(0, MAX_ARGUMENT_CHARS);
    else if (text && typeof text === 'object') call.text = JSON.stringify(text);
  }

  /** The calls that have a name and a JSON object as arguments. Others are dropped and set `sawBroken`. */
  finish(): ToolCall[] {
    const calls: ToolCall[] = [];
    for (const [, { id, name, text }] of [...this.#open].sort(([a], [b]) => a - b)) {
      const parsed = parseObject(text);
      if (!name || !parsed) this.#sawBroken = true;
      else calls.push({ id: id || newId(), name, arguments: parsed });
    }
    return calls;
  }

  #indexOfId(id: string): number {
    for (const [index, call] of this.#open) if (call.id === id) return index;
    return this.#open.size;
  }
}

/** Unique within its call, in the only form that Mistral's servers accept. */
function newId(): string {
  return randomBytes(9).toString('hex').slice(0, 9);
}

function parseObject(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null;
  } catch {
    return null;
  }
}
