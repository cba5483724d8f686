// Twilio: numbers by its API of 2010-04-01, prices by Pricing, trunks by Elastic SIP Trunking. It takes no reference
// with a purchase: after an answer that was lost, the account's numbers say what became of it.
import { CarrierError, type CarrierPrice } from '../carrier.ts';
import type { ApiOffer, ApiQuery, CarrierApi, KeyForm, MadeTrunk, TrunkParts, TrunkWish } from './carrier-api.ts';
import { finding, findings } from './findings.ts';
import { type AskCarrier, amount, carrierRequests, done, found, idIn, listIn } from './request.ts';
import { twilioTexts } from './twilio-texts.ts';

export const TWILIO_KEY: KeyForm = {
  keyId: /^AC[0-9a-fA-F]{32}$/,
  key: /^[0-9a-fA-F]{32}$/,
  words: {
    keyId: 'must be the Account SID, AC and 32 hexadecimal digits: it stands on the first page of the console',
    key: 'must be the Auth Token, 32 hexadecimal digits: it stands below the Account SID',
  },
};

/** Its signalling networks, by region: docs/trunks.md. */
const SIGNALLING = [
  '54.172.60.0/30',
  '54.244.51.0/30',
  '54.171.127.192/30',
  '35.156.191.128/30',
  '54.65.63.192/30',
  '54.169.127.128/30',
  '54.252.254.64/30',
  '177.71.206.192/30',
];

const RESOURCES = { local: 'Local', mobile: 'Mobile', toll_free: 'TollFree' } as const;
const PRICES = { local: 'local', mobile: 'mobile', toll_free: 'toll free' } as const;
type Kind = keyof typeof RESOURCES;
const KINDS = Object.keys(RESOURCES) as Kind[];
/** Countries in which it finds numbers by area code. */
const BY_AREA_CODE = ['US', 'CA'];
/** The longest page. */
const ALL = { PageSize: '1000' };

interface Available {
  phone_number: string;
  capabilities: Record<string, boolean>;
}

interface Found {
  sid: string;
  phone_number?: string;
  friendly_name?: string;
  sip_url?: string;
  username?: string;
}

export function twilioApi(accountSid: string, authToken: string, base: string | null): CarrierApi {
  const ask = carrierRequests(`Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`, base);
  const account = `https://api.twilio.com/2010-04-01/Accounts/${accountSid}`;
  return {
    needsAddress: true,
    unknownAddresses: null,
    ports: null,
    ...twilioNumbers(ask, account),
    ...twilioTrunks(ask, account),
    texts: twilioTexts(ask, account, async (number) => (await numberThere(ask, account, number))?.sid ?? null),
    check: () => check(ask, account),
  };
}

function check(ask: AskCarrier, account: string) {
  return findings(
    finding('key', async () => {
      const { friendly_name, status, type } = done(await ask({ url: `${account}.json` })) as Record<string, unknown>;
      if (status !== 'active') throw new CarrierError('CARRIER_REFUSED', `the account is ${status}`);
      const trial = type === 'Trial' ? ' It is a trial: it calls verified numbers only, and has one number.' : '';
      return `The key opens the account “${friendly_name}”.${trial}`;
    }),
    [
      () =>
        finding('balance', async () => {
          const { balance, currency } = done(await ask({ url: `${account}/Balance.json` })) as Record<string, unknown>;
          return `The balance is ${balance} ${currency}.`;
        }),
      () =>
        finding('numbers', async () => {
          done(await ask({ url: `${account}/IncomingPhoneNumbers.json`, query: { PageSize: '1' } }));
          return 'Numbers can be listed.';
        }),
      () =>
        finding('trunks', async () => {
          done(await ask({ url: 'https://trunking.twilio.com/v1/Trunks', query: { PageSize: '1' } }));
          return 'Elastic SIP trunks can be listed.';
        }),
    ],
  );
}

async function numberThere(ask: AskCarrier, account: string, phoneNumber: string): Promise<Found | null> {
  const url = `${account}/IncomingPhoneNumbers.json`;
  const listed = done(await ask({ url, query: { PhoneNumber: phoneNumber, PageSize: '50' } }));
  // The filter takes parts of numbers too.
  return listIn<Found>(listed, 'incoming_phone_numbers').find((one) => one.phone_number === phoneNumber) ?? null;
}

function twilioNumbers(
  ask: AskCarrier,
  account: string,
): Pick<CarrierApi, 'search' | 'owns' | 'buy' | 'numbers' | 'bind' | 'release'> {
  const numberOf = (phoneNumber: string) => numberThere(ask, account, phoneNumber);
  const search = async (query: ApiQuery, kind: Kind): Promise<Array<Omit<ApiOffer, 'price'>>> => {
    const url = `${account}/AvailablePhoneNumbers/${query.country}/${RESOURCES[kind]}.json`;
    const byArea = query.areaCode !== undefined && BY_AREA_CODE.includes(query.country);
    const json = found(
      await ask({
        url,
        query: {
          PageSize: String(query.limit),
          // Numbers that need an address of their holder are not bought by a key alone.
          ExcludeAllAddressRequired: 'true',
          ...(query.capabilities.includes('voice') ? { VoiceEnabled: 'true' } : {}),
          ...(query.capabilities.includes('sms') ? { SmsEnabled: 'true' } : {}),
          ...(byArea ? { AreaCode: query.areaCode ?? '' } : {}),
        },
      }),
    );
    return listIn<Available>(json, 'available_phone_numbers').map(({ phone_number, capabilities }) => ({
      phoneNumber: phone_number,
      type: kind,
      // It writes SMS in capitals here, and small elsewhere.
      capabilities: Object.keys(capabilities)
        .filter((name) => capabilities[name])
        .map((name) => name.toLowerCase()),
    }));
  };
  return {
    async search(query) {
      const kinds = query.type === undefined ? KINDS : [query.type];
      const [prices, ...offers] = await Promise.all([
        ask({ url: `https://pricing.twilio.com/v1/PhoneNumbers/Countries/${query.country}` }).then(found),
        ...kinds.map(async (kind) => ({ kind, offers: await search(query, kind) })),
      ]);
      return offers
        .flatMap(({ kind, offers }) => offers.map((offer) => ({ ...offer, price: priceOf(prices, kind) })))
        .slice(0, query.limit);
    },
    async owns(phoneNumber, reference) {
      const there = await numberOf(phoneNumber);
      return there !== null && (reference === null || there.friendly_name === reference);
    },
    async buy(phoneNumber, reference, parts) {
      const form = { PhoneNumber: phoneNumber, FriendlyName: reference, TrunkSid: parts.trunk ?? '' };
      done(await ask({ method: 'POST', url: `${account}/IncomingPhoneNumbers.json`, form }));
    },
    async numbers() {
      const listed = done(await ask({ url: `${account}/IncomingPhoneNumbers.json`, query: ALL }));
      return listIn<Found>(listed, 'incoming_phone_numbers').flatMap(({ phone_number }) => phone_number ?? []);
    },
    async bind(phoneNumber, parts) {
      const { sid = null } = (await numberOf(phoneNumber)) ?? {};
      if (sid === null) throw new CarrierError('CARRIER_REFUSED', 'the number is not in the account');
      const url = `${account}/IncomingPhoneNumbers/${sid}.json`;
      done(await ask({ method: 'POST', url, form: { TrunkSid: parts.trunk ?? '' } }));
    },
    async release(phoneNumber) {
      const { sid = null } = (await numberOf(phoneNumber)) ?? {};
      if (sid !== null) found(await ask({ method: 'DELETE', url: `${account}/IncomingPhoneNumbers/${sid}.json` }));
    },
  };
}

function priceOf(prices: unknown, kind: Kind): CarrierPrice | null {
  const list = listIn<{ number_type: string; current_price: string }>(prices, 'phone_number_prices');
  const monthly = amount(list.find((one) => one.number_type === PRICES[kind])?.current_price);
  return monthly === null
    ? null
    : { monthly, setup: 0, currency: String((prices as { price_unit?: unknown }).price_unit ?? 'USD').toUpperCase() };
}

function twilioTrunks(ask: AskCarrier, account: string): Pick<CarrierApi, 'makeTrunk' | 'removeTrunk'> {
  const trunks = 'https://trunking.twilio.com/v1/Trunks';
  const lists = `${account}/SIP/CredentialLists`;
  const post = async (url: string, form: Record<string, string>) => done(await ask({ method: 'POST', url, form }));
  const named = async (url: string, list: string, fits: (one: Found) => boolean): Promise<string | null> =>
    listIn<Found>(done(await ask({ url, query: ALL })), list).find(fits)?.sid ?? null;
  return {
    async makeTrunk({ name, username, password, address, isSecure }: TrunkWish): Promise<MadeTrunk> {
      const host = `${username}.pstn.twilio.com`;
      const isOurs = (one: Found) => one.friendly_name === name;
      const form = { FriendlyName: name, DomainName: host, Secure: String(isSecure) };
      const there = await named(trunks, 'trunks', isOurs);
      const trunk = idIn(await post(there === null ? trunks : `${trunks}/${there}`, form), 'sid');
      const uris = `${trunks}/${trunk}/OriginationUrls`;
      const uri = await named(uris, 'origination_urls', isOurs);
      await post(uri === null ? uris : `${uris}/${uri}`, {
        FriendlyName: name,
        SipUrl: `sip:${address?.host}:${address?.port}${isSecure ? ';transport=tls' : ''}`,
        Weight: '10',
        Priority: '10',
        Enabled: 'true',
      });
      const list =
        (await named(`${lists}.json`, 'credential_lists', isOurs)) ??
        idIn(await post(`${lists}.json`, { FriendlyName: name }), 'sid');
      const credentials = `${lists}/${list}/Credentials`;
      const credential = await named(`${credentials}.json`, 'credentials', (one) => one.username === username);
      if (credential === null) await post(`${credentials}.json`, { Username: username, Password: password });
      else await post(`${credentials}/${credential}.json`, { Password: password });
      const ofTrunk = `${trunks}/${trunk}/CredentialLists`;
      const isThere = (await named(ofTrunk, 'credential_lists', (one) => one.sid === list)) !== null;
      if (!isThere) await post(ofTrunk, { CredentialListSid: list });
      return {
        parts: { trunk, credentialList: list },
        here: {
          host,
          username,
          password,
          ...(isSecure ? { transport: 'tls', srtp: true } : {}),
          // A new trunk of theirs takes one call a second.
          callsPerSecond: 1,
          inboundAllow: SIGNALLING,
        },
      };
    },
    async removeTrunk(parts: TrunkParts): Promise<void> {
      if (parts.trunk !== undefined) found(await ask({ method: 'DELETE', url: `${trunks}/${parts.trunk}` }));
      if (parts.credentialList !== undefined)
        found(await ask({ method: 'DELETE', url: `${lists}/${parts.credentialList}.json` }));
    },
  };
}
