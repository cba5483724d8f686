// A caller that goes dark at one step of its dialog: from then on it neither sends nor answers anything.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { unreachable } from '../../../db/domain/unexpected.ts';
import { encodeG711 } from '../../../media/g711.ts';
import { contactOf, headerValue, message, methodOf, newBranch, newTag, sdp, statusOf } from '../phone/sip-text.ts';
import { pause } from '../scenario.ts';

export const CALLER_STEPS = [
  'INVITE',
  'CANCEL',
  '200 without ACK',
  'ACK',
  're-INVITE',
  'BYE',
  'BYE of the other side',
  'refresh of the other side',
] as const;
export type CallerStep = (typeof CALLER_STEPS)[number];

const RTP_FRAME_MS = 20;
const FRAME_SAMPLES = 160;
/** 6 s: an agent hangs up on a caller who says nothing. */
const SPEAKS_EVERY_SAMPLES = 48_000;

export class DarkCaller {
  readonly number: string;
  readonly step: CallerStep;
  /** The step was reached. */
  isDark = false;
  readonly #target: { host: string; port: number };
  readonly #voice: Int16Array;
  readonly #sip: Socket = createSocket('udp4');
  readonly #rtp: Socket = createSocket('udp4');
  readonly #callId = newTag();
  readonly #tag = newTag();
  readonly #branch = newBranch();
  #to = '';
  #remote = '';
  #audio: NodeJS.Timeout | null = null;
  /** Packets of audio sent. */
  #spoken = 0;

  /** `voice`: what it says again and again, at 8 kHz. */
  constructor(sipAddress: string, number: string, step: CallerStep, voice: Int16Array) {
    this.#voice = voice;
    const [host = '', port = ''] = sipAddress.split(':');
    this.#target = { host, port: Number(port) };
    this.number = number;
    this.step = step;
  }

  async place(): Promise<void> {
    this.#rtp.on('message', () => {});
    this.#sip.on('message', (data) => this.#receive(data.toString('latin1')));
    for (const socket of [this.#sip, this.#rtp]) {
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
    }
    this.#to = `<sip:demo@${this.#target.host}>`;
    this.#remote = `sip:demo@${this.#target.host}:${this.#target.port}`;
    this.#send('INVITE', 1, this.#branch, sdp(this.#rtp.address().port));
    if (this.step === 'INVITE') this.isDark = true;
  }

  close(): void {
    if (this.#audio) clearInterval(this.#audio);
    this.#sip.close();
    this.#rtp.close();
  }

  #receive(text: string): void {
    if (this.isDark) return;
    const status = statusOf(text);
    if (status === 0) return this.#receiveRequest(text);
    if (methodOf(text) !== 'INVITE') return;
    if (status < 200) {
      if (this.step !== 'CANCEL') return;
      this.#send('CANCEL', 1, this.#branch);
      this.isDark = true;
    } else if (status < 300 && this.#audio === null) void this.#answered(text);
  }

  async #answered(text: string): Promise<void> {
    if (this.step === '200 without ACK') {
      this.isDark = true;
      return;
    }
    this.#to = headerValue(text, 'To');
    this.#remote = contactOf(text);
    const port = Number(/m=audio (\d+)/.exec(text)?.[1] ?? 0);
    this.#audio = setInterval(() => this.#speak(port), RTP_FRAME_MS);
    this.#send('ACK', 1, newBranch());
    switch (this.step) {
      case 'ACK':
        return this.#goDark();
      case 're-INVITE':
        await pause(500);
        this.#send('INVITE', 2, newBranch(), sdp(this.#rtp.address().port, 2));
        return this.#goDark();
      case 'BYE':
        await pause(500);
        this.#send('BYE', 2, newBranch());
        return this.#goDark();
      case 'INVITE':
      case 'CANCEL':
      case 'BYE of the other side':
      case 'refresh of the other side':
        return;
      default:
        unreachable(this.step);
    }
  }

  #receiveRequest(text: string): void {
    const method = methodOf(text);
    const isRefresh = method === 'UPDATE' || method === 'INVITE';
    if (this.step === 'BYE of the other side' && method === 'BYE') this.#goDark();
    if (this.step === 'refresh of the other side' && isRefresh) this.#goDark();
  }

  #goDark(): void {
    this.isDark = true;
    if (this.#audio) clearInterval(this.#audio);
  }

  #speak(port: number): void {
    const packet = Buffer.alloc(12 + FRAME_SAMPLES);
    packet.writeUInt32BE(0x80000000 + (this.#spoken & 0xffff), 0);
    packet.writeUInt32BE(this.#spoken * FRAME_SAMPLES, 4);
    packet.writeUInt32BE(0xda4c, 8);
    const at = (this.#spoken * FRAME_SAMPLES) % SPEAKS_EVERY_SAMPLES;
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(this.#voice.subarray(at, at + FRAME_SAMPLES));
    encodeG711('pcmu', frame, packet, 12);
    this.#spoken++;
    this.#rtp.send(packet, port, this.#target.host);
  }

  #send(method: string, cseq: number, branch: string, body = ''): void {
    const port = this.#sip.address().port;
    const lines = [
      `${method} ${this.#remote} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=${branch};rport`,
      'Max-Forwards: 70',
      `From: <sip:${this.number}@127.0.0.1>;tag=${this.#tag}`,
      `To: ${this.#to}`,
      `Call-ID: ${this.#callId}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:${this.number}@127.0.0.1:${port}>`,
      ...(this.step === 'refresh of the other side' && method === 'INVITE'
        ? ['Supported: timer', 'Session-Expires: 90;refresher=uas', 'Min-SE: 90']
        : []),
    ];
    this.#sip.send(message(lines, body), this.#target.port, this.#target.host);
  }
}
