// Phone numbers: owned, in stock, being ported, and charged for.

import type { Generated } from 'kysely';
import type { PortStatus } from '../../domain/port-order.ts';
import type { Flag, Json } from '../columns.ts';

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
  /** User part of a SIP URI that means this number as well as its digits: `demo` for the demo's. */
  sipAlias: string | null;
  /** The answerers by hour, before the campaign: NumberRoute[] (db/domain/numbers/number-routes.ts). */
  routes: Generated<Json>;
  createdAt: number;
  releasedAt: number | null;
  /** Set before the carrier is asked to take it back, null again once its answer is known here. */
  releaseAskedAt: number | null;
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
  /** Set at the release: offered again only when an ADMIN adds it again. */
  retiredAt: number | null;
  /** The connected account at a carrier that offers it, or where it was bought; null: it is the stock's. */
  carrierId: string | null;
  /** CarrierPrice (api/carriers/api/carrier-api.ts). */
  carrierPrice: Json | null;
  createdAt: number;
}

export interface PortOrderTable {
  id: string;
  accountId: string;
  phoneNumber: string;
  loaSignedAt: string;
  accountHolder: string;
  status: PortStatus;
  statusHistory: Json; // {status, at, reason?}[]
  focDate: string | null;
  createdAt: number;
  /** The carrier that has the order and its documents; null: none has all of it. */
  carrier: string | null;
  /** When the carrier was last asked about it; 0: never. */
  carrierAskedAt: number;
  /** Nothing is left to tell the carrier, or to hear from it. */
  carrierEndedAt: number | null;
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
  /** Purpose of the charge, e.g. `number:pn_…:2026-11`: at most one entry of a purpose is not failed. */
  purpose: string;
  idempotencyKey: string | null;
  failingSince: number | null;
  createdAt: number;
  settledAt: number | null;
  /** Of a purchase: the future id of the number, and the requested campaign. */
  phoneNumberId: string | null;
  campaignId: string | null;
  /** 1: a purchase of a number. At most one is pending per phone number. */
  isPurchase: Generated<Flag>;
  /** 1: abandoned; only a cancellation or a refund remains to be done. */
  isUndone: Generated<Flag>;
  /** Until this time a live request works on the entry; afterwards settlement takes over. */
  attendedUntil: Generated<number>;
}
