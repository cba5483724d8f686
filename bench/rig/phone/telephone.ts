// A person's telephone behind a trunk, or registered as a softphone: rings, answers or not, hears and speaks G.711.
// Independent of the engine's user agent but for the digest; keeps what it heard, with the time of each frame.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { type Credentials, DigestClient } from '../../../engine/sip/stack/wire/digest.ts';
import { parseMessage, type SipResponse } from '../../../engine/sip/stack/wire/message.ts';
import { decodeG711, encodeG711 } from '../../../media/g711.ts';
import { sendInTime } from '../in-time.ts';
import { headerValue, mediaOf, requestOfCallee, response, sdp } from './sip-text.ts';

const FRAME = 160;

export interface HeardAt {
  atMs: number;
  samples: Int16Array;
}

export type Pickup = 'answer' | 'ring' | 'busy';

const bound = (socket: Socket): Promise<number> =>
  new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)));

export class Telephone {
  readonly heard: HeardAt[] = [];
  readonly requests: string[] = [];
  /** The user part of the last Request-URI received. */
  dialled = '';
  port = 0;
  isUp = false;
  readonly #pickup: Pickup;
  readonly #sip = createSocket('udp4');
  readonly #rtp = createSocket('udp4');
  #rtpPort = 0;
  #invite: { text: string; from: RemoteInfo } | null = null;
  #remote: { address: string; port: number } | null = null;
  /** Null while it sends no audio. */
  #stopSending: (() => void) | null = null;
  #voice: Int16Array = new Int16Array(0);
  #offset = 0;
  #sequence = 1;
  #cseq = 0;
  #onResponse: (response: SipResponse) => void = () => {};

  private constructor(pickup: Pickup) {
    this.#pickup = pickup;
    this.#sip.on('message', (data, from) => this.#receive(data.toString('latin1'), from));
    this.#rtp.on('message', (packet) => {
      const samples = new Int16Array(packet.length - 12);
      decodeG711('pcmu', packet, 12, samples.length, samples);
      this.heard.push({ atMs: performance.now(), samples });
    });
  }

  static async start(pickup: Pickup): Promise<Telephone> {
    const telephone = new Telephone(pickup);
    telephone.port = await bound(telephone.#sip);
    telephone.#rtpPort = await bound(telephone.#rtp);
    return telephone;
  }

  speak(samples: Int16Array): void {
    this.#voice = samples;
    this.#offset = 0;
  }

  /** Registers here, as a softphone does; returns the final status. */
  async register(service: string, credentials: Credentials): Promise<number> {
    const { status } = await this.#ask('REGISTER', service, credentials);
    return status;
  }

  /** Calls the service with the account's credentials and stays until `during` is over; returns the final status. */
  async call(service: string, credentials: Credentials, during: () => Promise<void>): Promise<number> {
    const answer = await this.#ask('INVITE', service, credentials);
    if (answer.status !== 200) return answer.status;
    const to = answer.headers.find(({ name }) => name === 'to')?.value ?? '';
    this.#write('ACK', service, credentials.username, to, []);
    try {
      await during();
    } finally {
      this.#write('BYE', service, credentials.username, to, []);
    }
    return answer.status;
  }

  /** Sends a request, and again with the answer to its challenge. */
  async #ask(method: 'REGISTER' | 'INVITE', service: string, credentials: Credentials): Promise<SipResponse> {
    const digest = new DigestClient(credentials);
    const body = method === 'INVITE' ? Buffer.from(sdp(this.#rtpPort)) : Buffer.alloc(0);
    for (let attempt = 0; ; attempt++) {
      const bare = { kind: 'request' as const, method, uri: `sip:${service}`, headers: [], body };
      const answered = new Promise<SipResponse>((resolve) => {
        this.#onResponse = (response) => response.status >= 200 && resolve(response);
      });
      const authorization = digest.authorize(bare).map(({ value }) => `Authorization: ${value}`);
      this.#write(method, service, credentials.username, null, authorization, body);
      const response = await answered;
      if (response.status !== 401 || attempt > 0 || !digest.challenged(response, true)) return response;
      if (method === 'INVITE') this.#write('ACK', service, credentials.username, null, []);
    }
  }

  #write(
    method: string,
    service: string,
    username: string,
    to: string | null,
    more: string[],
    body: Buffer = Buffer.alloc(0),
  ): void {
    const own = `<sip:${username}@${service}>`;
    if (method !== 'ACK') this.#cseq++;
    const lines = [
      `${method} sip:${service} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${this.port};branch=z9hG4bK${method}${this.#cseq};rport`,
      'Max-Forwards: 70',
      `From: ${own};tag=softphone`,
      `To: ${to ?? (method === 'REGISTER' ? own : `<sip:${service}>`)}`,
      `Call-ID: softphone-${this.port}`,
      `CSeq: ${this.#cseq} ${method}`,
      `Contact: <sip:${username}@127.0.0.1:${this.port}>`,
      ...(body.length > 0 ? ['Content-Type: application/sdp'] : []),
      ...more,
      `Content-Length: ${body.length}`,
      '',
      '',
    ];
    const [host = '', port = ''] = service.split(':');
    this.#sip.send(Buffer.concat([Buffer.from(lines.join('\r\n')), body]), Number(port), host);
  }

  hangUp(): void {
    const { text, from } = this.#invite ?? {};
    if (!text || !from) return;
    const bye = requestOfCallee(text, 'BYE', { port: this.port, tag: 'person', cseq: 2, user: 'person' });
    this.#sip.send(bye, from.port, from.address);
    this.#silence();
  }

  stop(): void {
    this.#silence();
    this.#sip.close();
    this.#rtp.close();
  }

  #silence(): void {
    this.#stopSending?.();
    this.#stopSending = null;
    this.isUp = false;
  }

  #receive(text: string, from: RemoteInfo): void {
    const method = text.slice(0, text.indexOf(' '));
    if (method.startsWith('SIP/')) {
      const parsed = parseMessage(Buffer.from(text, 'latin1'))?.message;
      if (parsed?.kind === 'response') this.#onResponse(parsed);
      return;
    }
    this.requests.push(method);
    if (method === 'INVITE') return this.#ring(text, from);
    if (method === 'ACK') {
      if (this.isUp) this.#stopSending ??= sendInTime(() => this.#send());
      return;
    }
    this.#answer(text, from, 200);
    if (method === 'CANCEL' && this.#invite) {
      this.#answer(this.#invite.text, this.#invite.from, 487);
    }
    if (method === 'BYE') this.#silence();
  }

  #ring(text: string, from: RemoteInfo): void {
    if (this.#invite && headerValue(this.#invite.text, 'CSeq') === headerValue(text, 'CSeq')) return;
    this.#invite = { text, from };
    this.dialled = /^INVITE sip:([^@]+)@/.exec(text)?.[1] ?? '';
    if (this.#pickup === 'busy') return this.#answer(text, from, 486);
    this.#answer(text, from, 180);
    if (this.#pickup === 'ring') return;
    this.#remote = mediaOf(text);
    this.isUp = true;
    this.#answer(text, from, 200, sdp(this.#rtpPort));
  }

  #answer(request: string, to: RemoteInfo, status: number, body = ''): void {
    const contact = `sip:person@127.0.0.1:${this.port}`;
    this.#sip.send(response(request, status, { tag: 'person', contact, body }), to.port, to.address);
  }

  #send(): void {
    if (!this.#remote) return;
    const frame = new Int16Array(FRAME);
    frame.set(this.#voice.subarray(this.#offset, this.#offset + FRAME));
    this.#offset += FRAME;
    const packet = Buffer.alloc(12 + FRAME);
    packet[0] = 0x80;
    packet.writeUInt16BE(this.#sequence & 0xffff, 2);
    packet.writeUInt32BE((this.#sequence * FRAME) >>> 0, 4);
    packet.writeUInt32BE(0x5eaf00d, 8);
    this.#sequence++;
    encodeG711('pcmu', frame, packet, 12);
    this.#rtp.send(packet, this.#remote.port, this.#remote.address);
  }
}
