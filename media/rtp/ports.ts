// Binds the socket pair of a call: RTP on an even port, RTCP on the odd port above it (RFC 3550, 11).
import { createSocket, type Socket } from 'node:dgram';
import { addressFor } from './mapped-address.ts';

export class RtpPortError extends Error {
  readonly code: 'NO_PORTS' | 'SOCKET_FAILED';
  constructor(code: RtpPortError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RtpPortError';
    this.code = code;
  }
}

export interface BoundPair {
  rtp: Socket;
  rtcp: Socket;
  port: number;
}

interface PortRange {
  /** 0 and 0: any free pair. */
  min: number;
  max: number;
}

const MAX_ATTEMPTS = 256;
// The kernel must hold the packets that arrive while the thread is blocked for 50 ms: 64 KiB hold 200 datagrams.
const RECEIVE_BUFFER_BYTES = 65536;

/** @throws the error of `bind` */
export function bindUdp(address: string, port: number, receiveBufferBytes = RECEIVE_BUFFER_BYTES): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const family = address.includes(':') ? 6 : 4;
    // With a synchronous lookup, send() hands the datagram to the kernel before it returns.
    const socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      recvBufferSize: receiveBufferBytes,
      lookup: (host, _options, callback) => callback(null, addressFor(family, host), family),
    });
    const fail = (error: Error) => {
      socket.close();
      reject(error);
    };
    socket.once('error', fail);
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EADDRINUSE' || code === 'EACCES';
}

/**
 * Binds exactly `port` and `port + 1`. Port 0 takes any free port; an odd one counts as taken.
 * @throws {RtpPortError} NO_PORTS if one is taken, SOCKET_FAILED otherwise
 */
export async function bindRtpPairAt(address: string, port: number): Promise<BoundPair> {
  let rtp: Socket | undefined;
  try {
    rtp = await bindUdp(address, port);
    const bound = rtp.address().port;
    if (bound % 2 !== 0) throw Object.assign(new Error('odd port'), { code: 'EADDRINUSE' });
    const rtcp = await bindUdp(address, bound + 1);
    return { rtp, rtcp, port: bound };
  } catch (error) {
    rtp?.close();
    const code = isTaken(error) ? 'NO_PORTS' : 'SOCKET_FAILED';
    throw new RtpPortError(code, `cannot bind ${address}:${port}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Binds a free pair in `range`. The search starts at a random port, so that a port is not reused at once.
 * @param random returns 0 up to but not including 1
 * @throws {RtpPortError} NO_PORTS if none is free after 256 attempts or one round, SOCKET_FAILED otherwise
 */
export async function bindRtpPair(address: string, range: PortRange, random: () => number): Promise<BoundPair> {
  const first = range.min + (range.min % 2);
  const pairs = range.max === 0 ? MAX_ATTEMPTS : Math.floor((range.max - first + 1) / 2);
  const start = Math.floor(random() * pairs);
  for (let attempt = 0; attempt < Math.min(pairs, MAX_ATTEMPTS); attempt++) {
    const port = range.max === 0 ? 0 : first + 2 * ((start + attempt) % pairs);
    try {
      return await bindRtpPairAt(address, port);
    } catch (error) {
      if (!(error instanceof RtpPortError) || error.code !== 'NO_PORTS') throw error;
    }
  }
  throw new RtpPortError('NO_PORTS', `no free RTP port pair in ${range.min}-${range.max}`);
}
