// A small SIP caller (UDP, one dialog), independent of the engine's user agent, so that the bench and `npm run caller`
// judge the engine from the other side of the wire.
import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { VoiceCodecName } from '../../../db/domain/trunk-defaults.ts';

/** What each codec's offer looks like: payload types, and their maps. */
const OFFERS: Record<VoiceCodecName, { formats: string; maps: readonly string[] }> = {
  PCMU: { formats: '0 101', maps: ['0 PCMU/8000', '101 telephone-event/8000'] },
  PCMA: { formats: '8 101', maps: ['8 PCMA/8000', '101 telephone-event/8000'] },
  G722: { formats: '9 101', maps: ['9 G722/8000', '101 telephone-event/8000'] },
  OPUS: { formats: '111 101', maps: ['111 opus/48000/2', '101 telephone-event/48000'] },
};

export interface SipTarget {
  uri: string;
  host: string;
  port: number;
}

export type SipEvent =
  | { type: 'ringing'; status: number }
  | {
      type: 'answered';
      remoteAddress: string;
      remotePort: number;
      payloadType: number;
      eventPayloadType: number | null;
    }
  /** Asked to call somebody else (RFC 3515), and did. */
  | { type: 'referred'; target: string }
  | { type: 'ended'; by: 'local' | 'remote'; status: number; reason: string };

/** `sip:user@host:port`. @throws Error describing the problem */
export function parseTarget(text: string): SipTarget {
  const match = /^sip:([^@\s]+)@(\[[^\]]+\]|[^:;\s]+)(?::(\d+))?/.exec(text);
  if (!match) throw new Error(`"${text}" is no SIP address such as sip:demo@127.0.0.1:5060`);
  return { uri: text, host: (match[2] ?? '').replace(/^\[|\]$/g, ''), port: Number(match[3] ?? 5060) };
}

/** Our address on the route to the target: loopback stays loopback. */
export function localAddress(host: string): string {
  if (host === 'localhost' || host.startsWith('127.')) return '127.0.0.1';
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find((address) => address.family === 'IPv4' && !address.internal)?.address ?? '127.0.0.1';
}

/** RFC 3261 timer T1: requests are resent after T1, 2·T1 … until answered, up to 64·T1. */
const T1_MS = 500;

export class SipCall {
  readonly #target: SipTarget;
  readonly #localAddress: string;
  readonly #rtpPort: number;
  readonly #from: string;
  readonly #acceptsRefer: boolean;
  readonly #codec: VoiceCodecName;
  readonly #onEvent: (event: SipEvent) => void;
  readonly #socket: Socket;
  readonly #callId = randomBytes(10).toString('hex');
  readonly #fromTag = randomBytes(4).toString('hex');
  #cseq = 1;
  #branch = '';
  #port = 0;
  #toHeader: string;
  #remoteTarget: string;
  #state: 'idle' | 'inviting' | 'up' | 'ended' = 'idle';
  #ackText: string | null = null;
  #resend: NodeJS.Timeout | null = null;

  constructor(options: {
    target: SipTarget;
    localAddress: string;
    rtpPort: number;
    from: string;
    /** Accepts a REFER and reports success; otherwise rejects the method (405). */
    acceptsRefer?: boolean;
    /** The only one that is offered; PCMU if left out. */
    codec?: VoiceCodecName;
    onEvent: (event: SipEvent) => void;
  }) {
    this.#target = options.target;
    this.#localAddress = options.localAddress;
    this.#rtpPort = options.rtpPort;
    this.#from = options.from;
    this.#acceptsRefer = options.acceptsRefer ?? false;
    this.#codec = options.codec ?? 'PCMU';
    this.#onEvent = options.onEvent;
    this.#toHeader = `<${options.target.uri}>`;
    this.#remoteTarget = options.target.uri;
    this.#socket = createSocket({ type: 'udp4', lookup: (host, _options, done) => done(null, host, 4) });
    this.#socket.on('message', (data, remote) => this.#receive(data.toString('latin1'), remote));
    this.#socket.on('error', (error) => this.#end('local', 0, error.message));
  }

  async invite(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.bind(0, this.#localAddress, resolve));
    this.#port = this.#socket.address().port;
    this.#state = 'inviting';
    const { formats, maps } = OFFERS[this.#codec];
    const sdp = [
      'v=0',
      `o=- ${Date.now()} 1 IN IP4 ${this.#localAddress}`,
      's=-',
      `c=IN IP4 ${this.#localAddress}`,
      't=0 0',
      `m=audio ${this.#rtpPort} RTP/AVP ${formats}`,
      ...maps.map((map) => `a=rtpmap:${map}`),
      'a=fmtp:101 0-16',
      'a=ptime:20',
      'a=sendrecv',
      '',
    ].join('\r\n');
    this.#branch = newBranch();
    const request = this.#request('INVITE', this.#branch, sdp);
    this.#sendUntilAnswered(request);
  }

  /** CANCEL while ringing, BYE once up. */
  hangUp(): void {
    if (this.#state === 'inviting') this.#send(this.#request('CANCEL', this.#branch));
    else if (this.#state === 'up') {
      this.#cseq++;
      this.#sendUntilAnswered(this.#request('BYE', newBranch()));
    }
  }

  close(): void {
    this.#stopResending();
    this.#state = 'ended';
    this.#socket.close();
  }

  #request(method: string, branch: string, body = '', headers = ['Content-Type: application/sdp']): string {
    const inDialog = method === 'BYE' || method === 'ACK' || method === 'NOTIFY';
    return [
      `${method} ${inDialog ? this.#remoteTarget : this.#target.uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${this.#localAddress}:${this.#port};branch=${branch};rport`,
      'Max-Forwards: 70',
      `From: <sip:${this.#from}@${this.#localAddress}>;tag=${this.#fromTag}`,
      `To: ${method === 'CANCEL' ? `<${this.#target.uri}>` : this.#toHeader}`,
      `Call-ID: ${this.#callId}`,
      `CSeq: ${this.#cseq} ${method}`,
      `Contact: <sip:${this.#from}@${this.#localAddress}:${this.#port}>`,
      ...(body ? headers : []),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
  }

  #send(text: string): void {
    this.#socket.send(text, this.#target.port, this.#target.host);
  }

  #sendUntilAnswered(text: string): void {
    this.#stopResending();
    const startedAt = Date.now();
    let delayMs = T1_MS;
    const again = (): void => {
      if (Date.now() - startedAt > 64 * T1_MS) return this.#end('local', 408, 'no answer to the request');
      this.#send(text);
      this.#resend = setTimeout(again, delayMs);
      delayMs = Math.min(delayMs * 2, 4_000);
    };
    again();
  }

  #stopResending(): void {
    if (this.#resend) clearTimeout(this.#resend);
    this.#resend = null;
  }

  #receive(text: string, remote: RemoteInfo): void {
    const first = text.slice(0, text.indexOf('\r\n'));
    const response = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(first);
    if (response) this.#receiveResponse(text, Number(response[1]), response[2] ?? '');
    else this.#receiveRequest(text, first, remote);
  }

  #receiveResponse(text: string, status: number, reason: string): void {
    const method = /\d+ (\w+)/.exec(header(text, 'CSeq') ?? '')?.[1];
    if (status < 200) {
      // A provisional response stops INVITE retransmission (RFC 3261 17.1.1.2).
      if (method === 'INVITE') this.#stopResending();
      if (status > 100 && this.#state === 'inviting') this.#onEvent({ type: 'ringing', status });
      return;
    }
    if (method === 'BYE') return this.#end('local', status, reason);
    if (method !== 'INVITE') return;
    this.#stopResending();
    this.#toHeader = header(text, 'To') ?? this.#toHeader;
    if (status >= 300) {
      this.#send(this.#request('ACK', this.#branch));
      return this.#end('remote', status, reason);
    }
    if (this.#ackText) return this.#send(this.#ackText);
    this.#remoteTarget = /<([^>]+)>/.exec(header(text, 'Contact') ?? '')?.[1] ?? this.#remoteTarget;
    this.#ackText = this.#request('ACK', newBranch());
    this.#send(this.#ackText);
    if (this.#state !== 'inviting') return;
    this.#state = 'up';
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    const media = /m=audio (\d+) \S+ (\d+)/.exec(body);
    this.#onEvent({
      type: 'answered',
      remoteAddress: /c=IN IP4 (\S+)/.exec(body)?.[1] ?? this.#target.host,
      remotePort: Number(media?.[1] ?? 0),
      payloadType: Number(media?.[2] ?? 0),
      eventPayloadType: Number(/a=rtpmap:(\d+) telephone-event/.exec(body)?.[1] ?? Number.NaN) || null,
    });
  }

  #receiveRequest(text: string, first: string, remote: RemoteInfo): void {
    const method = first.slice(0, first.indexOf(' '));
    if (method === 'ACK') return;
    const isReferred = method === 'REFER' && this.#acceptsRefer;
    const isKnown = method === 'BYE' || method === 'OPTIONS' || method === 'UPDATE';
    const reply = [
      `SIP/2.0 ${isReferred ? '202 Accepted' : isKnown ? '200 OK' : '405 Method Not Allowed'}`,
      ...(isReferred ? [`Contact: <sip:${this.#from}@${this.#localAddress}:${this.#port}>`] : []),
      ...headers(text, 'Via').map((value) => `Via: ${value}`),
      `From: ${header(text, 'From') ?? ''}`,
      `To: ${header(text, 'To') ?? ''}`,
      `Call-ID: ${header(text, 'Call-ID') ?? ''}`,
      `CSeq: ${header(text, 'CSeq') ?? ''}`,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
    this.#socket.send(reply, remote.port, remote.address);
    if (method === 'BYE') this.#end('remote', 200, 'BYE');
    if (isReferred) this.#follow(text);
  }

  /** Acts as if the other call had been answered at once. */
  #follow(refer: string): void {
    this.#cseq++;
    const headers = [
      'Event: refer',
      'Subscription-State: terminated;reason=noresource',
      'Content-Type: message/sipfrag;version=2.0',
    ];
    this.#send(this.#request('NOTIFY', newBranch(), 'SIP/2.0 200 OK\r\n', headers));
    this.#onEvent({ type: 'referred', target: header(refer, 'Refer-To') ?? '' });
  }

  #end(by: 'local' | 'remote', status: number, reason: string): void {
    this.#stopResending();
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#onEvent({ type: 'ended', by, status, reason });
  }
}

const newBranch = (): string => `z9hG4bK${randomBytes(6).toString('hex')}`;

function headers(text: string, name: string): string[] {
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  const prefix = `${name.toLowerCase()}:`;
  return head
    .split('\r\n')
    .filter((line) => line.toLowerCase().startsWith(prefix))
    .map((line) => line.slice(prefix.length).trim());
}

const header = (text: string, name: string): string | undefined => headers(text, name)[0];
