// A telephone lab on the virtual clock: our endpoints and scripted peers with raw SIP, on one memory network.

import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { type EmbeddedOptions, EmbeddedTelephony } from '../../../engine/sip/adapters/embedded/endpoint.ts';
import type { Datagrams, TransportAddress } from '../../../engine/sip/stack/network/network.ts';
import {
  parseMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../../../engine/sip/stack/wire/message.ts';
import type { DialRequest, TrunkConfig } from '../../../engine/sip/telephony.ts';
import { MemoryNetwork } from './memory-network.ts';

export class SipLab {
  readonly clock = new VirtualClock(1_000_000);
  readonly network = new MemoryNetwork(this.clock);
  readonly errors: object[] = [];
  /** Messages of lines that need nobody. */
  readonly notes: string[] = [];

  async endpoint(address: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedTelephony> {
    const keep = (fields: object) => {
      this.errors.push(fields);
    };
    const telephony = new EmbeddedTelephony({
      host: address,
      port: 5060,
      tls: null,
      inboundAllow: ['0.0.0.0/0'],
      externalIp: null,
      log: { debug() {}, info: (_fields: object, message = '') => this.notes.push(message), warn: keep, error: keep },
      clock: this.clock,
      network: this.network.hostAt(address),
      ...options,
    });
    await telephony.start();
    return telephony;
  }

  peer(address: string, port = 5060): ScriptedPeer {
    return new ScriptedPeer(this.network, { address, port });
  }

  /** Advances the clock in small steps, letting promises (name service, durable stores) settle in between. */
  async run(ms: number, stepMs = 10): Promise<void> {
    for (let done = 0; done < ms; done += stepMs) {
      await setImmediate();
      this.clock.advance(Math.min(stepMs, ms - done));
    }
    await setImmediate();
  }
}

interface Received {
  message: SipMessage;
  from: TransportAddress;
  atMs: number;
}

/** A peer without any behaviour of its own: sends the test's messages and keeps received ones. */
export class ScriptedPeer {
  readonly at: TransportAddress;
  readonly received: Received[] = [];
  readonly #socket: Datagrams;
  /** Called for each message, for peers that answer by rule. */
  onMessage: (message: SipMessage, from: TransportAddress) => void = () => {};

  constructor(network: MemoryNetwork, at: TransportAddress) {
    this.at = at;
    this.#socket = network.bind(at, (bytes, from) => {
      const parsed = parseMessage(bytes);
      if (!parsed) return;
      this.received.push({ message: parsed.message, from, atMs: network.nowMs });
      this.onMessage(parsed.message, from);
    });
  }

  /** Lines as written, with CRLF and Content-Length added. */
  send(to: TransportAddress, lines: readonly string[], body = ''): void {
    const text = [...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
    this.#socket.send(Buffer.from(text), to, () => {});
  }

  requests(method: string): SipRequest[] {
    return this.received
      .map(({ message }) => message)
      .filter((message): message is SipRequest => message.kind === 'request' && message.method === method);
  }

  responses(method?: string): SipResponse[] {
    return this.received
      .map(({ message }) => message)
      .filter((message): message is SipResponse => message.kind === 'response')
      .filter((message) => method === undefined || value(message, 'cseq').endsWith(` ${method}`));
  }

  statuses(method?: string): number[] {
    return this.responses(method).map(({ status }) => status);
  }

  /** Answers a request: copies the headers that a response must copy, then adds the rest. */
  respond(
    request: SipRequest,
    to: TransportAddress,
    status: number,
    options: { tag?: string; headers?: string[]; body?: string } = {},
  ): void {
    const toValue = value(request, 'to');
    const tagged = options.tag === undefined || /;tag=/.test(toValue) ? toValue : `${toValue};tag=${options.tag}`;
    const lines = [
      `SIP/2.0 ${status} Scripted`,
      ...request.headers.filter(({ name }) => name === 'via').map((entry) => `Via: ${entry.value}`),
      ...(status > 100 && status < 300
        ? request.headers.filter(({ name }) => name === 'record-route').map((entry) => `Record-Route: ${entry.value}`)
        : []),
      `From: ${value(request, 'from')}`,
      `To: ${tagged}`,
      `Call-ID: ${value(request, 'call-id')}`,
      `CSeq: ${value(request, 'cseq')}`,
      ...(options.headers ?? []),
      ...(options.body === undefined ? [] : ['Content-Type: application/sdp']),
    ];
    this.send(to, lines, options.body);
  }

  get contact(): string {
    return `Contact: <sip:peer@${this.at.address}:${this.at.port}>`;
  }
}

/** First value of a header; empty if missing. */
export function value(message: SipMessage | undefined | null, name: string): string {
  return message?.headers.find((entry) => entry.name === name)?.value ?? '';
}

export function sdpOf(
  address: string,
  options: { port?: number; direction?: string; formats?: string; lines?: string[] } = {},
): string {
  return [
    'v=0',
    `o=peer 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${options.port ?? 30_000} RTP/AVP ${options.formats ?? '0 8 101'}`,
    ...(options.lines ?? ['a=rtpmap:101 telephone-event/8000']),
    ...(options.direction === undefined ? [] : [`a=${options.direction}`]),
    '',
  ].join('\r\n');
}

/** An INVITE from a scripted peer. `branch` and `cseq` distinguish retransmissions, re-INVITEs and forks. */
export function inviteLines(
  peer: ScriptedPeer,
  target: string,
  options: {
    callId?: string;
    branch?: string;
    cseq?: number;
    toTag?: string;
    headers?: string[];
    method?: string;
    sdp?: boolean;
  } = {},
): string[] {
  const method = options.method ?? 'INVITE';
  return [
    `${method} ${target} SIP/2.0`,
    `Via: SIP/2.0/UDP ${peer.at.address}:${peer.at.port};branch=${options.branch ?? 'z9hG4bKinvite1'};rport`,
    'Max-Forwards: 70',
    `From: "Ann" <sip:+15551230001@${peer.at.address}>;tag=peertag`,
    `To: <${target.replace(/:5060$/, '')}>${options.toTag === undefined ? '' : `;tag=${options.toTag}`}`,
    `Call-ID: ${options.callId ?? 'call-1'}`,
    `CSeq: ${options.cseq ?? 1} ${method}`,
    peer.contact,
    ...(options.sdp === false ? [] : ['Content-Type: application/sdp']),
    ...(options.headers ?? []),
  ];
}

export function tagIn(message: SipMessage | undefined, name: 'to' | 'from'): string {
  return /;tag=([^;]+)/.exec(value(message, name))?.[1] ?? '';
}

/** The value, which must exist; the test fails otherwise. */
export function given<T>(maybe: T | null | undefined, what = 'value'): T {
  if (maybe === null || maybe === undefined) throw new Error(`${what} is missing`);
  return maybe;
}

/** A trunk with the settings form's defaults. */
export function trunkConfig(id: string, host: string, more: Partial<TrunkConfig> = {}): TrunkConfig {
  return {
    id,
    name: id,
    host,
    port: 5060,
    transport: 'udp',
    username: null,
    password: null,
    authUsername: null,
    fromDomain: null,
    outboundProxy: null,
    register: false,
    inboundAllow: [],
    codecs: ['PCMU', 'PCMA'],
    country: null,
    dialFormat: 'e164',
    dialPrefix: '',
    inboundFormat: 'auto',
    callerIdHeader: 'from',
    srtp: false,
    optionsPing: true,
    ...more,
  };
}

/** A call over these trunks, in their order, or to a SIP address without any. */
export const dialRequest = (trunkIds: string[], more: Partial<DialRequest> = {}): DialRequest => ({
  trunkIds,
  to: '+15551112222',
  from: '+15559990000',
  fromName: null,
  audio: { address: '10.0.0.1', port: 20_000 },
  ringTimeoutMs: 60_000,
  ...more,
});
