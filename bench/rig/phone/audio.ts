// The telephone's audio: received frames with their times, and sent audio, 50 packets of G.711 a second.
import { createSocket, type Socket } from 'node:dgram';
import { decodeG711, encodeG711 } from '../../../media/g711.ts';
import { sendInTime } from '../in-time.ts';

const FRAME = 160;
const HEADER_BYTES = 12;

export interface HeardAt {
  atMs: number;
  ssrc: number;
  samples: Int16Array;
}

export class PhoneAudio {
  readonly heard: HeardAt[] = [];
  readonly port: number;
  readonly #rtp: Socket;
  #remote: { address: string; port: number } | null = null;
  /** Null while it sends nothing. */
  #stopSending: (() => void) | null = null;
  #voice: Int16Array = new Int16Array(0);
  #everySamples = 0;
  #offset = 0;
  #sequence = 1;

  private constructor(rtp: Socket, listens: boolean) {
    this.#rtp = rtp;
    this.port = rtp.address().port;
    rtp.on('message', (packet) => {
      if (!listens) return;
      const samples = new Int16Array(packet.length - HEADER_BYTES);
      decodeG711('pcmu', packet, HEADER_BYTES, samples.length, samples);
      this.heard.push({ atMs: performance.now(), ssrc: packet.readUInt32BE(8), samples });
    });
  }

  static async open(host: string, listens: boolean): Promise<PhoneAudio> {
    const rtp = createSocket('udp4');
    await new Promise<void>((resolve) => rtp.bind(0, host, resolve));
    return new PhoneAudio(rtp, listens);
  }

  /** Sends these 8 kHz samples from now on; repeats them every `everySamples`, if given. */
  speak(samples: Int16Array, everySamples = 0): void {
    this.#voice = samples;
    this.#everySamples = everySamples;
    this.#offset = 0;
  }

  talkTo(remote: { address: string; port: number }): void {
    this.#remote = remote;
    this.#stopSending ??= sendInTime(() => this.#send());
  }

  hush(): void {
    this.#stopSending?.();
    this.#stopSending = null;
  }

  close(): void {
    this.hush();
    this.#rtp.close();
  }

  #send(): void {
    if (!this.#remote) return;
    const frame = new Int16Array(FRAME);
    frame.set(this.#voice.subarray(this.#offset, this.#offset + FRAME));
    this.#offset += FRAME;
    if (this.#everySamples > 0) this.#offset %= this.#everySamples;
    const packet = Buffer.alloc(HEADER_BYTES + FRAME);
    packet[0] = 0x80;
    packet.writeUInt16BE(this.#sequence & 0xffff, 2);
    packet.writeUInt32BE((this.#sequence * FRAME) >>> 0, 4);
    packet.writeUInt32BE(0x5eaf00d, 8);
    this.#sequence++;
    encodeG711('pcmu', frame, packet, HEADER_BYTES);
    this.#rtp.send(packet, this.#remote.port, this.#remote.address);
  }
}
