// Telnyx: numbers by orders with a reference of ours, which are carried out a moment later; a trunk is a credential
// connection with which we register, and an outbound voice profile.
import { setTimeout as delay } from 'node:timers/promises';
import { CarrierError, type CarrierPrice } from '../carrier.ts';
import type { ApiOffer, CarrierApi, KeyForm, MadeTrunk, TrunkParts, TrunkWish } from './carrier-api.ts';
import { finding, findings } from './findings.ts';
import { type AskCarrier, amount, carrierRequests, done, found, idIn, listIn } from './request.ts';
import { telnyxPorts } from './telnyx-ports.ts';
import { telnyxTexts } from './telnyx-texts.ts';

export const TELNYX_KEY: KeyForm = {
  keyId: null,
  key: /^KEY[\w-]{20,200}$/,
  words: {
    keyId: 'must be left out: Telnyx has a key alone',
    key: 'must be an API key, which begins with KEY: make one under API Keys in the portal',
  },
};

const API = 'https://api.telnyx.com/v2';
/** Its signalling addresses in America: docs/trunks.md. */
const SIGNALLING = ['192.76.120.10/32', '64.16.250.10/32'];
/** An order of an ordinary number takes a second or two. */
const POLL_MS = 400;
const POLLS = 6;

interface Available {
  phone_number: string;
  features?: Array<{ name: string }>;
  cost_information?: { currency?: string; monthly_cost?: string; upfront_cost?: string };
}

interface Owned {
  id: string;
  phone_number: string;
  customer_reference?: string;
}

interface Order {
  id: string;
  status: 'pending' | 'success' | 'failure';
}

export function telnyxApi(key: string, base: string | null): CarrierApi {
  const ask = carrierRequests(`Bearer ${key}`, base);
  return {
    needsAddress: false,
    unknownAddresses: null,
    ports: telnyxPorts(ask),
    ...telnyxNumbers(ask),
    ...telnyxTrunks(ask),
    texts: telnyxTexts(ask, API, async (number) => (await numberThere(ask, number))?.id ?? null),
    check: () => check(ask),
  };
}

/** Of an answer `{data}`. */
const dataOf = (json: unknown): unknown => (json as { data?: unknown } | null)?.data;

function check(ask: AskCarrier) {
  const one = { 'page[size]': '1' };
  return findings(
    finding('key', async () => {
      const { balance, currency, available_credit } = dataOf(done(await ask({ url: `${API}/balance` }))) as Record<
        string,
        unknown
      >;
      return `The key is valid. The balance is ${balance} ${currency}, with credit ${available_credit} ${currency}.`;
    }),
    [
      () =>
        finding('numbers', async () => {
          done(await ask({ url: `${API}/phone_numbers`, query: one }));
          return 'Numbers can be listed.';
        }),
      () =>
        finding('trunks', async () => {
          done(await ask({ url: `${API}/credential_connections`, query: one }));
          return 'SIP connections can be listed.';
        }),
    ],
  );
}

async function numberThere(ask: AskCarrier, phoneNumber: string): Promise<Owned | null> {
  const listed = done(await ask({ url: `${API}/phone_numbers`, query: { 'filter[phone_number]': phoneNumber } }));
  return listIn<Owned>(listed, 'data').find((one) => one.phone_number === phoneNumber) ?? null;
}

function telnyxNumbers(ask: AskCarrier): Pick<CarrierApi, 'search' | 'owns' | 'buy' | 'numbers' | 'bind' | 'release'> {
  const numberOf = (phoneNumber: string) => numberThere(ask, phoneNumber);
  const orders = `${API}/number_orders`;
  /** @throws {CarrierError} where it failed, or takes longer than we wait */
  const settled = async (order: Order): Promise<void> => {
    let { status } = order;
    for (let polls = 0; status === 'pending' && polls < POLLS; polls++) {
      await delay(POLL_MS, undefined, { ref: false });
      status = (dataOf(done(await ask({ url: `${orders}/${order.id}` }))) as Order).status;
    }
    if (status === 'failure') throw new CarrierError('CARRIER_REFUSED', 'the order failed');
    if (status !== 'success') throw new CarrierError('CARRIER_UNAVAILABLE', 'the order is not carried out yet');
  };
  return {
    async search({ country, areaCode, type, limit }) {
      const json = done(
        await ask({
          url: `${API}/available_phone_numbers`,
          query: {
            'filter[country_code]': country,
            'filter[limit]': String(limit),
            ...(areaCode === undefined ? {} : { 'filter[national_destination_code]': areaCode }),
            ...(type === undefined ? {} : { 'filter[phone_number_type]': type }),
          },
        }),
      );
      return listIn<Available>(json, 'data').map(
        (one): ApiOffer => ({
          phoneNumber: one.phone_number,
          type: type ?? null,
          capabilities: (one.features ?? []).map(({ name }) => name.toLowerCase()),
          price: priceOf(one.cost_information),
        }),
      );
    },
    async owns(phoneNumber, reference) {
      const there = await numberOf(phoneNumber);
      return there !== null && (reference === null || there.customer_reference === reference);
    },
    async buy(phoneNumber, reference, parts) {
      const earlier = done(await ask({ url: orders, query: { 'filter[customer_reference]': reference } }));
      const order =
        listIn<Order>(earlier, 'data').find(({ status }) => status !== 'failure') ??
        (dataOf(
          done(
            await ask({
              method: 'POST',
              url: orders,
              json: {
                phone_numbers: [{ phone_number: phoneNumber }],
                connection_id: parts.connection,
                customer_reference: reference,
              },
            }),
          ),
        ) as Order);
      await settled(order);
    },
    async numbers() {
      const listed = done(await ask({ url: `${API}/phone_numbers`, query: { 'page[size]': '250' } }));
      return listIn<Owned>(listed, 'data').map((one) => one.phone_number);
    },
    async bind(phoneNumber, parts) {
      const { id = null } = (await numberOf(phoneNumber)) ?? {};
      if (id === null) throw new CarrierError('CARRIER_REFUSED', 'the number is not in the account');
      const json = { connection_id: parts.connection };
      done(await ask({ method: 'PATCH', url: `${API}/phone_numbers/${id}`, json }));
    },
    async release(phoneNumber) {
      const { id = null } = (await numberOf(phoneNumber)) ?? {};
      if (id !== null) found(await ask({ method: 'DELETE', url: `${API}/phone_numbers/${id}` }));
    },
  };
}

function priceOf(cost: Available['cost_information']): CarrierPrice | null {
  const monthly = amount(cost?.monthly_cost);
  if (monthly === null) return null;
  return { monthly, setup: amount(cost?.upfront_cost) ?? 0, currency: (cost?.currency ?? 'USD').toUpperCase() };
}

function telnyxTrunks(ask: AskCarrier): Pick<CarrierApi, 'makeTrunk' | 'removeTrunk'> {
  const profiles = `${API}/outbound_voice_profiles`;
  const connections = `${API}/credential_connections`;
  const named = async (url: string, field: 'name' | 'connection_name', name: string): Promise<string | null> => {
    const listed = done(await ask({ url, query: { [`filter[${field}][contains]`]: name } }));
    return listIn<Record<string, string>>(listed, 'data').find((one) => one[field] === name)?.id ?? null;
  };
  /** Makes it, or changes the one of that id. */
  const put = async (url: string, id: string | null, json: object): Promise<string> => {
    const target =
      id === null ? ({ method: 'POST', url } as const) : ({ method: 'PATCH', url: `${url}/${id}` } as const);
    return idIn(dataOf(done(await ask({ ...target, json }))), 'id');
  };
  return {
    async makeTrunk({ name, username, password, isSecure, countries }: TrunkWish): Promise<MadeTrunk> {
      const profile = await put(profiles, await named(profiles, 'name', name), {
        name,
        whitelisted_destinations: countries,
      });
      const connection = await put(connections, await named(connections, 'connection_name', name), {
        connection_name: name,
        user_name: username,
        password,
        active: true,
        encrypted_media: isSecure ? 'SRTP' : null,
        inbound: { ani_number_format: '+E.164', dnis_number_format: '+e164' },
        outbound: { outbound_voice_profile_id: profile },
      });
      return {
        parts: { connection, outboundVoiceProfile: profile },
        here: {
          host: 'sip.telnyx.com',
          username,
          password,
          register: true,
          ...(isSecure ? { transport: 'tls', srtp: true } : {}),
          inboundAllow: SIGNALLING,
        },
      };
    },
    async removeTrunk(parts: TrunkParts): Promise<void> {
      if (parts.connection !== undefined)
        found(await ask({ method: 'DELETE', url: `${connections}/${parts.connection}` }));
      if (parts.outboundVoiceProfile !== undefined)
        found(await ask({ method: 'DELETE', url: `${profiles}/${parts.outboundVoiceProfile}` }));
    },
  };
}
