// Writes the audit log. An entry is written before the answer is sent: who has read the answer finds the entry. A log
// that cannot be written does not undo what was done; the fault is in the log of the process.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { insertAudit, keepNewestAudit } from '../../db/queries/accounts/audit-log.ts';
import type { AuditLogTable } from '../../db/schema/audit.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { operationId } from '../openapi/operation-ids.ts';

/** Requests that change nothing, or that the log of events or of the business has already. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['placeCall', 'placeWebCall', 'endCall', 'controlCall'],
  ...[
    'searchDocuments',
    'previewCampaign',
    'testTool',
    'testWebhook',
    'testModelSettings',
    'testCarrier',
    'testAlertRule',
  ],
]);
/** Reading that is noted: what people said leaves the service. */
const NOTED_READING: ReadonlySet<string> = new Set(['getRecording', 'exportCalls', 'downloadPortDocument']);

/** By the beginning of the path; the longest that fits counts. */
const RESOURCES: readonly (readonly [path: string, resource: string])[] = [
  ['/account/users', 'user'],
  ['/account', 'account'],
  ['/admin/accounts', 'account'],
  ['/admin/carriers', 'carrier'],
  ['/admin/inventory', 'inventory'],
  ['/admin/model-settings', 'model-settings'],
  ['/admin/models', 'model'],
  ['/admin/port-orders', 'port-order'],
  ['/admin/prices', 'price'],
  ['/admin/settings', 'settings'],
  ['/admin/sip-accounts', 'sip-account'],
  ['/admin/trunks', 'trunk'],
  ['/agents', 'agent'],
  ['/alert-rules', 'alert-rule'],
  ['/appointments', 'appointment'],
  ['/auth/tokens', 'token'],
  ['/auth', 'session'],
  ['/businesses', 'business'],
  ['/calls', 'call'],
  ['/campaigns', 'campaign'],
  ['/conversations', 'conversation'],
  ['/do-not-call', 'do-not-call'],
  ['/phone-numbers/port-in', 'port-order'],
  ['/phone-numbers', 'phone-number'],
  ['/test-cases', 'test-case'],
  ['/test-runs', 'test-run'],
  ['/test-suites', 'test-suite'],
  ['/tools', 'tool'],
  ['/webhooks', 'webhook'],
  ['/widget-keys', 'widget-key'],
];

declare module 'fastify' {
  interface FastifyRequest {
    /** The id in the answer to a request that creates. */
    createdId: string | null;
  }
}

type Noted = Omit<AuditLogTable, 'id' | 'createdAt'>;

/** By account, the entries of this process since their number was last looked at. */
const unseen = new Map<string | null, number>();
const LOOK_EVERY = 100;
const ACCOUNTS_MAX = 10_000;

/** Never throws. */
export async function noteAudit(context: Pick<ApiContext, 'db' | 'log' | 'now'>, entry: Noted): Promise<void> {
  const { accountId } = entry;
  try {
    await insertAudit(context.db, { ...entry, createdAt: context.now() });
    const count = (unseen.get(accountId) ?? 0) + 1;
    unseen.delete(accountId);
    if (count < LOOK_EVERY) unseen.set(accountId, count);
    else await keepNewestAudit(context.db, accountId);
    // An account that has changed nothing for long starts again: it has few entries.
    for (const quiet of unseen.keys()) {
      if (unseen.size <= ACCOUNTS_MAX) break;
      unseen.delete(quiet);
    }
  } catch (error) {
    context.log.warn({ err: error, action: entry.action }, 'could not write the audit log');
  }
}

export function registerAudit(app: App, context: ApiContext): void {
  const players = new Players(context.now);
  app.decorateRequest('createdId', null);
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { data } = (payload ?? {}) as { data?: { id?: unknown } | null };
    if (reply.statusCode === 201 && typeof data?.id === 'string') request.createdId = data.id;
    return payload;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const entry = entryOf(request, reply, players);
    if (entry !== null) await noteAudit(context, entry);
    return payload;
  });
}

function entryOf(request: FastifyRequest, reply: FastifyReply, players: Players): Noted | null {
  const { method, routeOptions, auth } = request;
  const { config, url } = routeOptions;
  const isDone = reply.statusCode < 300 && reply.getHeader('idempotent-replayed') === undefined;
  // Without `auth` the request is public: sign-ins are noted where they are decided.
  if (!isDone || auth === null || url === undefined || config.bare || config.public || method === 'HEAD') return null;
  const action = actionOf(method, url);
  if (method === 'GET' ? !NOTED_READING.has(action) || players.goesOn(request) : LEFT_OUT.has(action)) return null;
  const path = url.replace(/^\/api\/v1/, '');
  const resource = RESOURCES.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
  if (resource === undefined) return null;
  return {
    accountId: auth.accountId,
    actor: auth.userId,
    tokenId: auth.kind === 'token' ? auth.tokenId : null,
    action,
    resource,
    resourceId: resourceId(request, resource),
    fields: JSON.stringify(fieldsOf(request.body)),
    address: request.ip,
  };
}

/** By method and route, of which there are some hundreds: each request asks for one. */
const actions = new Map<string, string>();

function actionOf(method: string, url: string): string {
  const key = `${method} ${url}`;
  const known = actions.get(key);
  if (known !== undefined) return known;
  const action = operationId(method.toLowerCase(), url.replace(/:(\w+)/g, '{$1}'));
  actions.set(key, action);
  return action;
}

const PLAYS_FOR_MS = HOUR_MS;
const PLAYERS_MAX = 1_000;

/** A player asks for a recording in many parts, and is noted once an hour, whichever part it begins with. */
class Players {
  readonly #now: () => number;
  /** By token and address of the recording: when it was noted. */
  readonly #noted = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether it is a further part of what was noted already; else it counts as noted now. */
  goesOn({ headers, auth, url }: FastifyRequest): boolean {
    if (headers.range === undefined) return false;
    const key = `${auth.tokenId} ${url.split('?', 1)[0]}`;
    const notedAt = this.#noted.get(key);
    const nowMs = this.#now();
    if (notedAt !== undefined && Math.abs(nowMs - notedAt) < PLAYS_FOR_MS) return true;
    this.#noted.delete(key);
    this.#noted.set(key, nowMs);
    for (const oldest of this.#noted.keys()) {
      if (this.#noted.size <= PLAYERS_MAX) break;
      this.#noted.delete(oldest);
    }
    return false;
  }
}

/** Numbers of people are in no entry: it stays when they are erased. */
function resourceId({ params, createdId }: FastifyRequest, resource: string): string | null {
  const { id, kind, name, phoneNumber } = params as Record<string, string | undefined>;
  return id ?? kind ?? name ?? (resource === 'inventory' ? phoneNumber : undefined) ?? createdId;
}

const fieldsOf = (body: unknown): string[] =>
  body === null || typeof body !== 'object' || Array.isArray(body) || Buffer.isBuffer(body) ? [] : Object.keys(body);
