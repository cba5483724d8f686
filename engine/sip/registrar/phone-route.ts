// The route to a registered phone: its Contact as Request-URI, sent to the source address of its packets; or, if it
// registered through a proxy of ours, by the Path that the proxy gave.

import type { AttemptRoute, DialRoute, Peer } from '../dialog/dial-route.ts';
import type { SipAgent } from '../dialog/sip-agent.ts';
import type { Destination } from '../stack/network/transport-layer.ts';
import { toHeaderText } from '../stack/wire/message.ts';
import { makeUri, parseUri } from '../stack/wire/uri.ts';
import type { DialRequest } from '../telephony.ts';

/** Properties of a phone as a peer, in either direction. */
export const PHONE_PEER: Peer = {
  trunkId: null,
  credentials: null,
  serverName: null,
  allowTcp: false,
  viaFlow: true,
  mediaFrom: [],
};

interface Phone {
  accountId: string;
  username: string;
  contact: string;
  /** Route values of the way through proxies of ours. */
  routes: readonly string[];
  /** The source address of its packets, and over what they came. */
  address: string;
  transport: 'udp' | 'tcp' | 'tls';
  /** Empty if its connection is closed and a new one cannot be opened. */
  destinations(): Destination[] | Promise<Destination[]>;
}

export function phoneRoute(agent: SipAgent, phone: Phone, request: DialRequest): DialRoute {
  return {
    trunkId: null,
    name: phone.username,
    destinations: async () => phone.destinations(),
    at: (destination) => phoneAttempt(agent, phone, request, destination),
    // A redirected call (forwarding on the phone) would belong to no trunk.
    redirect: async () => null,
    report: () => {},
  };
}

function phoneAttempt(agent: SipAgent, phone: Phone, request: DialRequest, destination: Destination): AttemptRoute {
  const own = parseUri(/^<(.*)>$/.exec(agent.contact(destination))?.[1] ?? '');
  const host = own?.scheme === 'sip' || own?.scheme === 'sips' ? own.host : 'localhost';
  const display = request.fromName === null ? null : toHeaderText(request.fromName);
  return {
    requestUri: phone.contact,
    destination,
    from: { display, uri: makeUri(request.from === '' ? 'voice' : request.from, host, null), params: [] },
    to: { display: null, uri: makeUri(phone.username, host, null), params: [] },
    routes: phone.routes,
    headers: [],
    peer: { ...PHONE_PEER, phoneOf: phone.accountId },
    codecs: agent.voice.codecs,
    srtp: (phone.routes.length > 0 ? phone.transport : destination.protocol) === 'tls',
    ...(phone.routes.length > 0 ? { behindEdge: { address: phone.address, isSecure: phone.transport === 'tls' } } : {}),
  };
}
