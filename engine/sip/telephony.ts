// The telephony port: the engine's only view of SIP. An adapter (embedded user agent; drachtio + FreeSWITCH) presents
// calls as legs, negotiates their audio, and reports the end of each leg exactly once.

import type { InviteRefusal } from '../../db/domain/calls/invite-refusals.ts';
import type { ReadingRule } from '../../db/domain/numbers/reading-rules.ts';
import type { InboundFormat, VoiceCodecName } from '../../db/domain/trunk-defaults.ts';

export { NARROWBAND_CODECS } from '../../db/domain/trunk-defaults.ts';
export type { InviteRefusal };
export type AudioCodec = VoiceCodecName;
export type AudioDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The log of an adapter. */
export interface SipLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The reason that the far side gets for the end. */
export interface HangUpReason {
  sipStatus?: number;
  q850Cause?: number;
  text?: string;
}

/** SDES keys, one per direction (RFC 4568): base64 of key || salt. */
export interface SrtpKeys {
  suite: 'AES_CM_128_HMAC_SHA1_80';
  localKeySalt: string;
  remoteKeySalt: string;
}

/** Our RTP address of a call. The socket is bound before the leg is answered or dialled; RTCP is on port + 1. */
export interface LocalAudio {
  address: string;
  port: number;
  /** An audio fork joins there in place of RTP; only if the telephony uses forks. */
  fork?: AudioFork;
}

/** The credentials of a call's fork when it joins; the token is valid once. */
export interface AudioFork {
  callId: string;
  token: string;
  sampleRateHz: 8_000 | 16_000;
}

/** The result of offer and answer, from our side. Sent again whenever it changes (re-INVITE, UPDATE, hold). */
export interface NegotiatedAudio {
  remoteAddress: string;
  remotePort: number;
  remoteRtcpPort: number;
  codec: AudioCodec;
  payloadType: number;
  /** Payload type of RFC 4733 events, null when the peer does not support them. */
  telephoneEventPayloadType: number | null;
  /** Clock of the events' time stamps and durations; 8,000 if left out. */
  telephoneEventClockHz?: 48_000;
  /** Payload type of comfort noise (13), null when not agreed. */
  comfortNoisePayloadType: number | null;
  /** `recvonly` and `inactive` mean that the peer has put us on hold. */
  direction: AudioDirection;
  srtp: SrtpKeys | null;
  /**
   * Addresses and CIDRs from which the peer's audio may come, besides the signalled one: the source of its signalling,
   * since a phone behind NAT signals an unreachable address, and the networks of its trunk.
   */
  sources: readonly string[];
}

/** A dialog in a form that lets a later process end it: CANCEL before the answer, BYE after it. */
export interface StoredDialog {
  state: 'inviting' | 'confirmed';
  role: 'uac' | 'uas';
  transport: 'udp' | 'tcp' | 'tls';
  /** host:port of the next request, after DNS and routes. */
  nextHop: string;
  callId: string;
  localUri: string;
  localTag: string;
  remoteUri: string;
  remoteTag: string | null;
  remoteTarget: string;
  routeSet: string[];
  localCSeq: number;
  /** The name that the certificate of a TLS peer must carry; missing in dialogs stored by an earlier release. */
  serverName?: string | null;
  /** Via of the INVITE: CANCEL repeats its branch and sent-by. */
  inviteVia: string | null;
  /** drachtio's transaction id of the INVITE; missing in dialogs of the embedded endpoint. */
  transactionId?: string;
  trunkId: string | null;
}

/** `server`: drachtio or FreeSWITCH failed during the call. */
type EndedBy = 'local' | 'remote' | 'network' | 'server';

/** How a leg ended: SIP status (null for a BYE), and the Q.850 cause if the peer sent a Reason header (RFC 3326). */
export interface LegEnd {
  by: EndedBy;
  /** Final status of the INVITE, for a leg that was never answered. */
  sipStatus: number | null;
  q850Cause: number | null;
  reason: string;
  /** A 180 or 183 came before the end. */
  rang: boolean;
}

export type LegEvent =
  | { type: 'dialog-stored'; dialog: StoredDialog }
  | { type: 'ringing'; status: 180 | 181 | 182 | 183; earlyAudio: NegotiatedAudio | null }
  | { type: 'answered'; audio: NegotiatedAudio }
  | { type: 'audio-changed'; audio: NegotiatedAudio }
  /** SIP INFO digits; RFC 4733 digits come from the media shard. */
  | { type: 'digit'; digit: string; durationMs: number }
  /** NOTIFY for a REFER of ours: final when status >= 200. */
  | { type: 'refer-progress'; status: number; reason: string }
  /**
   * REFER of the other side: it hands its call on. `target`: E.164, or `sip:USERNAME` for a softphone. It is declined
   * unless the listener calls `accept` at once.
   */
  | { type: 'refer-asked'; target: string; accept(): void }
  | { type: 'ended'; end: LegEnd };

/**
 * All that another process needs to go on with an answered leg, as JSON. It holds passwords and keys: store it sealed.
 */
export interface LegState {
  sipCallId: string;
  /** How the leg is ended where nobody can go on with it. */
  dialog: StoredDialog;
  audio: NegotiatedAudio;
  /** Known to the adapter alone. */
  rest: unknown;
}

/** All that another process needs to go on with an INVITE of ours that has no final answer; as secret as `LegState`. */
export interface RingingState {
  sipCallId: string;
  /** How the attempt is ended where nobody can go on with it. */
  dialog: StoredDialog;
  /** The audio that was agreed for the time before the answer. */
  earlyAudio: NegotiatedAudio | null;
  /** Known to the adapter alone. */
  rest: unknown;
}

export interface Leg {
  /** SIP Call-ID, for logs. */
  readonly sipCallId: string;
  readonly direction: 'inbound' | 'outbound';
  /** Null before the answer and after the end; absent where legs end with their process. */
  readonly state?: LegState | null;
  /** Null unless an INVITE of ours is out and unanswered; absent where legs end with their process. */
  readonly ringing?: RingingState | null;
  /** Sets the one listener; earlier events are queued for it. Nothing follows `ended`. */
  onEvent(listener: (event: LegEvent) => void): void;
  /** Ends the leg in any state, by CANCEL, BYE or a final response. Safe to call twice. */
  hangUp(reason?: HangUpReason): void;
  /** Blind transfer: REFER to a SIP or tel URI, or E.164 number. Progress comes as `refer-progress`. */
  refer(target: string): void;
  /** Sends digits by SIP INFO where telephone-event was not agreed. */
  sendInfoDigits(digits: string): void;
  /** Asks the peer whether the call is still there (a session refresh, RFC 4028): the leg ends if it is not. */
  refresh?(): void;
}

export interface Caller {
  /** E.164 if it can be converted, else as received; `anonymous` for a withheld number. */
  number: string;
  name: string | null;
}

/** How an INVITE's numbers were read: as they stood in it, and why as they were. */
export interface InviteReading {
  calledReceived: string;
  callerReceived: string;
  rule: ReadingRule;
}

export interface InboundLeg extends Leg {
  readonly direction: 'inbound';
  /** The called number, from the Request-URI, else P-Called-Party-ID, else To; E.164 if it can be converted. */
  readonly called: string;
  readonly caller: Caller;
  /** Diversion / History-Info numbers, newest first. */
  readonly divertedFrom: string[];
  /** The same by another reading of the called number; absent, null: it has one only. */
  readonly otherwise?: { called: string; caller: Caller; divertedFrom: string[] } | null | undefined;
  readonly reading?: InviteReading;
  readonly trunkId: string | null;
  /** The softphone account whose password was verified; null for other callers. */
  readonly sipAccountId: string | null;
  readonly remoteAddress: string;
  /** Sample rate of the codec that the answer will choose, as far as it is known. */
  readonly sampleRateHz: 8_000 | 16_000;
  /** 180, or 183 with our audio for early media. */
  ring(earlyAudio?: LocalAudio): void;
  /** 200 with SDP. `answered` follows at once if the INVITE had an offer, else with the answer in the ACK. */
  answer(audio: LocalAudio): void;
  reject(sipStatus: number, options?: { retryAfterSeconds?: number; reason?: string }): void;
}

/** Why no INVITE is taken at the moment, whoever calls. */
export type Obstacle = Extract<InviteRefusal, 'capacity' | 'stopping' | 'database'>;

/** Retry-After at an obstacle: about the time until one of many calls ends. */
export const RETRY_AFTER_SECONDS = 10;

/** An INVITE that did not become a call. */
export interface RefusedInvite {
  calledNumber: string;
  callerNumber: string;
  sourceAddress: string;
  trunkId: string | null;
  sipStatus: number;
  reason: InviteRefusal;
}

export interface OutboundLeg extends Leg {
  readonly direction: 'outbound';
}

export interface DialRequest {
  /** In order of preference; the next one is tried by the failover rule in docs/trunks.md. */
  trunkIds: string[];
  /** E.164, a `sip:` URI for a direct call, or `sip:USERNAME` for a registered softphone of `accountId`. */
  to: string;
  /** The tenant that owns the call: another tenant's softphones cannot be reached. */
  accountId?: string;
  from: string;
  fromName: string | null;
  audio: LocalAudio;
  /** Sends CANCEL if there is no answer within this time. */
  ringTimeoutMs: number;
  /** Awaited before each INVITE, so that the dialog is stored first. If it rejects, nothing is dialled. */
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
  /** Another engine registers there and asks after its health: this one only calls, and is called. */
  isPassive?: true;
  /** host:port at which the registrar is to reach us, in place of our own address. */
  contactAt?: string;
  inboundAllow: string[];
  codecs: AudioCodec[];
  /** ISO 3166 country of the national numbers that the trunk sends and accepts. */
  country: string | null;
  /** How numbers are read that can be read in two ways. */
  inboundFormat: InboundFormat;
  dialFormat: 'e164' | '00' | 'national';
  dialPrefix: string;
  callerIdHeader: 'from' | 'pai' | 'both';
  srtp: boolean;
  /** False for a peer that never answers OPTIONS: its health is then what calls and the registration say. */
  optionsPing: boolean;
}

export interface TrunkState {
  trunkId: string;
  registration: { state: 'off' | 'registering' | 'registered' | 'failed'; expiresAtMs: number | null };
  health: { state: 'unknown' | 'up' | 'down'; checkedAtMs: number | null };
  lastError: string | null;
  lastErrorAtMs: number | null;
}

export interface Telephony {
  /** Each call's audio comes through a fork; by RTP if absent. */
  readonly usesForks?: boolean;
  /** Binds; resolves with the address for the ready line. Errors (port in use, bad address) name the variable. */
  start(): Promise<{ sipUri: string }>;
  /** Called once per new INVITE that passed the source check, never for a retransmission. */
  onInvite(handler: (leg: InboundLeg) => void): void;
  /** Called first for each INVITE: false answers 503 with Retry-After. */
  setAdmission(obstacle: () => Obstacle | null): void;
  dial(request: DialRequest): OutboundLeg;
  /** Replaces the whole set; changed trunks register, re-register or unregister at once. */
  setTrunks(trunks: TrunkConfig[]): void;
  onTrunkState(listener: (state: TrunkState) => void): void;
  /**
   * Calls of another process are about to be taken over: requests in dialogs that nobody knows have no answer
   * meanwhile, and are sent again; otherwise a BYE would get 481, and its call would go on with nobody.
   */
  expectCalls?(areExpected: boolean): void;
  /**
   * Goes on with the leg of another process that has ended `elapsedMs` after it said this. Absent: no leg outlives its
   * process. @throws if the state is not of this adapter
   */
  resume?(state: LegState, elapsedMs: number): Leg;
  /**
   * Goes on with the leg of an engine that was lost with its machine: by a re-INVITE the peer is to send its audio to
   * `audio`. `audio-changed` says that it does, `ended` that it cannot be had. Absent, @throws: as `resume`.
   */
  move?(state: LegState, elapsedMs: number, audio: LocalAudio): Leg;
  /**
   * Goes on with the unanswered INVITE of another process that has ended. `beforeInvite`: as in `DialRequest`, for the
   * INVITEs that may follow.
   */
  resumeRinging?(state: RingingState, elapsedMs: number, beforeInvite: DialRequest['beforeInvite']): OutboundLeg;
  /** Ends a dialog left by a crashed process, by CANCEL or BYE; resolves on the answer or the timeout. */
  endStored(dialog: StoredDialog): Promise<void>;
  /** Whether another engine answers SIP at that URI; false without an answer within this time. */
  reaches(sipUri: string, withinMs: number): Promise<boolean>;
  /** Closes every socket without a word: another process goes on with the legs. Absent: none can. */
  leave?(): void;
  /** From now on INVITEs are answered 503. */
  drain(): void;
  stop(): Promise<void>;
}

/** A softphone account that may register. */
export interface SipAccountConfig {
  id: string;
  /** The tenant. */
  accountId: string;
  /** Lower case. */
  username: string;
  displayName: string | null;
  password: string;
}

/** Where a softphone is registered. */
export interface SipBinding {
  sipAccountId: string;
  contact: string;
  transport: 'udp' | 'tcp' | 'tls';
  /** The source address of its packets. */
  address: string;
  port: number;
  userAgent: string | null;
  sipCallId: string;
  cseq: number;
  /** The digest algorithm that the phone used. */
  hash: 'MD5' | 'SHA-256';
  /** The way to it through a proxy of ours: the Path of its REGISTER (RFC 3327); null: it registered here directly. */
  path: string | null;
  registeredAtMs: number;
  expiresAtMs: number;
}

/** The part of an adapter that registers softphones. */
export interface SoftphoneRegistrar {
  /** Replaces the whole set; accounts missing from it are unregistered at once. */
  setSipAccounts(accounts: readonly SipAccountConfig[]): void;
  /** The registrations at the end of the last process. */
  restoreBindings(bindings: readonly SipBinding[]): void;
  /** All registrations, as the engines have written them; those of the accounts in `except` stay as they are here. */
  followBindings(bindings: readonly SipBinding[], except: ReadonlySet<string>): void;
  /**
   * Called for each registration at this engine, and with null when one ends. `ended`: which one, as another may have
   * replaced it at another engine.
   */
  onBinding(listener: (sipAccountId: string, binding: SipBinding | null, ended: SipBinding | null) => void): void;
}

type TelephonyErrorCode = 'TRUNK_UNKNOWN' | 'TRUNK_DOWN' | 'NO_TRUNK' | 'NOT_REGISTERED' | 'BIND_FAILED' | 'BAD_TARGET';

export class TelephonyError extends Error {
  readonly code: TelephonyErrorCode;
  constructor(code: TelephonyErrorCode, message: string) {
    super(message);
    this.name = 'TelephonyError';
    this.code = code;
  }
}
