// IPv4 addresses at a socket of IPv6 that serves both (`::`): the kernel has them as `::ffff:192.0.2.1` (RFC 4291
// 2.5.5.2), everything else here as `192.0.2.1`.
import { isIPv4 } from 'node:net';

const MAPPED = '::ffff:';

export const unmapped = (address: string): string =>
  address.startsWith(MAPPED) && isIPv4(address.slice(MAPPED.length)) ? address.slice(MAPPED.length) : address;

/** As a socket of that family takes it. */
export const addressFor = (family: 4 | 6, address: string): string =>
  family === 6 && isIPv4(address) ? `${MAPPED}${address}` : address;
