// Plivo: numbers without a reference of ours (after an answer that was lost, the account's numbers say what became of
// it), and Zentrunk, which has a trunk for each direction.
import { CarrierError } from '../carrier.ts';
import type { ApiOffer, CarrierApi, KeyForm, MadeTrunk, TrunkParts, TrunkWish } from './carrier-api.ts';
import { finding, findings } from './findings.ts';
import { plivoTexts } from './plivo-texts.ts';
import { type AskCarrier, amount, carrierRequests, done, found, idIn, listIn } from './request.ts';

export const PLIVO_KEY: KeyForm = {
  keyId: /^[MS]A[A-Z0-9]{18}$/,
  key: /^[\w=+/-]{20,200}$/,
  words: {
    keyId: 'must be the Auth ID, MA and 18 letters or digits: it stands on the first page of the console',
    key: 'must be the Auth Token: it stands beside the Auth ID',
  },
};

const UNKNOWN_ADDRESSES =
  "is required: the addresses from which Plivo's calls come, as its console lists them for your region";
/** Its longest page, of every list. */
const PAGE = 20;
const PAGES_MAX = 50;
const NUMBERS_MAX = 200;
const TYPES = { local: 'local', mobile: 'mobile', toll_free: 'tollfree' } as const;
/** Its words for a kind of number; a kind that has none here is told by the numbering plan. */
const KINDS: Record<string, ApiOffer['type']> = {
  local: 'local',
  mobile: 'mobile',
  tollfree: 'toll_free',
  'toll-free': 'toll_free',
};

interface Available {
  number: string;
  type?: string;
  sub_type?: string;
  monthly_rental_rate?: string;
  setup_rate?: string;
  voice_enabled?: boolean;
  sms_enabled?: boolean;
  /** The documents that its holder must show. */
  restriction?: string | null;
}

export function plivoApi(authId: string, authToken: string, base: string | null): CarrierApi {
  const ask = carrierRequests(`Basic ${Buffer.from(`${authId}:${authToken}`).toString('base64')}`, base);
  const account = `https://api.plivo.com/v1/Account/${authId}`;
  return {
    needsAddress: true,
    unknownAddresses: UNKNOWN_ADDRESSES,
    ports: null,
    ...plivoNumbers(ask, account),
    ...plivoTrunks(ask, account),
    texts: plivoTexts(ask, account),
    check: () => check(ask, account),
  };
}

function check(ask: AskCarrier, account: string) {
  const one = { limit: '1' };
  return findings(
    finding('key', async () => {
      const { name, cash_credits } = done(await ask({ url: `${account}/` })) as Record<string, unknown>;
      return `The key opens the account “${name}”. The balance is ${cash_credits} USD.`;
    }),
    [
      () =>
        finding('numbers', async () => {
          done(await ask({ url: `${account}/Number/`, query: one }));
          return 'Numbers can be listed.';
        }),
      () =>
        finding('trunks', async () => {
          done(await ask({ url: `${account}/Zentrunk/Trunk/`, query: one }));
          return 'Zentrunk trunks can be listed.';
        }),
    ],
  );
}

/** It writes numbers without a plus. */
const digits = (phoneNumber: string): string => phoneNumber.replace('+', '');

function plivoNumbers(
  ask: AskCarrier,
  account: string,
): Pick<CarrierApi, 'search' | 'owns' | 'buy' | 'numbers' | 'bind' | 'release'> {
  return {
    async search({ country, areaCode, type, capabilities, limit }) {
      const json = done(
        await ask({
          url: `${account}/PhoneNumber/`,
          query: {
            country_iso: country,
            limit: String(Math.min(limit, PAGE)),
            ...(areaCode === undefined ? {} : { pattern: areaCode }),
            ...(type === undefined ? {} : { type: TYPES[type] }),
            ...(capabilities.length === 0 ? {} : { services: capabilities.join(',') }),
          },
        }),
      );
      return listIn<Available>(json, 'objects').flatMap((one) => offer(one) ?? []);
    },
    owns: async (phoneNumber) => found(await ask({ url: `${account}/Number/${digits(phoneNumber)}/` })) !== null,
    async buy(phoneNumber, _reference, parts) {
      const url = `${account}/PhoneNumber/${digits(phoneNumber)}/`;
      const { status } = done(await ask({ method: 'POST', url, json: { app_id: parts.inbound } })) as {
        status?: string;
      };
      if (status !== 'fulfilled') throw new CarrierError('CARRIER_UNAVAILABLE', 'the order is not carried out yet');
    },
    async numbers() {
      const numbers: string[] = [];
      for (let offset = 0; offset < NUMBERS_MAX; offset += PAGE) {
        const query = { limit: String(PAGE), offset: String(offset) };
        const list = listIn<Available>(done(await ask({ url: `${account}/Number/`, query })), 'objects');
        numbers.push(...list.map(({ number }) => `+${number}`));
        if (list.length < PAGE) break;
      }
      return numbers;
    },
    async bind(phoneNumber, parts) {
      const url = `${account}/Number/${digits(phoneNumber)}/`;
      if (found(await ask({ method: 'POST', url, json: { app_id: parts.inbound } })) === null)
        throw new CarrierError('CARRIER_REFUSED', 'the number is not in the account');
    },
    async release(phoneNumber) {
      found(await ask({ method: 'DELETE', url: `${account}/Number/${digits(phoneNumber)}/` }));
    },
  };
}

/** Null: it is not sold without documents. */
function offer(one: Available): ApiOffer | null {
  if (typeof one.restriction === 'string' && one.restriction !== '') return null;
  const monthly = amount(one.monthly_rental_rate);
  return {
    phoneNumber: `+${one.number}`,
    type: KINDS[one.sub_type ?? ''] ?? KINDS[one.type ?? ''] ?? null,
    capabilities: [...(one.voice_enabled ? ['voice'] : []), ...(one.sms_enabled ? ['sms'] : [])],
    price: monthly === null ? null : { monthly, setup: amount(one.setup_rate) ?? 0, currency: 'USD' },
  };
}

function plivoTrunks(ask: AskCarrier, account: string): Pick<CarrierApi, 'makeTrunk' | 'removeTrunk'> {
  const at = (resource: string, id?: string) => `${account}/Zentrunk/${resource}/${id === undefined ? '' : `${id}/`}`;
  const named = async (resource: string, idField: string, name: string): Promise<string | null> => {
    for (let page = 0; page < PAGES_MAX; page++) {
      const query = { limit: String(PAGE), offset: String(page * PAGE) };
      const list = listIn<Record<string, string>>(done(await ask({ url: at(resource), query })), 'objects');
      const one = list.find((each) => each.name === name);
      if (one !== undefined) return idIn(one, idField);
      if (list.length < PAGE) break;
    }
    return null;
  };
  /** Makes it, or changes the one of that name. */
  const put = async (
    resource: string,
    idField: string,
    json: Record<string, unknown> & { name: string },
  ): Promise<string> => {
    const there = await named(resource, idField, json.name);
    const answer = done(await ask({ method: 'POST', url: at(resource, there ?? undefined), json }));
    return there ?? idIn(answer, idField);
  };
  return {
    async makeTrunk({ name, username, password, address, isSecure }: TrunkWish): Promise<MadeTrunk> {
      const credential = await put('Credential', 'credential_uuid', { name, username, password });
      const uri = await put('URI', 'uri_uuid', {
        name,
        uri: `${address?.host}:${address?.port};transport=${isSecure ? 'tls' : 'udp'}`,
      });
      const common = { trunk_status: 'enabled', secure: isSecure };
      const inbound = await put('Trunk', 'trunk_id', {
        name: `${name} in`,
        ...common,
        trunk_direction: 'inbound',
        primary_uri_uuid: uri,
      });
      const outbound = await put('Trunk', 'trunk_id', {
        name: `${name} out`,
        ...common,
        trunk_direction: 'outbound',
        credential_uuid: credential,
      });
      const host = idIn(done(await ask({ url: at('Trunk', outbound) })), 'trunk_domain');
      return {
        parts: { inbound, outbound, uri, credential },
        here: { host, username, password, ...(isSecure ? { transport: 'tls', srtp: true } : {}), callsPerSecond: 2 },
      };
    },
    async removeTrunk(parts: TrunkParts): Promise<void> {
      const pieces = [
        ['Trunk', parts.inbound],
        ['Trunk', parts.outbound],
        ['URI', parts.uri],
        ['Credential', parts.credential],
      ] as const;
      for (const [resource, id] of pieces)
        if (id !== undefined) found(await ask({ method: 'DELETE', url: at(resource, id) }));
    },
  };
}
