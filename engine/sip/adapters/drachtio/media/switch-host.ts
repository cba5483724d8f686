// One FreeSWITCH: connected again with back-off when it is lost, asked every few seconds how it is, and cleared of
// channels that an earlier process of this installation left.

import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import Mrf, { type Connection, type MediaServer } from 'drachtio-fsmrf';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { type Clock, every } from '../../../../clock.ts';
import type { AudioFork, LocalAudio, SipLog } from '../../../telephony.ts';
import type { Drachtio, DrachtioDialog } from '../signalling/drachtio.ts';
import { AudioForks, type ForkSocketAddress } from './audio-forks.ts';
import { EventSocket } from './event-socket.ts';
import type { MediaListener, MediaLost } from './leg-media.ts';

export interface SwitchAddress {
  host: string;
  port: number;
  secret: string;
}

/** Whose channels are whose: they show it as their caller. */
export interface ChannelOwner {
  /** The same after a restart. */
  installation: string;
  process: string;
}

export interface SwitchHostDeps {
  owner: ChannelOwner;
  clock: Clock;
  log: SipLog;
  /** The SIP profile that takes the engine's INVITEs. */
  profile: string;
  /** Null: the audio comes by RTP. */
  forks: ForkSocketAddress | null;
}

/**
 * `none`: FreeSWITCH neither paces nor smooths what comes in, which is some 10 to 20 ms sooner, but while nothing comes
 * in the channel takes up to 5 s to notice a re-INVITE or that it is bridged. So only for the engine's own audio, which
 * never pauses: a peer on hold, or one that waits for our first packet, sends nothing.
 */
export type ChannelTimer = 'soft' | 'none';

/** A channel of FreeSWITCH and the SIP dialog that holds it. */
export interface Channel {
  host: SwitchHost;
  dialog: DrachtioDialog;
  /** FreeSWITCH's answer to the SDP that it was invited with. */
  sdp: string;
  /** With DTLS only after the handshake, which the peer begins when it has that answer. */
  connected: Promise<ConnectedChannel>;
}

interface ConnectedChannel {
  socket: Connection;
  uuid: string;
  /** Where its RTP port is, whatever address its SDP shows to peers (ext-rtp-ip); null if it does not say. */
  localAddress: string | null;
}

interface Session {
  socket: EventSocket;
  drachtio: Drachtio;
  server: MediaServer;
}

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;
const CHECK_EVERY_MS = 5_000;
/** FreeSWITCH answers in 10 to 20 ms; longer than this, it is not well and the caller has waited enough. */
const ANSWER_MS = 4_000;
/** With time for a DTLS handshake with packets lost. */
const CONNECT_MS = 10_000;
/** A channel that ends says BYE about when its event socket closes. */
const BYE_MS = 200;

export class SwitchHost {
  readonly address: SwitchAddress;
  readonly #deps: SwitchHostDeps;
  readonly #forks: AudioForks | null;
  #drachtio: Drachtio | null = null;
  #socket: EventSocket | null = null;
  #session: Session | null = null;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: () => void = () => {};
  #stopChecking: () => void = () => {};
  #fault = 'not connected yet';
  /** Channels of all its users at the last check, and ours since. */
  #channels = 0;
  #isStopped = false;

  constructor(address: SwitchAddress, deps: SwitchHostDeps) {
    this.address = address;
    this.#deps = deps;
    this.#forks = deps.forks && new AudioForks(deps.forks, deps.clock);
  }

  get name(): string {
    return `${this.address.host}:${this.address.port}`;
  }

  get isUp(): boolean {
    return this.#session !== null;
  }

  /** Why it cannot be used. */
  get fault(): string {
    return `${this.name}: ${this.#fault}`;
  }

  get load(): number {
    return this.#channels;
  }

  /** As the engine's RTP must see it. */
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

  /** drachtio is there: channels can be made. With null it is gone, and with it the dialogs of all our channels. */
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
      // It throws for a connection that is gone already.
    }
  }

  /** The event socket is open, or drachtio has come: with both, channels can be made once the profile is up. */
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
    const { host: address, port, secret } = this.address;
    const listenAddress = socket.localAddress;
    const server = await new Mrf(drachtio).connect({ address, port, secret, listenAddress, listenPort: 0, profile });
    // The next connection is ours to make, with a new listener.
    server.conn.reconnectOpts = { maxAttempts: 1 };
    server.conn.removeAllListeners('esl::end');
    server.conn.on('error', () => {});
    if (this.#socket !== socket || this.#drachtio !== drachtio || this.#isStopped) return server.disconnect();
    this.#session = { socket, drachtio, server };
    this.#retryMs = FIRST_RETRY_MS;
    await this.#check(socket);
    this.#stopChecking = every(this.#deps.clock, CHECK_EVERY_MS, () => {
      this.#check(socket).catch(() => {});
    });
    log.info({ freeswitch: this.name, channels: this.#channels }, 'connected to FreeSWITCH');
  }

  async #check(socket: EventSocket): Promise<void> {
    const count = /^(\d+) total/m.exec(await socket.api('show channels count'))?.[1];
    if (count !== undefined) this.#channels = Number(count);
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
        log.warn({ freeswitch: this.name, channels: left.length }, 'channels without a call hung up');
    } catch (error) {
      log.warn({ freeswitch: this.name, error: messageOf(error) }, 'could not check for orphaned channels');
    }
  }

  /** Invites a new channel to that SDP. */
  async createChannel(sdp: string, timer: ChannelTimer, lost: MediaLost): Promise<Channel> {
    const session = this.#session;
    const sipAddress = session?.server.sip.ipv4.udp.address;
    if (session === null || sipAddress === undefined) throw new Error(this.fault);
    const { server, drachtio } = session;
    const id = randomUUID();
    const connection = new Promise<Connection>((resolve) => server.pendingConnections.set(id, { fn: resolve }));
    // fsmrf's own createEndpoint refuses every SDP with SRTP.
    const invited = drachtio.createUAC(`sip:engine@${sipAddress}`, {
      localSdp: sdp,
      headers: {
        From: `<sip:${channelUser(this.#deps.owner)}@localhost>`,
        'User-Agent': `drachtio-fsmrf:${id}`,
        'X-esl-outbound': `${server.advertisedAddress}:${server.advertisedPort}`,
        'X-Timer': timer,
      },
    });
    this.#channels += 1;
    try {
      const dialog = await this.#inTime(invited, ANSWER_MS);
      const over = this.#watch(dialog, lost);
      const connected = this.#inTime(connection, CONNECT_MS).then((socket) => connectedChannel(socket));
      connected
        .then(({ socket }) => {
          socket.on('esl::end', () => this.#deps.clock.after(BYE_MS, () => over(`${this.name} is gone`)));
        })
        .catch(() => over(`${this.name} did not connect the channel`))
        .finally(() => server.pendingConnections.delete(id));
      return { host: this, dialog, sdp: dialog.remote.sdp, connected };
    } catch (error) {
      server.pendingConnections.delete(id);
      this.#channels = Math.max(0, this.#channels - 1);
      invited.then((dialog) => dialog.destroy()).catch(() => {});
      throw error;
    }
  }

  #inTime<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    let cancel = (): void => {};
    const tooLong = new Promise<never>((_, reject) => {
      cancel = this.#deps.clock.after(limitMs, () => reject(new Error(`${this.name} did not answer in time`)));
    });
    return Promise.race([promise, tooLong]).finally(() => cancel());
  }

  /** Tells once that the channel has ended by itself: FreeSWITCH says BYE and why, or is gone without a word. */
  #watch(dialog: DrachtioDialog, lost: MediaLost): (reason: string) => void {
    let isOver = false;
    const over = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      lost(reason, reason.includes('MEDIA_TIMEOUT') ? 'network' : 'server');
    };
    dialog.on('destroy', (bye) => over(`${this.name} hung up: ${bye.get('Reason') ?? 'no reason given'}`));
    if (!dialog.connected) queueMicrotask(() => over(`${this.name} hung up`));
    return over;
  }

  /** Joins the audio of two channels. */
  async bridge(one: Channel, other: Channel): Promise<void> {
    const [{ uuid }, { uuid: otherUuid }] = await Promise.all([one.connected, other.connected]);
    const answer = await this.#session?.socket.api(`uuid_bridge ${uuid} ${otherUuid}`);
    if (answer === undefined || !answer.startsWith('+OK')) throw new Error(`not bridged: ${answer ?? this.fault}`);
  }

  /** Joins the channel's audio with the engine's socket. */
  async fork(channel: Channel, at: LocalAudio & { fork: AudioFork }, listener: MediaListener): Promise<void> {
    const { uuid } = await channel.connected;
    const socket = this.#session?.socket;
    if (this.#forks === null || socket === undefined) throw new Error(this.fault);
    await this.#forks.start(socket, uuid, at, listener);
  }

  endChannel({ dialog, connected }: Channel): void {
    connected.then(({ uuid }) => this.#forks?.end(uuid)).catch(() => {});
    this.#channels = Math.max(0, this.#channels - 1);
    if (!dialog.connected) return;
    // Without RTP coming in, a channel takes seconds to see its BYE: nobody waits for it.
    dialog
      .destroy()
      .catch(async () => {
        const { uuid } = await connected;
        await this.#session?.socket.api(`uuid_kill ${uuid}`);
      })
      .catch(() => {});
  }
}

function connectedChannel(socket: Connection): ConnectedChannel {
  socket.socket?.setNoDelay(true);
  socket.on('error', () => {});
  const info = socket.getInfo();
  const bound = info.getHeader('variable_local_media_ip') ?? '';
  const localAddress = isIP(bound) === 0 || bound === '0.0.0.0' || bound === '::' ? null : bound;
  return { socket, uuid: info.getHeader('Channel-Unique-ID') ?? '', localAddress };
}

function channelUser({ installation, process }: ChannelOwner): string {
  return `${installation}.${process}`;
}
