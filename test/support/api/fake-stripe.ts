// A small Stripe over HTTP: customers, cards, checkout sessions, payment intents, refunds and idempotency keys, which
// replay even a 500 (like Stripe's). Based on its public API documentation; switches make it fail in the relevant ways.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface FakeIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  currency: string;
  customer: string;
  metadata: Record<string, string>;
  status: string;
  payment_method: string | null;
  last_payment_error: object | null;
  client_secret: string;
  created: number;
}

interface FakeRequest {
  method: string;
  path: string;
  key: string | null;
  form: Record<string, string>;
}

/** A fault in place of a request's normal answer. */
export type Fault =
  | { kind: 'status'; status: number; after?: boolean }
  /** The connection breaks, before or after the request takes effect. */
  | { kind: 'broken'; after?: boolean }
  /** Answered late; takes effect at once, or after the wait. */
  | { kind: 'slow'; ms: number; doneLate?: boolean };

interface FaultRule {
  /** `POST /v1/payment_intents` and the like; `*` for all. Ids are `:id`. */
  route: string;
  fault: Fault;
  /** Number of times that the fault applies; default: every time. */
  times?: number;
}

export class FakeStripe {
  readonly intents = new Map<string, FakeIntent>();
  readonly refunds = new Map<string, string>();
  readonly customers = new Map<string, { accountId: string }>();
  readonly requests: FakeRequest[] = [];
  /** Behaviour of each card, by id; default `ok`. */
  readonly cardMood = new Map<string, 'ok' | 'declined' | 'requires_action'>();
  rules: FaultRule[] = [];
  /** Refuses all connections. */
  down = false;
  readonly #cards: Array<{ id: string; customer: string; created: number; brand: string; last4: string }> = [];
  readonly #kept = new Map<string, { fingerprint: string; status: number; body: string }>();
  readonly #server: Server;
  #serial = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeStripe> {
    const fake = new FakeStripe();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A card that the customer added on the checkout page. */
  addCard(customer: string, mood: 'ok' | 'declined' | 'requires_action' = 'ok', last4 = '4242'): string {
    const id = this.#id('pm');
    this.#cards.push({ id, customer, created: 1_700_000_000 + this.#serial, brand: 'visa', last4 });
    this.cardMood.set(id, mood);
    return id;
  }

  /** Cents charged minus cents refunded. */
  get balance(): number {
    let cents = 0;
    for (const intent of this.intents.values()) {
      if (intent.status === 'succeeded' && !this.refunds.has(intent.id)) cents += intent.amount;
    }
    return cents;
  }

  statuses(): string[] {
    return [...this.intents.values()].map((intent) => (this.refunds.has(intent.id) ? 'refunded' : intent.status));
  }

  #id(prefix: string): string {
    return `${prefix}_fake${++this.#serial}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.down) return void request.socket.destroy();
    const url = new URL(request.url ?? '/', 'http://fake');
    let text = '';
    for await (const chunk of request) text += chunk;
    const form = Object.fromEntries(new URLSearchParams(text || url.search));
    const method = request.method ?? 'GET';
    const header = request.headers['idempotency-key'];
    const asked: FakeRequest = { method, path: url.pathname, key: typeof header === 'string' ? header : null, form };
    this.requests.push(asked);
    const route = `${method} ${url.pathname.replace(/\/(pi|cus|pm|re|cs)_[^/]+/, '/:id')}`;
    const fault = this.#strike(route);
    try {
      await this.#answer(request, response, asked, fault);
    } catch {
      request.socket.destroy();
    }
  }

  #strike(route: string): Fault | null {
    const rule = this.rules.find((one) => (one.route === '*' || one.route === route) && (one.times ?? 1) > 0);
    if (!rule) return null;
    if (rule.times !== undefined) rule.times--;
    return rule.fault;
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    asked: FakeRequest,
    fault: Fault | null,
  ): Promise<void> {
    const kept = asked.key === null ? undefined : this.#kept.get(asked.key);
    const fingerprint = JSON.stringify([asked.path, asked.form]);
    if (kept) {
      if (kept.fingerprint !== fingerprint) {
        return send(response, 400, problem('idempotency_error', 'Keys for idempotent requests can only be used once'));
      }
      response.setHeader('idempotent-replayed', 'true');
      return send(response, kept.status, kept.body);
    }
    if (fault?.kind === 'broken' && !fault.after) return void request.socket.destroy();
    if (fault?.kind === 'status' && !fault.after) {
      const body = problem(fault.status === 401 ? 'invalid_request_error' : 'api_error', 'The fake was told to fail');
      // 401 and 429 come before the key is checked, so only a 5xx is kept under it.
      if (fault.status >= 500) this.#keep(asked, fingerprint, fault.status, body);
      return send(response, fault.status, body);
    }
    if (fault?.kind === 'slow' && fault.doneLate) await delay(fault.ms);
    const { status, body } = this.#perform(asked);
    if (fault?.kind === 'status') {
      const failed = problem('api_error', 'The fake was told to fail afterwards');
      this.#keep(asked, fingerprint, fault.status, failed);
      return send(response, fault.status, failed);
    }
    this.#keep(asked, fingerprint, status, body);
    if (fault?.kind === 'broken') return void request.socket.destroy();
    if (fault?.kind === 'slow' && !fault.doneLate) await delay(fault.ms);
    send(response, status, body);
  }

  #keep({ key }: FakeRequest, fingerprint: string, status: number, body: string): void {
    if (key !== null) this.#kept.set(key, { fingerprint, status, body });
  }

  #perform({ method, path, form }: FakeRequest): { status: number; body: string } {
    const parts = path.split('/').slice(2);
    const [collection, id, action] = parts;
    const ok = (value: object) => ({ status: 200, body: JSON.stringify(value) });
    if (method === 'POST' && path === '/v1/customers') return ok(this.#createCustomer(form));
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      if (!this.customers.has(form.customer ?? '')) return missing('customer');
      return ok({
        id: this.#id('cs'),
        object: 'checkout.session',
        mode: form.mode,
        url: 'https://checkout.fake/c/pay',
      });
    }
    if (method === 'GET' && path === '/v1/payment_methods') return ok(this.#listCards(form.customer ?? ''));
    if (method === 'POST' && path === '/v1/payment_intents') return this.#createIntent(form);
    if (method === 'POST' && path === '/v1/refunds') return this.#refund(form.payment_intent ?? '');
    const intent = collection === 'payment_intents' ? this.intents.get(id ?? '') : undefined;
    if (!intent) return missing('payment_intent');
    if (method === 'GET') return ok(intent);
    if (action === 'confirm') return this.#confirm(intent, form.payment_method ?? '');
    if (action === 'cancel') return this.#cancel(intent);
    return missing('route');
  }

  #createCustomer(form: Record<string, string>): object {
    const id = this.#id('cus');
    this.customers.set(id, { accountId: form['metadata[accountId]'] ?? '' });
    return { id, object: 'customer' };
  }

  #listCards(customer: string): object {
    const data = this.#cards
      .filter((card) => card.customer === customer)
      .sort((a, b) => b.created - a.created)
      .map(({ id, created, brand, last4 }) => ({ id, object: 'payment_method', created, card: { brand, last4 } }));
    return { object: 'list', data, has_more: false };
  }

  #createIntent(form: Record<string, string>): { status: number; body: string } {
    if (!this.customers.has(form.customer ?? '')) return missing('customer');
    const id = this.#id('pi');
    const intent: FakeIntent = {
      id,
      object: 'payment_intent',
      amount: Number(form.amount),
      currency: form.currency ?? '',
      customer: form.customer ?? '',
      metadata: { chargeId: form['metadata[chargeId]'] ?? '' },
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: null,
      client_secret: `${id}_secret_must_not_be_logged`,
      created: 1_700_000_000,
    };
    this.intents.set(id, intent);
    return { status: 200, body: JSON.stringify(intent) };
  }

  #confirm(intent: FakeIntent, card: string): { status: number; body: string } {
    if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_confirmation')
      return unexpected(intent);
    const mood = this.cardMood.get(card);
    if (mood === undefined) return missing('payment_method');
    intent.payment_method = card;
    if (mood === 'ok') intent.status = 'succeeded';
    else if (mood === 'requires_action') intent.status = 'requires_action';
    else {
      intent.last_payment_error = { type: 'card_error', code: 'card_declined' };
      const error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds, Ada Holder.',
        payment_intent: intent,
        payment_method: {
          card: { fingerprint: 'fingerprint-must-not-be-logged' },
          billing_details: { name: 'Ada Holder' },
        },
      };
      return { status: 402, body: JSON.stringify({ error }) };
    }
    return { status: 200, body: JSON.stringify(intent) };
  }

  #cancel(intent: FakeIntent): { status: number; body: string } {
    if (intent.status === 'succeeded' || intent.status === 'canceled') return unexpected(intent);
    intent.status = 'canceled';
    return { status: 200, body: JSON.stringify(intent) };
  }

  #refund(intentId: string): { status: number; body: string } {
    if (this.intents.get(intentId)?.status !== 'succeeded') return missing('charge');
    if (this.refunds.has(intentId)) {
      return { status: 400, body: problem('invalid_request_error', 'Charge was refunded', 'charge_already_refunded') };
    }
    const id = this.#id('re');
    this.refunds.set(intentId, id);
    return { status: 200, body: JSON.stringify({ id, object: 'refund', status: 'succeeded' }) };
  }
}

const problem = (type: string, message: string, code?: string): string =>
  JSON.stringify({ error: { type, message, code } });

const missing = (what: string) => ({
  status: 404,
  body: problem('invalid_request_error', `No such ${what}`, 'resource_missing'),
});

const unexpected = (intent: FakeIntent) => ({
  status: 400,
  body: JSON.stringify({
    error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', payment_intent: intent },
  }),
});

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' });
  response.end(body);
}
