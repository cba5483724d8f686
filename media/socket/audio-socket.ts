// The port to the WebSocket server of the media shard: `ws.ts` and `uws.ts` implement it, one library each.

/** The part of a WebSocket that carries a call's audio. */
export interface AudioSocket {
  /** Nothing is sent once the socket is closed. The memory is the caller's again only when `bufferedBytes` is 0. */
  sendBinary(bytes: Uint8Array): void;
  sendText(text: string): void;
  /** Bytes accepted by the socket and not yet by the network. */
  readonly bufferedBytes: number;
  close(code: number, reason: string): void;
  /** What was sent and has not been played yet shall not be heard. Left out where the far side cannot do it. */
  flush?(): void;
}

/** Receives the events of one joined socket. */
export interface AudioSocketHandler {
  /** False when the call has a socket already; then this one is closed. */
  opened(socket: AudioSocket): boolean;
  /** The bytes are the server's: they change as soon as this returns. */
  audio(bytes: Uint8Array): void;
  text(text: string): void;
  /** A pong. */
  alive(): void;
  closed(): void;
}

/** What joins a call: a browser, or FreeSWITCH's mod_audio_fork. */
export type SocketClient = 'browser' | 'fork';

export interface AudioSocketServerOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Called once per client, with what it presents; null refuses it. */
  authorize: (callId: string, token: string, client: SocketClient) => AudioSocketHandler | null;
  /** A handler threw. */
  onFault: (error: unknown) => void;
  /** From the connection to the end of the handshake. */
  upgradeDeadlineMs?: number;
  /** Whom the connections of an address are counted for; default: the address itself. Null: a proxy of ours. */
  sourceOf?: (address: string) => string | null;
  /** FreeSWITCH's mod_audio_fork may join; otherwise nobody is let in at its path. */
  acceptsForks?: boolean;
}

export interface AudioSocketServer {
  /** The package that serves. */
  readonly library: 'ws' | 'uWebSockets.js';
  readonly port: number;
  /** Cuts every socket off and closes the port. */
  stop(): Promise<void>;
}

// 2 s of audio at 16 kHz: a page that was asleep. More is no microphone.
export const MAX_MESSAGE_BYTES = 65_536;
export const MAX_CONNECTIONS = 2000;
export const UPGRADE_DEADLINE_MS = 5000;
// A tab that vanished is noticed by its missing pongs within the 20 s after which media counts as lost.
export const PING_MS = 5000;
