// The database as TypeScript sees it, one interface a table. Times are integers (ms since the epoch), booleans 0 or 1,
// JSON is text; every row of a tenant carries `accountId`. Columns are snake_case in SQL (CamelCasePlugin).
import type { Generated } from 'kysely';

export type Flag = 0 | 1;
/** JSON text; the comment behind the column says of what. */
export type Json = string;

export interface AccountTable {
  id: string;
  name: string;
  plan: 'STARTER' | 'PRO' | 'ENTERPRISE';
  timezone: string;
  defaultCampaignId: string | null;
  overageEnabled: Flag;
  billingCustomerId: string | null;
  createdAt: number;
}

/** Answered seconds of a month; `month` is `YYYY-MM` in the account's timezone. */
export interface AccountUsageTable {
  accountId: string;
  month: string;
  seconds: number;
}

export interface UserTable {
  id: string;
  accountId: string;
  /** Lower case. */
  email: string;
  passwordHash: string | null;
  role: 'USER' | 'ADMIN';
  emailVerifiedAt: number | null;
  totpSecret: string | null;
  totpEnabledAt: number | null;
  /** Last 30 s step whose code was used: each code once. */
  totpLastStep: number | null;
  /** Tokens issued before are revoked. */
  tokensValidFrom: number;
  createdAt: number;
}

export interface RecoveryCodeTable {
  userId: string;
  codeHash: string;
  usedAt: number | null;
}

/** Failures by key: `email:<sha256>` or `ip:<address>`. */
export interface LoginFailureTable {
  key: string;
  failures: number;
  firstAt: number;
  lockedUntil: number | null;
}

export interface RefreshTokenTable {
  tokenHash: string;
  familyId: string;
  userId: string;
  expiresAt: number;
  usedAt: number | null;
  revokedAt: number | null;
  createdAt: number;
}

/** Access tokens that were logged out: `jti`. */
export interface RevokedTokenTable {
  jti: string;
  expiresAt: number;
}

/** Single-use tokens and codes that were mailed, and pending two-factor logins. */
export interface OneTimeTokenTable {
  tokenHash: string;
  kind: 'verify-email' | 'invite' | 'reset' | 'pending-2fa';
  userId: string;
  tries: number;
  expiresAt: number;
  usedAt: number | null;
  createdAt: number;
}

export interface AccessTokenTable {
  id: string;
  accountId: string;
  userId: string;
  name: string;
  tokenHash: string;
  role: 'USER' | 'ADMIN';
  lastUsedAt: number | null;
  revokedAt: number | null;
  createdAt: number;
}

export interface AgentTable {
  id: string;
  accountId: string;
  name: string;
  description: string | null;
  voiceId: string;
  language: string;
  primaryLanguage: string;
  additionalLanguages: Json; // string[]
  isActive: Flag;
  createdAt: number;
  deletedAt: number | null;
}

export interface BusinessTable {
  id: string;
  accountId: string;
  name: string;
  industry: string | null;
  description: string | null;
  timezone: string;
  address: string | null;
  phone: string | null;
  email: string | null;
  hours: Json; // {day, open, close}[]
  services: Json; // {name, duration, price}[]
  faqs: Json; // {question, answer}[]
  policies: Json; // (string | object)[]
  systemPrompt: string | null;
  greetingTemplate: string | null;
  fallbackMessage: string | null;
  transferNumber: string | null;
  voiceSettings: Json; // {speed}
  interruptionSensitivity: number;
  maxCallDurationMinutes: number;
  silenceThresholdMs: number;
  businessContext: Json | null; // object
  createdAt: number;
  deletedAt: number | null;
}

export interface BusinessAuditTable {
  id: string;
  accountId: string;
  businessId: string;
  actor: string;
  action: string;
  changes: Json; // {field: {from, to}}
  createdAt: number;
}

export type CampaignStatus = 'DRAFT' | 'SCHEDULED' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'FAILED';

export interface CampaignTable {
  id: string;
  accountId: string;
  name: string;
  description: string | null;
  agentId: string;
  businessId: string;
  status: CampaignStatus;
  scheduledAt: number | null;
  callingWindow: Json | null; // {timezone?, days[], start, end}
  maxConcurrentCalls: number;
  maxAttempts: number;
  retryDelayMinutes: number;
  voicemailAction: 'hangup' | 'leave_message';
  voicemailMessage: string | null;
  recordingEnabled: Flag;
  recordingFormat: 'wav' | 'mp3';
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  deletedAt: number | null;
}

export type ContactStatus = 'PENDING' | 'CALLING' | 'COMPLETED' | 'FAILED' | 'VOICEMAIL' | 'DO_NOT_CALL';

export interface ContactTable {
  id: string;
  accountId: string;
  campaignId: string;
  phoneNumber: string;
  name: string | null;
  email: string | null;
  status: ContactStatus;
  attempts: number;
  lastCallId: string | null;
  nextAttemptAt: number | null;
  createdAt: number;
}

export type CallStatus = 'RINGING' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'VOICEMAIL';

export interface CallTable {
  id: string;
  accountId: string;
  businessId: string;
  campaignId: string;
  agentId: string;
  phoneNumberId: string | null;
  contactId: string | null;
  direction: 'inbound' | 'outbound';
  /** How the caller's audio comes: `sip` or `web`. */
  medium: 'sip' | 'web';
  fromNumber: string;
  toNumber: string;
  callerName: string | null;
  status: CallStatus;
  outcome: string | null;
  endReason: string | null;
  startedAt: number;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number;
  sentiment: 'positive' | 'neutral' | 'negative' | null;
  summary: string | null;
  tags: Json; // string[]
  transcript: Json; // {speaker, text, timestamp}[]
  latency: Json | null; // {turns, p50Ms, p95Ms}
  recordingPath: string | null;
  recordingFormat: 'wav' | 'mp3' | null;
  trunkId: string | null;
  /** The engine instance that holds or held the call. */
  engineId: string | null;
  createdAt: number;
}

/** What is needed to end a call whose process died: the engine's StoredDialog as JSON, one row a leg. */
export interface CallDialogTable {
  callId: string;
  leg: string;
  dialog: Json;
  updatedAt: number;
}

/** Append-only: what the live views show. `seq` grows over all calls. */
export interface CallFeedTable {
  seq: Generated<number>;
  accountId: string;
  callId: string;
  type: 'transcript' | 'state' | 'latency' | 'ended';
  data: Json;
  createdAt: number;
}

/** Kept totals of calls: one row per tenant, filter, value and UTC day (`YYYY-MM-DD`), and one with day '' over all days. */
export interface CallCountTable {
  accountId: string;
  filter: string;
  value: string;
  day: string;
  total: number;
}

/** Kept by triggers: what a campaign's stats are made of. "Answered" = has an answer and has ended. */
export interface CampaignTotalTable {
  campaignId: string;
  accountId: string;
  calls: number;
  completed: number;
  successful: number;
  failed: number;
  voicemails: number;
  answered: number;
  answeredSeconds: number;
}

/** Kept by triggers: a campaign's contacts by status. */
export interface ContactCountTable {
  campaignId: string;
  status: ContactStatus;
  accountId: string;
  total: number;
}

/** One dialling attempt, claimed durably before its INVITE: at most one INVITE an attempt, over crashes. */
export interface DialAttemptTable {
  id: string;
  accountId: string;
  callId: string;
  campaignId: string;
  contactId: string | null;
  toNumber: string;
  trunkId: string | null;
  claimedAt: number;
  endedAt: number | null;
  outcome: string | null;
}

export type EngineRequestKind = 'dial' | 'end-call' | 'web-call' | 'voice-preview' | 'model-download';

/** What the API asks of the engine. Claimed by one engine; a request past `expiresAt` is never carried out. */
export interface EngineRequestTable {
  id: string;
  accountId: string;
  kind: EngineRequestKind;
  callId: string | null;
  payload: Json;
  createdAt: number;
  expiresAt: number;
  claimedAt: number | null;
  claimedBy: string | null;
  doneAt: number | null;
  result: Json | null;
}

/** Outbox of webhook events, written in the transaction that changes the resource. */
export interface EventTable {
  seq: Generated<number>;
  id: string;
  accountId: string;
  type: string;
  /** The resource's id; (subjectId, type, dedupe) is unique, so that a call has one `call.ended`. */
  subjectId: string;
  dedupe: string;
  data: Json;
  createdAt: number;
}

export interface WebhookTable {
  id: string;
  accountId: string;
  url: string;
  events: Json; // string[]
  isActive: Flag;
  /** base64 of SHA-256(secret): the HMAC key. */
  secretDigest: string;
  lastTriggeredAt: number | null;
  failureCount: number;
  failingSince: number | null;
  disabledReason: string | null;
  createdAt: number;
  deletedAt: number | null;
  /** Only events after this one are its own. */
  activeFromSeq: Generated<number>;
  /** Entries of its log, and those that succeeded. */
  deliveryCount: Generated<number>;
  deliveredCount: Generated<number>;
}

/** One event for one subscription until it is delivered or given up. */
export interface WebhookQueueTable {
  webhookId: string;
  eventSeq: number;
  accountId: string;
  attempts: number;
  nextAttemptAt: number;
  createdAt: number;
}

export interface WebhookDeliveryTable {
  id: string;
  accountId: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  url: string;
  attempt: number;
  success: Flag;
  statusCode: number | null;
  requestBody: string;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  isReplay: Flag;
  isTest: Flag;
  createdAt: number;
  nextRetryAt: number | null;
}

/** Where the fan-out from events to webhook queues stands. */
export interface CursorTable {
  name: string;
  value: number;
}

export interface PhoneNumberTable {
  id: string;
  accountId: string;
  phoneNumber: string;
  country: string | null;
  areaCode: string | null;
  type: 'local' | 'mobile' | 'toll_free';
  capabilities: Json; // string[]
  monthlyCost: number;
  campaignId: string | null;
  isActive: Flag;
  status: 'active' | 'releasing' | 'released';
  trunkId: string | null;
  /** User part of a SIP URI that means this number beside its digits: `demo` for the demo's. */
  sipAlias: string | null;
  createdAt: number;
  releasedAt: number | null;
  /** Set inactive because its monthly charge failed for a week; cleared when its owner activates it again. */
  suspendedAt: number | null;
}

export interface InventoryTable {
  phoneNumber: string;
  country: string;
  areaCode: string | null;
  type: 'local' | 'mobile' | 'toll_free';
  capabilities: Json; // string[]
  monthlyCost: number;
  trunkId: string | null;
  reservedBy: string | null;
  reservedUntil: number | null;
  ownedBy: string | null;
  /** Released: offered again only when an ADMIN adds it again. */
  retiredAt: number | null;
  createdAt: number;
}

export interface ChargeTable {
  id: string;
  accountId: string;
  kind: 'number' | 'overage';
  phoneNumber: string | null;
  amount: number;
  currency: string;
  status: 'recorded' | 'pending' | 'paid' | 'refunded' | 'failed';
  paymentIntentId: string | null;
  attempts: number;
  /** What the charge is for, e.g. `number:pn_…:2026-11`: at most one that is not failed. */
  purpose: string;
  idempotencyKey: string | null;
  failingSince: number | null;
  createdAt: number;
  settledAt: number | null;
  /** Of a purchase: the id that the number gets, and the campaign that was asked for. */
  phoneNumberId: string | null;
  campaignId: string | null;
  /** 1: the entry brings a number with it. At most one such is pending per phone number. */
  isPurchase: Generated<Flag>;
  /** 1: given up; all that is left is to cancel or refund. */
  isUndone: Generated<Flag>;
  /** Until then a request of a live process is at it; afterwards settlement takes over. */
  attendedUntil: Generated<number>;
}

export interface PortOrderTable {
  id: string;
  accountId: string;
  phoneNumber: string;
  loaSignedAt: string;
  accountHolder: string;
  status: 'DRAFT' | 'SUBMITTED' | 'IN_REVIEW' | 'FOC_SCHEDULED' | 'COMPLETED' | 'REJECTED' | 'CANCELLED';
  statusHistory: Json; // {status, at, reason?}[]
  focDate: string | null;
  createdAt: number;
}

export interface PortDocumentTable {
  id: string;
  accountId: string;
  portOrderId: string;
  kind: 'loa' | 'bill';
  contentType: string;
  fileName: string;
  path: string;
  bytes: number;
  createdAt: number;
}

export interface TrunkTable {
  id: string;
  name: string;
  host: string;
  port: number;
  transport: 'udp' | 'tcp' | 'tls';
  username: string | null;
  /** Sealed with the installation's key (db/shared/secret-box.ts): digest needs the plaintext. */
  passwordSealed: string | null;
  authUsername: string | null;
  fromDomain: string | null;
  outboundProxy: string | null;
  register: Flag;
  inboundAllow: Json; // CIDR[]
  codecs: Json; // string[]
  maxConcurrentCalls: number;
  callsPerSecond: number;
  country: string | null;
  dialFormat: 'e164' | '00' | 'national';
  dialPrefix: string | null;
  callerIdHeader: 'from' | 'pai' | 'both';
  srtp: Flag;
  createdAt: number;
  deletedAt: number | null;
}

/** Written by the engine, read by the API. */
export interface TrunkStateTable {
  trunkId: string;
  registrationState: 'off' | 'registering' | 'registered' | 'failed';
  registrationExpiresAt: number | null;
  healthState: 'unknown' | 'up' | 'down';
  healthCheckedAt: number | null;
  lastError: string | null;
  lastErrorAt: number | null;
  activeCalls: number;
  updatedAt: number;
}

export interface AppointmentTable {
  id: string;
  accountId: string;
  businessId: string;
  callId: string | null;
  service: string | null;
  startsAt: number;
  endsAt: number;
  name: string | null;
  phone: string | null;
  notes: string | null;
  status: 'booked' | 'cancelled';
  createdAt: number;
}

export interface DoNotCallTable {
  id: string;
  accountId: string;
  phoneNumber: string;
  reason: string | null;
  source: 'api' | 'call' | 'digits';
  createdAt: number;
}

export interface IdempotencyKeyTable {
  accountId: string;
  key: string;
  method: string;
  path: string;
  bodyHash: string;
  /** Null while the first request runs. */
  statusCode: number | null;
  response: string | null;
  /** The process that runs it: a row of a dead process is free again. */
  owner: string;
  createdAt: number;
}

/** One row, written by the engine every second and at each change of state. */
export interface EngineStateTable {
  id: 1;
  engineId: string;
  pid: number;
  hostname: string;
  startedAt: number;
  heartbeatAt: number;
  state: 'starting' | 'up' | 'draining' | 'stopped';
  sipUri: string | null;
  mediaWsUrl: string | null;
  telephonyUp: Flag;
  maxCalls: number;
  activeCalls: number;
  /** What listens, thinks and speaks: {stt, tts, llm, freeText}. */
  models: Json;
  /** Metrics snapshot for `GET /metrics`. */
  metrics: Json;
}

/** When each retention job ran last. */
export interface JobTable {
  name: string;
  lastRunAt: number;
}

export interface Schema {
  accounts: AccountTable;
  accountUsage: AccountUsageTable;
  users: UserTable;
  recoveryCodes: RecoveryCodeTable;
  loginFailures: LoginFailureTable;
  refreshTokens: RefreshTokenTable;
  revokedTokens: RevokedTokenTable;
  oneTimeTokens: OneTimeTokenTable;
  accessTokens: AccessTokenTable;
  agents: AgentTable;
  businesses: BusinessTable;
  businessAudit: BusinessAuditTable;
  campaigns: CampaignTable;
  contacts: ContactTable;
  calls: CallTable;
  callDialogs: CallDialogTable;
  callFeed: CallFeedTable;
  callCounts: CallCountTable;
  campaignTotals: CampaignTotalTable;
  contactCounts: ContactCountTable;
  dialAttempts: DialAttemptTable;
  engineRequests: EngineRequestTable;
  events: EventTable;
  webhooks: WebhookTable;
  webhookQueue: WebhookQueueTable;
  webhookDeliveries: WebhookDeliveryTable;
  cursors: CursorTable;
  phoneNumbers: PhoneNumberTable;
  inventory: InventoryTable;
  charges: ChargeTable;
  portOrders: PortOrderTable;
  portDocuments: PortDocumentTable;
  trunks: TrunkTable;
  trunkStates: TrunkStateTable;
  appointments: AppointmentTable;
  doNotCall: DoNotCallTable;
  idempotencyKeys: IdempotencyKeyTable;
  engineState: EngineStateTable;
  jobs: JobTable;
}
