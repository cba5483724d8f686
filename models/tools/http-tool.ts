// One run of an HTTP tool: the request as it leaves, and what comes of it. Addresses obey the rules of webhooks
// (db/shared/net/): public ones only, examined at the connection, and no redirect is followed.
import { Agent, type Dispatcher } from 'undici';
import { RefusedAddress, type UrlRules } from '../../db/shared/net/address-rules.ts';
import {
  type AddressOptions,
  type FetchAnswer,
  FetchFailed,
  guardedConnector,
  safeFetch,
} from '../../db/shared/net/safe-fetch.ts';
import { readAnswer, shortened } from './answer.ts';
import { parametersFault } from './parameters.ts';
import { completeArguments, declaredArguments } from './schema.ts';
import { fillText, fillUrl, MissingValue, placeholders } from './template.ts';
import { CALL_FACTS, type HttpTool, type ToolAnswer, type ToolInputs } from './tool.ts';

const MAX_ANSWER_BYTES = 65_536;
/** Kept open for the next question, ms. */
const KEEP_ALIVE_MS = 30_000;
const CONNECTIONS_PER_HOST = 16;
/** A repetition needs so much of the time that is left, ms. */
const WORTH_REPEATING_MS = 300;
const BUSY = new Set([502, 503, 504]);
const USER_AGENT = 'voice-calling-service-tools/1';

interface ToolRequest {
  method: HttpTool['method'];
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface ToolRun {
  /** Null where nothing was sent. */
  request: ToolRequest | null;
  /** Null without one. */
  answer: { status: number; body: unknown; isCut: boolean } | null;
  /** The answer as the model sees it. */
  result: ToolAnswer;
  tookMs: number;
}

/** Connections to the tenants' systems, kept for the next question. */
export class ToolConnections {
  readonly options: AddressOptions & UrlRules;
  readonly dispatcher: Dispatcher;

  constructor(options: AddressOptions) {
    this.options = { ...options, schemes: ['https:'], plainToLoopback: options.allowPrivate ?? false };
    this.dispatcher = new Agent({
      connect: guardedConnector(this.options),
      connections: CONNECTIONS_PER_HOST,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
  }

  close(): Promise<void> {
    return this.dispatcher.destroy();
  }
}

class BadArguments extends Error {}

/**
 * The request of a run. A GET or DELETE has its arguments in the query, the others in a JSON body; an argument that
 * stands in the URL's path is not repeated. Only declared arguments leave, none stands for a fact of the call, and none
 * repeats a name that the URL's own query has.
 * @throws {BadArguments} whose message is for the model
 */
export function toolRequest(tool: HttpTool, inputs: ToolInputs): ToolRequest {
  const complete = completeArguments(tool.parameters, inputs.arguments, inputs.values);
  const fault = parametersFault(tool.parameters, complete);
  if (fault !== null) throw new BadArguments(fault);
  const given = declaredArguments(tool.parameters, complete);
  const isInUrl = new Set(placeholders(tool.url));
  const filling = Object.entries(given).filter(
    ([name, value]) => isInUrl.has(name) && !CALL_FACTS.has(name) && value !== undefined,
  );
  const inUrl = Object.fromEntries(filling.map(([name, value]) => [name, textOf(value)]));
  const rest = Object.entries(given).filter(([name, value]) => !isInUrl.has(name) && value !== undefined);
  const hasBody = tool.method !== 'GET' && tool.method !== 'DELETE';
  const url = new URL(filledUrl(tool, { ...inputs.values, ...inUrl }));
  if (!hasBody) {
    const taken = new Set(url.searchParams.keys());
    for (const [name, value] of rest.filter(([each]) => !taken.has(each))) {
      for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, textOf(each));
    }
  }
  const own = Object.entries(tool.headers).map(
    ([name, value]) => [name, fillText(value, inputs.headerValues)] as const,
  );
  return {
    method: tool.method,
    url: url.href,
    headers: {
      accept: 'application/json, text/plain;q=0.9, */*;q=0.1',
      'user-agent': USER_AGENT,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...Object.fromEntries(own),
      'idempotency-key': inputs.key,
    },
    body: hasBody ? JSON.stringify(Object.fromEntries(rest)) : null,
  };
}

function filledUrl({ url }: HttpTool, values: Readonly<Record<string, string>>): string {
  try {
    return fillUrl(url, values);
  } catch (error) {
    throw error instanceof MissingValue ? new BadArguments(error.message) : error;
  }
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Runs the tool once, a GET that found nobody or a busy server twice. Never throws. */
export async function runHttpTool(
  tool: HttpTool,
  inputs: ToolInputs,
  { options, dispatcher }: Pick<ToolConnections, 'options' | 'dispatcher'>,
  signal?: AbortSignal,
): Promise<ToolRun> {
  const startedAt = performance.now();
  const took = (): number => performance.now() - startedAt;
  let request: ToolRequest | null = null;
  try {
    const made = toolRequest(tool, inputs);
    request = made;
    const ask = (): Promise<FetchAnswer> =>
      safeFetch(made.url, {
        ...options,
        dispatcher,
        method: made.method,
        headers: made.headers,
        ...(made.body === null ? {} : { body: made.body }),
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: Math.max(1, tool.timeoutMs - took()),
        ...(signal ? { signal } : {}),
      });
    const answer = await (made.method === 'GET' ? twice(ask, () => tool.timeoutMs - took()) : ask());
    const body = readAnswer(answer.body, String(answer.headers['content-type'] ?? ''));
    const { status, truncated: isCut } = answer;
    return { request, answer: { status, body, isCut }, result: resultOf(status, body), tookMs: took() };
  } catch (error) {
    return { request, answer: null, result: failureOf(error, signal), tookMs: took() };
  }
}

async function twice(ask: () => Promise<FetchAnswer>, leftMs: () => number): Promise<FetchAnswer> {
  try {
    const answer = await ask();
    if (!BUSY.has(answer.status) || leftMs() < WORTH_REPEATING_MS) return answer;
  } catch (error) {
    const isTemporary = error instanceof FetchFailed && error.code === 'CONNECTION_FAILED';
    if (!isTemporary || leftMs() < WORTH_REPEATING_MS) throw error;
  }
  return ask();
}

function resultOf(status: number, body: unknown): ToolAnswer {
  const data = shortened(body);
  if (status >= 200 && status < 300) return { ok: true, status, data };
  const isRedirect = status >= 300 && status < 400;
  const message = `It answered ${status}${isRedirect ? ': redirects are not followed' : ''}.`;
  return { ok: false, error: 'failed', message, status, ...(data === null || isRedirect ? {} : { data }) };
}

function failureOf(error: unknown, signal: AbortSignal | undefined): ToolAnswer {
  if (error instanceof BadArguments) return { ok: false, error: 'bad_arguments', message: error.message };
  if (signal?.aborted) return { ok: false, error: 'cancelled', message: 'It was given up.' };
  if (error instanceof RefusedAddress) {
    return { ok: false, error: 'refused', message: `The address of the tool ${error.message}.` };
  }
  if (!(error instanceof FetchFailed))
    return { ok: false, error: 'refused', message: 'The request could not be made.' };
  if (error.code === 'TIMEOUT') return { ok: false, error: 'timeout', message: 'It did not answer in time.' };
  return { ok: false, error: 'unreachable', message: 'It could not be reached.' };
}
