// A telephone behind a NAT, on a real socket: it calls itself by a private address and listens on no port, so that only
// the flow that it opened leads to it. It answers every call, and over TLS
// it wants SRTP.
import { createSocket } from 'node:dgram';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Dialog, dialogOfInvite, dialogOfResponse, requestIn } from '../../../engine/sip/dialog/dialog.ts';
import { DigestClient } from '../../../engine/sip/stack/wire/digest.ts';
import { readEssentials } from '../../../engine/sip/stack/wire/essentials.ts';
import { parseNameAddr } from '../../../engine/sip/stack/wire/header.ts';
import {
  header,
  parseMessage,
  type SipRequest,
  type SipResponse,
  writeMessage,
} from '../../../engine/sip/stack/wire/message.ts';
import { StreamFramer } from '../../../engine/sip/stack/wire/stream-framer.ts';
import { sdpOf } from './sip-lab.ts';

type Protocol = 'udp' | 'tcp' | 'tls';

interface PhoneOptions {
  protocol: Protocol;
  /** Of the edge, on 127.0.0.1. */
  port: number;
  username: string;
  password: string;
  /** Its own. */
  address?: string;
}

const ANSWER_WITHIN_MS = 5_000;
const STEP_MS = 10;
let made = 0;

export class WirePhone {
  /** Everything that it was asked. */
  readonly requests: SipRequest[] = [];
  /** Of its datagrams. */
  port = 0;
  readonly #options: PhoneOptions;
  readonly #digest: DigestClient;
  readonly #contact: string;
  readonly #id = `wire${process.pid}x${++made}`;
  readonly #waiting = new Map<string, (response: SipResponse) => void>();
  #send: (bytes: Buffer) => void = () => {};
  #close: () => void = () => {};
  #cseq = 0;
  #dialog: Dialog | null = null;

  private constructor(options: PhoneOptions) {
    const { protocol, username, password } = options;
    this.#options = options;
    this.#digest = new DigestClient({ username, password });
    this.#contact = `<sip:${username}@192.168.1.20:5060${protocol === 'udp' ? '' : `;transport=${protocol}`}>`;
  }

  static async open(options: PhoneOptions): Promise<WirePhone> {
    const phone = new WirePhone(options);
    await (options.protocol === 'udp' ? phone.#openDatagrams() : phone.#openStream(options.protocol));
    return phone;
  }

  async #openDatagrams(): Promise<void> {
    const { port, address = '127.0.0.3' } = this.#options;
    const socket = createSocket('udp4', (bytes) => this.#receive(bytes));
    await new Promise<void>((resolve) => socket.bind(0, address, resolve));
    this.port = socket.address().port;
    this.#send = (bytes) => socket.send(bytes, port, '127.0.0.1');
    this.#close = () => socket.close();
  }

  async #openStream(protocol: 'tcp' | 'tls'): Promise<void> {
    const { port, address = '127.0.0.3' } = this.#options;
    const tcp = connectTcp({ port, host: '127.0.0.1', localAddress: address });
    const socket = protocol === 'tcp' ? tcp : connectTls({ socket: tcp, rejectUnauthorized: false });
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once(protocol === 'tcp' ? 'connect' : 'secureConnect', resolve));
    const framer = new StreamFramer();
    socket.on('data', (bytes) => {
      for (const frame of framer.push(bytes)) if (frame.type === 'message') this.#receive(frame.bytes);
    });
    this.#send = (bytes) => socket.write(bytes);
    this.#close = () => socket.destroy();
  }

  close(): void {
    this.#close();
  }

  register(expires = 600, headers: SipRequest['headers'] = []): Promise<SipResponse> {
    return this.ask('REGISTER', [
      { name: 'contact', value: `${this.#contact};expires=${expires}` },
      { name: 'supported', value: 'path' },
      ...headers,
    ]);
  }

  /** Calls the service; the ACK is sent. */
  async call(headers: SipRequest['headers'] = []): Promise<SipResponse> {
    const response = await this.ask('INVITE', [
      { name: 'contact', value: this.#contact },
      { name: 'content-type', value: 'application/sdp' },
      ...headers,
    ]);
    const parts = readEssentials(response, { steps: 0 }).essentials;
    if (response.status !== 200 || parts === null) return response;
    const before = this.#bare('INVITE', this.#cseq);
    this.#dialog = dialogOfResponse(before, response, parts);
    const ack = requestIn(this.#dialog, 'ACK', [], Buffer.alloc(0), this.#cseq);
    this.#send(writeMessage(this.#withVia(ack.request)));
    return response;
  }

  /** Ends its call; the final status. */
  async hangUp(): Promise<number> {
    if (this.#dialog === null) throw new Error('no call');
    const { request, dialog } = requestIn(this.#dialog, 'BYE', []);
    this.#dialog = dialog;
    return (await this.#transact(request)).status;
  }

  /** A BYE of a call that never was, by that route; the status that it gets. */
  async relay(route: string, target = `sip:demo@127.0.0.1:${this.#options.port}`): Promise<number> {
    const dialog = {
      ...this.#bare('INVITE', this.#cseq++),
      remoteTag: 'none',
      remoteTarget: target,
      routeSet: [route],
    };
    return (await this.#transact(requestIn(dialog, 'BYE', []).request)).status;
  }

  /** Resolves when the last request that it got has that method. */
  async got(method: string): Promise<void> {
    for (let waitedMs = 0; this.requests.at(-1)?.method !== method; waitedMs += STEP_MS) {
      if (waitedMs > ANSWER_WITHIN_MS) throw new Error(`no ${method}, but ${this.requests.map((r) => r.method)}`);
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  /** A request outside a dialog, repeated with credentials as often as it is challenged, at most three times. */
  async ask(method: 'REGISTER' | 'INVITE', headers: SipRequest['headers'] = []): Promise<SipResponse> {
    for (let tries = 0; ; tries++) {
      const dialog = this.#bare(method, this.#cseq++);
      const body = Buffer.from(method === 'INVITE' ? this.#sdp(this.#options.protocol === 'tls') : '');
      const { request } = requestIn(dialog, method, headers, body);
      const response = await this.#transact({
        ...request,
        headers: [...request.headers, ...this.#digest.authorize(request)],
      });
      if (response.status !== 401 || tries === 3 || !this.#digest.challenged(response, tries === 0)) return response;
    }
  }

  #bare(method: 'REGISTER' | 'INVITE', localCSeq: number): Dialog {
    const host = `127.0.0.1:${this.#options.port}`;
    const own = parseNameAddr(`<sip:${this.#options.username}@${host}>`);
    const service = parseNameAddr(`<sip:demo@${host}>`);
    if (own === null || service === null) throw new Error('bad address');
    return {
      callId: `${method}-${this.#id}`,
      local: own,
      remote: method === 'REGISTER' ? own : service,
      localTag: this.#id,
      remoteTag: null,
      remoteTarget: method === 'REGISTER' ? `sip:${host}` : `sip:demo@${host}`,
      routeSet: [],
      localCSeq,
      remoteCSeq: null,
    };
  }

  #sdp(isSecure: boolean): string {
    const plain = sdpOf('192.168.1.20');
    if (!isSecure) return plain;
    const crypto = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 7).toString('base64')}\r\n`;
    return plain.replace('RTP/AVP', 'RTP/SAVP') + crypto;
  }

  #withVia(request: SipRequest): SipRequest {
    const branch = `z9hG4bK${this.#id}${Math.random().toString(36).slice(2)}`;
    const via = `SIP/2.0/${this.#options.protocol.toUpperCase()} 192.168.1.20:5060;rport;branch=${branch}`;
    return { ...request, headers: [{ name: 'via', value: via }, ...request.headers] };
  }

  #transact(bare: SipRequest): Promise<SipResponse> {
    const request = this.#withVia(bare);
    this.#send(writeMessage(request));
    const key = header(request, 'cseq') ?? '';
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`no answer to ${key}`)), ANSWER_WITHIN_MS);
      this.#waiting.set(key, (response) => {
        clearTimeout(limit);
        resolve(response);
      });
    });
  }

  #receive(bytes: Buffer): void {
    const message = parseMessage(bytes)?.message;
    if (message?.kind === 'request') this.#answer(message);
    else if (message?.kind === 'response' && message.status >= 200) {
      const key = header(message, 'cseq') ?? '';
      this.#waiting.get(key)?.(message);
      this.#waiting.delete(key);
    }
  }

  #answer(request: SipRequest): void {
    this.requests.push(request);
    const { method } = request;
    if (method === 'ACK') return;
    if (method === 'BYE' && this.#dialog?.callId === header(request, 'call-id')) this.#dialog = null;
    const copied = ['via', 'from', 'call-id', 'cseq', ...(method === 'INVITE' ? ['record-route'] : [])];
    const to = header(request, 'to') ?? '';
    const headers = [
      ...request.headers.filter(({ name }) => copied.includes(name)),
      { name: 'to', value: to.includes(';tag=') ? to : `${to};tag=${this.#id}` },
      { name: 'contact', value: this.#contact },
      ...(method === 'INVITE' ? [{ name: 'content-type', value: 'application/sdp' }] : []),
    ];
    const body = Buffer.from(method === 'INVITE' ? this.#sdp(request.body.includes('RTP/SAVP')) : '');
    this.#send(writeMessage({ kind: 'response', status: 200, reason: 'OK', headers, body }));
    const parts = readEssentials(request, { steps: 0 }).essentials;
    if (method === 'INVITE' && parts !== null) this.#dialog = dialogOfInvite(request, parts, this.#id);
  }
}
