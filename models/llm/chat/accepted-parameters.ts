// The chat-completion parameters that a server and model accept. They are not known in advance: newer models refuse
// `max_tokens`, some a temperature, some servers tools, `stream_options` or a system message. A refusal names the
// parameter, so the request is sent again without it at once. Its words may be those of a tenant's tool or prompt that
// the server repeats: later requests leave out only what a trial (server-trial.ts) without any such part was refused.
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
/** Larger than any real number of servers and models; the oldest goes. */
const MAX_KNOWN = 100;
/** Then it is tried again: servers and models are changed. */
const KEPT_MS = 10 * 60_000;
/** A trial that found nothing wrong is not repeated sooner, whatever is refused meanwhile. */
const TRIAL_EVERY_MS = 60_000;

interface Known {
  /** Null: nothing was tried to its end. */
  accepted: Accepted | null;
  triedAtMs: number;
  isBeingTried: boolean;
}

const known = new Map<string, Known>();

/** All, before anything is known. */
export function acceptedAtFirst(isVendor: boolean): Accepted {
  const all = { temperature: true, tools: true, systemRole: true, streamUsage: true, jsonFormat: true };
  return { tokenLimits: isVendor ? NEWER_FIRST : OLDER_FIRST, ...all };
}

/** The parameters that `model` at `place` accepts, as far as known. */
export function acceptedBy(place: string, model: string, isVendor: boolean): Accepted {
  return known.get(keyOf(place, model))?.accepted ?? acceptedAtFirst(isVendor);
}

/**
 * Whether a trial of the model should begin now; if so, it counts as begun. `isSuspect`: a request was refused for a
 * parameter that is not known to be refused.
 */
export function beginsTrial(place: string, model: string, nowMs: number, isSuspect: boolean): boolean {
  const key = keyOf(place, model);
  const before = known.get(key);
  const ageMs = before === undefined ? Number.POSITIVE_INFINITY : nowMs - before.triedAtMs;
  const isOld = before !== undefined && before.accepted !== null && ageMs > KEPT_MS;
  if (before?.isBeingTried || !(isOld || (isSuspect && ageMs > TRIAL_EVERY_MS))) return false;
  const [oldest] = known.keys();
  if (before === undefined && known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(key, { accepted: before?.accepted ?? null, triedAtMs: nowMs, isBeingTried: true });
  return true;
}

/** `accepted`: what the trial found; null: it did not come to its end, and what was known stays. */
export function endTrial(place: string, model: string, accepted: Partial<Accepted> | null, isVendor: boolean): void {
  const before = known.get(keyOf(place, model));
  if (before === undefined) return;
  before.isBeingTried = false;
  if (accepted !== null) before.accepted = { ...(before.accepted ?? acceptedAtFirst(isVendor)), ...accepted };
}

interface Refused {
  model: string;
  parameters: string[];
  triedAtMs: number;
}

/** The parameters that models at `place` were found to refuse; a model that refuses nothing is left out. */
export function refusedAt(place: string, isVendor: boolean): Refused[] {
  const all = acceptedAtFirst(isVendor);
  return [...known].flatMap(([key, { accepted, triedAtMs }]) => {
    if (accepted === null || !key.startsWith(`${place} `)) return [];
    const parameters = LESSONS.filter(({ isLearned }) => isLearned(accepted, all)).map(({ parameter }) => parameter);
    return parameters.length === 0 ? [] : [{ model: key.slice(place.length + 1), parameters, triedAtMs }];
  });
}

/** An operator has entered the server's settings again: nothing that was known of it counts any more. */
export function forgetServer(place: string): void {
  for (const key of [...known.keys()]) if (key.startsWith(`${place} `)) known.delete(key);
}

interface Learned {
  parameter: string;
  /** The parameters with which the same request may be sent. */
  accepted: Accepted;
}

/** The parameter that the refusal of a request sent with `sent` may be about; null where no parameter is at fault. */
export function learnedFrom(sent: Accepted, refusal: Refusal): Learned | null {
  for (const { parameter, isAtFault, without } of LESSONS) {
    const less = isAtFault(refusal) ? without(sent) : null;
    if (less !== null) return { parameter, accepted: { ...sent, ...less } };
  }
  return null;
}

/** Models with the newer name of the limit may think first, and thoughts count. The text is limited separately. */
const MAX_REPLY_AND_THOUGHT_TOKENS = 2_000;

export function tokenLimit({ tokenLimits }: Accepted, tokens: number): Record<string, number> {
  const [name] = tokenLimits;
  if (name === undefined) return {};
  return { [name]: name === 'max_tokens' ? tokens : Math.max(tokens, MAX_REPLY_AND_THOUGHT_TOKENS) };
}

interface Lesson {
  parameter: string;
  isAtFault(refusal: Refusal): boolean;
  /** The change; null if the parameter was not sent. */
  without(sent: Accepted): Partial<Accepted> | null;
  /** Whether `accepted` has lost something of `all` by it. */
  isLearned(accepted: Accepted, all: Accepted): boolean;
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
    isLearned: ({ tokenLimits }, all) => tokenLimits.length < all.tokenLimits.length,
  },
  {
    parameter: 'temperature',
    isAtFault: (refusal) => isPlainRefusal(refusal) && /\btemperature\b/i.test(refusal.text),
    without: ({ temperature }) => (temperature ? { temperature: false } : null),
    isLearned: ({ temperature }) => !temperature,
  },
  {
    parameter: 'stream_options',
    isAtFault: (refusal) => isPlainRefusal(refusal) && /\b(stream_options|include_usage)\b/.test(refusal.text),
    without: ({ streamUsage }) => (streamUsage ? { streamUsage: false } : null),
    isLearned: ({ streamUsage }) => !streamUsage,
  },
  {
    parameter: 'response_format',
    isAtFault: (refusal) => isPlainRefusal(refusal) && /response_format|json_object/i.test(refusal.text),
    without: ({ jsonFormat }) => (jsonFormat ? { jsonFormat: false } : null),
    isLearned: ({ jsonFormat }) => !jsonFormat,
  },
  {
    parameter: 'tools',
    // "messages with role 'tool' must follow …" is a fault of the messages.
    isAtFault: (refusal) => refuses(refusal) && /\btools?\b|tool_choice|function.?call/i.test(refusal.text),
    without: ({ tools }) => (tools ? { tools: false } : null),
    isLearned: ({ tools }) => !tools,
  },
  {
    parameter: 'system message',
    isAtFault: (refusal) => refuses(refusal) && /\bsystem\b|messages\[0\]/i.test(refusal.text),
    without: ({ systemRole }) => (systemRole ? { systemRole: false } : null),
    isLearned: ({ systemRole }) => !systemRole,
  },
];

const keyOf = (place: string, model: string): string => `${place} ${model}`;
