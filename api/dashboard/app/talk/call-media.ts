// The audio of a browser call: by WebRTC where it gets through, else by the call's socket, as the engine says. The
// microphone's last second is kept, so that no word is lost where packets stop: the side that misses them says how
// much, and the other one sends it again by the socket.

/** Packets come every 20 ms: 25 of them are missing. */
const LOST_MS = 500;
const LOOK_EVERY_MS = 200;
/** Without packets for so long it is offered again; where that is in vain, the next time after twice as long. */
const AGAIN_AFTER_MS = 5_000;
const AGAIN_AFTER_MAX_MS = 60_000;
const MAX_OFFERS = 40;
const KEPT_BYTES = 32_000;

interface CallMediaOptions {
  microphone: MediaStream;
  iceServers: RTCIceServer[];
  send: (data: ArrayBuffer | string) => void;
}

/** A text of the engine. */
interface Told {
  type: string;
  sdp?: string;
  ms?: number;
  audio?: 'socket' | 'webrtc';
}

export class CallMedia {
  readonly #options: CallMediaOptions;
  #peer: RTCPeerConnection | null = null;
  readonly #speaker = new Audio();
  #isWebRtc = false;
  /** The newest sound of the microphone, oldest first. */
  #kept: ArrayBuffer[] = [];
  #keptBytes = 0;
  #offers = 0;
  /** Packets that have come, and when their number last grew, or WebRTC was offered. */
  #packets = { count: 0, atMs: 0 };
  #againAfterMs = AGAIN_AFTER_MS;
  readonly #looking: ReturnType<typeof setInterval>;

  constructor(options: CallMediaOptions) {
    this.#options = options;
    this.#speaker.autoplay = true;
    this.#looking = setInterval(() => void this.#look().catch(() => this.#closePeer()), LOOK_EVERY_MS);
  }

  /** Offers WebRTC: the socket was joined, for the first time or again. */
  offer(): void {
    this.#isWebRtc = false;
    void this.#offer().catch(() => this.#closePeer());
  }

  /** The microphone's newest sound. */
  hear(pcm: ArrayBuffer): void {
    this.#kept.push(pcm);
    this.#keptBytes += pcm.byteLength;
    while (this.#keptBytes > KEPT_BYTES) this.#keptBytes -= this.#kept.shift()?.byteLength ?? 0;
    if (!this.#isWebRtc) this.#options.send(pcm);
  }

  /** Takes a text of the engine. True: it concerns nobody else. */
  take({ type, sdp, audio }: Told): boolean {
    if (type === 'answer' && sdp !== undefined) {
      void this.#peer?.setRemoteDescription({ type: 'answer', sdp }).catch(() => this.#closePeer());
    } else if (type === 'refused') this.#refused();
    else if (type === 'missed') this.#sendAgain();
    else if (type === 'state' && audio !== undefined) this.#carry(audio === 'webrtc');
    return type === 'answer' || type === 'refused' || type === 'missed';
  }

  #carry(isWebRtc: boolean): void {
    this.#isWebRtc = isWebRtc;
    if (isWebRtc) this.#againAfterMs = AGAIN_AFTER_MS;
  }

  close(): void {
    clearInterval(this.#looking);
    this.#closePeer();
  }

  async #offer(): Promise<void> {
    this.#closePeer();
    if (++this.#offers > MAX_OFFERS) return;
    const { microphone, iceServers, send } = this.#options;
    const peer = new RTCPeerConnection({ iceServers, bundlePolicy: 'max-bundle' });
    this.#peer = peer;
    this.#packets = { count: 0, atMs: performance.now() };
    peer.ontrack = ({ streams: [stream] }) => {
      this.#speaker.srcObject = stream ?? null;
    };
    for (const track of microphone.getAudioTracks()) peer.addTrack(track, microphone);
    await peer.setLocalDescription();
    if (this.#peer === peer) send(JSON.stringify({ type: 'offer', sdp: peer.localDescription?.sdp }));
  }

  /** The engine serves none, or wants no more of them. */
  #refused(): void {
    this.#offers = MAX_OFFERS;
    this.#closePeer();
  }

  /** From the last second the engine takes what it has missed. */
  #sendAgain(): void {
    this.#isWebRtc = false;
    const { send } = this.#options;
    const all = new Uint8Array(this.#keptBytes);
    let at = 0;
    for (const pcm of this.#kept) {
      all.set(new Uint8Array(pcm), at);
      at += pcm.byteLength;
    }
    send(JSON.stringify({ type: 'again' }));
    send(all.buffer);
  }

  async #look(): Promise<void> {
    const peer = this.#peer;
    const nowMs = performance.now();
    const count = peer === null ? 0 : await packetsOf(peer);
    if (this.#peer !== peer) return;
    if (count > this.#packets.count) this.#packets = { count, atMs: nowMs };
    const missingMs = nowMs - this.#packets.atMs;
    if (missingMs < LOST_MS) return;
    if (this.#isWebRtc) {
      this.#isWebRtc = false;
      this.#options.send(JSON.stringify({ type: 'missed', ms: Math.round(missingMs) }));
    } else if (this.#offers > 0 && this.#offers < MAX_OFFERS && missingMs > this.#againAfterMs) {
      this.#againAfterMs = Math.min(AGAIN_AFTER_MAX_MS, 2 * this.#againAfterMs);
      await this.#offer();
    }
  }

  #closePeer(): void {
    this.#peer?.close();
    this.#peer = null;
    this.#speaker.srcObject = null;
  }
}

async function packetsOf(peer: RTCPeerConnection): Promise<number> {
  let count = 0;
  for (const { type, packetsReceived } of (await peer.getStats()).values())
    if (type === 'inbound-rtp') count += packetsReceived;
  return count;
}
