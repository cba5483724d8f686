// The chat-completion parameters that a server and model accept. They are not known in advance: newer models refuse
// `max_tokens`, some a temperature, some servers tools, `stream_options` or a system message. A refusal names the
// parameter, so the request is sent again without it at once, and later ones leave it out. Kept until the process ends.
import type { Refusal } from './chat-server.ts';

type TokenLimit = 'max_tokens' | 'max_completion_tokens';

export interface Accepted {
  /** Names of the limit on a reply's tokens, the one in use first; empty: none is accepted. */
  readonly tokenLimits: readonly TokenLimit[];
  readonly temperature: boolean;
  readonly tools: boolean;
  readonly systemRole: boolean;
  /** `stream_options.include_usage`. */
  readonly streamUsage: boolean;
  /** `response_format: json_object`. */
  readonly jsonFormat: boolean;
}

/** Local servers know `max_tokens`, and some silently ignore the newer name; the vendor deprecates the older. */
const OLDER_FIRST: readonly TokenLimit[] = ['max_tokens', 'max_completion_tokens'];
const NEWER_FIRST: readonly TokenLimit[] = ['max_completion_tokens', 'max_tokens'];
/** Larger than any real number of servers and models. */
const MAX_KNOWN = 100;

const known = new Map<string, Accepted>();

/** The parameters that `model` at `place` accepts, as far as known. */
export function acceptedBy(place: string, model: string, isVendor: boolean): Accepted {
  const all = { temperature: true, tools: true, systemRole: true, streamUsage: true, jsonFormat: true };
  return known.get(keyOf(place, model)) ?? { tokenLimits: isVendor ? NEWER_FIRST : OLDER_FIRST, ...all };
}

/**
 * Learns from the refusal of a request sent with `sent`. Returns the refused parameter; null if none is known.
 */
export function learn(place: string, model: string, sent: Accepted, refusal: Refusal): string | null {
  const key = keyOf(place, model);
  for (const { parameter, isAtFault, without } of LESSONS) {
    if (!isAtFault(refusal)) continue;
    const less = without(sent);
    if (less === null) continue;
    // Another call may have learned something else in the meantime: keep both.
    const before = known.get(key) ?? sent;
    if (known.size >= MAX_KNOWN && !known.has(key)) known.clear();
    known.set(key, { ...before, ...less });
    return parameter;
  }
  return null;
}

interface Lesson {
  parameter: string;
  isAtFault(refusal: Refusal): boolean;
  /** The change; null if the parameter was not sent. */
  without(sent: Accepted): Partial<Accepted> | null;
}

const REFUSES =
  /not (be )?(support|permit|allow|enabled|available|accept)|unsupported|unknown|unrecogni[sz]ed|unexpected|extra (input|field)|requires|disabled|no endpoints|only \d/i;

/** 404 and 5xx usually have another cause, so their text must be more specific. */
const isPlainRefusal = ({ status }: Refusal): boolean => status === 400 || status === 422;
const refuses = (refusal: Refusal): boolean => teaches(refusal) && REFUSES.test(refusal.text);
const teaches = ({ status }: Refusal): boolean => [400, 404, 422, 500, 501].includes(status);

const LESSONS: readonly Lesson[] = [
  {
    parameter: 'token limit',
    // "too large … context length" concerns this one request only.
    isAtFault: (refusal) =>
      isPlainRefusal(refusal) && /\bmax_(completion_)?tokens\b/.test(refusal.text) && !/context/i.test(refusal.text),
    without: ({ tokenLimits }) => (tokenLimits.length > 0 ? { tokenLimits: tokenLimits.slice(1) } : null),
  },
  {
    parameter: 'temperature',
    isAtFault: (refusal) => isPlainRefusal(refusal) && /\btemperature\b/i.test(refusal.text),
    without: ({ temperature }) => (temperature ? { temperature: false } : null),
  },
  {
    parameter: 'stream_options',
    isAtFault: (refusal) => isPlainRefusal(refusal) && /\b(stream_options|include_usage)\b/.test(refusal.text),
    without: ({ streamUsage }) => (streamUsage ? { streamUsage: false } : null),
  },
  {
    parameter: 'response_format',
    isAtFault: (refusal) => isPlainRefusal(refusal) && /response_format|json_object/i.test(refusal.text),
    without: ({ jsonFormat }) => (jsonFormat ? { jsonFormat: false } : null),
  },
  {
    parameter: 'tools',
    // "messages with role 'tool' must follow …" is a fault of the messages.
    isAtFault: (refusal) => refuses(refusal) && /\btools?\b|tool_choice|function.?call/i.test(refusal.text),
    without: ({ tools }) => (tools ? { tools: false } : null),
  },
  {
    parameter: 'system message',
    isAtFault: (refusal) => refuses(refusal) && /\bsystem\b|messages\[0\]/i.test(refusal.text),
    without: ({ systemRole }) => (systemRole ? { systemRole: false } : null),
  },
];

const keyOf = (place: string, model: string): string => `${place} ${model}`;
