// The peer's end of a call: µ-law over RTP, like the service, so that the same callers can call both. It has no jitter
// buffer; a packet's audio goes to the peer at once.
import { createSocket, type Socket } from 'node:dgram';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { FRAME_SAMPLES } from '../../engine/test-runs/caller/call.ts';
import { FRAME_MS } from '../../media/frame.ts';
import { decodeG711, encodeG711 } from '../../media/g711.ts';
import { Resampler } from '../../media/resample.ts';
import { SegmentPlayout } from './playout.ts';

const RATE_HZ = 8_000;
const HEADER_BYTES = 12;

/** The received samples of a resampled frame: they contain the marks. */
export const originalSamples = new WeakMap<AudioFrame, Int16Array>();

class LineInput extends voice.AudioInput {
  constructor(stream: ReadableStream<AudioFrame>) {
    super();
    this.multiStream.addInputStream(stream);
  }
}

class LineOutput extends voice.AudioOutput {
  readonly playout = new SegmentPlayout({
    onStarted: () => this.onPlaybackStarted(Date.now()),
    onEnded: ({ playedSamples, isInterrupted: interrupted }) =>
      this.onPlaybackFinished({ playbackPosition: playedSamples / RATE_HZ, interrupted }),
  });

  constructor() {
    super(RATE_HZ, undefined, { pause: true });
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    const isCounted = super.captureFrame(frame);
    // Written at once: the peer may clear its counted frames before the promise resolves.
    this.playout.write(frame.data);
    await isCounted;
  }

  override flush(): void {
    super.flush();
    this.playout.flush();
  }

  clearBuffer(): void {
    super.flush();
    this.playout.clear();
  }

  override pause(): void {
    this.playout.isPaused = true;
  }

  override resume(): void {
    this.playout.isPaused = false;
  }
}

export class PhoneLine {
  readonly output = new LineOutput();
  readonly input: voice.AudioInput;
  readonly #socket: Socket;
  readonly #callerPort: number;
  readonly #rateHz: number;
  readonly #resampler: Resampler | null;
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #packet = Buffer.alloc(HEADER_BYTES + FRAME_SAMPLES);
  #caller: ReadableStreamDefaultController<AudioFrame> | null = null;
  #sequence = 0;
  #nextAtMs = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `rateHz`: rate of the peer's input. */
  constructor(callerPort: number, rateHz: number) {
    this.#callerPort = callerPort;
    this.#rateHz = rateHz;
    this.#resampler = rateHz === RATE_HZ ? null : new Resampler(RATE_HZ, rateHz);
    this.#packet[0] = 0x80;
    const heard = new ReadableStream<AudioFrame>({
      start: (controller) => {
        this.#caller = controller;
      },
    });
    this.input = new LineInput(heard);
    this.#socket = createSocket({ type: 'udp4', lookup: (host, _options, done) => done(null, host, 4) });
    this.#socket.on('message', (packet) => this.#hear(packet));
  }

  /** @returns the port on which it listens */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve));
    this.#nextAtMs = performance.now();
    this.#send();
    return this.#socket.address().port;
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#caller?.close();
    this.#caller = null;
    this.#socket.close();
  }

  #hear(packet: Buffer): void {
    // Payload type 0 is µ-law; keys are ignored.
    if (packet.length <= HEADER_BYTES || ((packet[1] ?? 0) & 0x7f) !== 0) return;
    const samples = new Int16Array(packet.length - HEADER_BYTES);
    decodeG711('pcmu', packet, HEADER_BYTES, samples.length, samples);
    const heard = this.#resampler === null ? samples : resample(this.#resampler, samples);
    if (heard.length === 0) return;
    const frame = new AudioFrame(heard, this.#rateHz, 1, heard.length);
    originalSamples.set(frame, samples);
    this.#caller?.enqueue(frame);
  }

  /** Sends every 20 ms by the clock; a late tick sends all due packets. */
  #send(): void {
    const nowMs = performance.now();
    while (this.#nextAtMs <= nowMs) {
      this.output.playout.read(this.#frame);
      encodeG711('pcmu', this.#frame, this.#packet.subarray(HEADER_BYTES));
      this.#sequence = (this.#sequence + 1) & 0xffff;
      this.#packet.writeUInt16BE(this.#sequence, 2);
      this.#packet.writeUInt32BE((this.#sequence * FRAME_SAMPLES) >>> 0, 4);
      // The next packet overwrites this buffer.
      this.#socket.send(Buffer.from(this.#packet), this.#callerPort, '127.0.0.1');
      this.#nextAtMs += FRAME_MS;
    }
    this.#timer = setTimeout(() => this.#send(), Math.max(0, this.#nextAtMs - performance.now()));
  }
}

function resample(resampler: Resampler, samples: Int16Array): Int16Array {
  const out = new Int16Array(resampler.maxOutput(samples.length));
  return out.slice(0, resampler.process(samples, out));
}
