// Resolves a SIP URI to destinations (RFC 3263): SRV if it has neither a port nor an IP address, then A and AAAA.
import { isIP } from 'node:net';
import { parseUri, type SipUri, uriParam } from '../wire/uri.ts';
import { isPrivate } from './addressing.ts';
import type { Names, Protocol, SrvRecord } from './network.ts';
import type { Destination, Flow } from './transport-layer.ts';

/** Bounds the wait: each dead destination costs a timeout before the next is tried. */
export const MAX_DESTINATIONS = 8;

function standardPort(protocol: Protocol): number {
  return protocol === 'tls' ? 5061 : 5060;
}

const SERVICE_NAMES: Record<Protocol, string> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' };

/** RFC 2782: by priority, then by weighted chance. `chance` returns 0 <= x < 1. */
export function orderServices(records: readonly SrvRecord[], chance: () => number): SrvRecord[] {
  const ordered: SrvRecord[] = [];
  const left = [...records].sort((a, b) => a.priority - b.priority || a.weight - b.weight);
  while (left.length > 0) {
    const priority = left[0]?.priority;
    const group = left.filter((record) => record.priority === priority);
    const total = group.reduce((sum, record) => sum + record.weight, 0);
    let mark = chance() * total;
    const chosen = group.find((record) => {
      mark -= record.weight;
      return mark < 0;
    });
    const next = chosen ?? group[0];
    if (!next) break;
    ordered.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return ordered;
}

export function unbracketed(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function destinationOf(protocol: Protocol, address: string, port: number, serverName: string): Destination {
  return {
    protocol,
    remote: { address, port },
    serverName: protocol === 'tls' ? serverName : null,
  };
}

/**
 * The destination with its TLS certificate checked for `name` if it has only an address: carriers' certificates name no
 * addresses.
 */
export function certifiedAs(destination: Destination, name: string | null): Destination {
  const { protocol, serverName } = destination;
  if (protocol !== 'tls' || name === null || (serverName !== null && isIP(serverName) === 0)) return destination;
  return { ...destination, serverName: name };
}

/** All destinations of a host, best first. Throws if the name service fails. */
export async function resolveHost(
  names: Names,
  host: string,
  port: number | null,
  protocol: Protocol,
  chance: () => number = Math.random,
  limit = MAX_DESTINATIONS,
): Promise<Destination[]> {
  const bare = unbracketed(host);
  if (isIP(bare)) return [destinationOf(protocol, bare, port ?? standardPort(protocol), bare)];
  const destinations: Destination[] = [];
  if (port === null) {
    // If the name server fails on SRV, it or the hosts file may still know the address.
    const records = await names.services(`${SERVICE_NAMES[protocol]}.${bare}`).catch(() => []);
    const services = orderServices(records, chance);
    for (const service of services.slice(0, limit)) {
      for (const address of await names.addresses(service.name)) {
        // The certificate is for the domain of the URI (RFC 5922 4), not for the SRV target.
        destinations.push(destinationOf(protocol, address, service.port, bare));
      }
    }
  }
  if (destinations.length === 0) {
    for (const address of await names.addresses(bare)) {
      destinations.push(destinationOf(protocol, address, port ?? standardPort(protocol), bare));
    }
  }
  return destinations.slice(0, limit);
}

function protocolOf(uri: SipUri, flow: Flow | null): Protocol {
  if (uri.scheme === 'sips') return 'tls';
  const transport = uriParam(uri, 'transport')?.toLowerCase();
  if (transport === 'udp' || transport === 'tcp' || transport === 'tls') return transport;
  // Contacts of TCP peers often lack ;transport=tcp: use the transport that they used.
  return flow?.protocol ?? 'udp';
}

/** Destinations of a next hop inside a dialog: at once for an address, by a promise for a name. */
export function locate(names: Names, text: string, flow: Flow | null): Destination[] | Promise<Destination[]> {
  const uri = parseUri(text);
  const fallback = flow
    ? [destinationOf(flow.protocol, flow.remote.address, flow.remote.port, flow.remote.address)]
    : [];
  if (uri === null || (uri.scheme !== 'sip' && uri.scheme !== 'sips')) return fallback;
  const protocol = protocolOf(uri, flow);
  const host = unbracketed(uriParam(uri, 'maddr') ?? uri.host);
  if (isIP(host)) {
    const sameHost = flow !== null && flow.remote.address === host;
    // A public peer with a private Contact is behind NAT: its flow is the only way back. So is the connection of a TCP
    // peer, whose Contact may name a port without a listener.
    const hidden = flow !== null && isPrivate(host) && !isPrivate(flow.remote.address);
    const connected = sameHost && flow.protocol === protocol && flow.connectionId !== null;
    if (flow && (hidden || connected)) return fallback;
    return [destinationOf(protocol, host, uri.port ?? standardPort(protocol), host)];
  }
  return resolveHost(names, host, uri.port, protocol).then(
    (destinations) => (destinations.length > 0 ? destinations : fallback),
    () => fallback,
  );
}
