// The telephony port: all that the engine knows of SIP. An adapter (embedded user agent; drachtio + FreeSWITCH) brings
// calls as legs, negotiates their audio, and says once, and only once, that a leg has ended.

export type AudioCodec = 'PCMU' | 'PCMA';
export type AudioDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** SDES keys of one direction each (RFC 4568), base64 of key || salt. */
export interface SrtpKeys {
  suite: 'AES_CM_128_HMAC_SHA1_80';
  localKeySalt: string;
  remoteKeySalt: string;
}

/** Where our audio of a call lies: the RTP socket is bound before the leg is answered or dialled. RTCP is port + 1. */
export interface LocalAudio {
  address: string;
  port: number;
}

/** What offer and answer agreed on, seen from us. Sent anew whenever it changes (re-INVITE, UPDATE, hold). */
export interface NegotiatedAudio {
  remoteAddress: string;
  remotePort: number;
  remoteRtcpPort: number;
  codec: AudioCodec;
  payloadType: number;
  /** Payload type of RFC 4733 events, null when the peer takes none. */
  telephoneEventPayloadType: number | null;
  /** Payload type of comfort noise (13), null when not agreed. */
  comfortNoisePayloadType: number | null;
  /** What we may do; `recvonly` and `inactive` mean that the peer has us on hold. */
  direction: AudioDirection;
  srtp: SrtpKeys | null;
}

/** What is stored of a dialog so that a later process can end it (CANCEL before the answer, BYE after). */
export interface StoredDialog {
  state: 'inviting' | 'confirmed';
  role: 'uac' | 'uas';
  transport: 'udp' | 'tcp' | 'tls';
  /** host:port that the next request goes to, after DNS and routes. */
  nextHop: string;
  callId: string;
  localUri: string;
  localTag: string;
  remoteUri: string;
  remoteTag: string | null;
  remoteTarget: string;
  routeSet: string[];
  localCSeq: number;
  /** Branch and sent-by of the INVITE's Via, needed by CANCEL. */
  inviteVia: string | null;
  trunkId: string | null;
}

export type EndedBy = 'local' | 'remote' | 'network';

/** How a leg ended: SIP status (null when by BYE) and Q.850 cause (RFC 3326 Reason header) where the peer gave one. */
export interface LegEnd {
  by: EndedBy;
  /** Final status of the INVITE for a leg that was never answered. */
  sipStatus: number | null;
  q850Cause: number | null;
  reason: string;
  /** True when a 180/183 had been received before the end. */
  rang: boolean;
}

export type LegEvent =
  | { type: 'dialog-stored'; dialog: StoredDialog }
  | { type: 'ringing'; status: 180 | 181 | 182 | 183; earlyAudio: NegotiatedAudio | null }
  | { type: 'answered'; audio: NegotiatedAudio }
  | { type: 'audio-changed'; audio: NegotiatedAudio }
  /** SIP INFO digits; RFC 4733 digits come from the media shard. */
  | { type: 'digit'; digit: string; durationMs: number }
  /** NOTIFY of a REFER that we sent: final when status >= 200. */
  | { type: 'refer-progress'; status: number; reason: string }
  | { type: 'ended'; end: LegEnd };

export interface Leg {
  /** SIP Call-ID, for logs. */
  readonly sipCallId: string;
  readonly direction: 'inbound' | 'outbound';
  /** One listener; events before it is set are kept and delivered on setting. After `ended` there is none. */
  onEvent(listener: (event: LegEvent) => void): void;
  /** Ends the leg in whatever state it is: CANCEL, BYE, or a final response. Safe to call twice. */
  hangUp(reason?: { sipStatus?: number; q850Cause?: number; text?: string }): void;
  /** Blind transfer: REFER to a SIP or tel URI, or E.164 number. Progress comes as `refer-progress`. */
  refer(target: string): void;
  /** Sends digits by SIP INFO where telephone-event was not agreed. */
  sendInfoDigits(digits: string): void;
}

export interface Caller {
  /** E.164 where it could be made one, else as sent; `anonymous` for a withheld number. */
  number: string;
  name: string | null;
}

export interface InboundLeg extends Leg {
  readonly direction: 'inbound';
  /** The number that was called: Request-URI user, else P-Called-Party-ID, else To; E.164 where it can be made one. */
  readonly called: string;
  readonly caller: Caller;
  /** Diversion / History-Info numbers, newest first. */
  readonly divertedFrom: string[];
  readonly trunkId: string | null;
  readonly remoteAddress: string;
  /** 180, or 183 with our audio for early media. */
  ring(earlyAudio?: LocalAudio): void;
  /** 200 with SDP. `answered` follows at once where the INVITE had an offer, else when the ACK brings the answer. */
  answer(audio: LocalAudio): void;
  reject(sipStatus: number, options?: { retryAfterSeconds?: number; reason?: string }): void;
}

export interface OutboundLeg extends Leg {
  readonly direction: 'outbound';
}

export interface DialRequest {
  /** Ordered: the first is tried, the next only by the failover rule (design of trunks). */
  trunkIds: string[];
  /** E.164, or a `sip:` URI for a direct call. */
  to: string;
  from: string;
  fromName: string | null;
  audio: LocalAudio;
  /** Give up (CANCEL) after so long without an answer. */
  ringTimeoutMs: number;
  /** Awaited before each INVITE leaves (again for the next trunk): the dialog must be durable first. A rejection dials nothing. */
  beforeInvite?: (dialog: StoredDialog) => Promise<void>;
}

export interface TrunkConfig {
  id: string;
  name: string;
  host: string;
  port: number;
  transport: 'udp' | 'tcp' | 'tls';
  username: string | null;
  password: string | null;
  authUsername: string | null;
  fromDomain: string | null;
  outboundProxy: string | null;
  register: boolean;
  inboundAllow: string[];
  codecs: AudioCodec[];
  /** ISO 3166 country whose national numbers the trunk sends and takes. */
  country: string | null;
  dialFormat: 'e164' | '00' | 'national';
  dialPrefix: string;
  callerIdHeader: 'from' | 'pai' | 'both';
  srtp: boolean;
}

export interface TrunkState {
  trunkId: string;
  registration: { state: 'off' | 'registering' | 'registered' | 'failed'; expiresAtMs: number | null };
  health: { state: 'unknown' | 'up' | 'down'; checkedAtMs: number | null };
  lastError: string | null;
  lastErrorAtMs: number | null;
}

export interface Telephony {
  /** Binds; resolves with the address that the ready line shows. Errors name the variable (port in use, bad address). */
  start(): Promise<{ sipUri: string }>;
  /** Called once for each new INVITE that passed the source check; retransmissions never come twice. */
  onInvite(handler: (leg: InboundLeg) => void): void;
  /** Called when an INVITE comes in, before anything else is done: false answers 503 with Retry-After. */
  setAdmission(admit: () => boolean): void;
  dial(request: DialRequest): OutboundLeg;
  /** The whole set; what changed registers, re-registers or unregisters at once. */
  setTrunks(trunks: TrunkConfig[]): void;
  onTrunkState(listener: (state: TrunkState) => void): void;
  /** Ends a dialog that a crashed process left: CANCEL or BYE from the stored data, resolved when answered or timed out. */
  endStored(dialog: StoredDialog): Promise<void>;
  /** No new calls: INVITEs are answered 503. */
  drain(): void;
  stop(): Promise<void>;
}

export type TelephonyErrorCode = 'TRUNK_UNKNOWN' | 'TRUNK_DOWN' | 'NO_TRUNK' | 'BIND_FAILED' | 'BAD_TARGET';

export class TelephonyError extends Error {
  readonly code: TelephonyErrorCode;
  constructor(code: TelephonyErrorCode, message: string) {
    super(message);
    this.name = 'TelephonyError';
    this.code = code;
  }
}
