// Types for the part of drachtio-fsmrf that is used here; the package has no declarations of its own.
declare module 'drachtio-fsmrf' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  /** An event socket: to FreeSWITCH (`ms.conn`), or from one of its channels. */
  export interface Connection extends EventEmitter {
    socket: Socket | null;
    reconnectOpts: { maxAttempts?: number };
    getInfo(): { getHeader(name: string): string | undefined };
    disconnect(): void;
  }

  export interface MediaServer extends EventEmitter {
    readonly conn: Connection;
    /** The listener that channels connect to. */
    readonly advertisedAddress: string;
    readonly advertisedPort: number;
    readonly sip: { ipv4: { udp: { address?: string } } };
    /** Invited channels that have not connected yet, by the id in the INVITE's User-Agent. */
    readonly pendingConnections: Map<string, { fn(connection: Connection): void }>;
    disconnect(): void;
  }

  interface ConnectOptions {
    address: string;
    port: number;
    secret: string;
    listenAddress: string;
    listenPort: number;
    profile: string;
  }

  class Mrf {
    constructor(srf: object);
    connect(options: ConnectOptions): Promise<MediaServer>;
  }

  export default Mrf;
}
