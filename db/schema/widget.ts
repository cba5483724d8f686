// Widgets of web sites: public keys, what was done by them, and visitors who write.
import type { Flag, Json } from './columns.ts';

export const WIDGET_WAYS = ['call', 'text'] as const;
export type WidgetWay = (typeof WIDGET_WAYS)[number];

/** Why a request by a public key was refused. */
export const WIDGET_REFUSALS = [
  'origin',
  'off',
  'expired',
  'way',
  'captcha',
  'calls_per_day',
  'minutes_per_day',
  'messages_per_day',
  'calls_at_once',
  'rate',
  'unavailable',
] as const;
export type WidgetRefusal = (typeof WIDGET_REFUSALS)[number];

export interface WidgetKeyTable {
  id: string;
  accountId: string;
  campaignId: string;
  name: string;
  /** `pk_…`, which stands in the source of every page. */
  publicKey: string;
  /** The one before, until `previousUntil`. */
  previousKey: string | null;
  previousUntil: number | null;
  origins: Json; // string[], each as a browser sends it
  allows: Json; // WidgetWay[]
  callsPerDay: number;
  minutesPerDay: number;
  messagesPerDay: number;
  callsAtOnce: number;
  /** Asked whether a visitor is a person; null: nobody is. */
  captchaUrl: string | null;
  expiresAt: number | null;
  isActive: Flag;
  createdAt: number;
}

/** Days are those of UTC, counted since the epoch. */
export interface WidgetDayTable {
  keyId: string;
  day: number;
  accountId: string;
  calls: number;
  messages: number;
}

export interface WidgetRefusalTable {
  keyId: string;
  day: number;
  reason: WidgetRefusal;
  accountId: string;
  requests: number;
  /** Of the last of them. */
  origin: string | null;
  lastAt: number;
}

export interface WidgetCallTable {
  callId: string;
  accountId: string;
  keyId: string;
  createdAt: number;
}

export interface WidgetVisitorTable {
  /** SHA-256, in hex. */
  tokenHash: string;
  accountId: string;
  keyId: string;
  conversationId: string;
  createdAt: number;
}
