// Admits browsers to their calls. A call's token, kept as its SHA-256, admits one socket and expires after 60 s. Only the
// first shard has the door and hosts all browser calls, because only one thread can listen on a port.
import { createHash, timingSafeEqual } from 'node:crypto';
import { sourceNetwork } from '../../db/shared/source-network.ts';
import type { SocketTransport } from '../../media/socket/socket-transport.ts';
import { type AudioSocketHandler, AudioSocketServer } from '../../media/socket/ws.ts';
import type { Clock } from '../clock.ts';

const TOKEN_VALID_MS = 60_000;

/** A browser that is expected, or has joined. */
interface Guest {
  transport: SocketTransport;
  /** SHA-256 of its token. */
  tokenHash: Buffer;
  expiresAtMs: number;
  used: boolean;
  joined: () => void;
  left: () => void;
}

export class SocketDoor {
  readonly #guests = new Map<string, Guest>();
  readonly #clock: Clock;
  #server: AudioSocketServer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null until the door is open. */
  get port(): number | null {
    return this.#server?.port ?? null;
  }

  /** @throws the error of `listen` */
  async open(address: { host: string; port: number }, onFault: (error: unknown) => void): Promise<void> {
    this.#server = await AudioSocketServer.start({
      ...address,
      authorize: (callId, token) => this.authorize(callId, token),
      onFault,
      sourceOf: sourceNetwork,
    });
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }

  /** Expects the browser of a call. `tokenHash` is the SHA-256 of its token, in hex. */
  expect(
    callId: string,
    tokenHash: string,
    transport: SocketTransport,
    listeners: { joined: () => void; left: () => void },
  ): void {
    const expiresAtMs = this.#clock.monotonicMs() + TOKEN_VALID_MS;
    this.#guests.set(callId, {
      transport,
      tokenHash: Buffer.from(tokenHash, 'hex'),
      expiresAtMs,
      used: false,
      ...listeners,
    });
  }

  forget(callId: string): void {
    this.#guests.delete(callId);
  }

  /** The handler for a call's socket; null when the token is wrong, used or expired. */
  authorize(callId: string, token: string): AudioSocketHandler | null {
    const guest = this.#guests.get(callId);
    const hash = createHash('sha256').update(token).digest();
    if (!guest || guest.used || this.#clock.monotonicMs() > guest.expiresAtMs) return null;
    if (guest.tokenHash.length !== hash.length || !timingSafeEqual(guest.tokenHash, hash)) return null;
    guest.used = true;
    const { transport } = guest;
    return {
      opened: (socket) => {
        if (!transport.attach(socket)) return false;
        guest.joined();
        return true;
      },
      audio: (bytes) => transport.receive(bytes),
      alive: () => transport.alive(),
      closed: () => {
        // A call that has ended closes its socket itself.
        if (this.#guests.get(callId) === guest) guest.left();
      },
    };
  }
}
