// How to address a trunk: its URIs, our identity on it, and where its requests go. Pure functions of a TrunkConfig.

import type { AttemptRoute, Peer } from '../dialog/dial-route.ts';
import { dialString, normaliseNumber } from '../dialog/parties.ts';
import type { SipAgent } from '../dialog/sip-agent.ts';
import { resolveHost, unbracketed } from '../stack/network/locator.ts';
import type { Names, Protocol } from '../stack/network/network.ts';
import type { Destination } from '../stack/network/transport-layer.ts';
import type { NameAddr } from '../stack/wire/header.ts';
import { writeNameAddr } from '../stack/wire/header.ts';
import { type Header, toHeaderText } from '../stack/wire/message.ts';
import { makeUri, parseUri, readHostPort, type SipUri, type Uri, unescapeUser, writeUri } from '../stack/wire/uri.ts';
import { type DialRequest, NARROWBAND_CODECS, type TrunkConfig } from '../telephony.ts';

const STANDARD_PORT = 5060;

/** 5060 is the default of the form and means "not given": then SRV is queried, and TLS uses its own port. */
function portOf(trunk: TrunkConfig): number | null {
  return trunk.port === STANDARD_PORT ? null : trunk.port;
}

/** Host, port and transport of requests: those of the outbound proxy, if there is one. */
function entryOf(trunk: TrunkConfig): { host: string; port: number | null; protocol: Protocol; proxy: SipUri | null } {
  const own = { host: trunk.host, port: portOf(trunk), protocol: trunk.transport, proxy: null };
  if (!trunk.outboundProxy) return own;
  const uri = parseUri(
    trunk.outboundProxy.includes(':') && /^sips?:/i.test(trunk.outboundProxy)
      ? trunk.outboundProxy
      : `sip:${trunk.outboundProxy}`,
  );
  if (uri?.scheme !== 'sip' && uri?.scheme !== 'sips') return own;
  const proxy: SipUri = {
    ...uri,
    params: [...uri.params.filter(({ name }) => name !== 'lr'), { name: 'lr', value: null }],
  };
  return { host: uri.host, port: uri.port, protocol: trunk.transport, proxy };
}

// More addresses than any carrier's name has. All of them may call us; only the best are dialled.
const MAX_RESOLVED = 64;

/** All destinations of the trunk, best first. Throws if the name service fails. */
export function trunkDestinations(names: Names, trunk: TrunkConfig): Promise<Destination[]> {
  const { host, port, protocol } = entryOf(trunk);
  return resolveHost(names, host, port, protocol, Math.random, MAX_RESOLVED);
}

/** All hosts whose addresses count as this trunk. */
export function trunkHosts(trunk: TrunkConfig): string[] {
  const hosts = [trunk.host, entryOf(trunk).host].map((host) => readHostPort(host)?.host ?? host);
  return [...new Set(hosts)];
}

export function trunkRoutes(trunk: TrunkConfig): string[] {
  const { proxy } = entryOf(trunk);
  return proxy ? [`<${writeUri(proxy)}>`] : [];
}

export function trunkPeer(trunk: TrunkConfig): Peer {
  return {
    trunkId: trunk.id,
    credentials:
      trunk.password === null || (trunk.authUsername ?? trunk.username) === null
        ? null
        : { username: trunk.authUsername ?? trunk.username ?? '', password: trunk.password },
    serverName: trunk.transport === 'tls' ? unbracketed(entryOf(trunk).host) : null,
    allowTcp: false,
    viaFlow: false,
    mediaFrom: trunk.inboundAllow,
  };
}

function trunkDomain(trunk: TrunkConfig): string {
  return trunk.fromDomain ?? trunk.host;
}

/** The account itself: From and To of REGISTER and OPTIONS. */
export function trunkAccount(trunk: TrunkConfig): NameAddr {
  return {
    display: null,
    uri: makeUri(trunk.username ?? 'voice', trunkDomain(trunk), null),
    params: [],
  };
}

/** Request-URI of REGISTER (the domain alone) and of OPTIONS. */
export function trunkUri(trunk: TrunkConfig, user: string | null = null): string {
  return writeUri(makeUri(user, trunk.host, portOf(trunk)));
}

const ANONYMOUS: NameAddr = {
  display: 'Anonymous',
  uri: makeUri('anonymous', 'anonymous.invalid', null),
  params: [],
};

/** From, and P-Asserted-Identity if the trunk wants it (RFC 3325). A withheld number is anonymous in From. */
function identityOf(trunk: TrunkConfig, request: DialRequest): { from: NameAddr; headers: Header[] } {
  const withheld = request.from === '' || request.from.toLowerCase() === 'anonymous';
  if (withheld) {
    const headers: Header[] = [{ name: 'privacy', value: 'id' }];
    if (trunk.callerIdHeader !== 'from') {
      headers.push({ name: 'p-asserted-identity', value: writeNameAddr(trunkAccount(trunk)) });
    }
    return { from: ANONYMOUS, headers };
  }
  const display = request.fromName === null ? null : toHeaderText(request.fromName);
  const number: NameAddr = { display, uri: makeUri(request.from, trunkDomain(trunk), null), params: [] };
  const asserted = { name: 'p-asserted-identity', value: writeNameAddr({ ...number, display: null }) };
  if (trunk.callerIdHeader === 'from') return { from: number, headers: [] };
  if (trunk.callerIdHeader === 'both') return { from: number, headers: [asserted] };
  return { from: { ...trunkAccount(trunk), display }, headers: [asserted] };
}

/** An INVITE on this trunk. */
export function trunkAttempt(trunk: TrunkConfig, request: DialRequest, destination: Destination): AttemptRoute {
  const { from, headers } = identityOf(trunk, request);
  const requestUri = trunkUri(trunk, dialString(request.to, trunk));
  const uri = parseUri(requestUri);
  return {
    requestUri,
    destination,
    from,
    to: { display: null, uri: uri ?? makeUri(null, trunk.host, null), params: [] },
    routes: trunkRoutes(trunk),
    headers,
    peer: trunkPeer(trunk),
    codecs: trunk.codecs.length > 0 ? trunk.codecs : NARROWBAND_CODECS,
    srtp: trunk.srtp,
  };
}

/** A call to a SIP URI, without a trunk. */
export function directAttempt(agent: SipAgent, request: DialRequest, destination: Destination): AttemptRoute {
  const own = /^<(.*)>$/.exec(agent.contact(destination))?.[1];
  const ownUri = parseUri(own ?? '');
  const host = ownUri?.scheme === 'sip' || ownUri?.scheme === 'sips' ? ownUri.host : 'localhost';
  const display = request.fromName === null ? null : toHeaderText(request.fromName);
  const target = parseUri(request.to);
  const stripped = target?.scheme === 'sip' || target?.scheme === 'sips' ? { ...target, headers: null } : target;
  return {
    requestUri: stripped ? writeUri(stripped) : request.to,
    destination,
    from: { display, uri: makeUri(request.from === '' ? 'voice' : request.from, host, null), params: [] },
    to: { display: null, uri: stripped ?? makeUri(null, host, null), params: [] },
    routes: [],
    headers: [],
    peer: { trunkId: null, credentials: null, serverName: null, allowTcp: true, viaFlow: false, mediaFrom: [] },
    codecs: agent.voice.codecs,
    srtp: destination.protocol === 'tls',
  };
}

/** The number of a SIP URI without its parameters (`;rn=` of ported numbers). */
function numberOf(uri: Uri | null): string {
  const user = uri?.scheme === 'sip' || uri?.scheme === 'sips' ? (uri.user ?? '') : '';
  return unescapeUser(user.split(';')[0] ?? '');
}

function isSameNumber(a: string, b: string, country: string | null): boolean {
  const digits = (text: string) => (/^[+0-9().-]+$/.test(text) ? text.replace(/[^0-9]/g, '') : text);
  return digits(a) === digits(b) || normaliseNumber(a, country) === normaliseNumber(b, country);
}

/** Parameters that would change our choice of destination or transport. */
const ROUTING_PARAMS = new Set(['transport', 'maddr', 'ttl', 'method', 'lr']);

/**
 * The INVITE that a redirection asks for (RFC 3261 8.1.3.4): the same number at a destination that the trunk already
 * has (`own`), on the same terms. Null for another number, which has passed no check (do-not-call lists, limits), and
 * for another destination, which must get neither our credentials nor clear-text audio. `located`: the addresses of the
 * target.
 */
export function redirectedAttempt(
  from: AttemptRoute,
  target: SipUri,
  own: readonly Destination[],
  located: readonly Destination[],
  called: { number: string; country: string | null },
): AttemptRoute | null {
  const asked = parseUri(from.requestUri);
  if (asked?.scheme !== 'sip' && asked?.scheme !== 'sips') return null;
  const { protocol } = from.destination;
  if (target.scheme === 'sips' && protocol !== 'tls') return null;
  const number = numberOf(target);
  if (![numberOf(asked), called.number].some((own) => isSameNumber(number, own, called.country))) return null;
  const samePort = target.port === null || target.port === asked.port;
  // The trunk's own name again, perhaps with the result of a number portability query.
  const same = target.host === asked.host && samePort ? from.destination : undefined;
  const destination =
    same ??
    own.find(
      ({ remote }) =>
        located.some((found) => found.remote.address === remote.address) &&
        (target.port === null || target.port === remote.port),
    );
  if (!destination) return null;
  const params = target.params.filter(({ name }) => !ROUTING_PARAMS.has(name));
  return { ...from, requestUri: writeUri({ ...target, params, headers: null }), destination };
}
