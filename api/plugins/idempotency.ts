// Idempotency-Key: each POST honours it or refuses it. The key is claimed in the database before the handler runs, and
// the answer is stored before it is sent. The same key and body get that answer again, even after a restart. Running
// keys are held in memory: a key whose process died, or whose answer could not be stored, is free again.

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import {
  answerIdempotencyKey,
  claimIdempotencyKey,
  findIdempotencyKey,
  freeIdempotencyKey,
} from '../../db/queries/accounts/idempotency.ts';
import { KEPT_MS } from '../../db/rules/kept.ts';
import type { IdempotencyKeyTable } from '../../db/schema/processes.ts';
import type { Db } from '../../db/schema.ts';
import { transact } from '../../db/scope.ts';
import { isGone, ourProcess, type ProcessName } from '../../db/shared/process/process-lives.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { invalid, refused, retryLater } from '../frame/errors.ts';
import { ByteBudget } from './byte-budget.ts';

/** A run on another machine counts as dead after this time: no handler takes this long. */
const RUN_MAX_MS = 10 * MINUTE_MS;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Each may be a megabyte, and is kept for a day. */
const ANSWERS_A_DAY = { bytes: 256 * 1024 * 1024, windowMs: KEPT_MS.idempotencyKeys };

interface Claim {
  key: string;
  owner: string;
  /** The answer as it was stored with its effect; null: it was not. */
  stored: string | null;
}

/** The running requests of this process that have a key. */
class RunningKeys {
  /** Names this process. A row of the same process id with another name belongs to a dead one. */
  readonly owner: string;
  readonly #running = new Set<string>();

  constructor(id: string) {
    this.owner = ownerText(ourProcess(), id);
  }

  has(accountId: string, key: string): boolean {
    return this.#running.has(`${accountId} ${key}`);
  }

  add(accountId: string, key: string): void {
    this.#running.add(`${accountId} ${key}`);
  }

  delete(accountId: string, key: string): void {
    this.#running.delete(`${accountId} ${key}`);
  }
}

const ownerText = ({ hostname, pid, pidNamespace }: ProcessName, id: string): string =>
  `${hostname} ${pid} ${id} ${pidNamespace ?? '-'}`;

declare module 'fastify' {
  interface FastifyRequest {
    /** The claimed Idempotency-Key of a running request. */
    idempotency: Claim | null;
    /**
     * For routes that read their body as a stream (`idempotent: 'stream'`): claims the key once the body's content is
     * known. The earlier answer, if there is one; null where the request is to be carried out.
     */
    claimIdempotency(content: unknown): Promise<EarlierAnswer | null>;
  }
}

export interface EarlierAnswer {
  statusCode: number;
  response: string;
}

export function registerIdempotency(app: App, context: ApiContext): void {
  const running = new RunningKeys(context.peers.id);
  const budget = new ByteBudget({ ...ANSWERS_A_DAY, now: context.now });
  app.addHook('onRoute', (route) => {
    const { config = {} } = route;
    if (route.method !== 'POST' || config.idempotent !== undefined || config.bare) return;
    // The answer would be kept, and with it a token or a secret.
    route.config = { ...config, idempotent: !config.public && !config.session };
  });
  app.decorateRequest('idempotency', null);
  app.decorateRequest('claimIdempotency', async () => null);
  app.addHook('preHandler', async (request, reply) => {
    const { idempotent } = request.routeOptions.config;
    const given = request.headers['idempotency-key'];
    if (given === undefined) return;
    if (idempotent === false) throw invalid([{ field: 'Idempotency-Key', message: 'is not honoured by this request' }]);
    if (idempotent === undefined) return;
    const key = readKey(given);
    const claimFor = async (content: unknown): Promise<EarlierAnswer | null> => {
      const earlier = await claim(context, running, request, { key, content, budget });
      if (earlier === null) request.idempotency = { key, owner: running.owner, stored: null };
      return earlier;
    };
    if (idempotent === 'stream') {
      request.claimIdempotency = claimFor;
      return;
    }
    const earlier = await claimFor(request.body);
    if (earlier !== null) return replay(reply, earlier);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { idempotency } = request;
    if (idempotency === null) return payload;
    request.idempotency = null;
    const { accountId } = request.auth;
    try {
      if (isLasting(reply.statusCode) && typeof payload === 'string') {
        budget.spend(accountId, payload.length);
        await answerIdempotencyKey(context.db, accountId, idempotency, {
          statusCode: reply.statusCode,
          response: payload,
        });
      } else {
        await freeIdempotencyKey(context.db, accountId, idempotency);
      }
    } catch (error) {
      // The answer is still correct, and most effects have stored it in their own transaction.
      request.log.warn({ err: error }, 'could not store the answer of an Idempotency-Key');
    } finally {
      running.delete(accountId, idempotency.key);
    }
    return payload;
  });
}

/** Others ask to be tried again. */
const isLasting = (statusCode: number): boolean => statusCode < 500 && statusCode !== 429;

function readKey(given: string | string[]): string {
  if (typeof given !== 'string' || !UUID.test(given)) {
    throw invalid([{ field: 'Idempotency-Key', message: 'must be a UUID' }]);
  }
  return given.toLowerCase();
}

/** Claims the key, or returns its earlier answer. */
async function claim(
  context: ApiContext,
  running: RunningKeys,
  request: FastifyRequest,
  { key, content, budget }: { key: string; content: unknown; budget: ByteBudget },
): Promise<EarlierAnswer | null> {
  const nowMs = context.now();
  const { accountId } = request.auth;
  const path = (request.url.split('?', 1)[0] ?? '').slice(0, 2_000);
  const bodyHash = createHash('sha256').update(canonical(content)).digest('base64url');
  const { owner } = running;
  let isOurs = false;
  const claiming = transact(context.db, { words: [`${accountId} ${key}`] }, async (tx) => {
    // Before the row is read: its request may end between the reading and the look at it.
    const wasRunning = running.has(accountId, key);
    const row = await findIdempotencyKey(tx, accountId, key);
    if (row && !isFree(context, row, { owner, wasRunning })) {
      if (row.method !== request.method || row.path !== path || row.bodyHash !== bodyHash) {
        throw invalid([{ field: 'Idempotency-Key', message: 'was used for another request' }]);
      }
      if (row.statusCode === null)
        throw refused('IDEMPOTENCY_KEY_BUSY', 'A request with this Idempotency-Key is still running');
      return { statusCode: row.statusCode, response: row.response ?? '' };
    }
    const seconds = budget.waitSeconds(accountId);
    if (seconds > 0) {
      const message = 'The answers that are kept for Idempotency-Keys of the account are too long together';
      throw retryLater('RATE_LIMITED', message, seconds);
    }
    await claimIdempotencyKey(tx, { accountId, key, method: request.method, path, bodyHash, owner, createdAt: nowMs });
    // Before the commit, so that no other request sees the row without a running key.
    running.add(accountId, key);
    isOurs = true;
    return null;
  });
  return claiming.catch((error: unknown) => {
    if (isOurs) running.delete(accountId, key);
    throw error;
  });
}

function isFree(
  context: ApiContext,
  row: IdempotencyKeyTable,
  { owner, wasRunning }: { owner: string; wasRunning: boolean },
): boolean {
  const nowMs = context.now();
  if (row.owner === owner && row.statusCode === null) return !wasRunning;
  const ageMs = nowMs - row.createdAt;
  if (ageMs >= KEPT_MS.idempotencyKeys) return true;
  if (row.statusCode !== null) return false;
  return ageMs >= RUN_MAX_MS || isDead(context, row.owner);
}

/** Whether the row's process has ended. */
function isDead({ peers, now, skewMs }: ApiContext, owner: string): boolean {
  const [hostname = '', pid, id = '', pidNamespace] = owner.split(' ');
  const byHeartbeat = peers.isDead(id, now() + skewMs());
  if (byHeartbeat !== null) return byHeartbeat;
  const named = { hostname, pid: Number(pid), pidNamespace: pidNamespace ?? null };
  const ours = ourProcess();
  // Our pid with another name: an earlier process had it.
  const isEarlier =
    named.pid === ours.pid && hostname === ours.hostname && (pidNamespace ?? '-') === (ours.pidNamespace ?? '-');
  return isEarlier || isGone(named);
}

export function replay(reply: FastifyReply, answer: EarlierAnswer): FastifyReply {
  return reply
    .code(answer.statusCode)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .send(answer.response);
}

/** JSON with sorted keys: equal for equal bodies, whatever the client's key order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
}

/**
 * Stores a 201 in the transaction of its side effect, so that after a crash between commit and answer the answer is
 * replayed and the effect is not repeated. Does nothing without a key.
 */
export async function rememberCreated(tx: Db, request: FastifyRequest, data: unknown): Promise<void> {
  if (request.idempotency === null) return;
  const response = JSON.stringify({ success: true, data });
  await answerIdempotencyKey(tx, request.auth.accountId, request.idempotency, { statusCode: 201, response });
  request.idempotency.stored = response;
}
