// The connection to drachtio, re-established with back-off. Each connection has its own Srf: dialogs and transactions
// of a lost connection vanish with it and cannot be mistaken for new ones.

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import type { Clock } from '../../../../clock.ts';
import type { SipLog } from '../../../telephony.ts';
import { TelephonyError } from '../../../telephony.ts';
import { createDrachtio, type Drachtio } from './drachtio.ts';

/** Where drachtio receives SIP. */
interface SipAddress {
  protocol: string;
  host: string;
  port: number;
}

interface LinkOptions {
  host: string;
  port: number;
  secret: string;
  clock: Clock;
  log: SipLog;
  /** Called before any request of the new connection is handled. */
  opened(drachtio: Drachtio): void;
  lost(): void;
}

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

export class DrachtioLink {
  readonly #options: LinkOptions;
  #current: Drachtio | null = null;
  #addresses: SipAddress[] = [];
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: () => void = () => {};
  #isStopped = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Null while disconnected. */
  get drachtio(): Drachtio | null {
    return this.#current;
  }

  /** As peers see them; with --external-ip, that address. */
  get addresses(): readonly SipAddress[] {
    return this.#addresses;
  }

  /** Resolves at the first connection; rejects if drachtio refuses the secret. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => this.#connect(resolve, reject));
  }

  #connect(resolve: () => void, reject: (error: Error) => void): void {
    const { host, port, secret, log } = this.#options;
    const drachtio = createDrachtio();
    let isOpen = false;
    let isGone = false;
    const gone = (reason: string): void => {
      if (isGone || this.#isStopped) return;
      isGone = true;
      this.#current = null;
      if (isOpen) this.#options.lost();
      log.warn({ host, port, reason, retryMs: this.#retryMs }, 'no connection to drachtio');
      this.#cancelRetry = this.#options.clock.after(this.#retryMs, () => this.#connect(resolve, reject));
      this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    };
    drachtio.on('error', (error) => gone(messageOf(error)));
    drachtio.on('close', () => gone('connection closed'));
    drachtio.on('connect', (error, addresses, version) => {
      if (isGone || this.#isStopped) return;
      if (error) {
        isGone = true;
        drachtio.disconnect();
        const message = `drachtio at ${host}:${port} refuses DRACHTIO_SECRET`;
        log.error({ host, port }, message);
        reject(new TelephonyError('BIND_FAILED', message));
        return;
      }
      isOpen = true;
      this.#retryMs = FIRST_RETRY_MS;
      this.#current = drachtio;
      this.#addresses = readAddresses(addresses);
      log.info({ host, port, version, addresses }, 'connected to drachtio');
      this.#options.opened(drachtio);
      resolve();
    });
    drachtio.connect({ host, port, secret, reconnect: { maxAttempts: 1 } });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
    this.#current?.disconnect();
    this.#current = null;
  }
}

/** `tcp/192.0.2.1:5060,udp/192.0.2.1:5060` */
function readAddresses(text: string): SipAddress[] {
  return text.split(',').flatMap((each) => {
    const match = /^(\w+)\/(.+):(\d+)$/.exec(each.trim());
    const [, protocol, host, port] = match ?? [];
    return protocol && host && port ? [{ protocol, host, port: Number(port) }] : [];
  });
}
