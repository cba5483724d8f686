// Accounts at carriers with an API, of the installation.
import type { Generated } from 'kysely';
import type { CarrierKind } from '../domain/numbers/carrier-kinds.ts';
import type { Json } from './columns.ts';

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
  testedAt: number | null;
  /** Of the last test: Finding[] (api/carriers/api/carrier-api.ts). */
  findings: Generated<Json>;
  createdAt: number;
}
