// A browser's audio by two paths: the WebSocket that every call has, and WebRTC beside it where the browser offers it
// and its packets arrive. WebRTC carries the call once it was steady, and the socket does again where packets stop. No
// word is lost at a change: either side says how much it has missed, and the other one sends that again by the socket.
//
//   pull() ◄─┬─ WebRTC: RtpTransport           send() ─┬─► WebRTC (silence while the socket carries)
//            └─ socket: SocketTransport                └─► socket
import type { TransportStats } from '../audio-transport.ts';
import { bytesToSamples, FRAME_MS, frameSamples, msToSamples, samplesToBytes } from '../frame.ts';
import type { FrameKind, LateArrivals } from '../rtp/jitter-buffer.ts';
import type { RtpTransport } from '../rtp/rtp-transport.ts';
import { SocketTransport, START_MS } from '../socket/socket-transport.ts';

export type AudioPath = 'socket' | 'webrtc';

/** 25 packets in a row are missing: no jitter, and well before a browser's own notice. */
const LOST_MS = 500;
const STEADY_FRAMES = 10;
/** A bad line that loses every tenth packet is still one. */
const MISSING_COSTS = 5;
/** Where packets had stopped before. */
const STEADY_AGAIN_FRAMES = 150;
/** Without packets for so long it is given up, and the browser has to offer it again. */
const GIVEN_UP_MS = 30_000;
/** Both sides keep so much of what they sent. */
export const KEPT_MS = 1_000;

interface PathEvents {
  /** Another path carries the call, so long after the caller's last audio. */
  onPath: (path: AudioPath, missedMs: number) => void;
  /** The call is over here. */
  onClosed: () => void;
}

export class BrowserTransport extends SocketTransport {
  readonly #now: () => number;
  readonly #events: PathEvents;
  readonly #proof: Int16Array;
  readonly #silence: Int16Array;
  #media: RtpTransport | null = null;
  #path: AudioPath = 'socket';
  /** Pulls in which WebRTC had audio, less for each in which it had none, and how many it takes. */
  #steady = 0;
  #steadyNeeded = STEADY_FRAMES;
  /** Pulled frames since the caller's last audio, where WebRTC stopped. */
  #gapFrames = 0;
  /** The next message is what we have missed. */
  #isAgain = false;
  #late: LateArrivals | null = null;
  /** The agent's newest frames that went by WebRTC, oldest first. */
  #sent: Int16Array[] = [];

  constructor(options: { sampleRateHz: number; now: () => number; isAwaited: boolean }, events: PathEvents) {
    super(options.sampleRateHz, options.now, options.isAwaited);
    this.#now = options.now;
    this.#events = events;
    this.#proof = new Int16Array(frameSamples(options.sampleRateHz));
    this.#silence = new Int16Array(frameSamples(options.sampleRateHz));
  }

  get path(): AudioPath {
    return this.#path;
  }

  /** WebRTC is connected: it carries the call from when it is steady. It takes the place of one before. */
  connect(media: RtpTransport): void {
    this.#dropMedia();
    this.#media = media;
    this.#steadyNeeded = STEADY_FRAMES;
    media.start();
  }

  /** The browser has missed the agent's last words. Only it knows when it would hear the next ones: it offers again. */
  sendAgain(missedMs: number): void {
    this.#dropMedia();
    const frames = Math.min(this.#sent.length, Math.ceil(missedMs / FRAME_MS));
    if (frames > 0) for (const frame of this.#sent.slice(-frames)) super.send(frame, 0);
    this.#sent = [];
  }

  /** The next message is the caller's last audio, of which we have missed a part. */
  expectAgain(): void {
    this.#isAgain = this.#gapFrames > 0;
  }

  override get delayMs(): number {
    return this.#carrier?.delayMs ?? super.delayMs;
  }

  override get lastAudioAtMs(): number {
    return this.#carrier?.lastAudioAtMs ?? super.lastAudioAtMs;
  }

  override get missingMs(): number {
    return this.#carrier?.missingMs ?? Math.max(super.missingMs, this.#gapFrames * FRAME_MS);
  }

  override get lastLifeMs(): number {
    return Math.max(super.lastLifeMs, this.#media?.lastLifeMs ?? 0);
  }

  override start(): void {
    super.start();
    this.#media?.start();
  }

  override receive(bytes: Uint8Array): void {
    if (this.#isAgain) this.#receiveAgain(bytes);
    // On the way when the path changed: WebRTC has brought the same.
    else if (this.#path === 'webrtc') this.alive();
    else super.receive(bytes);
  }

  override takeLate(): LateArrivals | null {
    const late = this.#late;
    this.#late = null;
    return late ?? this.#carrier?.takeLate() ?? null;
  }

  override pull(out: Int16Array): FrameKind {
    const media = this.#media;
    if (media === null || this.#path === 'socket') {
      const kind = super.pull(out);
      this.#gapFrames = kind === 'audio' || this.#gapFrames === 0 ? 0 : this.#gapFrames + 1;
      if (media) this.#prove(media);
      return kind;
    }
    const kind = media.pull(out);
    this.#gapFrames = media.missingMs > 0 ? this.#gapFrames + 1 : 0;
    if (this.#now() - media.lastAudioAtMs >= LOST_MS) {
      this.#gapFrames = Math.max(1, this.#gapFrames);
      this.#toSocket();
    }
    return kind;
  }

  override send(samples: Int16Array, skippedFrames: number): void {
    if (this.#path === 'socket') {
      // So that the browser hears of our packets, and the time stamps go on.
      this.#media?.send(this.#silence, skippedFrames);
      return super.send(samples, skippedFrames);
    }
    this.#media?.send(samples, skippedFrames);
    this.#sent.push(samples.slice());
    if (this.#sent.length > KEPT_MS / FRAME_MS) this.#sent.shift();
  }

  override flush(): void {
    this.#sent = [];
    super.flush();
  }

  override housekeep(nowMs: number, wallMs: number): void {
    this.#media?.housekeep(nowMs, wallMs);
  }

  override stats(): TransportStats {
    const [socket, media] = [super.stats(), this.#media?.stats()];
    if (!media) return socket;
    return {
      packetsReceived: socket.packetsReceived + media.packetsReceived,
      packetsSent: socket.packetsSent + media.packetsSent,
      packetsLost: socket.packetsLost + media.packetsLost,
      packetsConcealed: socket.packetsConcealed + media.packetsConcealed,
      foreignPackets: media.foreignPackets,
      jitterMs: media.jitterMs,
    };
  }

  override close(wallMs: number): void {
    this.#media?.close(wallMs);
    this.#media = null;
    this.#events.onClosed();
    super.close(wallMs);
  }

  override leave(): void {
    this.#media?.leave();
    this.#events.onClosed();
    super.leave();
  }

  /** The transport that carries the call beside the socket. */
  get #carrier(): RtpTransport | null {
    return this.#path === 'webrtc' ? this.#media : null;
  }

  /** The socket carries the call, and WebRTC may come to do so. */
  #prove(media: RtpTransport): void {
    const isHere = media.pull(this.#proof) === 'audio';
    this.#steady = isHere ? this.#steady + 1 : Math.max(0, this.#steady - MISSING_COSTS);
    if (this.#steady >= this.#steadyNeeded) {
      this.#path = 'webrtc';
      this.#steady = 0;
      this.#gapFrames = 0;
      super.start();
      this.#events.onPath('webrtc', 0);
    } else if (this.#steady === 0 && this.#now() - media.lastLifeMs >= GIVEN_UP_MS) this.#dropMedia();
  }

  #toSocket(): void {
    if (this.#path === 'socket') return;
    this.#path = 'socket';
    this.#steady = 0;
    this.#steadyNeeded = STEADY_AGAIN_FRAMES;
    this.#events.onPath('socket', this.#gapFrames * FRAME_MS);
  }

  #dropMedia(): void {
    this.#media?.leave();
    this.#media = null;
    this.#toSocket();
  }

  /**
   * The end of it begins the socket's queue, and the gap is filled with what was said before, as with packets that come
   * too late.
   */
  #receiveAgain(bytes: Uint8Array): void {
    this.#isAgain = false;
    const samples = bytesToSamples(bytes.length % 2 === 0 ? bytes : bytes.subarray(1));
    const queued = Math.min(samples.length, msToSamples(START_MS, this.sampleRateHz));
    const before = samples.length - queued;
    const missed = Math.min(before, this.#gapFrames * frameSamples(this.sampleRateHz));
    if (missed > 0)
      this.#late = { audio: [{ samples: samples.slice(before - missed, before), age: missed }], rewound: 0 };
    super.receive(samplesToBytes(samples.slice(before)));
  }
}
