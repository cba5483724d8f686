// A small client for the running service's API, for benches and end-to-end tests.
import type { Call } from '../../../api/dashboard/app/api-types.ts';
import type { AnswerJson } from '../api/answers.ts';
import type { Service } from './service.ts';

/** The words of one side of a call, turn by turn. */
export const saidBy = ({ transcript }: Call, side: 'agent' | 'caller'): string[] =>
  transcript.filter(({ speaker }) => speaker === side).map(({ text }) => text);

interface Answer<Json> {
  status: number;
  body: Json;
}

export class Rest {
  readonly #service: Pick<Service, 'apiUrl' | 'login'>;
  readonly #timeoutMs: number;
  #token = '';

  constructor(service: Pick<Service, 'apiUrl' | 'login'>, timeoutMs = 60_000) {
    this.#service = service;
    this.#timeoutMs = timeoutMs;
  }

  /** Signs in; a request does so by itself where nobody has. */
  async login(): Promise<this> {
    this.#token = await this.#service.login();
    return this;
  }

  /** The answer, whatever its status. @throws Error when there is none */
  async request<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<AnswerJson<Method, Path>>> {
    const response = await this.#send(method, path, body, headers);
    return { status: response.status, body: (await response.json()) as AnswerJson<Method, Path> };
  }

  /** The answer's data. @throws Error with its status when it is no success */
  async must<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<AnswerJson<Method, Path>['data']> {
    const { status, body: answer } = await this.request(method, path, body, headers);
    if (status < 300) return answer.data;
    throw Object.assign(new Error(`${method} ${path}: ${status} ${answer.error}`), { status });
  }

  async bytes(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; body: Buffer }> {
    const response = await this.#send('GET', path, undefined, headers);
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  }

  async #send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
    const send = (): Promise<Response> =>
      fetch(`${this.#service.apiUrl}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
    if (this.#token === '') await this.login();
    const response = await send();
    if (response.status !== 401) return response;
    // A run may outlast its session.
    await this.login();
    return send();
  }

  /** The calls from this number, newest first. */
  async callsFrom(fromNumber: string): Promise<Call[]> {
    const calls = await this.must('GET', '/calls?limit=100');
    return calls.filter((call) => call.fromNumber === fromNumber);
  }

  /** Polls until `pick` finds something, so that no test depends on the machine's speed. @throws after `withinS` */
  async eventually<T>(what: string, pick: () => Promise<T | null | undefined | false>, withinS = 60): Promise<T> {
    const deadline = Date.now() + withinS * 1_000;
    for (;;) {
      const found = await pick();
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`waited ${withinS} s in vain: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** The one call from this number, once it has ended. */
  endedCall(fromNumber: string): Promise<Call> {
    return this.eventually(`the end of the call from ${fromNumber}`, async () =>
      (await this.callsFrom(fromNumber)).find((call) => call.endedAt !== null),
    );
  }
}
