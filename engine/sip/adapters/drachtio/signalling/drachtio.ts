// Types for the part of drachtio-srf that is used here: its own declarations lack the raw message, the transaction ids
// and most options.
import Srf from 'drachtio-srf';

export type Headers = Record<string, string | string[]>;

export interface DrachtioMessage {
  /** The message as received, or as drachtio sent it. */
  readonly msg: { readonly raw: string };
  readonly body: string;
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
  readonly stackTxnId: string;
  get(name: string): string | undefined;
}

export interface DrachtioRequest extends DrachtioMessage {
  readonly method: string;
  readonly uri: string;
  on(event: 'cancel', listener: (cancel: { raw: string }) => void): void;
  on(event: 'response', listener: (response: DrachtioResponse) => void): void;
  /** An UPDATE of the same Call-ID before the final response, which reaches nobody else. */
  on(event: 'update', listener: (request: DrachtioRequest, response: DrachtioResponse) => void): void;
  removeAllListeners(event: 'update'): void;
  cancel(options: { headers?: Headers }, done: (error: unknown) => void): void;
}

export interface DrachtioResponse extends DrachtioMessage {
  readonly status: number;
  readonly reason: string;
  readonly finalResponseSent: boolean;
  send(status: number, options?: { headers?: Headers; body?: string }): void;
}

export interface DrachtioDialog {
  readonly id: string;
  readonly sip: { callId: string; localTag: string; remoteTag: string };
  readonly local: { uri: string; sdp: string; contact: string };
  readonly remote: { uri: string; sdp: string };
  readonly req: DrachtioRequest;
  readonly res: DrachtioResponse;
  /** For challenges inside the dialog. */
  readonly auth?: Credentials;
  connected: boolean;
  destroy(options?: { headers?: Headers }): Promise<unknown>;
  /** A re-INVITE; resolves with the peer's SDP. */
  modify(sdp: string): Promise<string>;
  on(event: 'destroy', listener: (bye: DrachtioRequest, reason: string) => void): void;
  on(event: 'ack', listener: (ack: DrachtioRequest) => void): void;
  on(
    event: 'modify' | 'update' | 'info' | 'notify' | 'refer' | 'options',
    listener: (request: DrachtioRequest, response: DrachtioResponse) => void,
  ): void;
}

interface Credentials {
  username: string;
  password: string;
}

interface UacOptions {
  headers: Headers;
  localSdp: string;
  proxy?: string;
  auth?: Credentials;
}

export interface UacProgress {
  cbRequest(error: unknown, request: DrachtioRequest): void;
  cbProvisional(response: DrachtioResponse): void;
}

interface RequestOptions {
  method: string;
  headers?: Headers;
  body?: string;
  proxy?: string;
  auth?: Credentials;
  /** For a request inside a dialog that drachtio knows, even if an earlier process began it. */
  stackDialogId?: string;
  /** For the CANCEL of that INVITE. */
  stackTxnId?: string;
}

/**
 * A callback and no promise: the dialog's first request may arrive in the same packet, before a promise's listener
 * could be set.
 */
export type DialogMade = (error: unknown, dialog?: DrachtioDialog) => void;

/** A connection to drachtio. */
export interface Drachtio {
  connect(options: { host: string; port: number; secret: string; reconnect: { maxAttempts: number } }): void;
  disconnect(): void;
  on(
    event: 'connect',
    listener: (error: Error | null, addresses: string, version: string, local: string) => void,
  ): void;
  on(event: 'error' | 'close', listener: (error: unknown) => void): void;
  use(method: string, listener: (request: DrachtioRequest, response: DrachtioResponse) => void): void;
  createUAS(
    request: DrachtioRequest,
    response: DrachtioResponse,
    options: { localSdp: string; headers: Headers },
    done: DialogMade,
  ): void;
  createUAC(uri: string, options: UacOptions): Promise<DrachtioDialog>;
  createUAC(uri: string, options: UacOptions, progress: UacProgress, done: DialogMade): void;
  /** Uses a callback for the same reason: the response may arrive together with the confirmation of sending. */
  request(uri: string, options: RequestOptions, sent: (error: unknown, request: DrachtioRequest) => void): void;
}

export function createDrachtio(): Drachtio {
  return new Srf() as unknown as Drachtio;
}

/** Sends a request and resolves with its final response. `updated` takes an UPDATE that crosses it in its dialog. */
export function sendRequest(
  drachtio: Drachtio,
  uri: string,
  options: RequestOptions,
  updated?: (request: DrachtioRequest, response: DrachtioResponse) => void,
): Promise<DrachtioResponse> {
  return new Promise((resolve, reject) => {
    drachtio.request(uri, options, (error, request) => {
      if (error) return reject(error);
      if (updated !== undefined) request.on('update', updated);
      request.on('response', (response) => {
        if (response.status >= 200) resolve(response);
      });
    });
  });
}

/** The final status and response that refused our INVITE; null for other errors. */
export function refusalOf(error: unknown): { status: number; response: DrachtioResponse | null } | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  return { status: error.status, response: 'res' in error ? (error.res as DrachtioResponse) : null };
}
