// The channels of one FreeSWITCH server: invited, changed, bridged, forked to the engine's socket, and ended. A server
// that does not answer in time, or refuses without a reason of the peer's, has failed a call (host-breaker.ts).

import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Connection, MediaServer } from 'drachtio-fsmrf';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import type { Clock } from '../../../../clock.ts';
import type { AudioFork, LocalAudio, SipLog } from '../../../telephony.ts';
import { type Drachtio, type DrachtioDialog, refusalOf } from '../signalling/drachtio.ts';
import type { AudioForks } from './audio-forks.ts';
import type { EventSocket } from './event-socket.ts';
import type { HostBreaker } from './host-breaker.ts';
import type { MediaListener, MediaLost } from './leg-media.ts';

/** Marks which engine owns a channel; channels carry it as their caller. */
export interface ChannelOwner {
  /** Stays the same over restarts. */
  installation: string;
  process: string;
}

/**
 * `none`: FreeSWITCH neither paces nor buffers incoming audio, which saves some 10 to 20 ms. But without incoming
 * packets the channel takes up to 5 s to notice a re-INVITE or a bridge. So it is used only for the engine's own audio,
 * which never pauses: a peer on hold, or one that waits for our first packet, sends nothing.
 */
export type ChannelTimer = 'soft' | 'none';

/** A channel of FreeSWITCH and the SIP dialog that holds it. */
export interface Channel {
  server: SwitchChannels;
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

/** Event socket, drachtio and profile are up. */
export interface SwitchSession {
  socket: EventSocket;
  drachtio: Drachtio;
  server: MediaServer;
}

/**
 * FreeSWITCH answers in 10 to 20 ms. After this time it is at fault: soon where another server can take the call, later
 * where there is none.
 */
const ANSWER_MS = { short: 1_000, long: 4_000 } as const;
/** Leaves time for a DTLS handshake with lost packets. */
const CONNECT_MS = 10_000;
/** An ended channel sends BYE at about the time when its event socket closes. */
const BYE_MS = 200;

interface SwitchChannelsOptions {
  owner: ChannelOwner;
  clock: Clock;
  log: SipLog;
  /** Of the server, as the log has it. */
  name: string;
  secret: string;
  breaker: HostBreaker;
  /** Null: audio uses RTP. */
  forks: AudioForks | null;
  /** Null while the server cannot be used. */
  session(): SwitchSession | null;
  /** Why not. */
  fault(): string;
}

export class SwitchChannels {
  readonly #options: SwitchChannelsOptions;
  /** Channels of all users of the server when they were counted last, plus ours created since. */
  #count = 0;

  constructor(options: SwitchChannelsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  counted(channels: number): void {
    this.#count = channels;
  }

  /** Invites a new channel with the given SDP. */
  async create(sdp: string, timer: ChannelTimer, patience: keyof typeof ANSWER_MS, lost: MediaLost): Promise<Channel> {
    const session = this.#options.session();
    const sipAddress = session?.server.sip.ipv4.udp.address;
    if (session === null || sipAddress === undefined) throw new Error(this.#options.fault());
    const { server, drachtio } = session;
    const id = randomUUID();
    const connection = new Promise<Connection>((resolve) => server.pendingConnections.set(id, { fn: resolve }));
    // fsmrf's own createEndpoint refuses every SDP with SRTP.
    const invited = drachtio.createUAC(`sip:engine@${sipAddress}`, {
      localSdp: sdp,
      headers: {
        From: `<sip:${channelUser(this.#options.owner)}@localhost>`,
        'User-Agent': `drachtio-fsmrf:${id}`,
        'X-esl-outbound': `${server.advertisedAddress}:${server.advertisedPort}`,
        'X-Timer': timer,
        // Its dialplan gives the channel's event socket to whoever knows the secret.
        'X-Engine-Secret': this.#options.secret,
      },
    });
    this.#count += 1;
    try {
      const dialog = await this.#inTime(invited, ANSWER_MS[patience]);
      const over = this.#watch(dialog, lost);
      // Only a peer's channel may have to wait for DTLS.
      const limitMs = timer === 'none' ? ANSWER_MS[patience] : CONNECT_MS;
      const connected = this.#inTime(connection, limitMs).then((socket) => connectedChannel(socket));
      connected
        .then(({ socket }) => {
          socket.on('esl::end', () => this.#options.clock.after(BYE_MS, () => over(`${this.#options.name} is gone`)));
        })
        .catch(() => over(`${this.#options.name} did not connect the channel`))
        .finally(() => server.pendingConnections.delete(id));
      return { server: this, dialog, sdp: dialog.remote.sdp, connected };
    } catch (error) {
      server.pendingConnections.delete(id);
      this.#count = Math.max(0, this.#count - 1);
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
    if (this.#options.breaker.failed())
      this.#options.log.warn(
        { freeswitch: this.#options.name, reason },
        'FreeSWITCH failed a call: calls go elsewhere for a while',
      );
  }

  #inTime<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    let cancel = (): void => {};
    const tooLong = new Promise<never>((_, reject) => {
      cancel = this.#options.clock.after(limitMs, () =>
        reject(new Error(`${this.#options.name} did not answer in time`)),
      );
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
    dialog.on('destroy', (bye) => over(`${this.#options.name} hung up: ${bye.get('Reason') ?? 'no reason given'}`));
    if (!dialog.connected) queueMicrotask(() => over(`${this.#options.name} hung up`));
    return over;
  }

  /** Throws if the server takes no commands for a channel that it has answered. */
  async prove({ dialog, connected }: Channel, patience: keyof typeof ANSWER_MS): Promise<void> {
    const asked = connected.then(async ({ uuid }) => {
      const answer = await this.#options.session()?.socket.api(`uuid_exists ${uuid}`);
      if (answer?.trim() !== 'true') throw new Error(`takes no commands: ${answer?.trim() ?? this.#options.fault()}`);
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
    const answer = await this.#options.session()?.socket.api(`uuid_bridge ${uuid} ${otherUuid}`);
    if (answer?.startsWith('+OK')) return this.#options.breaker.worked();
    const reason = `not bridged: ${answer?.trim() ?? this.#options.fault()}`;
    // A channel that has ended meanwhile cannot be bridged, which is no fault.
    if (one.dialog.connected && other.dialog.connected) this.#failed(reason);
    throw new Error(reason);
  }

  /** Connects the channel's audio to the engine's socket. */
  async fork(channel: Channel, at: LocalAudio & { fork: AudioFork }, listener: MediaListener): Promise<void> {
    const { uuid } = await channel.connected;
    const socket = this.#options.session()?.socket;
    const { forks } = this.#options;
    if (forks === null || socket === undefined) throw new Error(this.#options.fault());
    await forks.start(socket, uuid, at, listener);
    this.#options.breaker.worked();
  }

  end({ dialog, connected }: Channel): void {
    connected.then(({ uuid }) => this.#options.forks?.end(uuid)).catch(() => {});
    this.#count = Math.max(0, this.#count - 1);
    if (!dialog.connected) return;
    // Without incoming RTP a channel takes seconds to see its BYE, so nothing waits for it.
    dialog
      .destroy()
      .catch(async () => {
        const { uuid } = await connected;
        await this.#options.session()?.socket.api(`uuid_kill ${uuid}`);
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

export function channelUser({ installation, process }: ChannelOwner): string {
  return `${installation}.${process}`;
}
