// Accounts of softphones, and their registrations.
import type { Flag } from '../columns.ts';

export interface SipAccountTable {
  id: string;
  /** The tenant. */
  accountId: string;
  /** Lower case; unique among accounts that are not deleted. */
  username: string;
  displayName: string | null;
  /** Sealed with the installation's key (db/shared/secrets/secret-box.ts): digest needs the plaintext. */
  passwordSealed: string | null;
  /** `demo`, a campaign's id, or null. */
  callsTo: string | null;
  enabled: Flag;
  createdAt: number;
  deletedAt: number | null;
}

/** Written by the engine, read by the API. */
export interface SipBindingTable {
  sipAccountId: string;
  contact: string;
  transport: 'udp' | 'tcp' | 'tls';
  /** Source address of the phone's packets. */
  address: string;
  port: number;
  userAgent: string | null;
  sipCallId: string;
  cseq: number;
  /** Hash of its digest. */
  hash: 'MD5' | 'SHA-256';
  /** Time of the first REGISTER in an unbroken series. */
  registeredAt: number;
  expiresAt: number;
  /** Path of its REGISTER (RFC 3327), as header text; null: it registered at the engine itself. */
  path: string | null;
}
