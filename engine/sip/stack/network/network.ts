// The sockets and the name service of the user agent, as interfaces: node-network.ts implements them on Node, tests in
// memory on a virtual clock.

export type Protocol = 'udp' | 'tcp' | 'tls';

export interface TransportAddress {
  address: string;
  port: number;
}

export interface TlsFiles {
  certPem: string;
  keyPem: string;
}

/** How a TLS client verifies the server's certificate. */
export interface TlsClient {
  serverName: string;
}

export interface Datagrams {
  readonly local: TransportAddress;
  send(bytes: Buffer, to: TransportAddress, failed: (error: Error) => void): void;
  close(): void;
}

export interface StreamHandlers {
  connected(): void;
  data(bytes: Buffer): void;
  /** Called once, and no callback follows. */
  closed(error: Error | null): void;
}

export interface Stream {
  readonly remote: TransportAddress;
  /** Bytes written but not yet taken by the kernel. */
  readonly pendingBytes: number;
  handle(handlers: StreamHandlers): void;
  write(bytes: Buffer): void;
  /** Sends what was written, then closes. */
  end(): void;
  destroy(): void;
}

export interface Listener {
  readonly local: TransportAddress;
  close(): void;
}

export interface SrvRecord {
  name: string;
  port: number;
  priority: number;
  weight: number;
}

/** Empty if the name has no such record; rejects if the name service fails. */
export interface Names {
  addresses(host: string): Promise<string[]>;
  services(name: string): Promise<SrvRecord[]>;
}

/**
 * Called for each new connection before anything is read from it. Null closes the connection; otherwise the returned
 * function is called when it closes.
 * `destroy` closes it at once, also during its TLS handshake.
 */
export type AdmitConnection = (from: TransportAddress, destroy: () => void) => (() => void) | null;

export interface Network {
  bindDatagrams(at: TransportAddress, received: (bytes: Buffer, from: TransportAddress) => void): Promise<Datagrams>;
  listen(
    at: TransportAddress,
    tls: TlsFiles | null,
    admit: AdmitConnection,
    accepted: (stream: Stream) => void,
  ): Promise<Listener>;
  connect(to: TransportAddress, tls: TlsClient | null): Stream;
  readonly names: Names;
}
