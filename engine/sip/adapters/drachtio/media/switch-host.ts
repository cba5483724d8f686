// One FreeSWITCH server: reconnects with back-off, polls its state every few seconds, and hangs up channels that an
// earlier process of this installation left.

import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import Mrf, { type Connection, type MediaServer } from 'drachtio-fsmrf';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { type Clock, every } from '../../../../clock.ts';
import type { AudioFork, LocalAudio, SipLog } from '../../../telephony.ts';
import { type Drachtio, type DrachtioDialog, refusalOf } from '../signalling/drachtio.ts';
import { AudioForks, type ForkSocketAddress } from './audio-forks.ts';
import { DeadManSwitch } from './dead-man-switch.ts';
import { EventSocket } from './event-socket.ts';
import { HostBreaker } from './host-breaker.ts';
import type { MediaListener, MediaLost } from './leg-media.ts';

export interface SwitchAddress {
  host: string;
  port: number;
  secret: string;
}

/** Marks which engine owns a channel; channels carry it as their caller. */
export interface ChannelOwner {
  /** Stays the same over restarts. */
  installation: string;
  process: string;
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

/**
 * `none`: FreeSWITCH neither paces nor buffers incoming audio, which saves some 10 to 20 ms. But without incoming
 * packets the channel takes up to 5 s to notice a re-INVITE or a bridge. So it is used only for the engine's own audio,
 * which never pauses: a peer on hold, or one that waits for our first packet, sends nothing.
 */
export type ChannelTimer = 'soft' | 'none';

/** A channel of FreeSWITCH and the SIP dialog that holds it. */
export interface Channel {
  host: SwitchHost;
  dialog: DrachtioDialog;
  /** FreeSWITCH's answer to the SDP of our INVITE. */
  sdp: string;
  /** With DTLS it resolves only after the handshake, which the peer starts on receiving that answer. */
  connected: Promise<ConnectedChannel>;
}

interface ConnectedChannel {
  socket: Connection;
  uuid: string;
  /** The address of its RTP port, whatever its SDP shows to peers (ext-rtp-ip); null if unknown. */
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
/**
 * FreeSWITCH answers in 10 to 20 ms. After this time it is at fault: soon where another server can take the call, later
 * where there is none.
 */
const ANSWER_MS = { short: 1_000, long: 4_000 } as const;
/** Leaves time for a DTLS handshake with lost packets. */
const CONNECT_MS = 10_000;
/** An ended channel sends BYE at about the time when its event socket closes. */
const BYE_MS = 200;

export class SwitchHost {
  readonly address: SwitchAddress;
  readonly breaker: HostBreaker;
  readonly #deps: SwitchHostDeps;
  readonly #forks: AudioForks | null;
  readonly #deadManSwitch: DeadManSwitch;
  #drachtio: Drachtio | null = null;
  #socket: EventSocket | null = null;
  #session: Session | null = null;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: () => void = () => {};
  #stopChecking: () => void = () => {};
  #fault = 'not connected yet';
  /** Channels of all its users at the last check, plus ours created since. */
  #channels = 0;
  #isStopped = false;

  constructor(address: SwitchAddress, deps: SwitchHostDeps) {
    this.address = address;
    this.#deps = deps;
    this.breaker = new HostBreaker(deps.clock);
    this.#deadManSwitch = new DeadManSwitch(channelUser(deps.owner), this.name, deps.log);
    this.#forks = deps.forks && new AudioForks(deps.forks, deps.clock);
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

  get load(): number {
    return this.#channels;
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
        log.warn({ freeswitch: this.name, channels: left.length }, 'hung up channels without a call');
    } catch (error) {
      log.warn({ freeswitch: this.name, error: messageOf(error) }, 'could not check for orphaned channels');
    }
  }

  /** Invites a new channel with the given SDP. */
  async createChannel(
    sdp: string,
    timer: ChannelTimer,
    patience: keyof typeof ANSWER_MS,
    lost: MediaLost,
  ): Promise<Channel> {
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
        // Its dialplan gives the channel's event socket to whoever knows the secret.
        'X-Engine-Secret': this.address.secret,
      },
    });
    this.#channels += 1;
    try {
      const dialog = await this.#inTime(invited, ANSWER_MS[patience]);
      const over = this.#watch(dialog, lost);
      // Only a peer's channel may have to wait for DTLS.
      const limitMs = timer === 'none' ? ANSWER_MS[patience] : CONNECT_MS;
      const connected = this.#inTime(connection, limitMs).then((socket) => connectedChannel(socket));
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
      // A 4xx is about the peer's SDP, and says nothing about the next call.
      const status = refusalOf(error)?.status ?? null;
      if (status === null || status === 408 || status >= 500) this.#failed(messageOf(error));
      throw error;
    }
  }

  /** A re-INVITE to the channel. Resolves with its SDP. */
  async modify(channel: Channel, sdp: string): Promise<string> {
    try {
      return await this.#inTime(channel.dialog.modify(sdp), ANSWER_MS.long);
    } catch (error) {
      if (channel.dialog.connected && refusalOf(error) === null) this.#failed(messageOf(error));
      throw error;
    }
  }

  #failed(reason: string): void {
    if (this.breaker.failed())
      this.#deps.log.warn(
        { freeswitch: this.name, reason },
        'FreeSWITCH failed a call: calls go elsewhere for a while',
      );
  }

  #inTime<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    let cancel = (): void => {};
    const tooLong = new Promise<never>((_, reject) => {
      cancel = this.#deps.clock.after(limitMs, () => reject(new Error(`${this.name} did not answer in time`)));
    });
    return Promise.race([promise, tooLong]).finally(() => cancel());
  }

  /** Reports once that the channel ended without our doing: by a BYE with a reason, or by a lost connection. */
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

  /** Throws if the server takes no commands for a channel that it has answered. */
  async prove({ dialog, connected }: Channel, patience: keyof typeof ANSWER_MS): Promise<void> {
    const asked = connected.then(async ({ uuid }) => {
      const answer = await this.#session?.socket.api(`uuid_exists ${uuid}`);
      if (answer?.trim() !== 'true') throw new Error(`takes no commands: ${answer?.trim() ?? this.fault}`);
    });
    try {
      await this.#inTime(asked, ANSWER_MS[patience]);
    } catch (error) {
      if (dialog.connected) this.#failed(messageOf(error));
      throw error;
    }
  }

  /** Bridges the audio of two channels. */
  async bridge(one: Channel, other: Channel): Promise<void> {
    const [{ uuid }, { uuid: otherUuid }] = await Promise.all([one.connected, other.connected]);
    const answer = await this.#session?.socket.api(`uuid_bridge ${uuid} ${otherUuid}`);
    if (answer?.startsWith('+OK')) return this.breaker.worked();
    const reason = `not bridged: ${answer?.trim() ?? this.fault}`;
    // A channel that has ended meanwhile cannot be bridged, which is no fault.
    if (one.dialog.connected && other.dialog.connected) this.#failed(reason);
    throw new Error(reason);
  }

  /** Connects the channel's audio to the engine's socket. */
  async fork(channel: Channel, at: LocalAudio & { fork: AudioFork }, listener: MediaListener): Promise<void> {
    const { uuid } = await channel.connected;
    const socket = this.#session?.socket;
    if (this.#forks === null || socket === undefined) throw new Error(this.fault);
    await this.#forks.start(socket, uuid, at, listener);
    this.breaker.worked();
  }

  endChannel({ dialog, connected }: Channel): void {
    connected.then(({ uuid }) => this.#forks?.end(uuid)).catch(() => {});
    this.#channels = Math.max(0, this.#channels - 1);
    if (!dialog.connected) return;
    // Without incoming RTP a channel takes seconds to see its BYE, so nothing waits for it.
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
