// A browser's call without a browser, by WebRTC or by its socket alone, which sends ready frames every 20 ms and notes
// when each frame of the agent arrives. It does as the dashboard does where packets stop.
import { WebSocket } from 'ws';
import { FRAME_MS } from '../../../media/frame.ts';
import { writeRtpHeader } from '../../../media/rtp/packet.ts';
import { SrtpContext } from '../../../media/rtp/srtp.ts';
import { OPUS_TYPE, type WebRtcPhone } from './webrtc-phone.ts';

const PCM_BYTES_MS = 32;
const KEPT_BYTES = 32_000;
const REPEAT_MS = 50;

/** The caller's sound: each frame as PCM, and as a packet of Opus. */
export interface Frame {
  pcm: Buffer;
  opus: Buffer;
}

/** A text of the engine. */
interface Told {
  type: string;
  sdp?: string;
  audio?: 'socket' | 'webrtc';
  state?: string;
  speaker?: string;
  text?: string;
  timestamp?: number;
}

export class BrowserCaller {
  readonly states: string[] = [];
  /** The caller's words as the engine has them, by their beginning. */
  readonly understood = new Map<number, string>();
  /** The path of the audio, as the engine says. */
  path: 'socket' | 'webrtc' = 'socket';
  /** When frames of the agent arrived, ms of this process's clock. */
  arrivals: number[] = [];
  /** Frames by each path. */
  readonly got = { socket: 0, webrtc: 0 };
  /** How long it took from the offer to the keys; null before. */
  connectMs: number | null = null;
  readonly #socket: WebSocket;
  readonly phone: WebRtcPhone | null;
  #srtp: SrtpContext | null = null;
  readonly #relayPort: number | null;
  #sequence = 0;
  #kept: Buffer[] = [];
  #repeating: NodeJS.Timeout | null = null;

  private constructor(socket: WebSocket, phone: WebRtcPhone | null, relayPort: number | null) {
    this.#relayPort = relayPort;
    this.#socket = socket;
    this.phone = phone;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.#arrived('socket');
      else this.#told(JSON.parse(data.toString()));
    });
    phone?.sockets.rtp.on('message', () => this.#arrived('webrtc'));
  }

  /**
   * Resolves when the socket is open; WebRTC is offered then, unless `phone` is null. `relayPort`: the way to the
   * engine's UDP port.
   */
  static async join(
    socketUrl: string,
    phone: WebRtcPhone | null,
    relayPort: number | null = null,
  ): Promise<BrowserCaller> {
    const socket = new WebSocket(socketUrl, { perMessageDeflate: false });
    const caller = new BrowserCaller(socket, phone, relayPort);
    await new Promise<void>((resolve, reject) => {
      socket.on('open', resolve);
      socket.on('error', reject);
    });
    if (phone) caller.#offer(phone);
    return caller;
  }

  /** The next 20 ms of the microphone. */
  send({ pcm, opus }: Frame): void {
    this.#kept.push(pcm);
    if (this.#kept.length > KEPT_BYTES / (FRAME_MS * PCM_BYTES_MS)) this.#kept.shift();
    if (this.path === 'socket' && this.#socket.readyState === WebSocket.OPEN) this.#socket.send(pcm);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    if (!this.#srtp || !this.phone) return;
    const packet = Buffer.alloc(12 + opus.length);
    writeRtpHeader(packet, false, OPUS_TYPE, this.#sequence, (this.#sequence * 960) >>> 0, 7);
    opus.copy(packet, 12);
    this.phone.send(this.#srtp.protect(packet, 12));
  }

  /** A text, as the page's script would send it. */
  say(text: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(text));
  }

  close(): void {
    if (this.#repeating) clearInterval(this.#repeating);
    this.#socket.close();
    this.phone?.close();
  }

  #offer(phone: WebRtcPhone): void {
    const offeredMs = performance.now();
    this.say({ type: 'offer', sdp: phone.offer });
    this.#repeating = setInterval(() => {
      if (phone.keys === null) return phone.repeat();
      if (this.#srtp === null) {
        this.#srtp = new SrtpContext(phone.keys.client);
        this.connectMs = performance.now() - offeredMs;
      }
      // Consent (RFC 7675), more often than a browser's 5 s.
      phone.check();
    }, REPEAT_MS);
  }

  #arrived(path: 'socket' | 'webrtc'): void {
    this.got[path]++;
    if (path === this.path) this.arrivals.push(performance.now());
  }

  #told(message: Told): void {
    if (message.type === 'answer') {
      const value = (name: string): string => new RegExp(`a=${name}:(.*)`).exec(message.sdp ?? '')?.[1]?.trim() ?? '';
      const [, , , , address = '', port] = value('candidate').split(' ');
      this.phone?.answer({
        ...{ ufrag: value('ice-ufrag'), password: value('ice-pwd') },
        ...{
          fingerprint: value('fingerprint').replace('sha-256 ', ''),
          address,
          port: this.#relayPort ?? Number(port),
        },
      });
    } else if (message.type === 'missed') {
      this.path = 'socket';
      this.say({ type: 'again' });
      this.#socket.send(Buffer.concat(this.#kept));
    } else if (message.type === 'transcript') {
      if (message.speaker === 'caller') this.understood.set(message.timestamp ?? 0, message.text ?? '');
    } else if (message.type === 'state') {
      this.states.push(message.state ?? '');
      this.path = message.audio ?? 'socket';
    }
  }
}
