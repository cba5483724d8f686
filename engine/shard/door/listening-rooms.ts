// Rooms of listeners, in the shard with the door: one a call, whichever shard has it. The call's shard fills a ring
// (listen-tap.ts), which is emptied here every 20 ms. A message is made once a call and given to every socket; a socket
// that is behind misses some, and neither the call nor the others notice. A listener who only listens gets 100 ms at a
// time, as each message costs what its bytes do not; one who talks gets 20 ms. A listener's own words go into another
// ring, once the control thread wants them.
//
//   call's shard ─► ring ─► frame ─┬─► socket       socket ─► ring ─► the call's shard (ring-transport.ts)
//                                  └─► socket
import { SOCKET_TOKEN_VALID_MS } from '../../../db/domain/calls/control.ts';
import { hashTest } from '../../../db/shared/secrets/token-hash.ts';
import { bytesToSamples, FRAME_MS, samplesToBytes } from '../../../media/frame.ts';
import { SampleRing } from '../../../media/ring.ts';
import { type AudioSocket, type AudioSocketHandler, binaryFrame, REFUSED } from '../../../media/socket/audio-socket.ts';
import type { Clock } from '../../clock.ts';
import type { DoorCommand, ListenerEvent, ListenerMode } from '../protocol.ts';
import { LISTEN_FRAME_SAMPLES } from './listen-tap.ts';

/** 0.2 s of both channels: more would only make what a slow listener hears older. */
const MAX_UNSENT_BYTES = 12_800;
/** Frames at a time for listeners who do not talk. */
const FRAMES_TOGETHER = 5;
/** A person changes their mind a few times a minute; what comes faster is no person. */
const TEXTS_PER_SECOND = 10;
const MAX_TEXT_CHARS = 1_000;
const MODES: readonly string[] = ['listen', 'whisper', 'take-over'] satisfies ListenerMode[];

interface Listener {
  id: string;
  room: Room;
  tokenHash: Buffer;
  expiresAtMs: number;
  isUsed: boolean;
  /** Its socket was opened. */
  hasJoined: boolean;
  socket: AudioSocket | null;
  microphone: SampleRing | null;
  hearsSelf: boolean;
  /** Of a sample that a message has cut in two. */
  oddByte: number | null;
  texts: { sinceMs: number; count: number };
}

interface Room {
  callId: string;
  ring: SampleRing;
  listeners: Set<Listener>;
  /** The last frames, for those who only listen. */
  together: Int16Array;
  count: number;
}

export class ListeningRooms {
  readonly #clock: Clock;
  readonly #emit: (event: ListenerEvent) => void;
  readonly #rooms = new Map<string, Room>();
  readonly #listeners = new Map<string, Listener>();
  readonly #frame = new Int16Array(LISTEN_FRAME_SAMPLES);
  #cancelTick: (() => void) | null = null;

  constructor(clock: Clock, emit: (event: ListenerEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  receive(command: DoorCommand): void {
    switch (command.type) {
      case 'expect-listener':
        return this.#expect(command);
      case 'end-listener':
        return this.#end(this.#listeners.get(command.listenerId), command.code, command.reason);
      case 'tell-listeners':
        return this.#tell(command);
      case 'take-microphone':
        return this.#takeMicrophone(command);
      case 'end-listening': {
        const room = this.#rooms.get(command.of);
        for (const listener of [...(room?.listeners ?? [])]) this.#end(listener, 1000, 'the call has ended');
      }
    }
  }

  /** The handler for a listener's socket; null if the token is wrong, used or expired. */
  authorize(callId: string, token: string): AudioSocketHandler | null {
    const isHashed = hashTest(token);
    const nowMs = this.#clock.monotonicMs();
    const listener = [...(this.#rooms.get(callId)?.listeners ?? [])].find(({ tokenHash }) => isHashed(tokenHash));
    if (!listener || listener.isUsed || nowMs > listener.expiresAtMs) return null;
    listener.isUsed = true;
    return {
      opened: (socket) => {
        if (!this.#listeners.has(listener.id)) return false;
        listener.socket = socket;
        listener.hasJoined = true;
        this.#emit({ type: 'listener-joined', listenerId: listener.id });
        return true;
      },
      audio: (bytes) => hear(listener, bytes),
      text: (text) => this.#text(listener, text),
      alive: () => undefined,
      closed: () => {
        listener.socket = null;
        this.#end(listener, 1000, '');
      },
    };
  }

  /** Another process goes on with the calls: listeners ask there again. */
  close(code: number, reason: string): void {
    for (const listener of [...this.#listeners.values()]) this.#end(listener, code, reason);
  }

  #expect({ of, listenerId, tokenHash, memory }: Extract<DoorCommand, { type: 'expect-listener' }>): void {
    const room = this.#rooms.get(of) ?? newRoom(of, memory);
    this.#rooms.set(of, room);
    const expiresAtMs = this.#clock.monotonicMs() + SOCKET_TOKEN_VALID_MS;
    const listener: Listener = {
      id: listenerId,
      room,
      tokenHash: Buffer.from(tokenHash, 'hex'),
      expiresAtMs,
      isUsed: false,
      hasJoined: false,
      socket: null,
      microphone: null,
      hearsSelf: true,
      oddByte: null,
      texts: { sinceMs: 0, count: 0 },
    };
    room.listeners.add(listener);
    this.#listeners.set(listenerId, listener);
    this.#clock.after(SOCKET_TOKEN_VALID_MS, () => {
      // Also one whose handshake has failed after its token was taken.
      if (!listener.hasJoined) this.#end(listener, 1000, '');
    });
    this.#cancelTick ??= this.#clock.after(FRAME_MS, () => this.#tick());
  }

  #end(listener: Listener | undefined, code: number, reason: string): void {
    if (!listener || this.#listeners.get(listener.id) !== listener) return;
    const { room, socket } = listener;
    this.#listeners.delete(listener.id);
    room.listeners.delete(listener);
    if (room.listeners.size === 0) this.#rooms.delete(room.callId);
    listener.socket = null;
    listener.isUsed = true;
    socket?.close(code, reason);
    this.#emit({ type: 'listener-gone', listenerId: listener.id });
  }

  #tell({ of, listenerId, text }: Extract<DoorCommand, { type: 'tell-listeners' }>): void {
    for (const { id, socket } of this.#rooms.get(of)?.listeners ?? []) {
      if (listenerId !== null && id !== listenerId) continue;
      // A transcript entry is worth more than a frame: so much more may wait.
      if (socket && socket.bufferedBytes < 4 * MAX_UNSENT_BYTES) socket.sendText(text);
    }
  }

  #takeMicrophone(command: Extract<DoorCommand, { type: 'take-microphone' }>): void {
    const listener = this.#listeners.get(command.listenerId);
    if (!listener) return;
    listener.microphone = command.memory && new SampleRing(command.memory);
    listener.hearsSelf = command.hearsSelf;
  }

  #text(listener: Listener, text: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - listener.texts.sinceMs > 1_000) listener.texts = { sinceMs: nowMs, count: 0 };
    if (++listener.texts.count > TEXTS_PER_SECOND) return this.#end(listener, REFUSED, 'too many messages');
    const mode = modeIn(text);
    if (mode !== null) return this.#emit({ type: 'listener-asks', listenerId: listener.id, mode });
    const message = `expected {"type": "mode", "mode": "${MODES.join('" | "')}"}`;
    listener.socket?.sendText(JSON.stringify({ type: 'refused', code: 'BAD_MESSAGE', message }));
  }

  #tick(): void {
    for (const room of this.#rooms.values()) this.#empty(room);
    this.#cancelTick = this.#rooms.size === 0 ? null : this.#clock.after(FRAME_MS, () => this.#tick());
  }

  #empty(room: Room): void {
    const { ring, listeners, together } = room;
    const frame = this.#frame;
    // While nobody talks, as many frames are taken at once as are sent.
    if (room.count === 0 && ![...listeners].some(({ microphone }) => microphone !== null)) {
      while (ring.read(together)) giveTo(listeners, () => true, together);
      return;
    }
    while (ring.read(frame)) {
      together.set(frame, room.count++ * frame.length);
      giveTo(listeners, ({ microphone }) => microphone !== null, frame);
      if (room.count < FRAMES_TOGETHER) continue;
      room.count = 0;
      giveTo(listeners, ({ microphone }) => microphone === null, together);
    }
  }
}

const newRoom = (callId: string, memory: SharedArrayBuffer): Room => ({
  ...{ callId, ring: new SampleRing(memory), listeners: new Set() },
  together: new Int16Array(FRAMES_TOGETHER * LISTEN_FRAME_SAMPLES),
  count: 0,
});

/** One message for all of them, and one for those who do not hear themselves. */
function giveTo(listeners: Iterable<Listener>, isMeant: (listener: Listener) => boolean, samples: Int16Array): void {
  let both: Sent | null = null;
  let withoutSelf: Sent | null = null;
  for (const listener of listeners) {
    const { socket, hearsSelf } = listener;
    if (!socket || !isMeant(listener) || socket.bufferedBytes > MAX_UNSENT_BYTES) continue;
    if (hearsSelf) {
      both ??= sent(samples.slice());
      send(socket, both);
    } else {
      withoutSelf ??= sent(callerOnly(samples));
      send(socket, withoutSelf);
    }
  }
}

/** As all sockets send it; a socket may keep the memory until it is written. */
interface Sent {
  bytes: Uint8Array;
  framed: Uint8Array;
}

function sent(frame: Int16Array): Sent {
  const bytes = samplesToBytes(frame);
  return { bytes, framed: binaryFrame(bytes) };
}

function send(socket: AudioSocket, { bytes, framed }: Sent): void {
  if (socket.sendFramed) socket.sendFramed(framed);
  else socket.sendBinary(bytes);
}

/** A supervisor who speaks for the agent does not hear their own voice. */
function callerOnly(frame: Int16Array): Int16Array {
  return frame.map((sample, at) => (at % 2 === 0 ? sample : 0));
}

/** A message may cut a sample in two. Audio beyond that is lost: the call's shard takes 20 ms every 20 ms. */
function hear(listener: Listener, bytes: Uint8Array): void {
  const { microphone, oddByte } = listener;
  if (microphone === null) return;
  const all = new Uint8Array(bytes.length + (oddByte === null ? 0 : 1));
  if (oddByte !== null) all[0] = oddByte;
  all.set(bytes, oddByte === null ? 0 : 1);
  const whole = all.length - (all.length % 2);
  listener.oddByte = whole < all.length ? (all[whole] as number) : null;
  const samples = bytesToSamples(all.subarray(0, whole));
  for (let at = 0; at < samples.length; at += LISTEN_FRAME_SAMPLES) {
    if (!microphone.write(samples.subarray(at, at + LISTEN_FRAME_SAMPLES))) return;
  }
}

function modeIn(text: string): ListenerMode | null {
  if (text.length > MAX_TEXT_CHARS) return null;
  try {
    const { type, mode } = JSON.parse(text) as { type?: unknown; mode?: unknown };
    return type === 'mode' && typeof mode === 'string' && MODES.includes(mode) ? (mode as ListenerMode) : null;
  } catch {
    return null;
  }
}
