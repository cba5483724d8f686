// A telephone for the shard's tests: sends frames of G.711 (or G.722) to a call's port in real time, and keeps what it
// hears.
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { emptyRtpHeader, parseRtp, writeRtpHeader } from '../../../media/rtp/packet.ts';
import { CODEC_RATES, MAX_PACKET_SAMPLES, openVoiceCodec, type VoiceCodec } from '../../../media/rtp/voice-codec.ts';

interface PhoneOptions {
  ssrc?: number;
  payloadType?: number;
  codec?: 'PCMU' | 'G722';
}

export class Phone {
  readonly heard: Int16Array[] = [];
  readonly arrivalsMs: number[] = [];
  readonly events: Array<{ event: number; end: boolean; timestamp: number }> = [];
  readonly socket: Socket;
  readonly port: number;
  readonly codec: 'PCMU' | 'G722';
  readonly #voice: VoiceCodec;
  readonly #ssrc: number;
  #sequence = 100;
  #timestamp = 5000;

  private constructor(socket: Socket, port: number, options: PhoneOptions) {
    // A test that fails midway must not hold up the run.
    socket.unref();
    this.socket = socket;
    this.port = port;
    this.#ssrc = options.ssrc ?? 0x1234;
    this.codec = options.codec ?? 'PCMU';
    const voice = openVoiceCodec(this.codec);
    assert.ok(!(voice instanceof Promise));
    this.#voice = voice;
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
      const samples = new Int16Array(MAX_PACKET_SAMPLES);
      const count = voice.decode(datagram, header.payloadOffset, header.payloadBytes, samples);
      this.heard.push(samples.slice(0, count));
      this.arrivalsMs.push(performance.now());
    });
  }

  static async open(options: PhoneOptions = {}): Promise<Phone> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new Phone(socket, socket.address().port, options);
  }

  get payloadType(): number {
    return this.codec === 'G722' ? 9 : 0;
  }

  get #frameSamples(): number {
    return CODEC_RATES[this.codec].sampleRateHz / 50;
  }

  /** One packet of 20 ms; null advances time without sending. */
  sendFrame(port: number, samples: Int16Array | null): void {
    if (samples) {
      const packet = Buffer.alloc(12 + 160);
      writeRtpHeader(packet, false, this.payloadType, this.#sequence, this.#timestamp, this.#ssrc);
      this.#voice.encode(samples, packet, 12);
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
    const size = this.#frameSamples;
    for (let frame = 0; frame * size < samples.length; frame++) {
      const dueMs = startMs + frame * 20;
      const waitMs = dueMs - performance.now();
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
      this.sendFrame(port, samples.slice(frame * size, frame * size + size));
    }
  }

  close(): void {
    this.socket.close();
  }
}
