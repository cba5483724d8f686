// An attack: a small program that strikes a running service until it is told to stop, and says what it gained.
import { request as httpRequest } from 'node:http';
import { pause } from '../conversation/scenario.ts';

/** A session, and a campaign with a number of its own. */
export interface Tenant {
  token: string;
  campaignId: string;
  businessId: string;
  numberId: string;
  phoneNumber: string;
}

export interface Target {
  apiUrl: string;
  sipAddress: string;
  mediaPort: number;
  rtpPorts: { min: number; max: number };
  dataDir: string;
  /** An account that anybody could have registered. */
  tenant: Tenant;
  /** Another one: its requests are not counted with the first one's. */
  secondTenant: Tenant;
  /** One that no attack has used up before. */
  thirdTenant: Tenant;
  /** A softphone of the installation's own account, and its credentials. */
  phone: { username: string; password: string };
}

export interface Gain {
  words: string;
  /** The attacker got something that nobody should get. */
  succeeded: boolean;
}

export interface Attack {
  name: string;
  /** `built-in`: it aims at the recogniser that comes with the service; the others meet models that answer at once. */
  models?: 'built-in';
  /** Strikes until `untilMs` (`performance.now()`). @throws Error where the attack itself could not be made */
  strike(target: Target, untilMs: number): Promise<Gain>;
}

export const isOver = (untilMs: number): boolean => performance.now() >= untilMs;

export interface Request {
  method: string;
  path: string;
  /** The address of this machine that it comes from. */
  from?: string;
  token?: string;
  /** Of the page that a browser would name. */
  origin?: string;
  accept?: string;
  /** JSON, or bytes with their content type. */
  body?: unknown;
  bytes?: { type: string; payload: Buffer };
}

export interface Reply {
  /** 0 where there was no answer. */
  status: number;
  text: string;
}

/** One request on a connection of its own. */
export function ask(
  { apiUrl }: Target,
  { method, path, from = '127.0.0.1', token, origin, accept, body, bytes }: Request,
): Promise<Reply> {
  const { hostname, port } = new URL(apiUrl);
  const payload = bytes?.payload ?? (body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)));
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(origin === undefined ? {} : { origin }),
    ...(accept === undefined ? {} : { accept }),
    ...(payload.length === 0
      ? {}
      : { 'content-type': bytes?.type ?? 'application/json', 'content-length': payload.length }),
  };
  return new Promise((resolve) => {
    const sent = httpRequest(
      { hostname, port, method, path, headers, localAddress: from, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', () => resolve({ status: 0, text: '' }));
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    sent.once('error', () => resolve({ status: 0, text: '' }));
    sent.end(payload);
  });
}

/** The record in the answer. @throws Error for any answer that is no success */
export async function must<T>(target: Target, request: Request): Promise<T> {
  const { status, text } = await ask(target, request);
  if (status < 200 || status >= 300)
    throw new Error(`${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** `200: 3, 429: 12` */
export function count(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, times]) => `${status}: ${times}`).join(', ') || 'nothing';
}

/** `lanes` requests at a time, each lane one after the other with a pause, until the time is over. */
export async function repeatedly(
  lanes: number,
  untilMs: number,
  send: (n: number) => Promise<number>,
  pauseMs = 0,
): Promise<number[]> {
  const statuses: number[] = [];
  let n = 0;
  const lane = async (): Promise<void> => {
    while (!isOver(untilMs)) {
      statuses.push(await send(n++));
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return statuses;
}

/** The value, or `instead` when it has not come in time. */
export const within = <T, U>(ms: number, promise: Promise<T>, instead: U): Promise<T | U> =>
  Promise.race([promise, pause(ms).then(() => instead)]);
