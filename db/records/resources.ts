// Converts rows to API records of contacts, campaigns, appointments and port orders. The API answers with them and the
// engine puts them into webhook events, so that both agree. Pure.

import { type AppointmentChange, storedHistory } from '../domain/booking/history.ts';
import type { ReminderState } from '../domain/booking/reminders.ts';
import { type CallingWindow, DEFAULT_CALLING_WINDOW } from '../domain/campaign-defaults.ts';
import { amountText } from '../domain/cost/money.ts';
import type { CostSums } from '../domain/cost/pricing.ts';
import { storedDestinations, type TransferDestination } from '../domain/numbers/transfer-destinations.ts';
import type { Criterion, OutputWish } from '../domain/results.ts';
import type { SplitPart } from '../domain/versions/split.ts';
import type { AppointmentTable } from '../schema/businesses.ts';
import type { CampaignStatus, CampaignTable, ContactStatus, ContactTable } from '../schema/campaigns.ts';
import type { PortOrderTable } from '../schema/lines/phone-numbers.ts';

/** ISO-8601 UTC with milliseconds, from ms since the epoch. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The columns contain only JSON that this program wrote; an empty array (the common case) is not parsed. */
export const parseArray = <T>(text: string): T[] => (text === '[]' ? [] : (JSON.parse(text) as T[]));

/** The same for an object of texts. */
export const parseTexts = (text: string): Record<string, string> =>
  text === '{}' ? {} : (JSON.parse(text) as Record<string, string>);

export interface TranscriptEntry {
  /** `person`: to whom the caller was to be, or was, handed; or who talks in the agent's place, or to the agent. */
  speaker: 'agent' | 'caller' | 'person';
  text: string;
  /** Milliseconds from the start of the recording. */
  timestamp: number;
  /** Said on the person's line only; absent: the caller heard it, or said it. */
  line?: 'person';
}

export interface CallLatency {
  turns: number;
  p50Ms: number;
  p95Ms: number;
  /** Time from the caller's onset to the agent's silence; absent without interruptions. */
  yields?: { count: number; p50Ms: number; p95Ms: number };
}

/** A call's use of the dialogue model's server. Tokens are null if the server reports none. */
export interface CallUsage {
  promptTokens: number | null;
  /** Prompt tokens that the server had in its cache. */
  cachedTokens: number | null;
  completionTokens: number | null;
  requests: number;
  /** Requests to the fallback model. */
  fallbackRequests: number;
  /** Requests whose reply was never spoken because the caller continued. */
  discardedRequests: number;
  discardedTokens: number | null;
}

/** As decimals of the currency, exact to a millionth; null: no price is known. */
export interface CallCost {
  llm: string | null;
  stt: string | null;
  tts: string | null;
  trunk: string | null;
  total: string | null;
  currency: string | null;
  /** A part of it was reckoned, as nobody tells it. */
  estimated: boolean;
  /** Something that was used has no price. */
  partial: boolean;
}

export function callCost(sums: CostSums): CallCost {
  const text = (micros: number | null): string | null => (micros === null ? null : amountText(micros));
  const { llm, stt, tts, trunk, total, currency, isEstimated: estimated, isPartial: partial } = sums;
  const parts = { llm: text(llm), stt: text(stt), tts: text(tts), trunk: text(trunk), total: text(total) };
  return { ...parts, currency, estimated, partial };
}

/** Turns that began with no answer ("Let me see", an apology), and the longest time until the answer or apology. */
export interface CallWaits {
  count: number;
  longestMs: number;
}

/** Another engine did the work of the chosen one. */
export interface EngineFallback {
  model: 'stt' | 'tts' | 'llm' | 'speech-to-speech';
  from: string;
  /**
   * Of a dialogue model: `receptionist`, or `message` where nobody answered. Of a speech-to-speech model: `cascade`,
   * for the rest of the call.
   */
  to: string;
  /** Utterances, clauses, or turns of the caller. */
  count: number;
  /** Why the dialogue model failed: LLM_TIMEOUT and the like; absent for others. */
  reason?: string;
}

export interface AppointmentResource {
  id: string;
  callId: string | null;
  /** In which it was booked; null: on a call. */
  conversationId: string | null;
  businessId: string;
  service: string | null;
  startsAt: string;
  endsAt: string;
  name: string | null;
  phone: string | null;
  notes: string | null;
  status: 'booked' | 'cancelled';
  resource: string | null;
  reference: string | null;
  history: AppointmentChange[];
  reminder: { callId: string; state: ReminderState } | null;
}

export function appointmentResource(row: AppointmentTable): AppointmentResource {
  return {
    id: row.id,
    callId: row.callId,
    conversationId: row.conversationId,
    businessId: row.businessId,
    service: row.service,
    startsAt: isoTime(row.startsAt),
    endsAt: isoTime(row.endsAt),
    name: row.name,
    phone: row.phone,
    notes: row.notes,
    status: row.status,
    resource: row.resource,
    reference: row.reference,
    history: storedHistory(row.history),
    reminder: row.reminderCallId && row.reminder ? { callId: row.reminderCallId, state: row.reminder } : null,
  };
}

export interface ContactResource {
  id: string;
  phoneNumber: string;
  name: string | null;
  email: string | null;
  status: ContactStatus;
  attempts: number;
  lastCallId: string | null;
  nextAttemptAt: string | null;
  variables: Record<string, string>;
  metadata: Record<string, string>;
  createdAt: string;
}

export function contactResource(row: ContactTable): ContactResource {
  return {
    id: row.id,
    phoneNumber: row.phoneNumber,
    name: row.name,
    email: row.email,
    status: row.status,
    attempts: row.attempts,
    lastCallId: row.lastCallId,
    nextAttemptAt: isoOrNull(row.nextAttemptAt),
    variables: parseTexts(row.variables),
    metadata: parseTexts(row.metadata),
    createdAt: isoTime(row.createdAt),
  };
}

/** The window of a campaign row, or the default. */
export function callingWindow(row: Pick<CampaignTable, 'callingWindow'>): CallingWindow {
  if (row.callingWindow === null) return DEFAULT_CALLING_WINDOW;
  return { timezone: null, ...(JSON.parse(row.callingWindow) as CallingWindow) };
}

/** The results that were found of a call after its end. */
export interface CallAnalysis {
  /** By output; null where nothing that fits was found. */
  data: Record<string, unknown>;
  /** Why an output is null. */
  reasons: Record<string, string>;
  /** By criterion; null where it could not be judged. */
  criteria: Record<string, boolean | null>;
  by: 'model' | 'receptionist';
  analysedAt: string;
}

export interface CampaignResource {
  id: string;
  name: string;
  description: string | null;
  agentId: string;
  businessId: string;
  phoneNumberIds: string[];
  status: CampaignStatus;
  scheduledAt: string | null;
  callingWindow: CallingWindow;
  maxConcurrentCalls: number;
  maxAttempts: number;
  retryDelayMinutes: number;
  greetingTemplate: string | null;
  instructions: string | null;
  voicemail: { action: 'hangup' | 'leave_message'; message: string | null };
  recording: { enabled: boolean; format: 'wav' | 'mp3' };
  destinations: TransferDestination[];
  listeningNotice: CampaignTable['listeningNotice'];
  toolIds: string[];
  outputs: OutputWish[];
  criteria: Criterion[];
  split: SplitPart[];
  _count: { contacts: number; calls: number };
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  deletedAt: string | null;
}

/** `counts`: all contacts and calls of the campaign. */
export function campaignResource(
  row: CampaignTable,
  phoneNumberIds: readonly string[],
  counts: { contacts: number; calls: number },
): CampaignResource {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    agentId: row.agentId,
    businessId: row.businessId,
    phoneNumberIds: [...phoneNumberIds],
    status: row.status,
    scheduledAt: isoOrNull(row.scheduledAt),
    callingWindow: callingWindow(row),
    maxConcurrentCalls: row.maxConcurrentCalls,
    maxAttempts: row.maxAttempts,
    retryDelayMinutes: row.retryDelayMinutes,
    greetingTemplate: row.greetingTemplate,
    instructions: row.instructions,
    voicemail: { action: row.voicemailAction, message: row.voicemailMessage },
    recording: { enabled: row.recordingEnabled === 1, format: row.recordingFormat },
    destinations: storedDestinations(row.destinations),
    listeningNotice: row.listeningNotice,
    toolIds: JSON.parse(row.toolIds) as string[],
    outputs: JSON.parse(row.outputs) as OutputWish[],
    criteria: JSON.parse(row.criteria) as Criterion[],
    split: JSON.parse(row.split) as SplitPart[],
    _count: { contacts: counts.contacts, calls: counts.calls },
    startedAt: isoOrNull(row.startedAt),
    completedAt: isoOrNull(row.completedAt),
    createdAt: isoTime(row.createdAt),
    deletedAt: isoOrNull(row.deletedAt),
  };
}

interface PortOrderStatusChange {
  status: PortOrderTable['status'];
  at: string;
  reason?: string;
}

export interface PortOrderResource {
  id: string;
  phoneNumber: string;
  loaSignedAt: string;
  accountHolder: string;
  status: PortOrderTable['status'];
  statusHistory: PortOrderStatusChange[];
  focDate: string | null;
  createdAt: string;
}

/** `at` of a history entry is stored as ms since the epoch. */
export function portOrderResource(row: PortOrderTable): PortOrderResource {
  const history = JSON.parse(row.statusHistory) as Array<{
    status: PortOrderTable['status'];
    at: number;
    reason?: string;
  }>;
  return {
    id: row.id,
    phoneNumber: row.phoneNumber,
    loaSignedAt: row.loaSignedAt,
    accountHolder: row.accountHolder,
    status: row.status,
    statusHistory: history.map(({ status, at, reason }) => ({
      status,
      at: isoTime(at),
      ...(reason === undefined ? {} : { reason }),
    })),
    focDate: row.focDate,
    createdAt: isoTime(row.createdAt),
  };
}

/**
 * How an agent leads a conversation. An absent field has its default. docs/agents.md explains each field.
 */
export interface ConversationSettings {
  /** `auto`: the agent on inbound and browser calls; on outbound calls the agent waits a moment for a hello. */
  firstSpeaker?: 'auto' | 'agent' | 'caller';
  /** 0 waits longest at the end of a turn, 1 answers soonest. */
  responsiveness?: number;
  /** Overrides the business's value. */
  interruptionSensitivity?: number;
  backchannelWords?: string[];
  /** Between the groups of a number: a word, the group repeated, or nothing. */
  groupAcknowledgement?: 'word' | 'repeat' | 'none';
  keywords?: string[];
  pronunciations?: Array<{ text: string; say: string }>;
  reminderSeconds?: number;
  reminders?: number;
  protectGreeting?: boolean;
  /** Said when the line is back after a gap; empty: nothing. */
  lineLostWords?: string;
  model?: string;
  temperature?: number;
  /** How long a caller waits for the model's first word. */
  modelTimeoutMs?: number;
  /** Prepare replies before it is certain that the caller's turn has ended. */
  guessing?: boolean;
  /** The service's speech-to-speech model answers, where there is one. */
  speechToSpeech?: boolean;
  /** Of that model's vendor: another model, and one of its voices. */
  speechModel?: string;
  speechVoice?: string;
}
