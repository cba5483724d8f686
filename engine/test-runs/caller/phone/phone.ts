// A telephone of benches and tests: SIP over UDP and G.711, independent of the engine's own messages and transactions
// (except for the digest), so that each side judges the other. A script of steps decides its behaviour in a call,
// chosen for instance by the called number; anything else it does like any telephone.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { type Credentials, DigestClient } from '../../../sip/stack/wire/digest.ts';
import { parseMessage } from '../../../sip/stack/wire/message.ts';
import { PhoneAudio } from './audio.ts';
import { type CallRequest, PhoneCall } from './phone-call.ts';
import { headerValue, message, methodOf, newBranch, newTag, response, statusOf } from './sip-text.ts';

export type Script = (call: PhoneCall) => void | Promise<void>;

interface PhoneOptions {
  /** The script of an incoming call; default: it answers. */
  script?: Script;
  /** The address that it binds and advertises. */
  host?: string;
  /** Default: one that is free. */
  port?: number;
  /** Sends 50 packets a second in each of its calls, from the ACK on; all of them hear the same. */
  talks?: boolean;
  /** Keeps the heard audio of all calls; as `talks`, if left out. */
  hears?: boolean;
}

export class Phone {
  /** In the order of their INVITEs. */
  readonly calls: PhoneCall[] = [];
  /** The methods of all received requests, including repeated ones. */
  readonly requests: string[] = [];
  readonly audio: PhoneAudio;
  readonly host: string;
  readonly port: number;
  readonly #sip: Socket;
  readonly #script: Script;
  readonly #talks: boolean;
  /** Requests outside of calls, by Call-ID. */
  readonly #asked = new Map<string, (answer: string) => void>();
  #cseq = 0;
  #isStopped = false;

  private constructor(sip: Socket, audio: PhoneAudio, options: PhoneOptions) {
    this.#sip = sip;
    this.audio = audio;
    this.host = sip.address().address;
    this.port = sip.address().port;
    this.#script = options.script ?? answers();
    this.#talks = options.talks ?? false;
    sip.on('message', (data, from) => this.#receive(data.toString('latin1'), from));
    sip.on('error', (error) => {
      for (const call of this.calls) call.end('local', 0, error.message);
    });
  }

  static async start(options: PhoneOptions = {}): Promise<Phone> {
    const host = options.host ?? '127.0.0.1';
    // The far side's host is already resolved: sending a packet must not wait for a look-up.
    const sip = createSocket({ type: 'udp4', lookup: (name, _options, done) => done(null, name, 4) });
    await new Promise<void>((resolve, reject) => {
      sip.once('error', reject);
      sip.bind(options.port ?? 0, host, resolve);
    });
    return new Phone(sip, await PhoneAudio.open(host, options.hears ?? options.talks ?? false), options);
  }

  get isUp(): boolean {
    return this.calls.some(({ state }) => state === 'up');
  }

  /** The newest call to this number. */
  callTo(number: string): PhoneCall | undefined {
    return this.calls.findLast((call) => call.number === number);
  }

  place(request: CallRequest, script: Script = () => {}): PhoneCall {
    const call = PhoneCall.outgoing(this, request);
    this.calls.push(call);
    void script(call);
    return call;
  }

  /** Registers at `service` (host:port); resolves with the final status. */
  async register(service: string, credentials: Credentials): Promise<number> {
    const [host = '', port = ''] = service.split(':');
    const own = `<sip:${credentials.username}@${service}>`;
    const uri = `sip:${service}`;
    const digest = new DigestClient(credentials);
    const callId = newTag();
    for (let attempt = 0; ; attempt++) {
      const bare = { kind: 'request' as const, method: 'REGISTER', uri, headers: [], body: Buffer.alloc(0) };
      const answered = new Promise<string>((resolve) => this.#asked.set(callId, resolve));
      const lines = [
        `REGISTER ${uri} SIP/2.0`,
        `Via: SIP/2.0/UDP ${this.host}:${this.port};branch=${newBranch()};rport`,
        'Max-Forwards: 70',
        `From: ${own};tag=${callId}`,
        `To: ${own}`,
        `Call-ID: ${callId}`,
        `CSeq: ${++this.#cseq} REGISTER`,
        `Contact: <sip:${credentials.username}@${this.host}:${this.port}>`,
        ...digest.authorize(bare).map(({ value }) => `Authorization: ${value}`),
      ];
      this.send(message(lines), { host, port: Number(port) });
      const answer = await answered;
      const parsed = parseMessage(Buffer.from(answer, 'latin1'))?.message;
      if (attempt > 0 || parsed?.kind !== 'response' || !digest.challenged(parsed, true)) return statusOf(answer);
    }
  }

  send(text: string, to: { host: string; port: number }): void {
    this.#sip.send(text, to.port, to.host);
  }

  connected(call: PhoneCall): void {
    if (this.#talks && call.media) this.audio.talkTo(call.media, call);
  }

  silenced(call: PhoneCall): void {
    this.audio.hush(call);
  }

  /** Safe to call twice. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const call of this.calls) call.forget();
    this.audio.close();
    this.#sip.close();
  }

  #receive(text: string, from: RemoteInfo): void {
    const callId = headerValue(text, 'Call-ID');
    const call = this.calls.find((each) => each.callId === callId);
    if (statusOf(text) > 0) {
      if (call) return call.receiveResponse(text);
      if (statusOf(text) >= 200) this.#asked.get(callId)?.(text);
      return;
    }
    const method = methodOf(text);
    if (method === '') return;
    this.requests.push(method);
    const peer = { host: from.address, port: from.port };
    if (call) return call.receiveRequest(text, peer);
    if (method !== 'INVITE') {
      if (method !== 'ACK') this.send(response(text, method === 'OPTIONS' ? 200 : 481, { tag: newTag() }), peer);
      return;
    }
    const incoming = PhoneCall.incoming(this, text, peer);
    this.calls.push(incoming);
    void this.#script(incoming);
  }
}

/** Rings, answers, and hangs up if `hangUpAfterMs` is given. */
export function answers({ afterMs = 0, hangUpAfterMs }: { afterMs?: number; hangUpAfterMs?: number } = {}): Script {
  return async (call) => {
    call.ring();
    if (afterMs > 0) await call.pause(afterMs);
    call.answer();
    if (hangUpAfterMs === undefined) return;
    await call.pause(hangUpAfterMs);
    call.hangUp();
  };
}

/** Rings, then sends a final status, with a Reason header (RFC 3326) if `q850` is given. */
export function refuses(status: number, q850?: number): Script {
  return (call) => {
    call.ring();
    call.refuse(status, q850);
  };
}

/** Rings, and nothing more. */
export const rings: Script = (call) => call.ring();
