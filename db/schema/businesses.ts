// Businesses, the history of their changes, and the appointments booked with them.
import type { ReminderState } from '../domain/booking/reminders.ts';
import type { DialogueFallback } from '../domain/dialogue-fallback.ts';
import type { Flag, Json } from './columns.ts';

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
  /** The stand-in where the language model fails; null: by the business's content. */
  dialogueFallback: DialogueFallback | null;
  transferNumber: string | null;
  destinations: Json; // TransferDestination[]
  voiceSettings: Json; // {speed}
  interruptionSensitivity: number;
  maxCallDurationMinutes: number;
  silenceThresholdMs: number;
  /** 1: no turn ends sooner than the threshold. */
  silenceThresholdChosen: Flag;
  businessContext: Json | null; // object
  /** ISO 4217; null: the currency of its country. */
  currency: string | null;
  lookup: Json | null; // {url, timeoutMs, headerNames}
  /** As a tool's (schema/tools.ts), for the business's id. */
  lookupHeadersSealed: string | null;
  notify: Json; // NoticeRule[] (db/domain/notices/rules.ts)
  /** Addresses of rules that are no mail: NoticeAddresses as JSON, sealed for the id and `notify`. */
  notifySealed: string | null;
  outputs: Json; // {name, schema, description}[]
  criteria: Json; // {name, question}[]
  /** RedactionPolicy (db/domain/redaction/policy.ts); null: none. */
  redaction: Json | null;
  /** AppointmentTexts (db/domain/texts/appointment-texts.ts); null: none. */
  appointmentTexts: Json | null;
  /** Persons, chairs and rooms of appointments. */
  resources: Json; // BookingResource[] (db/domain/booking/resources.ts)
  /** Between two appointments of one of them. */
  bufferMinutes: number;
  /** Tools that it brings to a call, in order. */
  toolIds: Json; // string[]
  createdAt: number;
  deletedAt: number | null;
  /** Of what stands here (versions.ts). */
  version: number;
  /** 1: its changes, those of its agents and of its tools are drafts until they are published. */
  drafts: Flag;
}

/** Deleted with its business. */
export interface HoldMusicTable {
  businessId: string;
  accountId: string;
  durationMs: number;
  /** 16-bit PCM, little-endian, mono, at HOLD_MUSIC_RATE_HZ (media/hold-music-file.ts). */
  samples: Buffer;
  updatedAt: number;
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

export interface AppointmentTable {
  id: string;
  accountId: string;
  businessId: string;
  callId: string | null;
  /** In which it was booked; null: on a call, or, where that is null too, by hand. */
  conversationId: string | null;
  service: string | null;
  startsAt: number;
  endsAt: number;
  name: string | null;
  phone: string | null;
  /** 1: it called or wrote, or the business has named it; nothing is sent to one that a caller named. */
  phoneProved: Flag;
  notes: string | null;
  status: 'booked' | 'cancelled';
  /** With whom, or where; null: the business names nobody, or named nobody then. */
  resource: string | null;
  /** Grows with each change of time, status or resource. */
  sequence: number;
  /** Six digits by which a caller proves that it is theirs; null: it was booked by an earlier release. */
  reference: string | null;
  history: Json; // AppointmentChange[] (db/domain/booking/history.ts)
  /** Set when its call is erased, to any time: its own names and notes go once it is over, by its `endsAt` then. */
  eraseAfter: number | null;
  createdAt: number;
  /** The call that reminds of it; null: none yet. */
  reminderCallId: string | null;
  reminder: ReminderState | null;
}

/** Kept for as long as they are counted. */
export interface BookingTryTable {
  id: string;
  accountId: string;
  businessId: string;
  /** The call or the conversation. */
  subjectId: string;
  kind: 'changed' | 'wrong_reference';
  createdAt: number;
}
