// Called and calling party: the headers that name them, and the conversion of a trunk's number format to E.164 and
// back.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { parsePhoneNumberFromString as parseExactly } from 'libphonenumber-js/max';
import type { InboundFormat } from '../../../db/domain/trunk-defaults.ts';
import type { IncomingRequest } from '../stack/transaction/transaction-layer.ts';
import { type NameAddr, parseNameAddr } from '../stack/wire/header.ts';
import { headerValues, type SipRequest } from '../stack/wire/message.ts';
import { MAX_NAME_CHARS, plainHeaderText } from '../stack/wire/plain-text.ts';
import { parseUri, type Uri, unescapeUser } from '../stack/wire/uri.ts';
import type { Caller, InviteReading, TrunkConfig } from '../telephony.ts';

// No real call is forwarded more often, and each number is stored with the call.
const MAX_DIVERSIONS = 10;

function countryOf(country: string | null): CountryCode | undefined {
  return country !== null && isSupportedCountry(country) ? country : undefined;
}

/** The user part of a URI as text, a number or a name, without number parameters (`;phone-context=`). */
function userOf(uri: Uri | null): string | null {
  if (uri === null || uri.scheme === 'other') return null;
  if (uri.scheme === 'tel') return plainHeaderText(uri.number, MAX_NAME_CHARS);
  if (uri.user === null) return null;
  return plainHeaderText(unescapeUser(uri.user.split(';')[0] ?? ''), MAX_NAME_CHARS);
}

interface Reading {
  number: string;
  format: 'e164' | 'national';
}

/**
 * The ways in which the text is a valid number on a trunk of that country, the likelier first. Carriers mostly send
 * E.164, many of them without its plus; no number in E.164 begins with 0, so such digits are a dialled number.
 */
function readingsOf(bare: string, country: string | null, prefers: InboundFormat): Reading[] {
  const region = countryOf(country);
  const asE164 = { text: `+${bare.replace(/^\+/, '')}`, format: 'e164' } as const;
  const asDialled = { text: bare, format: 'national' } as const;
  // 00 is the international prefix nearly everywhere; a country's own rules come first.
  const abroad = bare.startsWith('00') ? [{ text: `+${bare.slice(2)}`, format: 'national' } as const] : [];
  const dialled = region === undefined ? abroad : [asDialled, ...abroad];
  const all = bare.startsWith('+')
    ? [asE164]
    : bare.startsWith('0')
      ? dialled
      : prefers === 'national'
        ? [...dialled, asE164]
        : [asE164, ...dialled];
  const options = region === undefined ? {} : { defaultCountry: region };
  const readBy = (parse: typeof parseExactly): Reading[] =>
    all.flatMap(({ text, format }) => {
      const parsed = parse(text, options);
      return parsed?.isValid() ? [{ number: parsed.number, format }] : [];
    });
  const exact = readBy(parseExactly);
  // New ranges are in use before the exact plans have them.
  return exact.length > 0 ? exact : readBy(parsePhoneNumberFromString);
}

function bareNumber(text: string): string | null {
  const bare = text.replace(/[\s().-]/g, '');
  return /^\+?[0-9]{3,20}$/.test(bare) ? bare : null;
}

/** E.164 if the text is a number in one of the forms that carriers send; else the text itself. */
export function normaliseNumber(text: string, country: string | null, prefers: InboundFormat = 'auto'): string {
  const bare = bareNumber(text);
  return bare === null ? text : (readingsOf(bare, country, prefers)[0]?.number ?? bare);
}

/** How the sender of an INVITE writes numbers, and the softphone account that it has proved. */
interface NumberSource {
  country: string | null;
  /** `auto`: the called number of each INVITE decides. */
  inboundFormat: InboundFormat;
  contactUser: string | null;
  account: { username: string; displayName: string | null } | null;
}

/** Everybody whom an INVITE names. */
interface InviteParties {
  called: string;
  caller: Caller;
  divertedFrom: string[];
}

/**
 * The parties of an INVITE. A trunk writes its numbers in one way, so the called number, which shows it, decides how
 * the others are read. `otherwise`: the same where the called number can be read in another way; null: it cannot.
 */
export function invitePartiesOf(
  request: IncomingRequest,
  source: NumberSource,
): InviteParties & { otherwise: InviteParties | null; reading: InviteReading } {
  const { country, inboundFormat, contactUser, account } = source;
  const called = calledText(request, contactUser);
  const bare = bareNumber(called);
  const possible = bare === null || bare.startsWith('+') ? [] : readingsOf(bare, country, inboundFormat);
  const readings = inboundFormat === 'auto' ? possible : possible.slice(0, 1);
  const settled = (format: Reading['format'] | undefined) => (inboundFormat === 'auto' ? format : inboundFormat);
  const read = (number: string, prefers: InboundFormat): InviteParties => ({
    called: number,
    caller:
      account === null ? callerOf(request, country, prefers) : { number: account.username, name: account.displayName },
    divertedFrom: divertedFrom(request.message, country, prefers),
  });
  const [first, second] = readings;
  return {
    ...read(first?.number ?? bare ?? called, settled(first?.format) ?? 'auto'),
    otherwise: second === undefined || second.number === first?.number ? null : read(second.number, second.format),
    reading: {
      calledReceived: called,
      callerReceived: callerAddress(request)?.user ?? 'anonymous',
      rule: ruleOf(bare, inboundFormat, readings),
    },
  };
}

function ruleOf(bare: string | null, format: InboundFormat, readings: readonly Reading[]): InviteReading['rule'] {
  if (bare?.startsWith('+')) return 'plus';
  const [first, second] = readings;
  if (first === undefined) return 'as_sent';
  if (format !== 'auto') return 'setting';
  return second === undefined || second.number === first.number ? 'only_reading' : 'e164_first';
}

/**
 * User of the Request-URI, else P-Called-Party-ID, else To. A provider that we registered with may call our Contact,
 * whose user is the account name; then one of the others has the dialled number.
 */
function calledText({ message, parts }: IncomingRequest, contactUser: string | null): string {
  const party = headerValues(message, 'p-called-party-id')[0];
  const candidates = [
    userOf(parseUri(message.uri)),
    userOf(party === undefined ? null : (parseNameAddr(party)?.uri ?? null)),
    userOf(parts.to.uri),
  ];
  const named = candidates.filter((candidate) => candidate !== null && candidate !== '');
  return named.find((candidate) => candidate !== contactUser) ?? named[0] ?? '';
}

function isAnonymous(address: NameAddr): boolean {
  const { uri } = address;
  if (uri.scheme !== 'sip' && uri.scheme !== 'sips') return false;
  return uri.host === 'anonymous.invalid' || /^(anonymous|restricted|unavailable|unknown)$/i.test(uri.user ?? '');
}

function readAll(message: SipRequest, name: string): NameAddr[] {
  return headerValues(message, name)
    .map((value) => parseNameAddr(value))
    .filter((address) => address !== null);
}

/**
 * P-Asserted-Identity before From: the network vouches for it, and From is anonymous for a withheld number (RFC 3325).
 * Null for a caller who asked for privacy, even if the network tells us the identity.
 */
function callerAddress({ message, parts }: IncomingRequest): { user: string | null; display: string | null } | null {
  const privacy = headerValues(message, 'privacy')
    .flatMap((value) => value.toLowerCase().split(';'))
    .map((each) => each.trim());
  const asserted = readAll(message, 'p-asserted-identity');
  const chosen = asserted.find(({ uri }) => /^\+?\d+$/.test(userOf(uri) ?? '')) ?? asserted[0] ?? parts.from;
  if (isAnonymous(chosen) || privacy.includes('id') || privacy.includes('user')) return null;
  const user = userOf(chosen.uri);
  const display = chosen.display ?? (isAnonymous(parts.from) ? null : parts.from.display);
  return { user: user === '' ? null : user, display };
}

function callerOf(request: IncomingRequest, country: string | null, prefers: InboundFormat): Caller {
  const address = callerAddress(request);
  if (address === null) return { number: 'anonymous', name: null };
  const { user, display } = address;
  const name = display === null ? '' : plainHeaderText(display, MAX_NAME_CHARS);
  return {
    number: user === null ? 'anonymous' : normaliseNumber(user, country, prefers),
    name: name === '' || name === user ? null : name,
  };
}

/**
 * Numbers that forwarded the call, newest first, as in Diversion (RFC 5806); History-Info (RFC 7044) is oldest first.
 */
function divertedFrom(message: SipRequest, country: string | null, prefers: InboundFormat): string[] {
  const diversion = readAll(message, 'diversion');
  const history = readAll(message, 'history-info').reverse().slice(1);
  const users = (diversion.length > 0 ? diversion : history).map(({ uri }) => userOf(uri));
  const named = users.filter((user) => user !== null && user !== '').slice(0, MAX_DIVERSIONS);
  return named.map((user) => normaliseNumber(user ?? '', country, prefers));
}

/**
 * The text to dial on a trunk for an E.164 number: the prefix, then +E164, 00…, or the national form in its own
 * country.
 */
export function dialString(number: string, trunk: Pick<TrunkConfig, 'dialFormat' | 'dialPrefix' | 'country'>): string {
  const digits = number.replace(/^\+/, '');
  if (!/^[0-9]+$/.test(digits)) return trunk.dialPrefix + number;
  if (trunk.dialFormat === '00') return `${trunk.dialPrefix}00${digits}`;
  if (trunk.dialFormat === 'national') {
    const parsed = parsePhoneNumberFromString(`+${digits}`);
    if (parsed && parsed.country === trunk.country) {
      return trunk.dialPrefix + parsed.formatNational().replace(/[^0-9]/g, '');
    }
    return `${trunk.dialPrefix}00${digits}`;
  }
  return `${trunk.dialPrefix}+${digits}`;
}
