// Campaigns, their contacts, and the results of dialling them.
import type { Flag, Json } from './columns.ts';

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
  greetingTemplate: string | null;
  instructions: string | null;
  voicemailAction: 'hangup' | 'leave_message';
  voicemailMessage: string | null;
  recordingEnabled: Flag;
  recordingFormat: 'wav' | 'mp3';
  /** In place of the business's, unless empty. */
  destinations: Json; // TransferDestination[]
  /** How the caller learns that somebody listens. */
  listeningNotice: 'none' | 'tone' | 'announcement';
  outputs: Json; // {name, schema, description}[]
  criteria: Json; // {name, question}[]
  /** Tools that it brings to a call, in order. */
  toolIds: Json; // string[]
  /** Versions of its agent, each with its share of the calls in per cent; empty: the published one. */
  split: Json; // {version, share}[]
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  deletedAt: number | null;
}

/** Kept by triggers: the totals for a campaign's stats. "Answered" = has an answer and has ended. */
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
  variables: Json; // {name: text}
  metadata: Json; // {name: text}
  createdAt: number;
}

/** Kept by triggers: a campaign's contacts by status. */
export interface ContactCountTable {
  campaignId: string;
  status: ContactStatus;
  accountId: string;
  total: number;
}

/** Kept by triggers: a campaign's contacts by the second in which they were added. */
export interface ContactSecondTable {
  campaignId: string;
  /** Of `createdAt`, s since the epoch. */
  second: number;
  status: ContactStatus;
  total: number;
}

/** One dialling attempt, claimed durably before its INVITE: at most one INVITE per attempt, even after a crash. */
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

export interface DoNotCallTable {
  id: string;
  accountId: string;
  phoneNumber: string;
  reason: string | null;
  source: 'api' | 'call' | 'digits';
  createdAt: number;
}
