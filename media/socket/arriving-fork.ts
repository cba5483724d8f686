// A connection of FreeSWITCH's mod_audio_fork. Its first text is the metadata given at its start, which must name the
// call and its token: {"callId": "call_…", "token": "…"}. Audio before that is ignored.
import { type AudioSocket, type AudioSocketHandler, type AudioSocketServerOptions, REFUSED } from './audio-socket.ts';
import { ForkSocket } from './fork-socket.ts';

export const FORK_PROTOCOL = 'audio.drachtio.org';
const MAX_METADATA_CHARS = 4096;

export class ArrivingFork implements AudioSocketHandler {
  readonly #authorize: AudioSocketServerOptions['authorize'];
  readonly #onJoined: () => void;
  #socket: AudioSocket | null = null;
  /** Null until the metadata has come. */
  #joined: { handler: AudioSocketHandler; fork: ForkSocket } | null = null;
  #isRefused = false;

  constructor(authorize: AudioSocketServerOptions['authorize'], onJoined: () => void) {
    this.#authorize = authorize;
    this.#onJoined = onJoined;
  }

  opened(socket: AudioSocket): boolean {
    this.#socket = socket;
    return true;
  }

  audio(bytes: Uint8Array): void {
    this.#joined?.handler.audio(bytes);
  }

  text(text: string): void {
    if (this.#joined) {
      this.#joined.fork.receiveText(text);
      this.#joined.handler.alive();
    } else if (!this.#isRefused) this.#join(text);
  }

  alive(): void {
    this.#joined?.handler.alive();
  }

  closed(): void {
    this.#joined?.handler.closed();
  }

  #join(metadata: string): void {
    if (!this.#socket) return;
    const named = readMetadata(metadata);
    const handler = named === null ? null : this.#authorize(named.callId, named.token, 'fork');
    const fork = new ForkSocket(this.#socket, () => performance.now());
    if (!handler?.opened(fork)) {
      this.#isRefused = true;
      this.#socket.close(REFUSED, 'the metadata names no call that expects a fork');
      return;
    }
    this.#joined = { handler, fork };
    this.#onJoined();
    fork.prime();
  }
}

function readMetadata(text: string): { callId: string; token: string } | null {
  if (text.length > MAX_METADATA_CHARS) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { callId, token } = parsed as { callId?: unknown; token?: unknown };
  return typeof callId === 'string' && typeof token === 'string' ? { callId, token } : null;
}
