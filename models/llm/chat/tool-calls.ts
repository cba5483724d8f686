// Assembles tool calls from the parts of a stream. Servers differ: some send no index, some send the whole call at
// once, some repeat the name, some omit the id, some send the arguments as an object.
import { randomBytes } from 'node:crypto';

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Members that only its server knows, as they came: it wants them back with the call. */
  extra?: CallExtra;
}

interface CallExtra {
  call?: Record<string, unknown>;
  function?: Record<string, unknown>;
}

export interface Part {
  index?: number | null | undefined;
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: unknown } | undefined;
}

/** More calls than any reply needs; further ones are dropped. */
const MAX_CALLS = 4;
const MAX_ARGUMENT_CHARS = 8_000;

interface OpenCall {
  id: string;
  name: string;
  text: string;
  extra: CallExtra;
}

export class ToolCallAssembler {
  /** In the order in which they began. */
  readonly #open: Array<OpenCall & { index: number | null }> = [];
  #sawBroken = false;

  get hasBegun(): boolean {
    return this.#open.length > 0;
  }

  get sawBroken(): boolean {
    return this.#sawBroken;
  }

  add(part: Part): void {
    const { name, arguments: text, ...others } = part.function ?? {};
    let call = this.#callOf(part);
    if (!call) {
      if (this.#open.length >= MAX_CALLS) return;
      call = { index: part.index ?? null, id: '', name: '', text: '', extra: {} };
      this.#open.push(call);
    }
    if (part.id && call.id === '') call.id = part.id;
    if (name && name !== call.name) call.name += name;
    if (typeof text === 'string') call.text = (call.text + text).slice(0, MAX_ARGUMENT_CHARS);
    else if (text && typeof text === 'object') call.text = JSON.stringify(text);
    const { index: _index, id: _id, function: _function, type: _type, ...unknown } = { type: '', ...part };
    keep(call.extra, 'call', unknown);
    keep(call.extra, 'function', others);
  }

  /** The calls that have a name and a JSON object as arguments. Others are dropped and set `sawBroken`. */
  finish(): ToolCall[] {
    const calls: ToolCall[] = [];
    for (const { id, name, text, extra } of this.#open) {
      const parsed = parseObject(text);
      if (!name || !parsed) this.#sawBroken = true;
      else {
        const more = extra.call || extra.function ? { extra } : {};
        calls.push({ id: id || newCallId(), name, arguments: parsed, ...more });
      }
    }
    return calls;
  }

  /** The call that the part goes on with. Another id with a name is another call, whatever its index says. */
  #callOf({ index, id, function: { name } = {} }: Part): (OpenCall & { index: number | null }) | undefined {
    const known = id ? this.#open.find((call) => call.id === id) : undefined;
    if (known) return known;
    const isIndexed = index !== undefined && index !== null;
    const last = isIndexed ? this.#open.findLast((call) => call.index === index) : this.#open.at(-1);
    if (!last || !name) return last;
    if (id && last.id !== '') return undefined;
    if (isIndexed) return last;
    // Without id and index: a name after whole arguments begins the next call.
    return last.text !== '' && parseObject(last.text) !== null ? undefined : last;
  }
}

/** More than this is no small mark of a server's, and would be sent with each request of the call. */
const MAX_EXTRA_CHARS = 20_000;

function keep(extra: CallExtra, of: keyof CallExtra, members: Record<string, unknown>): void {
  if (Object.keys(members).length === 0 || JSON.stringify(members).length > MAX_EXTRA_CHARS) return;
  extra[of] = { ...extra[of], ...members };
}

/** Unique within its call, in the only form that Mistral's servers accept. */
export function newCallId(): string {
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
