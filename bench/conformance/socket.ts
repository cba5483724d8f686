// The signalling of one tested call over UDP, TCP or TLS: text in, text out, and everything that came with its time.
// It repeats nothing by itself: a case decides what is sent how often.
import { createSocket } from 'node:dgram';
import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type Transport = 'udp' | 'tcp' | 'tls';

export interface Arrival {
  /** `performance.now()`. */
  atMs: number;
  text: string;
}

export interface SipSocket {
  readonly transport: Transport;
  readonly host: string;
  readonly port: number;
  send(text: string): void;
  close(): void;
}

interface Peer {
  host: string;
  port: number;
}

/** @throws Error where no connection comes about within `withinMs` */
export async function openSocket(
  transport: Transport,
  peer: Peer,
  host: string,
  onMessage: (arrival: Arrival) => void,
  withinMs = 5_000,
): Promise<SipSocket> {
  return transport === 'udp'
    ? openDatagrams(peer, host, onMessage)
    : openStream(transport, peer, host, onMessage, withinMs);
}

async function openDatagrams(peer: Peer, host: string, onMessage: (arrival: Arrival) => void): Promise<SipSocket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, host, resolve));
  socket.on('message', (data) => onMessage({ atMs: performance.now(), text: data.toString('latin1') }));
  socket.on('error', () => undefined);
  return {
    transport: 'udp',
    host,
    port: socket.address().port,
    send: (text) => socket.send(Buffer.from(text, 'latin1'), peer.port, peer.host),
    close: () => socket.close(),
  };
}

async function openStream(
  transport: 'tcp' | 'tls',
  peer: Peer,
  host: string,
  onMessage: (arrival: Arrival) => void,
  withinMs: number,
): Promise<SipSocket> {
  // A certificate of the machine's own is judged by nobody here: the case is about the transport.
  const socket: Socket =
    transport === 'tcp' ? createConnection(peer) : connectTls({ ...peer, rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`no connection within ${withinMs} ms`)), withinMs);
    socket.once(transport === 'tcp' ? 'connect' : 'secureConnect', () => {
      clearTimeout(limit);
      resolve();
    });
    socket.once('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
  });
  socket.on('error', () => undefined);
  let unread = '';
  socket.on('data', (data) => {
    unread += data.toString('latin1');
    for (;;) {
      // Line ends between messages keep a connection open (RFC 5626 3.5.1).
      unread = unread.replace(/^(?:\r\n)+/, '');
      const end = unread.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/^(?:content-length|l)[ \t]*:[ \t]*(\d+)/im.exec(unread.slice(0, end))?.[1] ?? 0);
      if (unread.length < end + 4 + length) return;
      onMessage({ atMs: performance.now(), text: unread.slice(0, end + 4 + length) });
      unread = unread.slice(end + 4 + length);
    }
  });
  return {
    transport,
    host,
    port: socket.localPort ?? 0,
    send: (text) => socket.write(Buffer.from(text, 'latin1')),
    close: () => socket.destroy(),
  };
}
