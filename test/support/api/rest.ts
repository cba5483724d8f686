// A small client for the running service's API, for end-to-end tests.
import type { Service } from '../../../bench/rig/service.ts';

export interface CallRecord {
  id: string;
  status: string;
  outcome: string | null;
  endReason: string | null;
  sipStatus: number | null;
  q850Cause: number | null;
  direction: string;
  fromNumber: string;
  startedAt: string;
  endedAt: string | null;
  durationSeconds: number;
  transcript: Array<{ speaker: 'agent' | 'caller'; text: string; timestamp: number }>;
  latency: { turns: number; p50Ms: number; p95Ms: number } | null;
  fallbacks: Array<{ model: string; from: string; to: string; count: number }>;
  usage: { requests: number; promptTokens: number | null; discardedRequests: number } | null;
  appointments: unknown[];
}

/** The texts of one side of a call, turn by turn. */
export const saidBy = ({ transcript }: CallRecord, side: 'agent' | 'caller'): string[] =>
  transcript.filter(({ speaker }) => speaker === side).map(({ text }) => text);

export interface Answer<T> {
  status: number;
  body: { success: boolean; data: T; error?: string; errors?: Array<{ field: string; message: string }> };
}

export class Rest {
  readonly #service: Service;
  #token = '';

  constructor(service: Service) {
    this.#service = service;
  }

  async login(): Promise<this> {
    this.#token = await this.#service.login();
    return this;
  }

  async request<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const response = await fetch(`${this.#service.apiUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer<T>['body'] };
  }

  async bytes(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; body: Buffer }> {
    const response = await fetch(`${this.#service.apiUrl}/api/v1${path}`, {
      headers: { authorization: `Bearer ${this.#token}`, ...headers },
    });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  }

  /** The calls from this number, newest first. */
  async callsFrom(fromNumber: string): Promise<CallRecord[]> {
    const { body } = await this.request<CallRecord[]>('GET', '/calls?limit=100');
    return body.data.filter((call) => call.fromNumber === fromNumber);
  }

  /** Polls until `pick` finds something, so that no test depends on the machine's speed. @throws after 30 s */
  async eventually<T>(what: string, pick: () => Promise<T | null | undefined | false>): Promise<T> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const found = await pick();
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`waited 30 s in vain: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** The only call from this number, after its end. */
  endedCall(fromNumber: string): Promise<CallRecord> {
    return this.eventually(`the end of the call from ${fromNumber}`, async () =>
      (await this.callsFrom(fromNumber)).find((call) => call.endedAt !== null),
    );
  }
}
