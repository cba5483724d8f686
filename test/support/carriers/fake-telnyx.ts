// Telnyx as its OpenAPI document (v2) describes it: the parts that are used here.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { type FakeRoute, found, gone, made, missing } from './fake-carrier.ts';

export const TELNYX_KEY = { kind: 'telnyx', key: 'KEY0123456789ABCDEF_aBcDeFgHiJkLmNoP' } as const;

interface Order {
  id: string;
  status: 'pending' | 'success' | 'failure';
  customer_reference: string;
  number: string;
  connection: string;
}

type Row = Record<string, unknown> & { id: string };

export class FakeTelnyx {
  /** On sale, by E.164. */
  readonly forSale = new Set<string>();
  readonly orders: Order[] = [];
  readonly numbers = new Map<
    string,
    { id: string; phone_number: string; connection_id: string; customer_reference: string }
  >();
  readonly profiles = new Map<string, Row>();
  readonly connections = new Map<string, Row>();
  readonly ports = new Map<string, Row & { status: { value: string } }>();
  /** Base64, by id. */
  readonly documents = new Map<string, string>();
  /** Refuses every new porting order, in these words. */
  refusingPorts: string | null = null;
  readonly messages = new Map<string, Row>();
  readonly messagingProfiles = new Map<string, Row>();
  /** By number's id, the messaging profile. */
  readonly listening = new Map<string, string>();
  readonly #keys = generateKeyPairSync('ed25519');
  purchases = 0;
  /** Looks at an order until it is carried out. */
  pendingLooks = 1;

  readonly authorizations: Array<[string, string]> = [['api.telnyx.com', `Bearer ${TELNYX_KEY.key}`]];

  get routes(): FakeRoute[] {
    const api = 'api.telnyx.com/v2';
    return [
      {
        route: `GET ${api}/balance`,
        answer: () => found({ data: { balance: '20.00', currency: 'USD', available_credit: '20.00' } }),
      },
      ...this.#texts(api),
      ...this.#numbers(api),
      ...this.#orders(api),
      ...this.#ports(api),
      ...resource(`${api}/outbound_voice_profiles`, this.profiles, 'name', 'name* whitelisted_destinations'),
      ...resource(
        `${api}/credential_connections`,
        this.connections,
        'connection_name',
        'connection_name* user_name* password* active encrypted_media inbound outbound',
      ),
    ];
  }

  #texts(api: string): FakeRoute[] {
    const profile = 'name webhook_url webhook_api_version whitelisted_destinations';
    return [
      ...resource(`${api}/messaging_profiles`, this.messagingProfiles, 'name', profile, 'filter[name]'),
      {
        route: `GET ${api}/public_key`,
        answer: () => {
          const raw = this.#keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
          return found({ data: { public: raw.toString('base64'), record_type: 'public_key' } });
        },
      },
      {
        route: `PATCH ${api}/phone_numbers/:id/messaging`,
        json: 'messaging_profile_id*',
        answer: ({ params, body }) => {
          if (!this.numbers.has(params.id ?? '')) return missing;
          this.listening.set(params.id ?? '', String(body.messaging_profile_id));
          return found({ data: {} });
        },
      },
      {
        route: `POST ${api}/messages`,
        json: 'from* to* text* tags webhook_url use_profile_webhooks',
        answer: ({ body }) => {
          const row = { id: randomUUID(), ...body };
          this.messages.set(row.id, row);
          return found({ data: row });
        },
      },
    ];
  }

  /** A request as Telnyx makes it. */
  signed(url: string, data: object, atMs: number): { url: string; headers: Record<string, string>; body: string } {
    const body = JSON.stringify({ data });
    const seconds = String(Math.floor(atMs / 1_000));
    const signature = sign(null, Buffer.from(`${seconds}|${body}`), this.#keys.privateKey).toString('base64');
    const signing = { 'telnyx-timestamp': seconds, 'telnyx-signature-ed25519': signature };
    return { url, headers: { 'content-type': 'application/json', ...signing }, body };
  }

  #numbers(api: string): FakeRoute[] {
    return [
      {
        route: `GET ${api}/available_phone_numbers`,
        query: 'filter[country_code] filter[limit] filter[national_destination_code] filter[phone_number_type]',
        answer: ({ query }) => {
          const area = query['filter[national_destination_code]'] ?? '';
          const fitting = [...this.forSale].filter((number) => number.startsWith(`+1${area}`));
          return found({
            data: fitting.slice(0, Number(query['filter[limit]'])).map((number) => ({
              phone_number: number,
              features: [{ name: 'voice' }, { name: 'sms' }],
              cost_information: { currency: 'USD', monthly_cost: '1.00', upfront_cost: '1.00' },
            })),
          });
        },
      },
      {
        route: `GET ${api}/phone_numbers`,
        query: 'filter[phone_number] page[size]',
        answer: ({ query }) => {
          const number = query['filter[phone_number]'] ?? '';
          return found({ data: [...this.numbers.values()].filter((one) => one.phone_number.includes(number)) });
        },
      },
      {
        route: `PATCH ${api}/phone_numbers/:id`,
        json: 'connection_id',
        answer: ({ params, body }) => {
          const one = this.numbers.get(params.id ?? '');
          if (one === undefined) return missing;
          one.connection_id = String(body.connection_id);
          return found({ data: one });
        },
      },
      {
        route: `DELETE ${api}/phone_numbers/:id`,
        answer: ({ params }) => (this.numbers.delete(params.id ?? '') ? found({ data: {} }) : missing),
      },
    ];
  }

  #orders(api: string): FakeRoute[] {
    return [
      {
        route: `GET ${api}/number_orders`,
        query: 'filter[customer_reference]',
        answer: ({ query }) =>
          found({
            data: this.orders.filter((one) => one.customer_reference === query['filter[customer_reference]']),
          }),
      },
      {
        route: `GET ${api}/number_orders/:id`,
        answer: ({ params }) => {
          const order = this.orders.find(({ id }) => id === params.id);
          if (order === undefined) return missing;
          if (this.pendingLooks-- <= 0) this.#carryOut(order);
          return found({ data: order });
        },
      },
      {
        route: `POST ${api}/number_orders`,
        json: 'phone_numbers* connection_id* customer_reference*',
        answer: ({ body }) => {
          const [one] = body.phone_numbers as Array<{ phone_number: string }>;
          const number = one?.phone_number ?? '';
          if (!this.forSale.delete(number))
            return { status: 422, json: { errors: [{ title: 'Unavailable', detail: 'The number is not available' }] } };
          this.purchases++;
          const order: Order = {
            id: randomUUID(),
            status: 'pending',
            customer_reference: String(body.customer_reference),
            number,
            connection: String(body.connection_id),
          };
          this.orders.push(order);
          return found({ data: order });
        },
      },
    ];
  }

  #ports(api: string): FakeRoute[] {
    const orders = `${api}/porting_orders`;
    return [
      {
        route: `GET ${orders}`,
        query: 'filter[customer_reference]',
        answer: ({ query }) =>
          found({
            data: [...this.ports.values()].filter(
              (one) => one.customer_reference === query['filter[customer_reference]'],
            ),
          }),
      },
      {
        route: `POST ${orders}`,
        json: 'phone_numbers* customer_reference customer_group_reference',
        answer: ({ body }) => {
          if (this.refusingPorts !== null) return { status: 422, json: { errors: [{ detail: this.refusingPorts }] } };
          const id = randomUUID();
          const order = { id, status: { value: 'draft' }, ...body };
          this.ports.set(id, order);
          return made({ data: [order] });
        },
      },
      {
        route: `PATCH ${orders}/:id`,
        json: 'end_user documents phone_number_configuration activation_settings misc user_feedback',
        answer: ({ params, body }) => {
          const order = this.ports.get(params.id ?? '');
          if (order === undefined) return missing;
          const documents = { ...(order.documents as object), ...(body.documents as object) };
          return found({ data: Object.assign(order, body, { documents }) });
        },
      },
      {
        route: `DELETE ${orders}/:id`,
        answer: ({ params }) => (this.ports.delete(params.id ?? '') ? gone : missing),
      },
      {
        route: `POST ${orders}/:id/actions/cancel`,
        json: '',
        answer: ({ params }) => {
          const order = this.ports.get(params.id ?? '');
          if (order === undefined) return missing;
          order.status = { value: 'cancel-pending' };
          return found({ data: order });
        },
      },
      {
        route: `POST ${api}/documents`,
        json: 'file* filename customer_reference url',
        answer: ({ body }) => {
          const id = randomUUID();
          this.documents.set(id, String(body.file));
          return found({ data: { id } });
        },
      },
    ];
  }

  #carryOut(order: Order): void {
    if (order.status !== 'pending') return;
    order.status = 'success';
    const id = randomUUID();
    this.numbers.set(id, {
      id,
      phone_number: order.number,
      connection_id: order.connection,
      customer_reference: order.customer_reference,
    });
  }
}

/** List by a part of the name, create, change and delete. */
function resource(
  path: string,
  rows: Map<string, Row>,
  nameField: string,
  fields: string,
  filter = `filter[${nameField}][contains]`,
): FakeRoute[] {
  return [
    {
      route: `GET ${path}`,
      query: `${filter} page[size]`,
      answer: ({ query }) => {
        const part = query[filter] ?? '';
        return found({ data: [...rows.values()].filter((row) => String(row[nameField]).includes(part)) });
      },
    },
    {
      route: `POST ${path}`,
      json: fields,
      answer: ({ body }) => {
        const id = randomUUID();
        rows.set(id, { id, ...body });
        return made({ data: rows.get(id) });
      },
    },
    {
      route: `PATCH ${path}/:id`,
      json: fields.replaceAll('*', ''),
      answer: ({ params, body }) => {
        const row = rows.get(params.id ?? '');
        return row === undefined ? missing : found({ data: Object.assign(row, body) });
      },
    },
    {
      route: `DELETE ${path}/:id`,
      answer: ({ params }) => (rows.delete(params.id ?? '') ? found({ data: {} }) : missing),
    },
  ];
}
