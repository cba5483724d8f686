// Every request to the service: an operation of the public interface by its name, with the session's token. Addresses
// are relative, because a proxy may serve the service below a path.
import { ADDRESSES } from './api-addresses.ts';
import type { Operations } from './api-operations.ts';
import { saidError } from './faults/error-words.ts';
import { saidFault } from './faults/field-words.ts';
import { freshToken, refreshedToken, signOutHere } from './session.ts';
import { t } from './words/words.ts';

export interface FieldFault {
  field: string;
  message: string;
}

/** An error answer, or no answer (`status` 0). Its message can be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: readonly FieldFault[];
  readonly requestId: string | null;
  /** The service's own words, where they say more than the message. */
  readonly detail: string | null;

  constructor(
    status: number,
    code: string,
    message: string,
    faults: readonly FieldFault[],
    requestId: string | null,
    detail: string | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = faults;
    this.requestId = requestId;
    this.detail = detail;
  }
}

type Part<K extends string, T> = [keyof T] extends [never]
  ? { [P in K]?: undefined }
  : Partial<T> extends T
    ? { [P in K]?: T }
    : { [P in K]: T };

/** A body with a file is sent as a form; one that is a file, as itself. */
type BodyOf<T> = T extends undefined ? { body?: undefined } : { body: T extends { file: Blob } ? FormData : T };

/** The input of an operation: `params` of its path, `query`, `body`; each left out if the operation has none. */
export type Input<K extends keyof Operations> = Part<'params', Operations[K]['params']> &
  Part<'query', Operations[K]['query']> &
  BodyOf<Operations[K]['body']>;

interface RequestOptions {
  signal?: AbortSignal;
  /** The same key gets the same answer: for requests that must not run twice. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

const unreachableText = (): string => t('The service cannot be reached. Try again in a moment.');

/** There was no answer. */
export const unreachable = (): ApiError => new ApiError(0, 'UNREACHABLE', unreachableText(), [], null);

/** @throws {ApiError} */
export async function call<K extends keyof Operations>(
  operation: K,
  input: Input<K>,
  options: RequestOptions = {},
): Promise<Operations[K]['answer']> {
  const answer = await send(operation, input, options);
  if (!isJson(answer)) return (await answer.blob()) as Operations[K]['answer'];
  return (await answer.json()) as Operations[K]['answer'];
}

/** The raw answer, for streams and files. @throws {ApiError} for an error answer */
export async function send<K extends keyof Operations>(
  operation: K,
  input: Input<K>,
  options: RequestOptions = {},
): Promise<Response> {
  const token = await freshToken();
  const answer = await attempt(operation, input, options, token);
  if (answer.status !== 401 || token === null) return checked(answer);
  const renewed = await refreshedToken(token);
  if (renewed === null) {
    signOutHere();
    return checked(answer);
  }
  return checked(await attempt(operation, input, options, renewed));
}

async function attempt<K extends keyof Operations>(
  operation: K,
  { params, query, body }: { params?: object | undefined; query?: object | undefined; body?: unknown },
  { signal, idempotencyKey, headers: more }: RequestOptions,
  token: string | null,
): Promise<Response> {
  const [method, template] = ADDRESSES[operation];
  const headers = new Headers(more);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  // A browser adds the type of either by itself.
  const isItself = body instanceof FormData || body instanceof Blob;
  if (body !== undefined && !isItself) headers.set('content-type', 'application/json');
  try {
    return await fetch(addressOf(template, params ?? {}, query ?? {}), {
      method,
      headers,
      ...(body === undefined ? {} : { body: isItself ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (fault) {
    if (signal?.aborted) throw fault;
    throw unreachable();
  }
}

/** `/calls/{id}` with its parameters and query; empty values of the query are left out. */
export function addressOf(template: string, params: object, query: object): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `api/v1${path}${search.size > 0 ? `?${search}` : ''}`;
}

const isJson = (answer: Response): boolean =>
  answer.headers.get('content-type')?.startsWith('application/json') ?? false;

async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const requestId = answer.headers.get('x-request-id');
  const body: { code?: string; error?: string; errors?: FieldFault[] } = isJson(answer)
    ? await answer.json().catch(() => ({}))
    : {};
  const unknown =
    answer.status >= 500 ? unreachableText() : t('The service answered {status}.', { status: answer.status });
  const code = body.code ?? 'UNKNOWN';
  const { message, detail } = saidError(code, body.error ?? unknown);
  const faults = (body.errors ?? []).map(({ field, message: fault }) => ({ field, message: saidFault(fault) }));
  throw new ApiError(answer.status, code, message, faults, requestId, detail);
}
