// One outgoing or incoming call of a simulated telephone: its dialog (RFC 3261 section 12), and the steps of a script.
// Each step can be its last: a dark call neither sends nor answers anything, as if its phone had lost power.
import { type Credentials, DigestClient } from '../../../sip/stack/wire/digest.ts';
import { parseMessage } from '../../../sip/stack/wire/message.ts';
import { Resend } from './resend.ts';
import {
  contactOf,
  cseqOf,
  headerValue,
  type Media,
  mediaOf,
  message,
  methodOf,
  newBranch,
  newTag,
  reasonOf,
  recordedRoutes,
  response,
  SDP_TYPE,
  sdp,
  statusOf,
  tagOf,
} from './sip-text.ts';

export type PhoneEvent =
  | { type: 'ringing'; status: number }
  | ({ type: 'answered' } & Media)
  /** The other side has its audio elsewhere from now on. */
  | ({ type: 'moved' } & Media)
  /** Followed a request to call another target (RFC 3515). */
  | { type: 'referred'; target: string }
  | { type: 'ended'; by: 'local' | 'remote'; status: number; reason: string };

export interface SipTarget {
  uri: string;
  host: string;
  port: number;
}

/** The part of a phone that a call uses. */
interface PhoneLine {
  host: string;
  port: number;
  audio: { port: number };
  send(text: string, to: { host: string; port: number }): void;
  /** The call is up and acknowledged. */
  connected(call: PhoneCall): void;
  /** The call is over, or dark. */
  silenced(call: PhoneCall): void;
}

export interface CallRequest {
  target: SipTarget;
  /** The user part of From and Contact. */
  from: string;
  /** The domain of From; default: the phone's address. */
  domain?: string;
  /** The offered session description; default: PCMU to the phone's own audio. */
  offer?: string;
  credentials?: Credentials;
  /** Resends INVITE and BYE until they are answered. Without it each is sent once: for a network that loses nothing. */
  resends?: boolean;
  /** Accepts a REFER and reports success; otherwise the method is refused (405). */
  acceptsRefer?: boolean;
  /** More headers of the INVITE. */
  headers?: readonly string[];
  onEvent?(event: PhoneEvent): void;
}

export class PhoneCall {
  readonly callId: string;
  /** The called number: the user part of the Request-URI. */
  readonly number: string;
  readonly from: string;
  /** Time at which the INVITE was sent or received; `performance.now()`. */
  readonly atMs = performance.now();
  /** Received methods and status codes, in order. */
  readonly received: string[] = [];
  state: 'ringing' | 'up' | 'ended' = 'ringing';
  isDark = false;
  /** The other side's media address. */
  media: Media | null = null;
  /** The 2xx to its own INVITE, as received. */
  accepted = '';
  onEvent: (event: PhoneEvent) => void = () => {};
  readonly #phone: PhoneLine;
  /** Where its requests go, and where the one that it answers came from. */
  #peer: { host: string; port: number };
  /** The request that began it. */
  readonly #invite: string;
  readonly #user: string;
  readonly #request: CallRequest | null;
  readonly #digest: DigestClient | null;
  readonly #localTag = newTag();
  /** From, To and the target of our own requests. */
  readonly #local: string;
  #remote: string;
  #target: string;
  /** The proxies of the dialog, the nearest first. */
  #routes: string[] = [];
  #cseq = 0;
  /** Of the other side's last request in the dialog. */
  #remoteCseq = 0;
  #branch = '';
  #description: string;
  #ack = '';
  readonly #resend = new Resend();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waiting = new Set<() => void>();
  readonly #darkAt = new Set<string>();

  private constructor(
    phone: PhoneLine,
    peer: { host: string; port: number },
    invite: string,
    request: CallRequest | null,
  ) {
    this.#phone = phone;
    this.#peer = peer;
    this.#invite = invite;
    this.#request = request;
    this.#digest = request?.credentials ? new DigestClient(request.credentials) : null;
    this.#description = request?.offer ?? sdp(phone.audio.port, 1, phone.host);
    if (request) {
      this.callId = newTag();
      this.number = /^sips?:([^@;\s]+)@/.exec(request.target.uri)?.[1] ?? '';
      this.from = request.from;
      this.#user = request.from;
      this.#local = `<sip:${request.from}@${request.domain ?? phone.host}>;tag=${this.#localTag}`;
      this.#remote = `<${request.target.uri}>`;
      this.#target = request.target.uri;
      this.onEvent = request.onEvent ?? this.onEvent;
    } else {
      this.callId = headerValue(invite, 'Call-ID');
      this.number = /^INVITE sips?:([^@;\s]+)/.exec(invite)?.[1] ?? '';
      this.from = /sips?:([^@;>\s]+)/.exec(headerValue(invite, 'From'))?.[1] ?? '';
      this.#user = 'phone';
      this.#local = `${headerValue(invite, 'To')};tag=${this.#localTag}`;
      this.#remote = headerValue(invite, 'From');
      this.#target = contactOf(invite);
      this.media = mediaOf(invite);
      this.#routes = recordedRoutes(invite);
    }
  }

  static incoming(phone: PhoneLine, invite: string, peer: { host: string; port: number }): PhoneCall {
    return new PhoneCall(phone, peer, invite, null);
  }

  static outgoing(phone: PhoneLine, request: CallRequest): PhoneCall {
    const call = new PhoneCall(phone, request.target, '', request);
    call.#sendInvite();
    return call;
  }

  /** The address that its phone advertises. */
  get localHost(): string {
    return this.#phone.host;
  }

  get isAcknowledged(): boolean {
    return this.received.includes('ACK');
  }

  /** Resolves after such a request or status; `1xx` is any provisional one. Never resolves for an ended call. */
  got(...wanted: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.received.some((each) => wanted.includes(each))) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** The final status of its own INVITE. */
  async final(): Promise<number> {
    await this.got('final');
    return Number(this.received.findLast((each) => /^[2-6]\d\d$/.test(each)));
  }

  /** Never resolves if the call ends in the meantime. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.add(setTimeout(resolve, ms));
    });
  }

  /** Sends a provisional status; 183 has a session description. */
  ring(status: 100 | 180 | 183 = 180): void {
    this.#respond(this.#invite, status, [], status === 183 ? this.#description : '');
  }

  /** `rtpPort`: the port for this call's audio, if it is not the phone's. */
  answer(rtpPort = this.#phone.audio.port): void {
    if (this.state === 'ended') return;
    this.state = 'up';
    this.#description = sdp(rtpPort, 1, this.#phone.host);
    this.#respond(this.#invite, 200, [], this.#description);
    if (this.media) this.onEvent({ type: 'answered', ...this.media });
  }

  refuse(status: number, q850?: number): void {
    this.#respond(this.#invite, status, q850 === undefined ? [] : [`Reason: Q.850;cause=${q850}`]);
    this.end('local', status, '');
  }

  /** Offers the same session again (RFC 3261 section 14). */
  reinvite(): void {
    this.#cseq++;
    this.#branch = newBranch();
    this.#send(this.#ownRequest('INVITE', this.#branch, this.#description.replace(/^(o=\S+ \S+) \d+/m, '$1 2')));
  }

  /** Presses keys, by SIP INFO. */
  press(digits: string): void {
    for (const digit of digits) {
      this.#cseq++;
      const body = `Signal=${digit}\r\nDuration=160\r\n`;
      this.#send(this.#ownRequest('INFO', newBranch(), body, ['Content-Type: application/dtmf-relay']));
    }
  }

  /** Sends CANCEL while its own INVITE is open, BYE in an established call. */
  hangUp(): void {
    if (this.state === 'ringing' && this.#request) this.#send(this.#ownRequest('CANCEL', this.#branch));
    if (this.state !== 'up') return;
    this.#cseq++;
    const bye = this.#ownRequest('BYE', newBranch());
    // A caller waits for the answer to its BYE.
    if (this.#request) return this.#sendUntilAnswered(bye);
    this.end('local', 200, 'BYE');
    // A callee does not, but goes on asking for it: an engine that takes the call over a moment later hears of its end.
    this.#resendUntilAnswered(bye);
  }

  goDark(): void {
    this.isDark = true;
    this.#phone.silenced(this);
    this.forget();
  }

  /** Goes dark when it receives one of these, before it acts on it. */
  goDarkAt(...received: readonly string[]): void {
    for (const each of received) this.#darkAt.add(each);
  }

  /** Stops all timers. */
  forget(): void {
    this.#resend.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  end(by: 'local' | 'remote', status: number, reason: string): void {
    if (this.state === 'ended') return;
    if (this.state === 'up') this.#phone.silenced(this);
    this.state = 'ended';
    this.forget();
    this.onEvent({ type: 'ended', by, status, reason });
  }

  /** `from`: an engine that takes the call over asks from elsewhere, and is the other side from then on. */
  receiveRequest(text: string, from: { host: string; port: number }): void {
    const method = methodOf(text);
    const before = this.#peer;
    this.#peer = from;
    this.#take(method, text);
    // Nobody else is: an ACK or BYE that comes too late, for instance.
    if (method !== 'INVITE' || this.state !== 'up') this.#peer = before;
  }

  #take(method: string, text: string): void {
    // RFC 3261 12.2.2: who does not know both tags is not the other side of this call, and cannot end it.
    if (method === 'BYE' && !this.#isOfDialog(text)) return this.#respond(text, 481);
    if (!this.#note(method)) return;
    // The same: one that comes behind a later one is out of order.
    if (this.#isLate(method, cseqOf(text))) return this.#respond(text, 500);
    // Its dialog is over. A BYE that crosses our own is answered as ever.
    if (this.state === 'ended' && (method === 'INVITE' || method === 'UPDATE') && this.#isOfDialog(text))
      return this.#respond(text, 481);
    switch (method) {
      case 'ACK':
        if (this.state === 'up') this.#phone.connected(this);
        return;
      case 'INVITE':
        // A repeated INVITE, or a re-INVITE that refreshes the session or moves it.
        if (this.state === 'up') this.#followTo(text);
        return;
      case 'CANCEL':
        this.#respond(text, 200);
        if (this.state !== 'ringing') return;
        this.#respond(this.#invite, 487);
        return this.end('remote', 487, 'CANCEL');
      case 'BYE':
        this.#respond(text, 200);
        return this.end('remote', 200, 'BYE');
      case 'REFER':
        if (!this.#request?.acceptsRefer) return this.#respond(text, 405);
        this.#respond(text, 202);
        return this.#follow(text);
      default:
        this.#respond(text, method === 'OPTIONS' || method === 'UPDATE' ? 200 : 405);
    }
  }

  #isLate(method: string, cseq: number): boolean {
    if (method === 'ACK' || method === 'CANCEL') return false;
    if (cseq < this.#remoteCseq) return true;
    this.#remoteCseq = cseq;
    return false;
  }

  #followTo(invite: string): void {
    this.#target = contactOf(invite) || this.#target;
    this.#respond(invite, 200, [], this.#description);
    const [before, media] = [this.media, mediaOf(invite)];
    if (media.port === 0 || (media.port === before?.port && media.address === before.address)) return;
    this.media = media;
    this.onEvent({ type: 'moved', ...media });
  }

  #isOfDialog(request: string): boolean {
    const remoteTag = tagOf(this.#remote);
    const [from, to] = [tagOf(headerValue(request, 'From')), tagOf(headerValue(request, 'To'))];
    return remoteTag !== '' && from === remoteTag && to === this.#localTag;
  }

  receiveResponse(text: string): void {
    const status = statusOf(text);
    const method = methodOf(text);
    if (!this.#note(String(status), ...(method === 'INVITE' && status < 200 ? ['1xx'] : []))) return;
    if (method === 'BYE') this.#resend.stop();
    if (method === 'BYE' && status >= 200) return this.end('local', status, reasonOf(text));
    if (method !== 'INVITE') return;
    // Any answer stops the repetition of the INVITE (RFC 3261 17.1.1.2).
    this.#resend.stop();
    if (status < 200) {
      if (status > 100 && this.state === 'ringing') this.onEvent({ type: 'ringing', status });
      return;
    }
    this.#remote = headerValue(text, 'To') || this.#remote;
    if (status >= 300) return this.#refused(text, status);
    if (this.#ack !== '' && cseqOf(text) === cseqOf(this.#ack)) return this.#send(this.#ack);
    this.#target = contactOf(text) || this.#target;
    this.#routes = recordedRoutes(text).reverse();
    this.#ack = this.#ownRequest('ACK', newBranch());
    this.#send(this.#ack);
    if (this.state !== 'ringing') return;
    this.state = 'up';
    this.accepted = text;
    this.media = mediaOf(text);
    this.#phone.connected(this);
    this.onEvent({ type: 'answered', ...this.media });
    this.#note('final');
  }

  #refused(text: string, status: number): void {
    this.#send(this.#ownRequest('ACK', this.#branch));
    const parsed = parseMessage(Buffer.from(text, 'latin1'))?.message;
    if (status === 401 && this.#cseq === 1 && parsed?.kind === 'response' && this.#digest?.challenged(parsed, true)) {
      this.#remote = `<${this.#target}>`;
      return this.#sendInvite();
    }
    this.end('remote', status, reasonOf(text));
    this.#note('final');
  }

  /** False if the call is dark or goes dark now. */
  #note(...received: readonly string[]): boolean {
    if (this.isDark) return false;
    this.received.push(...received);
    if (received.some((each) => this.#darkAt.has(each))) this.goDark();
    for (const look of [...this.#waiting]) look();
    return !this.isDark;
  }

  #sendInvite(): void {
    this.#cseq++;
    this.#branch = newBranch();
    const body = Buffer.from(this.#description);
    const bare = { kind: 'request' as const, method: 'INVITE', uri: this.#target, headers: [], body };
    const authorization = this.#digest?.authorize(bare).map(({ value }) => `Authorization: ${value}`) ?? [];
    this.#sendUntilAnswered(
      this.#ownRequest('INVITE', this.#branch, this.#description, [
        ...(this.#request?.headers ?? []),
        ...authorization,
        SDP_TYPE,
      ]),
    );
  }

  /** Acts as if the other call had been answered at once. */
  #follow(refer: string): void {
    this.#cseq++;
    const headers = [
      'Event: refer',
      'Subscription-State: terminated;reason=noresource',
      'Content-Type: message/sipfrag;version=2.0',
    ];
    this.#send(this.#ownRequest('NOTIFY', newBranch(), 'SIP/2.0 200 OK\r\n', headers));
    this.onEvent({ type: 'referred', target: headerValue(refer, 'Refer-To') });
  }

  #ownRequest(method: string, branch: string, body = '', headers: readonly string[] = [SDP_TYPE]): string {
    const { host, port } = this.#phone;
    const lines = [
      `${method} ${this.#target} SIP/2.0`,
      `Via: SIP/2.0/UDP ${host}:${port};branch=${branch};rport`,
      'Max-Forwards: 70',
      ...this.#routes.map((route) => `Route: ${route}`),
      `From: ${this.#local}`,
      `To: ${this.#remote}`,
      `Call-ID: ${this.callId}`,
      `CSeq: ${this.#cseq} ${method}`,
      `Contact: <sip:${this.#user}@${host}:${port}>`,
      ...(body === '' ? [] : headers),
    ];
    return message(lines, body);
  }

  #respond(request: string, status: number, headers: readonly string[] = [], body = ''): void {
    const contact = `sip:${this.#user}@${this.#phone.host}:${this.#phone.port}`;
    const type = body === '' ? [] : [SDP_TYPE];
    const tag = status === 100 ? '' : this.#localTag;
    this.#send(response(request, status, { tag, contact, headers: [...headers, ...type], body }));
  }

  #send(text: string): void {
    if (!this.isDark) this.#phone.send(text, this.#peer);
  }

  #sendUntilAnswered(text: string): void {
    if (this.#request?.resends) this.#resendUntilAnswered(text);
    else this.#send(text);
  }

  #resendUntilAnswered(text: string): void {
    const gaveUp = (): void => this.end('local', 408, 'no answer to the request');
    this.#resend.untilStopped(() => this.#send(text), gaveUp);
  }
}
