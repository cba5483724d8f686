// Plivo as its documentation describes it (Account, PhoneNumber, Number, Zentrunk): the parts that are used here.
import { createHmac, randomUUID } from 'node:crypto';
import { type FakeRoute, found, gone, made, missing } from './fake-carrier.ts';

const PLIVO_ID = 'MAXYZ0123456789ABCDE';
const PLIVO_TOKEN = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4';
export const PLIVO_KEY = { kind: 'plivo', keyId: PLIVO_ID, key: PLIVO_TOKEN } as const;

type Row = Record<string, unknown>;

export class FakePlivo {
  /** On sale, by digits; with the documents that they need. */
  readonly forSale = new Map<string, string | null>();
  /** The account's: digits and the trunk to which they are bound. */
  readonly numbers = new Map<string, { number: string; app_id: string }>();
  readonly credentials = new Map<string, Row>();
  readonly uris = new Map<string, Row>();
  readonly trunks = new Map<string, Row>();
  readonly applications = new Map<string, Row>();
  readonly powerpacks = new Map<string, Row>();
  /** Digits of numbers, by their Powerpack. */
  readonly pooled = new Map<string, string>();
  readonly messages = new Map<string, Row>();
  purchases = 0;

  readonly authorizations: Array<[string, string]> = [
    ['api.plivo.com', `Basic ${Buffer.from(`${PLIVO_ID}:${PLIVO_TOKEN}`).toString('base64')}`],
  ];

  get routes(): FakeRoute[] {
    const account = 'api.plivo.com/v1/Account/:account';
    return [
      {
        route: `GET ${account}/`,
        answer: () => found({ name: 'Rivera', account_type: 'standard', cash_credits: '7.50000' }),
      },
      ...this.#texts(account),
      ...this.#numbers(account),
      ...resource(`${account}/Zentrunk/Credential`, this.credentials, 'credential_uuid', 'name username* password*'),
      ...resource(`${account}/Zentrunk/URI`, this.uris, 'uri_uuid', 'name uri*'),
      ...resource(
        `${account}/Zentrunk/Trunk`,
        this.trunks,
        'trunk_id',
        'name trunk_direction* trunk_status secure ipacl_uuid credential_uuid primary_uri_uuid fallback_uri_uuid',
      ),
    ];
  }

  #texts(account: string): FakeRoute[] {
    const pool = 'name* application_type application_id sticky_sender local_connect';
    const pooled = `${account}/Powerpack/:uuid/Number/:number/`;
    return [
      ...resource(`${account}/Application`, this.applications, 'app_id', 'app_name* message_url message_method'),
      ...resource(`${account}/Powerpack`, this.powerpacks, 'uuid', pool),
      { route: `GET ${pooled}`, answer: ({ params }) => (this.pooled.has(params.number ?? '') ? found({}) : missing) },
      {
        route: `POST ${pooled}`,
        json: '',
        answer: ({ params }) => {
          const number = params.number ?? '';
          if (!this.numbers.has(number)) return missing;
          this.pooled.set(number, params.uuid ?? '');
          return made({});
        },
      },
      {
        route: `POST ${account}/Message/`,
        json: 'src* dst* text* url method',
        answer: ({ body }) => {
          const message_uuid = randomUUID();
          this.messages.set(message_uuid, { message_uuid, ...body });
          return { status: 202, json: { message: 'queued', message_uuid: [message_uuid] } };
        },
      },
      {
        route: `GET ${account}/Message/`,
        query: 'from_number to_number message_direction message_time__gte limit',
        answer: ({ query }) =>
          found({
            objects: [...this.messages.values()].filter(
              ({ src, dst }) => src === query.from_number && dst === query.to_number,
            ),
          }),
      },
    ];
  }

  /** A request as Plivo makes it. */
  signed(url: string, fields: Record<string, string>): { url: string; headers: Record<string, string>; body: string } {
    const nonce = randomUUID();
    const names = Object.keys(fields).sort();
    const text = `${url}?${names.map((name) => `${name}${fields[name]}`).join('')}.${nonce}`;
    const signature = createHmac('sha256', PLIVO_TOKEN).update(text).digest('base64');
    const signing = { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': nonce };
    return {
      ...{ url, body: new URLSearchParams(fields).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...signing },
    };
  }

  #numbers(account: string): FakeRoute[] {
    return [
      {
        route: `GET ${account}/PhoneNumber/`,
        query: 'country_iso* type pattern services limit offset',
        answer: ({ query }) => {
          const fitting = [...this.forSale].filter(([number]) => number.startsWith(`1${query.pattern ?? ''}`));
          return found({
            objects: fitting.map(([number, restriction]) => ({
              number,
              type: 'fixed',
              sub_type: 'local',
              monthly_rental_rate: '0.80000',
              setup_rate: '0.00000',
              voice_enabled: true,
              sms_enabled: false,
              restriction,
            })),
          });
        },
      },
      {
        route: `POST ${account}/PhoneNumber/:number/`,
        json: 'app_id verification_info cnam_lookup ha_enable',
        answer: ({ params, body }) => {
          const number = params.number ?? '';
          if (!this.forSale.delete(number)) return { status: 400, json: { error: 'number not available' } };
          this.purchases++;
          this.numbers.set(number, { number, app_id: String(body.app_id) });
          return made({ message: 'created', status: 'fulfilled', numbers: [{ number, status: 'Success' }] });
        },
      },
      {
        route: `GET ${account}/Number/`,
        query: 'limit offset',
        answer: () => found({ objects: [...this.numbers.values()] }),
      },
      {
        route: `GET ${account}/Number/:number/`,
        answer: ({ params }) => {
          const one = this.numbers.get(params.number ?? '');
          return one === undefined ? missing : found(one);
        },
      },
      {
        route: `POST ${account}/Number/:number/`,
        json: 'app_id subaccount alias verification_info cnam_lookup',
        answer: ({ params, body }) => {
          const one = this.numbers.get(params.number ?? '');
          if (one === undefined) return missing;
          one.app_id = String(body.app_id);
          return { status: 202, json: { message: 'changed' } };
        },
      },
      {
        route: `DELETE ${account}/Number/:number/`,
        answer: ({ params }) => (this.numbers.delete(params.number ?? '') ? gone : missing),
      },
    ];
  }
}

/** List of pages of 20, create, read, change and delete. */
function resource(path: string, rows: Map<string, Row>, idField: string, fields: string): FakeRoute[] {
  return [
    {
      route: `GET ${path}/`,
      query: 'limit offset',
      answer: ({ query }) => {
        const start = Number(query.offset ?? 0);
        return found({ objects: [...rows.values()].slice(start, start + Number(query.limit ?? 20)) });
      },
    },
    {
      route: `GET ${path}/:id/`,
      answer: ({ params }) => {
        const row = rows.get(params.id ?? '');
        return row === undefined ? missing : found(row);
      },
    },
    {
      route: `POST ${path}/`,
      json: fields,
      answer: ({ body }) => {
        const id = randomUUID();
        rows.set(id, {
          [idField]: id,
          ...(idField === 'trunk_id' ? { trunk_domain: `${id}.zt.plivo.com` } : {}),
          ...body,
        });
        return made({ message: 'created', [idField]: id });
      },
    },
    {
      route: `POST ${path}/:id/`,
      json: fields.replaceAll('*', ''),
      answer: ({ params, body }) => {
        const row = rows.get(params.id ?? '');
        if (row === undefined) return missing;
        Object.assign(row, body);
        return { status: 202, json: { message: 'changed' } };
      },
    },
    { route: `DELETE ${path}/:id/`, answer: ({ params }) => (rows.delete(params.id ?? '') ? gone : missing) },
  ];
}
