// The telephone's audio: received frames with their times, and sent audio, 50 packets of G.711 a second to each of its
// calls. All of them have one socket, and hear the same.
import { createSocket, type Socket } from 'node:dgram';
import { decodeG711, encodeG711 } from '../../../../media/g711.ts';
import { sendInTime } from './in-time.ts';

const FRAME = 160;
const HEADER_BYTES = 12;

interface HeardAt {
  atMs: number;
  ssrc: number;
  samples: Int16Array;
}

interface Line {
  address: string;
  port: number;
  /** Of its next packet. */
  sequence: number;
}

export class PhoneAudio {
  readonly heard: HeardAt[] = [];
  readonly port: number;
  readonly #rtp: Socket;
  /** Where it talks, by what its owner calls the line. */
  readonly #lines = new Map<object, Line>();
  /** Null while it sends nothing. */
  #stopSending: (() => void) | null = null;
  #voice: Int16Array = new Int16Array(0);
  #everySamples = 0;
  #offset = 0;
  readonly #payload = Buffer.alloc(FRAME);

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

  /** Talks there from now on; a line that talks already goes on there. */
  talkTo(remote: { address: string; port: number }, line: object = this): void {
    this.#lines.set(line, { ...remote, sequence: this.#lines.get(line)?.sequence ?? 1 });
    this.#stopSending ??= sendInTime(() => this.#send());
  }

  hush(line: object = this): void {
    this.#lines.delete(line);
    if (this.#lines.size > 0) return;
    this.#stopSending?.();
    this.#stopSending = null;
  }

  close(): void {
    this.#stopSending?.();
    this.#lines.clear();
    this.#rtp.close();
  }

  #send(): void {
    const frame = new Int16Array(FRAME);
    frame.set(this.#voice.subarray(this.#offset, this.#offset + FRAME));
    this.#offset += FRAME;
    if (this.#everySamples > 0) this.#offset %= this.#everySamples;
    encodeG711('pcmu', frame, this.#payload);
    for (const line of this.#lines.values()) {
      const header = Buffer.alloc(HEADER_BYTES);
      header[0] = 0x80;
      header.writeUInt16BE(line.sequence & 0xffff, 2);
      header.writeUInt32BE((line.sequence * FRAME) >>> 0, 4);
      header.writeUInt32BE(0x5eaf00d, 8);
      line.sequence++;
      this.#rtp.send(Buffer.concat([header, this.#payload]), line.port, line.address);
    }
  }
}
