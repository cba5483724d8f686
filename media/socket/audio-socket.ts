// The port to the WebSocket server of the media shard: `ws.ts` and `uws.ts` implement it, one library each.

/** Closes a socket that may not be there, or may not do what it does: policy violation, RFC 6455 7.4.1. */
export const REFUSED = 1008;

/** The part of a WebSocket that carries a call's audio. */
export interface AudioSocket {
  /** Does nothing on a closed socket. The caller may reuse the memory only when `bufferedBytes` is 0. */
  sendBinary(bytes: Uint8Array): void;
  sendText(text: string): void;
  /**
   * Sends a message that has its frame already (`binaryFrame`): for one that goes to many sockets. Absent where the
   * library wants to make frames itself.
   */
  sendFramed?(frame: Uint8Array): void;
  /** Bytes that the socket has accepted and not yet passed to the network. */
  readonly bufferedBytes: number;
  close(code: number, reason: string): void;
  /** Drops audio that was sent but not yet played. Absent if the far side cannot do so. */
  flush?(): void;
}

/** Receives the events of one joined socket. */
export interface AudioSocketHandler {
  /** False if the call already has a socket; then this one is closed. */
  opened(socket: AudioSocket): boolean;
  /** The bytes belong to the server: they change as soon as this returns. */
  audio(bytes: Uint8Array): void;
  text(text: string): void;
  /** A pong. */
  alive(): void;
  closed(): void;
}

/** The kinds of clients of a call: a browser that calls, FreeSWITCH's mod_audio_fork, or somebody who listens. */
export type SocketClient = 'browser' | 'fork' | 'listener';

export interface AudioSocketServerOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Called once per client, with its credentials; null refuses it. */
  authorize: (callId: string, token: string, client: SocketClient) => AudioSocketHandler | null;
  /** A handler threw. */
  onFault: (error: unknown) => void;
  /** Time from the connection to the end of the handshake. */
  upgradeDeadlineMs?: number;
  /** The source that an address's connections are counted for; default: the address itself. Null: a proxy of ours. */
  sourceOf?: (address: string) => string | null;
  /** FreeSWITCH's mod_audio_fork may join; otherwise its path refuses every client. */
  acceptsForks?: boolean;
  /** Any monotonic clock, ms, for what a joined socket may send; default: the process's. */
  now?: () => number;
}

export interface AudioSocketServer {
  /** The package that runs the server. */
  readonly library: 'ws' | 'uWebSockets.js';
  readonly port: number;
  /** Closes every socket and the port at once. */
  stop(): Promise<void>;
}

// 2 s of audio at 16 kHz: a page that was asleep. A microphone never sends more.
export const MAX_MESSAGE_BYTES = 65_536;
export const MAX_CONNECTIONS = 2000;
export const UPGRADE_DEADLINE_MS = 5000;
// A closed tab is noticed by its missing pongs, within the 20 s after which media counts as lost.
export const PING_MS = 5000;

/** An unmasked binary message of RFC 6455 5.2 in one frame. @throws {RangeError} over 65,535 bytes */
export function binaryFrame(payload: Uint8Array): Uint8Array {
  if (payload.length > 0xffff) throw new RangeError('a longer frame has another header');
  const isShort = payload.length < 126;
  const header = isShort ? [0x82, payload.length] : [0x82, 126, payload.length >> 8, payload.length & 0xff];
  const frame = new Uint8Array(header.length + payload.length);
  frame.set(header);
  frame.set(payload, header.length);
  return frame;
}
