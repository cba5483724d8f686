// Assembles tool calls from the parts of a stream. Servers differ: some send no index or one index for all, some send
// the whole call at once, some repeat the name, some omit the id, some send the arguments as an object, some add
// members of their own.
import { randomBytes } from 'node:crypto';

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Members of its own that the server sent. */
  extra?: Record<string, unknown>;
}

export interface Part {
  index?: number | undefined;
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: unknown } | undefined;
  [added: string]: unknown;
}

/** More calls than any reply needs; further ones are dropped. */
const MAX_CALLS = 4;
const MAX_ARGUMENT_CHARS = 8_000;
const MAX_EXTRA_CHARS = 32_000;
const OWN_MEMBERS = new Set(['index', 'id', 'type', 'function']);

interface OpenCall {
  id: string;
  name: string;
  text: string;
  extra: Record<string, unknown>;
}

export class ToolCallAssembler {
  /** In the order in which they began. */
  readonly #open: OpenCall[] = [];
  /** By the server's index, the call that its further parts belong to. */
  readonly #byIndex = new Map<number, OpenCall>();
  #sawBroken = false;

  get hasBegun(): boolean {
    return this.#open.length > 0;
  }

  get sawBroken(): boolean {
    return this.#sawBroken;
  }

  add(part: Part): void {
    let call = this.#callOf(part);
    if (!call) {
      if (this.#open.length >= MAX_CALLS) return;
      call = { id: '', name: '', text: '', extra: {} };
      this.#open.push(call);
    }
    if (typeof part.index === 'number') this.#byIndex.set(part.index, call);
    if (part.id) call.id = part.id;
    for (const [key, value] of Object.entries(part)) if (!OWN_MEMBERS.has(key)) call.extra[key] = value;
    const { name, arguments: text } = part.function ?? {};
    if (name && name !== call.name) call.name += name;
    if (typeof text === 'string') call.text = (call.text + text).slice(0, MAX_ARGUMENT_CHARS);
    else if (text && typeof text === 'object') call.text = JSON.stringify(text);
  }

  /** The calls that have a name and a JSON object as arguments. Others are dropped and set `sawBroken`. */
  finish(): ToolCall[] {
    const calls: ToolCall[] = [];
    for (const { id, name, text, extra } of this.#open) {
      const parsed = parseObject(text);
      const kept = Object.keys(extra).length > 0 && JSON.stringify(extra).length <= MAX_EXTRA_CHARS ? { extra } : {};
      if (!name || !parsed) this.#sawBroken = true;
      else calls.push({ id: id || newId(), name, arguments: parsed, ...kept });
    }
    return calls;
  }

  /** The call that the part goes on with; an id decides before an index, which some servers give to all calls. */
  #callOf({ index, id, function: of }: Part): OpenCall | undefined {
    const known = id ? this.#open.find((call) => call.id === id) : undefined;
    if (known) return known;
    const last = typeof index === 'number' ? this.#byIndex.get(index) : this.#open.at(-1);
    if (last === undefined || (id && last.id !== '')) return undefined;
    // Without index and id, a name after a whole call is another call's.
    const isAnother = typeof index !== 'number' && !id && Boolean(of?.name) && last.text !== '';
    return isAnother && parseObject(last.text) !== null ? undefined : last;
  }
}

/** Unique within its call, in the only form that Mistral's servers accept. */
export function newId(): string {
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
