// A softphone that speaks raw SIP on the memory network: it registers and calls with the credentials of its account.
import { type Credentials, DigestClient } from '../../../engine/sip/stack/wire/digest.ts';
import type { SipResponse } from '../../../engine/sip/stack/wire/message.ts';
import { type ScriptedPeer, type SipLab, sdpOf } from './sip-lab.ts';

export const SERVICE = { address: '10.0.0.1', port: 5060 };
const TARGET = 'sip:demo@10.0.0.1';

let sent = 0;

interface PhoneRequest {
  method: 'REGISTER' | 'INVITE';
  /** Header lines in addition to those of every request. */
  headers?: string[];
  callId?: string;
  /** Default: the previous request's plus one. */
  cseq?: number;
  /** User name of From and To; default: the account's. */
  username?: string;
}

export class ScriptedPhone {
  readonly peer: ScriptedPeer;
  readonly digest: DigestClient;
  readonly #lab: SipLab;
  readonly #username: string;
  #cseq = 0;

  constructor(lab: SipLab, address: string, credentials: Credentials, port = 5060) {
    this.#lab = lab;
    this.peer = lab.peer(address, port);
    this.digest = new DigestClient(credentials);
    this.#username = credentials.username;
  }

  /** Sends one request, with the answer to the last challenge, and returns the final response. */
  async send({
    method,
    headers = [],
    callId,
    cseq,
    username = this.#username,
  }: PhoneRequest): Promise<SipResponse | undefined> {
    this.#cseq = cseq ?? this.#cseq + 1;
    const uri = method === 'REGISTER' ? 'sip:10.0.0.1' : TARGET;
    const body = method === 'INVITE' ? sdpOf(this.peer.at.address) : '';
    const own = `<sip:${username}@10.0.0.1>`;
    const bare = { kind: 'request' as const, method, uri, headers: [], body: Buffer.from(body) };
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP 192.168.1.20:5060;branch=z9hG4bK${this.peer.at.address}${++sent};rport`,
      'Max-Forwards: 70',
      `From: ${own};tag=phone`,
      `To: ${method === 'REGISTER' ? own : `<${TARGET}>`}`,
      `Call-ID: ${callId ?? `${method}-of-${this.peer.at.address}`}`,
      `CSeq: ${this.#cseq} ${method}`,
      'User-Agent: scripted',
      ...this.digest.authorize(bare).map(({ value }) => `Authorization: ${value}`),
      ...(method === 'INVITE' ? ['Contact: <sip:ann@192.168.1.20:5060>', 'Content-Type: application/sdp'] : []),
      ...headers,
    ];
    this.peer.send(SERVICE, lines, body);
    await this.#lab.run(50);
    return this.peer.responses(method).at(-1);
  }

  /** Sends a request and, if it is challenged, repeats it with credentials. */
  async ask(request: PhoneRequest): Promise<SipResponse | undefined> {
    const first = await this.send(request);
    if (first?.status !== 401 || !this.digest.challenged(first, true)) return first;
    return this.send(request);
  }

  register(expires: number | string = 600, contact = '<sip:ann@192.168.1.20:5060>'): Promise<SipResponse | undefined> {
    return this.ask({ method: 'REGISTER', headers: [`Contact: ${contact}`, `Expires: ${expires}`] });
  }
}
