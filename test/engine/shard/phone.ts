// A telephone for the shard's tests: sends G.711 frames to a call's port in real time, and keeps what it hears.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeG711, encodeG711 } from '../../../media/g711.ts';
import { emptyRtpHeader, parseRtp, writeRtpHeader } from '../../../media/rtp/packet.ts';

export interface PhoneOptions {
  ssrc?: number;
  payloadType?: number;
}

export class Phone {
  readonly heard: Int16Array[] = [];
  readonly arrivalsMs: number[] = [];
  readonly events: Array<{ event: number; end: boolean; timestamp: number }> = [];
  readonly socket: Socket;
  readonly port: number;
  readonly #ssrc: number;
  #sequence = 100;
  #timestamp = 5000;

  private constructor(socket: Socket, port: number, options: PhoneOptions) {
    // A test that fails midway must not hold up the run.
    socket.unref();
    this.socket = socket;
    this.port = port;
    this.#ssrc = options.ssrc ?? 0x1234;
    const header = emptyRtpHeader();
    socket.on('message', (datagram) => {
      if (!parseRtp(datagram, header)) return;
      if (header.payloadType === 101) {
        const at = header.payloadOffset;
        this.events.push({
          event: datagram[at] ?? -1,
          end: (datagram[at + 1] ?? 0) >= 128,
          timestamp: header.timestamp,
        });
        return;
      }
      const samples = new Int16Array(header.payloadBytes);
      decodeG711('pcmu', datagram, header.payloadOffset, header.payloadBytes, samples);
      this.heard.push(samples);
      this.arrivalsMs.push(performance.now());
    });
  }

  static async open(options: PhoneOptions = {}): Promise<Phone> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new Phone(socket, socket.address().port, options);
  }

  /** One packet of 20 ms; null advances time without sending. */
  sendFrame(port: number, samples: Int16Array | null): void {
    if (samples) {
      const packet = Buffer.alloc(12 + samples.length);
      writeRtpHeader(packet, false, 0, this.#sequence, this.#timestamp, this.#ssrc);
      encodeG711('pcmu', samples, packet, 12);
      this.socket.send(packet, port, '127.0.0.1');
    }
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp += 160;
  }

  /** The packets of one key press (RFC 4733). */
  press(port: number, event: number): void {
    for (let i = 1; i <= 6; i++) {
      const packet = Buffer.alloc(16);
      writeRtpHeader(packet, i === 1, 101, this.#sequence, this.#timestamp, this.#ssrc);
      this.#sequence = (this.#sequence + 1) & 0xffff;
      packet[12] = event;
      packet[13] = (i > 3 ? 0x80 : 0) | 10;
      packet.writeUInt16BE(Math.min(i, 4) * 160, 14);
      this.socket.send(packet, port, '127.0.0.1');
    }
    this.#timestamp += 800;
  }

  /** Sends `samples` frame by frame, one every 20 ms. */
  async say(port: number, samples: Int16Array): Promise<void> {
    const startMs = performance.now();
    for (let frame = 0; frame * 160 < samples.length; frame++) {
      const dueMs = startMs + frame * 20;
      const waitMs = dueMs - performance.now();
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
      this.sendFrame(port, samples.slice(frame * 160, frame * 160 + 160));
    }
  }

  close(): void {
    this.socket.close();
  }
}
