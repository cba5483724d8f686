// One call of the conformance cases: it sends what a case asks for and nothing else, and keeps all that came. Requests
// of the other side get an answer as a plain telephone gives it, unless a case takes them for itself.
import {
  contactOf,
  cseqOf,
  headerValue,
  mediaOf,
  message,
  methodOf,
  newBranch,
  newTag,
  recordedRoutes,
  response,
  SDP_TYPE,
  statusOf,
  tagOf,
} from '../../engine/test-runs/caller/phone/sip-text.ts';
import { CallAudio } from './audio.ts';
import { type Arrival, openSocket, type SipSocket, type Transport } from './socket.ts';

export interface CallTarget {
  uri: string;
  host: string;
  port: number;
}

export interface Offer {
  /** As in an `m=` line. */
  formats: string;
  maps: readonly string[];
  direction?: 'sendrecv' | 'sendonly' | 'inactive';
  /** RTP/SAVP with this key (RFC 4568), base64. */
  keySalt?: string;
}

export const G711: Offer = { formats: '0 8 101', maps: ['0 PCMU/8000', '8 PCMA/8000', '101 telephone-event/8000'] };

/** How long a final answer to a request in a dialog may take. */
const ANSWER_MS = 5_000;

export class TestedCall {
  readonly audio: CallAudio;
  readonly received: Arrival[] = [];
  /** Answers a request of the other side; return false to leave it to the telephone. */
  takes: (request: string) => boolean = () => false;
  readonly callId = newTag();
  #socket: SipSocket;
  readonly #target: CallTarget;
  readonly #tag = newTag();
  readonly #waiting = new Set<() => void>();
  #to: string;
  #remoteTarget: string;
  #routes: string[] = [];
  #cseq = 0;
  #version = 0;
  /** Of the session last offered or answered by us. */
  #description = '';
  #isOver = false;

  private constructor(target: CallTarget, audio: CallAudio, socket: SipSocket) {
    this.#target = target;
    this.audio = audio;
    this.#socket = socket;
    this.#to = `<${target.uri}>`;
    this.#remoteTarget = target.uri;
  }

  static async open(target: CallTarget, localHost: string, transport: Transport = 'udp'): Promise<TestedCall> {
    const audio = await CallAudio.open(localHost);
    try {
      let call: TestedCall | null = null;
      const socket = await openSocket(transport, target, localHost, (arrival) => call?.take(arrival));
      call = new TestedCall(target, audio, socket);
      return call;
    } catch (error) {
      audio.close();
      throw error;
    }
  }

  get isUp(): boolean {
    return tagOf(this.#to) !== '' && !this.#isOver;
  }

  get dialogTag(): string {
    return tagOf(this.#to);
  }

  take(arrival: Arrival): void {
    this.received.push(arrival);
    const { text } = arrival;
    if (statusOf(text) === 0) this.#takeRequest(text);
    for (const look of [...this.#waiting]) look();
  }

  #takeRequest(text: string): void {
    const method = methodOf(text);
    if (method === 'ACK' || this.takes(text)) return;
    if (method === 'BYE') this.#isOver = true;
    const isOffer = method === 'INVITE';
    const known = ['BYE', 'INVITE', 'OPTIONS', 'UPDATE', 'INFO', 'NOTIFY', 'REFER'].includes(method);
    const status = !known ? 405 : method === 'REFER' ? 202 : 200;
    this.answer(text, status, isOffer ? [SDP_TYPE] : [], isOffer ? this.#description : '');
  }

  answer(request: string, status: number, headers: readonly string[] = [], body = ''): void {
    this.#socket.send(response(request, status, { tag: this.#tag, contact: this.#contact, headers, body }));
  }

  /** The first value that `look` finds now or after a later message; null after `withinMs`. */
  until<T>(look: () => T | null | undefined | false, withinMs = ANSWER_MS): Promise<T | null> {
    return new Promise((resolve) => {
      const end = (value: T | null): void => {
        clearTimeout(limit);
        clearInterval(again);
        this.#waiting.delete(check);
        resolve(value);
      };
      const check = (): void => {
        const found = look();
        if (found) end(found);
      };
      const limit = setTimeout(() => end(null), withinMs);
      // It may be in the audio, too.
      const again = setInterval(check, 50);
      this.#waiting.add(check);
      check();
    });
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  describe({ formats, maps, direction = 'sendrecv', keySalt }: Offer): string {
    const { host } = this.#socket;
    this.#description = [
      'v=0',
      `o=conformance 1 ${++this.#version} IN IP4 ${host}`,
      's=-',
      `c=IN IP4 ${host}`,
      't=0 0',
      `m=audio ${this.audio.port} RTP/${keySalt ? 'SAVP' : 'AVP'} ${formats}`,
      ...maps.map((map) => `a=rtpmap:${map}`),
      ...(formats.includes('101') ? ['a=fmtp:101 0-15'] : []),
      ...(keySalt ? [`a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${keySalt}`] : []),
      `a=${direction}`,
      '',
    ].join('\r\n');
    return this.#description;
  }

  /** A request of its own, not yet sent. In a dialog it has the tags and the route of it. */
  compose(method: string, body = '', headers: readonly string[] = body === '' ? [] : [SDP_TYPE]): string {
    if (method !== 'ACK' && method !== 'CANCEL') this.#cseq++;
    return this.#compose(method, newBranch(), body, headers);
  }

  /** Of the same transaction as `invite`. */
  composeCancel(invite: string): string {
    return this.#compose('CANCEL', /branch=([^;\s]+)/.exec(headerValue(invite, 'Via'))?.[1] ?? '', '', []);
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** Sends a request, over UDP once more if nothing came within half a second; its final answer, or null. */
  async ask(method: string, body = '', headers?: readonly string[]): Promise<string | null> {
    const request = this.compose(method, body, headers);
    this.send(request);
    const final = (): string | undefined => this.finalTo(request);
    if (this.#socket.transport === 'udp' && (await this.until(final, 500)) === null) this.send(request);
    return this.until(final);
  }

  /** The final answer to that request, if it has come. */
  finalTo(request: string): string | undefined {
    return this.received.find(({ text }) => isAnswerTo(text, request) && statusOf(text) >= 200)?.text;
  }

  answersTo(request: string): Arrival[] {
    return this.received.filter(({ text }) => isAnswerTo(text, request));
  }

  requests(method: string): Arrival[] {
    return this.received.filter(({ text }) => statusOf(text) === 0 && methodOf(text) === method);
  }

  /** Places the call and acknowledges its answer. @returns the final answer; null if none came within 15 s */
  async place(offer: Offer = G711, headers: readonly string[] = []): Promise<string | null> {
    const invite = this.compose('INVITE', this.describe(offer), [SDP_TYPE, ...headers]);
    this.send(invite);
    if (this.#socket.transport === 'udp' && (await this.until(() => this.answersTo(invite)[0], 500)) === null)
      this.send(invite);
    const final = await this.until(() => this.finalTo(invite), 15_000);
    if (final !== null) this.acknowledge(final, invite);
    return final;
  }

  /** Offers again in the call, and acknowledges the answer. */
  async reinvite(offer: Offer | null): Promise<string | null> {
    const final = await this.ask('INVITE', offer === null ? '' : this.describe(offer));
    if (final !== null && statusOf(final) < 300 && offer !== null) this.acknowledge(final);
    return final;
  }

  /**
   * `body`: the answer to an offer that came with the 200. `invite`: of a refused one, for an ACK of its transaction.
   * `audio`: what sends from now on.
   */
  acknowledge(final: string, invite = '', body = '', audio = this.audio): void {
    if (statusOf(final) >= 300) {
      const branch = /branch=([^;\s]+)/.exec(headerValue(invite, 'Via'))?.[1] ?? newBranch();
      const to = this.#to;
      this.#to = headerValue(final, 'To');
      this.send(this.#compose('ACK', branch, '', []));
      this.#to = to;
      return;
    }
    this.#to = headerValue(final, 'To');
    this.#remoteTarget = contactOf(final) || this.#remoteTarget;
    this.#routes = recordedRoutes(final).reverse();
    // A PRACK has a number of its own; an ACK has that of its INVITE.
    const next = this.#cseq;
    this.#cseq = cseqOf(final);
    this.send(this.compose('ACK', body));
    this.#cseq = Math.max(next, this.#cseq);
    if (audio !== this.audio) this.audio.stopSending();
    const media = mediaOf(final);
    audio.payloadType = media.payloadType;
    audio.eventPayloadType = media.eventPayloadType;
    if (media.port > 0) audio.sendTo(media);
  }

  /** Acknowledges a provisional answer (RFC 3262 7.2); the final answer to that. */
  prack(provisional: string): Promise<string | null> {
    const to = this.#to;
    this.#to = headerValue(provisional, 'To');
    this.#remoteTarget = contactOf(provisional) || this.#remoteTarget;
    const rack = `RAck: ${headerValue(provisional, 'RSeq')} ${headerValue(provisional, 'CSeq')}`;
    const answered = this.ask('PRACK', '', [rack]);
    this.#to = to;
    return answered;
  }

  /** Ends what is open, and waits for no longer than a second. */
  async close(): Promise<void> {
    if (this.isUp) {
      this.send(this.compose('BYE'));
      await this.until(() => this.received.some(({ text }) => methodOf(text) === 'BYE' && statusOf(text) > 0), 1_000);
    }
    this.#socket.close();
    this.audio.close();
  }

  get #contact(): string {
    const { host, port, transport } = this.#socket;
    return `sip:conformance@${host}:${port}${transport === 'udp' ? '' : `;transport=${transport}`}`;
  }

  #compose(method: string, branch: string, body: string, headers: readonly string[]): string {
    const { host, port, transport } = this.#socket;
    const isFirst = tagOf(this.#to) === '';
    const lines = [
      `${method} ${isFirst ? this.#target.uri : this.#remoteTarget} SIP/2.0`,
      `Via: SIP/2.0/${transport.toUpperCase()} ${host}:${port};branch=${branch};rport`,
      'Max-Forwards: 70',
      ...this.#routes.map((route) => `Route: ${route}`),
      `From: <sip:conformance@${host}>;tag=${this.#tag}`,
      `To: ${this.#to}`,
      `Call-ID: ${this.callId}`,
      `CSeq: ${this.#cseq} ${method}`,
      `Contact: <${this.#contact}>`,
      ...headers,
    ];
    return message(lines, body);
  }
}

const isAnswerTo = (text: string, request: string): boolean =>
  statusOf(text) > 0 &&
  headerValue(text, 'CSeq') === headerValue(request, 'CSeq') &&
  headerValue(text, 'Call-ID') === headerValue(request, 'Call-ID');
