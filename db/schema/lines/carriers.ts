// Accounts at carriers with an API, of the installation.
import type { Generated } from 'kysely';
import type { CarrierKind } from '../../domain/numbers/carrier-kinds.ts';
import type { Flag, Json } from '../columns.ts';

/** The journal of purchases at carriers: written before the carrier is asked. */
export interface CarrierOrderTable {
  /** Also our reference at the carrier. */
  id: string;
  carrierId: string;
  accountId: string;
  phoneNumber: string;
  /** The future id of the number: the purchase that the order is for. */
  phoneNumberId: string;
  /**
   * `ordered`: the carrier may have it; `bought`: it is ours there; `recorded`: and an account's here; `refused`: the
   * carrier does not sell it; `released`: given back.
   */
  state: 'ordered' | 'bought' | 'recorded' | 'refused' | 'released';
  /** 1: the purchase has failed or was undone, and what was bought is given back. */
  isUnwanted: Generated<Flag>;
  tries: Generated<number>;
  /** The carrier's last words, for ADMINs. */
  error: string | null;
  /** Until this time somebody works on it. */
  attendedUntil: number;
  /** When the job looks at it: a request whose answer was lost may still be carried out. */
  dueAt: number;
  createdAt: number;
  changedAt: number;
}

export interface CarrierTable {
  id: string;
  kind: CarrierKind;
  name: string;
  /** The public half of the key: an account's id. Null where the carrier has none. */
  keyId: string | null;
  keySealed: string;
  /** The key's last characters, for people who compare keys. */
  keyEnd: string | null;
  /** Whose searches find its numbers. */
  offeredTo: 'admins' | 'accounts';
  /** Dollars a month that an account pays for each number; null: the carrier's own price. */
  monthlyCost: number | null;
  /** The trunk here that was made with the one there. */
  trunkId: string | null;
  /** Ids at the carrier, by what they are: Record<string, string>. */
  trunkParts: Generated<Json>;
  /** The sealed password of the trunk, known before anything is made at the carrier. */
  trunkSecret: string | null;
  /** Made there for texts; null: it does not tell us of any. */
  textParts: Generated<Json | null>; // TextParts (conversations.ts)
  testedAt: number | null;
  /** Of the last test: Finding[] (api/carriers/api/carrier-api.ts). */
  findings: Generated<Json>;
  createdAt: number;
}
