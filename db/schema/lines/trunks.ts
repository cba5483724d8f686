// SIP trunks, and the state the engine reports of each.

import type { ReadingRule } from '../../domain/numbers/reading-rules.ts';
import type { InboundFormat } from '../../domain/trunk-defaults.ts';
import type { HealthState, RegistrationState } from '../../domain/trunk-state.ts';
import type { Flag, Json } from '../columns.ts';

export interface TrunkTable {
  id: string;
  name: string;
  host: string;
  port: number;
  transport: 'udp' | 'tcp' | 'tls';
  username: string | null;
  /** Sealed with the installation's key (db/shared/secrets/secret-box.ts): digest needs the plaintext. */
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
  inboundFormat: InboundFormat;
  dialFormat: 'e164' | '00' | 'national';
  dialPrefix: string | null;
  callerIdHeader: 'from' | 'pai' | 'both';
  srtp: Flag;
  /** Whether health is asked by OPTIONS. */
  optionsPing: Flag;
  /** Whether its side is asked by REFER to call whom its caller is transferred to; otherwise we do. */
  acceptsRefer: Flag;
  /** Tried if this trunk fails before the callee's phone rings. */
  backupTrunkId: string | null;
  /** DestinationPolicy; null: it states nothing. */
  destinations: Json | null;
  createdAt: number;
  deletedAt: number | null;
}

/** Written by the engine, read by the API. */
export interface TrunkStateTable {
  trunkId: string;
  registrationState: RegistrationState;
  registrationExpiresAt: number | null;
  healthState: HealthState;
  healthCheckedAt: number | null;
  lastError: string | null;
  lastErrorAt: number | null;
  updatedAt: number;
}

/** How an INVITE of a trunk was read: the newest ten of each. */
export interface ReadInviteTable {
  id: string;
  trunkId: string;
  /** As they stood in the INVITE. */
  calledReceived: string;
  callerReceived: string;
  calledNumber: string;
  callerNumber: string;
  rule: ReadingRule;
  createdAt: number;
}
