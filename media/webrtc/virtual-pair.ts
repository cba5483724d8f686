// A pair of RTP ports that stands for a connection which is none: packets are handed to it, and taken from it. RTP and
// RTCP come in by one of both (RFC 5761), and the session tells them apart.
import type { RtpSocket, RtpSockets } from '../rtp/session.ts';

/** The peer that a session believes to talk to: others decide where its packets go. */
export const VIRTUAL_PEER = { address: '127.0.0.1', port: 9 };

interface VirtualPair {
  sockets: RtpSockets;
  /** A packet has come. */
  deliver(datagram: Buffer): void;
}

export function virtualPair(send: (packet: Uint8Array) => void, close: () => void): VirtualPair {
  let listener: (datagram: Buffer, from: typeof VIRTUAL_PEER) => void = () => undefined;
  const socket = (isRtp: boolean): RtpSocket => ({
    on(event: string, heard: (...values: never[]) => void) {
      if (isRtp && event === 'message') listener = heard as typeof listener;
    },
    send: (bytes, offset, length) => send(bytes.subarray(offset, offset + length)),
    close,
  });
  return {
    sockets: { rtp: socket(true), rtcp: socket(false), port: VIRTUAL_PEER.port },
    deliver: (datagram) => listener(datagram, VIRTUAL_PEER),
  };
}
