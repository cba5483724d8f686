// The connection to one FreeSWITCH server: reconnects with back-off, polls its state every few seconds, and hangs up
// channels that an earlier process of this installation left.

import Mrf from 'drachtio-fsmrf';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { type Clock, every } from '../../../../clock.ts';
import type { SipLog } from '../../../telephony.ts';
import type { Drachtio } from '../signalling/drachtio.ts';
import { AudioForks, type ForkSocketAddress } from './audio-forks.ts';
import { DeadManSwitch } from './dead-man-switch.ts';
import { EventSocket } from './event-socket.ts';
import { HostBreaker } from './host-breaker.ts';
import { type ChannelOwner, channelUser, SwitchChannels, type SwitchSession } from './switch-channels.ts';

export interface SwitchAddress {
  host: string;
  port: number;
  secret: string;
}

export interface SwitchHostDeps {
  owner: ChannelOwner;
  clock: Clock;
  log: SipLog;
  /** The SIP profile that receives the engine's INVITEs. */
  profile: string;
  /** Null: audio uses RTP. */
  forks: ForkSocketAddress | null;
}

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;
const CHECK_EVERY_MS = 5_000;

export class SwitchHost {
  readonly address: SwitchAddress;
  readonly breaker: HostBreaker;
  readonly channels: SwitchChannels;
  readonly #deps: SwitchHostDeps;
  readonly #forks: AudioForks | null;
  readonly #deadManSwitch: DeadManSwitch;
  #drachtio: Drachtio | null = null;
  #socket: EventSocket | null = null;
  #session: SwitchSession | null = null;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: () => void = () => {};
  #stopChecking: () => void = () => {};
  #fault = 'not connected yet';
  #isStopped = false;

  constructor(address: SwitchAddress, deps: SwitchHostDeps) {
    this.address = address;
    this.#deps = deps;
    this.breaker = new HostBreaker(deps.clock);
    this.#deadManSwitch = new DeadManSwitch(channelUser(deps.owner), this.name, deps.log);
    this.#forks = deps.forks && new AudioForks(deps.forks, deps.clock);
    this.channels = new SwitchChannels({
      ...{ owner: deps.owner, clock: deps.clock, log: deps.log, name: this.name, secret: address.secret },
      ...{ breaker: this.breaker, forks: this.#forks },
      session: () => this.#session,
      fault: () => this.fault,
    });
  }

  get name(): string {
    return `${this.address.host}:${this.address.port}`;
  }

  get isUp(): boolean {
    return this.#session !== null;
  }

  /** Why this server cannot be used. */
  get fault(): string {
    return `${this.name}: ${this.#fault}`;
  }

  /** Its address as the engine's RTP must see it. */
  get mediaAddress(): string {
    return this.#session?.socket.remoteAddress ?? this.address.host;
  }

  start(): void {
    this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
    this.#closeSession();
    this.#socket?.close('stopped');
  }

  /** Sets the connection to drachtio. Null: it is lost, and with it the dialogs of all our channels. */
  useDrachtio(drachtio: Drachtio | null): void {
    this.#drachtio = drachtio;
    this.#closeSession();
    if (this.#socket === null) return;
    if (drachtio === null) void this.#reap(this.#socket, 'all');
    else this.#open(this.#socket);
  }

  #connect(): void {
    const { host, port, secret } = this.address;
    new EventSocket({
      host,
      port,
      secret,
      clock: this.#deps.clock,
      opened: (socket) => {
        this.#socket = socket;
        this.#open(socket);
      },
      event: (event) => this.#forks?.handle(event),
      closed: (reason) => this.#lost(reason),
    });
  }

  #lost(reason: string): void {
    const wasUp = this.isUp;
    this.#fault = reason;
    this.#socket = null;
    this.#closeSession();
    if (this.#isStopped) return;
    this.#deps.log.warn(
      { freeswitch: this.name, reason, retryMs: this.#retryMs, wasUp },
      'no connection to FreeSWITCH',
    );
    this.#cancelRetry = this.#deps.clock.after(this.#retryMs, () => this.#connect());
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  #closeSession(): void {
    this.#stopChecking();
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    try {
      session.server.disconnect();
    } catch {
      // Throws if the connection is already closed.
    }
  }

  /** The event socket is open, or drachtio has connected: with both, channels can be created once the profile is up. */
  #open(socket: EventSocket): void {
    const drachtio = this.#drachtio;
    if (drachtio === null || this.#session !== null) return;
    this.#begin(socket, drachtio).catch((error: unknown) => {
      this.#fault = messageOf(error);
      socket.close(this.#fault);
    });
  }

  async #begin(socket: EventSocket, drachtio: Drachtio): Promise<void> {
    const { profile, log } = this.#deps;
    // FreeSWITCH answers on the event socket before its profiles are up, and fsmrf ends the process for a missing one.
    const status = await socket.api('sofia status');
    if (!new RegExp(`^\\s*${profile}\\s.*RUNNING`, 'm').test(status))
      throw new Error(`no SIP profile ${profile} is up`);
    await this.#forks?.prepare(socket);
    await this.#reap(socket, 'of-earlier-processes');
    await this.#deadManSwitch.renew(socket);
    const { host: address, port, secret } = this.address;
    const listenAddress = socket.localAddress;
    const server = await new Mrf(drachtio).connect({ address, port, secret, listenAddress, listenPort: 0, profile });
    // Reconnecting is our task, with a new listener.
    server.conn.reconnectOpts = { maxAttempts: 1 };
    server.conn.removeAllListeners('esl::end');
    server.conn.on('error', () => {});
    if (this.#socket !== socket || this.#drachtio !== drachtio || this.#isStopped) return server.disconnect();
    this.#session = { socket, drachtio, server };
    this.#retryMs = FIRST_RETRY_MS;
    await this.#check(socket);
    this.#stopChecking = every(this.#deps.clock, CHECK_EVERY_MS, () => {
      void this.#deadManSwitch.renew(socket);
      this.#check(socket).catch(() => {});
    });
    log.info({ freeswitch: this.name, channels: this.channels.count }, 'connected to FreeSWITCH');
  }

  async #check(socket: EventSocket): Promise<void> {
    const count = /^(\d+) total/m.exec(await socket.api('show channels count'))?.[1];
    if (count !== undefined) this.channels.counted(Number(count));
  }

  /** Hangs up channels of this installation. */
  async #reap(socket: EventSocket, which: 'all' | 'of-earlier-processes'): Promise<void> {
    const { owner, log } = this.#deps;
    try {
      const { rows = [] } = JSON.parse(await socket.api('show channels as json')) as {
        rows?: Array<{ uuid: string; cid_num: string }>;
      };
      const own = rows.filter(({ cid_num }) => cid_num.startsWith(`${owner.installation}.`));
      const left = own.filter(({ cid_num }) => which === 'all' || cid_num !== channelUser(owner));
      await Promise.all(left.map(({ uuid }) => socket.api(`uuid_kill ${uuid}`)));
      if (left.length > 0)
        log.warn({ freeswitch: this.name, channels: left.length }, 'hung up channels without a call');
    } catch (error) {
      log.warn({ freeswitch: this.name, error: messageOf(error) }, 'could not check for orphaned channels');
    }
  }
}
