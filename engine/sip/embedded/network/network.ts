// Sockets and name service as the user agent needs them, behind interfaces: the Node implementation is in
// node-network.ts, tests bring one in memory that runs on a virtual clock.

export type Protocol = 'udp' | 'tcp' | 'tls';

export interface TransportAddress {
  address: string;
  port: number;
}

export interface TlsFiles {
  certPem: string;
  keyPem: string;
}

/** What a TLS client checks the far certificate against. */
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
  /** Last call: nothing follows it. */
  closed(error: Error | null): void;
}

export interface Stream {
  readonly remote: TransportAddress;
  /** Bytes handed over and not yet taken by the kernel. */
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

/** Answers are empty where the name has no such record, errors where the name service fails. */
export interface Names {
  addresses(host: string): Promise<string[]>;
  services(name: string): Promise<SrvRecord[]>;
}

export interface Network {
  bindDatagrams(at: TransportAddress, received: (bytes: Buffer, from: TransportAddress) => void): Promise<Datagrams>;
  listen(at: TransportAddress, tls: TlsFiles | null, accepted: (stream: Stream) => void): Promise<Listener>;
  connect(to: TransportAddress, tls: TlsClient | null): Stream;
  readonly names: Names;
}
