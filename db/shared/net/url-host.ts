// A host as it stands in URLs and SIP URIs: an IPv6 address in brackets (RFC 3986 3.2.2).

export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const hostPort = (address: string, port: number): string => `${urlHost(address)}:${port}`;
