// Both ends of RTP on loopback for the tests of a file: transports of ours and plain sockets, closed by its hook.
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after } from 'node:test';
import { type BoundPair, bindRtpPair } from '../../../media/rtp/ports.ts';
import { RtpTransport, type RtpTransportOptions } from '../../../media/rtp/rtp-transport.ts';

/** A plain socket that keeps what it gets. */
type Peer = Socket & { port: number; got: Buffer[] };

export function useRtp() {
  const closing: Array<() => void> = [];
  after(() => {
    for (const close of closing) close();
  });
  return {
    async openTransport(more: Partial<Omit<RtpTransportOptions, 'sockets'>> & { sockets?: BoundPair } = {}) {
      const sockets = more.sockets ?? (await bindRtpPair('127.0.0.1', { min: 0, max: 0 }, Math.random));
      const digits: string[] = [];
      const transport = new RtpTransport({
        sockets,
        cname: 'test',
        onDigit: (digit) => digits.push(digit),
        onFault: (error) => assert.fail(String(error)),
        now: () => performance.now(),
        ...more,
      });
      closing.push(() => transport.close(0));
      return { transport, digits, port: sockets.port };
    },

    async openPeer(address = '127.0.0.1'): Promise<Peer> {
      const socket = createSocket('udp4');
      closing.push(() => socket.close());
      socket.bind(0, address);
      await once(socket, 'listening');
      const got: Buffer[] = [];
      socket.on('message', (datagram) => got.push(datagram));
      return Object.assign(socket, { port: socket.address().port, got });
    },
  };
}

/** Waits until the loop has read what is queued in the sockets. */
export async function until(done: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5_000 && !done(); turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(done());
}
