// The audio of one tested call: a packet of G.711 every 20 ms once it sends, and what came, packet by packet.
import { createSocket, type Socket } from 'node:dgram';
import { sendInTime } from '../../engine/test-runs/caller/phone/in-time.ts';
import { decodeG711, encodeG711, type Law } from '../../media/g711.ts';
import { SrtpContext } from '../../media/rtp/srtp.ts';

const FRAME = 160;
const HEADER_BYTES = 12;
/** RMS (scale 32,768) above which a packet is sound. */
const SOUND_RMS = 60;
/** RFC 4733: five packets of 20 ms, and the end three times. */
const DIGIT_PACKETS = 5;
const DIGIT_ENDS = 3;

interface HeardPacket {
  /** `performance.now()`. */
  atMs: number;
  payloadType: number;
  isSound: boolean;
}

const LAWS: Readonly<Record<number, Law>> = { 0: 'pcmu', 8: 'pcma' };

export class CallAudio {
  readonly packets: HeardPacket[] = [];
  readonly port: number;
  /** Packets that its keys do not open. */
  unreadable = 0;
  payloadType = 0;
  eventPayloadType: number | null = null;
  readonly #socket: Socket;
  #remote: { address: string; port: number } | null = null;
  #keys: { sends: SrtpContext; hears: SrtpContext } | null = null;
  #samples: Int16Array = new Int16Array(0);
  #offset = 0;
  /** The packets of keys that are still to be sent. */
  #events: Buffer[] = [];
  #sequence = 1;
  #timestamp = 0;
  #stop: (() => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.port = socket.address().port;
    socket.on('message', (packet) => this.#hear(packet));
    socket.on('error', () => undefined);
  }

  static async open(host: string): Promise<CallAudio> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, host, resolve));
    return new CallAudio(socket);
  }

  /** Base64 of key and salt (RFC 4568), ours and the other side's. */
  secure(ours: string, theirs: string): void {
    this.#keys = { sends: new SrtpContext(ours), hears: new SrtpContext(theirs) };
  }

  sendTo(remote: { address: string; port: number }): void {
    this.#remote = remote;
    this.#stop ??= sendInTime(() => this.#sendFrame());
  }

  /** Speaks these 8 kHz samples now. */
  speak(samples: Int16Array): void {
    this.#samples = samples;
    this.#offset = 0;
  }

  get isSpeaking(): boolean {
    return this.#offset < this.#samples.length;
  }

  press(digits: string): void {
    for (const digit of digits) {
      const code = '0123456789*#'.indexOf(digit);
      for (let sent = 1; sent <= DIGIT_PACKETS + DIGIT_ENDS; sent++) {
        const duration = Math.min(sent, DIGIT_PACKETS) * FRAME;
        this.#events.push(Buffer.from([code, sent > DIGIT_PACKETS ? 0x8a : 0x0a, duration >> 8, duration & 0xff]));
      }
    }
  }

  /** The packets that came since then. */
  since(atMs: number): HeardPacket[] {
    return this.packets.filter((packet) => packet.atMs >= atMs);
  }

  isQuietFor(ms: number): boolean {
    return !this.since(performance.now() - ms).some(({ isSound }) => isSound);
  }

  stopSending(): void {
    this.#stop?.();
    this.#stop = null;
  }

  close(): void {
    this.stopSending();
    this.#socket.close();
  }

  #sendFrame(): void {
    if (this.#remote === null) return;
    const event = this.eventPayloadType === null ? undefined : this.#events.shift();
    if (event === undefined || event[3] === FRAME) this.#timestamp += FRAME;
    const packet = Buffer.alloc(HEADER_BYTES + (event?.length ?? FRAME), 0xff);
    packet[0] = 0x80;
    packet[1] = event === undefined ? this.payloadType : (this.eventPayloadType ?? 0);
    packet.writeUInt16BE(this.#sequence++ & 0xffff, 2);
    packet.writeUInt32BE(this.#timestamp >>> 0, 4);
    packet.writeUInt32BE(0x5eed, 8);
    if (event !== undefined) event.copy(packet, HEADER_BYTES);
    else {
      const frame = new Int16Array(FRAME);
      frame.set(this.#samples.subarray(this.#offset, this.#offset + FRAME));
      this.#offset += FRAME;
      encodeG711(LAWS[this.payloadType] ?? 'pcmu', frame, packet, HEADER_BYTES);
    }
    const sent = this.#keys?.sends.protect(packet, HEADER_BYTES) ?? packet;
    this.#socket.send(sent, this.#remote.port, this.#remote.address);
  }

  #hear(received: Buffer): void {
    const atMs = performance.now();
    if (received.length < HEADER_BYTES || received[0] !== 0x80) return;
    // Senders and receivers of RTCP may share the port (RFC 5761).
    if (((received[1] ?? 0) & 0x7f) >= 64 && ((received[1] ?? 0) & 0x7f) < 96) return;
    const packet = this.#keys ? this.#keys.hears.unprotect(received, HEADER_BYTES) : received;
    if (packet === null) {
      this.unreadable++;
      return;
    }
    const payloadType = (packet[1] ?? 0) & 0x7f;
    const law = LAWS[payloadType];
    const samples = new Int16Array(law ? packet.length - HEADER_BYTES : 0);
    if (law) decodeG711(law, packet, HEADER_BYTES, samples.length, samples);
    let energy = 0;
    for (const sample of samples) energy += sample * sample;
    const isSound = Math.sqrt(energy / Math.max(1, samples.length)) > SOUND_RMS;
    this.packets.push({ atMs, payloadType, isSound });
  }
}
