// Admits browsers and audio forks to their calls. A call's token, stored as its SHA-256, admits one socket and expires
// after 60 s. Where the call goes on after the thread or process that had the socket, the token admits one more, within
// 15 s: the former socket is dead by then. Only the first shard has the door, and it hosts all calls with a socket,
// because only one thread can listen on a port.
import { SOCKET_TOKEN_VALID_MS } from '../../../db/domain/calls/control.ts';
import { hashTest } from '../../../db/shared/secrets/token-hash.ts';
import { addressTest, sourceNetwork } from '../../../db/shared/source-network.ts';
import type { AudioSocketHandler, AudioSocketServer, SocketClient } from '../../../media/socket/audio-socket.ts';
import { startSocketServer } from '../../../media/socket/server.ts';
import type { SocketTransport } from '../../../media/socket/socket-transport.ts';
import { WebRtcPort } from '../../../media/webrtc/webrtc-port.ts';
import { type Clock, sleep } from '../../clock.ts';
import type { MediaSocket, MediaSocketOptions, WebRtcOptions } from '../protocol.ts';
import type { WebRtcEntrance } from './browser-line.ts';
import type { ListeningRooms } from './listening-rooms.ts';

/** A page tries several times a second. */
const REJOIN_WITHIN_MS = 15_000;
const PORT_WAIT_MS = 3_000;
const PORT_RETRY_MS = 30;

/** A client that is expected, or has joined. */
interface Guest {
  client: SocketClient;
  transport: SocketTransport;
  /** SHA-256 of its token. */
  tokenHash: Buffer;
  expiresAtMs: number;
  used: boolean;
  joined: () => void;
  left: () => void;
  /** It had joined before and has not come back in time. */
  missed: () => void;
  /** It says something beside its audio. */
  said: (text: string) => void;
}

export class SocketDoor {
  readonly #guests = new Map<string, Guest>();
  readonly #clock: Clock;
  readonly #listening: Pick<ListeningRooms, 'authorize'> | null;
  #server: AudioSocketServer | null = null;
  #webRtc: WebRtcEntrance | null = null;

  /** `listening`: those who listen to calls, of any shard. */
  constructor(clock: Clock, listening: Pick<ListeningRooms, 'authorize'> | null = null) {
    this.#clock = clock;
    this.#listening = listening;
  }

  /** Null until the door is open. */
  get socket(): MediaSocket | null {
    const webRtcPort = this.#webRtc?.port.port ?? null;
    return this.#server && { port: this.#server.port, library: this.#server.library, webRtcPort };
  }

  /** Where browsers reach us by WebRTC; null: nowhere. */
  get webRtc(): WebRtcEntrance | null {
    return this.#webRtc;
  }

  /** @throws the error of `listen` */
  async open(
    { host, port, acceptsForks, proxies, webRtc }: MediaSocketOptions,
    onFault: (error: unknown) => void,
  ): Promise<void> {
    const isProxy = addressTest(proxies);
    const listen = () =>
      startSocketServer({
        host,
        port,
        acceptsForks,
        authorize: (callId, token, client) => this.authorize(callId, token, client),
        onFault,
        now: () => this.#clock.monotonicMs(),
        sourceOf: (address) => (isProxy(address) ? null : sourceNetwork(address)),
      });
    this.#server = await this.#onceFree(listen);
    this.#webRtc = webRtc && (await this.#openWebRtc(webRtc, this.#server.port).catch(() => null));
  }

  /** Browsers have their socket where it cannot be opened. */
  async #openWebRtc({ host, port, announced }: WebRtcOptions, socketPort: number): Promise<WebRtcEntrance> {
    const now = (): number => this.#clock.monotonicMs();
    const open = () => WebRtcPort.open(host, port ?? socketPort, now);
    return { port: await this.#onceFree(open), addresses: announced };
  }

  /** The engine before this one may still be ending, and have the port. */
  async #onceFree<T>(listen: () => Promise<T>): Promise<T> {
    const untilMs = this.#clock.monotonicMs() + PORT_WAIT_MS;
    for (;;) {
      try {
        return await listen();
      } catch (error) {
        const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
        if (!isTaken || this.#clock.monotonicMs() > untilMs) throw error;
        await sleep(this.#clock, PORT_RETRY_MS);
      }
    }
  }

  async close(): Promise<void> {
    this.#webRtc?.port.close();
    this.#webRtc = null;
    await this.#server?.stop();
  }

  /** Announces the client of a call. `tokenHash`: the SHA-256 of its token, in hex. */
  expect(
    callId: string,
    { client, tokenHash, transport }: { client: SocketClient; tokenHash: string; transport: SocketTransport },
    listeners: Pick<Guest, 'joined' | 'left' | 'missed' | 'said'>,
  ): void {
    const validMs = transport.held ? REJOIN_WITHIN_MS : SOCKET_TOKEN_VALID_MS;
    const expiresAtMs = this.#clock.monotonicMs() + validMs;
    const guest: Guest = {
      client,
      transport,
      tokenHash: Buffer.from(tokenHash, 'hex'),
      expiresAtMs,
      used: false,
      ...listeners,
    };
    this.#guests.set(callId, guest);
    if (!transport.held) return;
    this.#clock.after(validMs, () => {
      if (transport.held && this.#guests.get(callId) === guest) guest.missed();
    });
  }

  forget(callId: string): void {
    this.#guests.delete(callId);
  }

  /** The handler for a call's socket; null if the token is wrong, used or expired. */
  authorize(callId: string, token: string, client: SocketClient): AudioSocketHandler | null {
    if (client === 'listener') return this.#listening?.authorize(callId, token) ?? null;
    const guest = this.#guests.get(callId);
    if (!guest || guest.client !== client || guest.used || this.#clock.monotonicMs() > guest.expiresAtMs) return null;
    if (!hashTest(token)(guest.tokenHash)) return null;
    guest.used = true;
    const { transport } = guest;
    return {
      opened: (socket) => {
        if (!transport.attach(socket)) return false;
        guest.joined();
        return true;
      },
      audio: (bytes) => transport.receive(bytes),
      text: (text) => guest.said(text),
      alive: () => transport.alive(),
      closed: () => {
        // A call that has ended closes its socket itself.
        if (this.#guests.get(callId) === guest) guest.left();
      },
    };
  }
}
