// The door that a public key opens: by the page's origin, the key's state, what it allows, and how often. The key is no
// secret, and neither is an origin to a program that makes it up: what a key can cost is bounded by its caps alone.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { findWidgetKey } from '../../db/queries/widget/keys.ts';
import { widgetObstacle } from '../../db/rules/widget-caps.ts';
import type { WidgetKeyTable, WidgetRefusal, WidgetWay } from '../../db/schema/widget.ts';
import { sourceNetwork } from '../../db/shared/source-network.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { type ApiError, notFound, refused, retryLater } from '../frame/errors.ts';
import { passesCaptcha } from './captcha.ts';
import { WidgetNetworks } from './networks.ts';
import { isOwnOrigin } from './origins.ts';

/** Of one source, by one key. */
const AN_HOUR: Readonly<Record<WidgetWay, number>> = { call: 30, text: 240 };
const REQUESTS_A_MINUTE = 600;
/** Of one source: the visitors of an office fit in, and nobody alone takes all that the key may ask. */
const OF_SOURCE_A_MINUTE = 200;
const PREFLIGHT_SECONDS = 7_200;
const KEY = /^pk_[\w-]{32}$/;

/** A visitor who was let in. */
export interface Visit {
  key: WidgetKeyTable;
  origin: string;
  address: string;
}

/** Of a request by a public key. */
interface Knock {
  key: WidgetKeyTable | undefined;
  origin: string;
  fits: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    knock: Knock | null;
  }
}

export class WidgetDoor {
  readonly networks = new WidgetNetworks();
  readonly #context: ApiContext;
  readonly #rates: Record<WidgetWay | 'source' | 'key', ReturnType<App['createRateLimit']>>;

  constructor(app: App, context: ApiContext) {
    this.#context = context;
    const limit = (max: number, timeWindow: number, name: (request: FastifyRequest) => string) =>
      app.createRateLimit({ max, timeWindow, keyGenerator: name });
    const ofSource = (of: string, max: number, timeWindow: number) =>
      limit(max, timeWindow, ({ ip, knock }) => `widget ${of} ${knock?.key?.id} ${sourceNetwork(ip)}`);
    this.#rates = {
      call: ofSource('call', AN_HOUR.call, HOUR_MS),
      text: ofSource('text', AN_HOUR.text, HOUR_MS),
      source: ofSource('source', OF_SOURCE_A_MINUTE, MINUTE_MS),
      key: limit(REQUESTS_A_MINUTE, MINUTE_MS, ({ knock }) => `widget ${knock?.key?.id}`),
    };
  }

  /** Before anything can be refused: a page of the key's origins may read every answer, and no other any. */
  async meet(request: FastifyRequest<{ Params: { key: string } }>, reply: FastifyReply): Promise<void> {
    const { read, now } = this.#context;
    const { key: name } = request.params;
    const key = KEY.test(name) ? await findWidgetKey(read, name, now()) : undefined;
    const origin = request.headers.origin ?? '';
    const fits =
      key !== undefined &&
      ((JSON.parse(key.origins) as string[]).includes(origin) || isOwnOrigin(this.#context, origin, request.host));
    request.knock = { key, origin, fits };
    if (!fits) return;
    reply
      .header('vary', 'Origin')
      .header('access-control-allow-origin', origin)
      .header('cross-origin-resource-policy', 'cross-origin');
    reply.header('access-control-expose-headers', 'Retry-After, X-Request-Id');
  }

  /** The browser's question before a request (preflight). */
  answerPreflight({ knock }: FastifyRequest, reply: FastifyReply): FastifyReply {
    // The browser of a page that the key does not name asks nothing more.
    if (knock?.key !== undefined && !knock.fits) this.#note(knock.key, 'origin', knock.origin);
    if (knock?.fits)
      reply
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', String(PREFLIGHT_SECONDS));
    return reply.code(204).send();
  }

  /** @throws {ApiError} why not */
  async admit(request: FastifyRequest, way: WidgetWay | null): Promise<Visit> {
    const { key, origin, fits } = request.knock ?? { key: undefined, origin: '', fits: false };
    if (key === undefined) throw notFound('Widget key');
    const visit = { key, origin, address: request.ip };
    await this.#count(request, 'source', visit);
    if (!fits) throw this.refusal(visit, 'origin');
    // Pages of other origins, and a source that asks too much, take nothing away from others.
    await this.#count(request, 'key', visit);
    if (key.isActive === 0) throw this.refusal(visit, 'off');
    if (key.expiresAt !== null && key.expiresAt <= this.#context.now()) throw this.refusal(visit, 'expired');
    if (way === null) return visit;
    if (!(JSON.parse(key.allows) as WidgetWay[]).includes(way)) throw this.refusal(visit, 'way');
    await this.#count(request, way, visit);
    // Looked at before a captcha is asked about and a transaction begun, and decided in that transaction.
    const obstacle = await widgetObstacle(this.#context.read, key, way, this.#context.now());
    if (obstacle !== null) throw this.refusal(visit, obstacle);
    return visit;
  }

  /** @throws {ApiError} 429 */
  async #count(request: FastifyRequest, rate: WidgetWay | 'source' | 'key', visit: Visit): Promise<void> {
    const state = await this.#rates[rate](request);
    if (!state.isAllowed && state.isExceeded) throw this.refusal(visit, 'rate', state.ttlInSeconds);
  }

  /** @throws {ApiError} where the key's account says that the visitor is no person */
  async askCaptcha(visit: Visit, way: WidgetWay, token = ''): Promise<void> {
    const { key, origin, address } = visit;
    if (!(await passesCaptcha(this.#context, key, { way, token, origin, address })))
      throw this.refusal(visit, 'captcha');
  }

  /** Counts it, and says it without a word about the account. */
  refusal({ key, origin }: Visit, reason: WidgetRefusal, retrySeconds?: number): ApiError {
    this.#note(key, reason, origin);
    return REFUSALS[reason](retrySeconds);
  }

  #note(key: WidgetKeyTable, reason: WidgetRefusal, origin: string): void {
    this.#context.widgetRefusals.note(key, reason, origin || null, this.#context.now());
  }
}

const DAY_SECONDS = DAY_MS / 1_000;
const limit =
  (message: string, seconds: number): ((retrySeconds?: number) => ApiError) =>
  (retrySeconds = seconds) =>
    retryLater('WIDGET_LIMIT', message, retrySeconds);
const off = () => refused('WIDGET_KEY_OFF', 'This widget is switched off');

const REFUSALS: Readonly<Record<WidgetRefusal, (retrySeconds?: number) => ApiError>> = {
  origin: () => refused('ORIGIN_NOT_ALLOWED', 'The widget key does not name the origin of this page'),
  off,
  expired: off,
  way: () => refused('WIDGET_WAY_OFF', 'The widget key does not allow this'),
  captcha: () => refused('CAPTCHA_FAILED', 'The captcha was not passed'),
  calls_per_day: limit('No more calls are taken here today', DAY_SECONDS),
  minutes_per_day: limit('No more calls are taken here today', DAY_SECONDS),
  messages_per_day: limit('No more messages are taken here today', DAY_SECONDS),
  calls_at_once: limit('All lines are busy', 30),
  rate: limit('Too many requests', 60),
  unavailable: (retrySeconds = 30) => retryLater('WIDGET_UNAVAILABLE', 'Nobody can answer at the moment', retrySeconds),
};
