// Twilio as its OpenAPI documents describe it (api_v2010, pricing_v1, trunking_v1): the parts that are used here.
import { createHmac, randomBytes } from 'node:crypto';
import { type Asked, type FakeRoute, found, gone, made, missing } from './fake-carrier.ts';

const TWILIO_SID = `AC${'a1'.repeat(16)}`;
const TWILIO_TOKEN = 'b2'.repeat(16);
export const TWILIO_KEY = { kind: 'twilio', keyId: TWILIO_SID, key: TWILIO_TOKEN } as const;

type Row = Record<string, string>;

export class FakeTwilio {
  /** On sale, by E.164. */
  readonly forSale = new Map<string, { kind: string; country: string }>();
  /** The account's, by sid. */
  readonly numbers = new Map<string, Row>();
  readonly trunks = new Map<string, Row>();
  readonly origination = new Map<string, Row>();
  readonly credentialLists = new Map<string, Row>();
  readonly credentials = new Map<string, Row>();
  /** Trunk and list. */
  readonly attached: Array<{ trunk: string; list: string }> = [];
  /** Sent, by sid. */
  readonly messages = new Map<string, Row>();
  status = 'active';
  purchases = 0;
  nowMs = (): number => Date.now();
  /** Refuses every purchase, in these words. */
  refusing: string | null = null;

  get authorizations(): Array<[string, string]> {
    const basic = `Basic ${Buffer.from(`${TWILIO_SID}:${TWILIO_TOKEN}`).toString('base64')}`;
    return ['api', 'trunking', 'pricing'].map((host) => [`${host}.twilio.com`, basic]);
  }

  get routes(): FakeRoute[] {
    return [...this.#account(), ...this.#messages(), ...this.#numbers(), ...this.#trunking(), ...this.#lists()];
  }

  #account(): FakeRoute[] {
    const at = (rest: string) => `api.twilio.com/2010-04-01/Accounts/:account${rest}`;
    return [
      {
        route: `GET ${at('.json')}`,
        answer: () => found({ friendly_name: 'Rivera', status: this.status, type: 'Full', sid: TWILIO_SID }),
      },
      { route: `GET ${at('/Balance.json')}`, answer: () => found({ balance: '12.34', currency: 'USD' }) },
      {
        route: 'GET pricing.twilio.com/v1/PhoneNumbers/Countries/:country',
        answer: ({ params }) =>
          params.country === 'US'
            ? found({
                price_unit: 'USD',
                phone_number_prices: [
                  { number_type: 'local', base_price: '1.15', current_price: '1.15' },
                  { number_type: 'toll free', base_price: '2.15', current_price: '2.15' },
                ],
              })
            : missing,
      },
    ];
  }

  #messages(): FakeRoute[] {
    const at = 'api.twilio.com/2010-04-01/Accounts/:account/Messages.json';
    return [
      {
        route: `POST ${at}`,
        form: 'From* To* Body* StatusCallback',
        answer: ({ body }) => {
          if (this.refusing !== null) return { status: 400, json: { code: 21610, message: this.refusing } };
          const sid = newSid('SM');
          const row = {
            ...{ sid, from: String(body.From), to: String(body.To), body: String(body.Body), status: 'queued' },
            ...{ callback: String(body.StatusCallback), date_created: new Date(this.nowMs()).toUTCString() },
          };
          this.messages.set(sid, row);
          return made(row);
        },
      },
      {
        route: `GET ${at}`,
        query: 'From To DateSent> PageSize',
        answer: ({ query }) => {
          const fitting = [...this.messages.values()].filter(({ from, to }) => from === query.From && to === query.To);
          return found({ messages: fitting.toReversed() });
        },
      },
    ];
  }

  /** A request as Twilio makes it, to the address that it was told. */
  signed(url: string, fields: Row): { url: string; headers: Row; body: string } {
    const names = Object.keys(fields).sort();
    const text = `${url}${names.map((name) => `${name}${fields[name]}`).join('')}`;
    const signature = createHmac('sha1', TWILIO_TOKEN).update(text).digest('base64');
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
    return { url, headers, body: new URLSearchParams(fields).toString() };
  }

  #numbers(): FakeRoute[] {
    const at = (rest: string) => `api.twilio.com/2010-04-01/Accounts/:account/${rest}`;
    const search = 'PageSize ExcludeAllAddressRequired VoiceEnabled SmsEnabled AreaCode';
    const available = (kind: string): FakeRoute => ({
      route: `GET ${at(`AvailablePhoneNumbers/:country/${kind}.json`)}`,
      query: search,
      answer: ({ params, query }) => {
        const fitting = [...this.forSale].filter(
          ([number, one]) =>
            one.kind === kind &&
            one.country === params.country &&
            (query.AreaCode === undefined || number.startsWith(`+1${query.AreaCode}`)),
        );
        return found({
          available_phone_numbers: fitting.slice(0, Number(query.PageSize ?? 50)).map(([number]) => ({
            phone_number: number,
            iso_country: params.country,
            capabilities: { voice: true, SMS: true, MMS: false },
          })),
        });
      },
    });
    return [
      available('Local'),
      available('Mobile'),
      available('TollFree'),
      {
        route: `GET ${at('IncomingPhoneNumbers.json')}`,
        query: 'PhoneNumber PageSize',
        answer: ({ query }) => {
          const all = [...this.numbers.values()].filter((one) => one.phone_number?.includes(query.PhoneNumber ?? ''));
          return found({ incoming_phone_numbers: all });
        },
      },
      {
        route: `POST ${at('IncomingPhoneNumbers.json')}`,
        form: 'PhoneNumber FriendlyName TrunkSid',
        answer: (asked) => this.#buy(asked),
      },
      {
        route: `POST ${at('IncomingPhoneNumbers/:sid.json')}`,
        form: 'TrunkSid SmsUrl SmsMethod',
        answer: ({ params, body }) => {
          const row = this.numbers.get(params.sid ?? '');
          if (row === undefined) return missing;
          if (body.TrunkSid !== undefined) row.trunk_sid = String(body.TrunkSid);
          if (body.SmsUrl !== undefined) row.sms_url = String(body.SmsUrl);
          return found(row);
        },
      },
      {
        route: `DELETE ${at('IncomingPhoneNumbers/:sid.json')}`,
        answer: ({ params }) => (this.numbers.delete(params.sid ?? '') ? gone : missing),
      },
    ];
  }

  #buy({ body }: Asked) {
    const phoneNumber = String(body.PhoneNumber);
    const refuse = (message: string) => ({ status: 400, json: { code: 21422, message } });
    if (this.refusing !== null) return refuse(this.refusing);
    if (!this.forSale.delete(phoneNumber)) return refuse(`${phoneNumber} is not available`);
    this.purchases++;
    const sid = newSid('PN');
    const row = {
      sid,
      phone_number: phoneNumber,
      friendly_name: String(body.FriendlyName),
      trunk_sid: String(body.TrunkSid),
    };
    this.numbers.set(sid, row);
    return made(row);
  }

  #trunking(): FakeRoute[] {
    const trunks = 'trunking.twilio.com/v1/Trunks';
    const trunkForm = 'FriendlyName DomainName Secure';
    const uriForm = 'FriendlyName* SipUrl* Weight* Priority* Enabled*';
    const trunkRow = ({ body }: Asked): Row => ({
      friendly_name: String(body.FriendlyName),
      domain_name: String(body.DomainName),
      secure: String(body.Secure),
    });
    const uriRow = ({ body, params }: Asked): Row => ({
      friendly_name: String(body.FriendlyName),
      sip_url: String(body.SipUrl),
      trunk_sid: params.trunk ?? '',
    });
    return [
      ...resource(this.trunks, {
        list: trunks,
        one: `${trunks}/:sid`,
        name: 'trunks',
        prefix: 'TK',
        form: trunkForm,
        row: trunkRow,
      }),
      ...resource(this.origination, {
        list: `${trunks}/:trunk/OriginationUrls`,
        one: `${trunks}/:trunk/OriginationUrls/:sid`,
        name: 'origination_urls',
        prefix: 'OU',
        form: uriForm,
        row: uriRow,
      }),
      {
        route: `GET ${trunks}/:trunk/CredentialLists`,
        query: 'PageSize',
        answer: ({ params }) =>
          found({
            credential_lists: this.attached
              .filter(({ trunk }) => trunk === params.trunk)
              .map(({ list }) => this.credentialLists.get(list)),
          }),
      },
      {
        route: `POST ${trunks}/:trunk/CredentialLists`,
        form: 'CredentialListSid*',
        answer: ({ params, body }) => {
          this.attached.push({ trunk: params.trunk ?? '', list: String(body.CredentialListSid) });
          return made({});
        },
      },
    ];
  }

  #lists(): FakeRoute[] {
    const lists = 'api.twilio.com/2010-04-01/Accounts/:account/SIP/CredentialLists';
    return [
      ...resource(this.credentialLists, {
        list: `${lists}.json`,
        one: `${lists}/:sid.json`,
        name: 'credential_lists',
        prefix: 'CL',
        form: 'FriendlyName*',
        row: ({ body }) => ({ friendly_name: String(body.FriendlyName) }),
      }),
      ...resource(this.credentials, {
        list: `${lists}/:list/Credentials.json`,
        one: `${lists}/:list/Credentials/:sid.json`,
        name: 'credentials',
        prefix: 'CR',
        form: 'Username Password',
        row: ({ body }) => ({
          ...(body.Username === undefined ? {} : { username: String(body.Username) }),
          password: String(body.Password),
        }),
      }),
    ];
  }
}

const newSid = (prefix: string): string => `${prefix}${randomBytes(16).toString('hex')}`;

interface Resource {
  list: string;
  one: string;
  name: string;
  prefix: string;
  form: string;
  row(asked: Asked): Row;
}

/** List, create, change and delete. */
function resource(rows: Map<string, Row>, { list, one, name, prefix, form, row }: Resource): FakeRoute[] {
  return [
    { route: `GET ${list}`, query: 'PageSize', answer: () => found({ [name]: [...rows.values()] }) },
    {
      route: `POST ${list}`,
      form,
      answer: (asked) => {
        const sid = newSid(prefix);
        rows.set(sid, { sid, ...row(asked) });
        return made(rows.get(sid));
      },
    },
    {
      route: `POST ${one}`,
      form: form.replaceAll('*', ''),
      answer: (asked) => {
        const before = rows.get(asked.params.sid ?? '');
        if (before === undefined) return missing;
        Object.assign(before, row(asked));
        return found(before);
      },
    },
    { route: `DELETE ${one}`, answer: ({ params }) => (rows.delete(params.sid ?? '') ? gone : missing) },
  ];
}
