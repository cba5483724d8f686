// A transfer under way as JSON: what another process needs to go on with it, beside the caller's leg.
import type { TransferAccept, TransferDestination } from '../../../db/domain/numbers/transfer-destinations.ts';
import type { HandoverWish } from '../../dialogue/tools/tool.ts';
import type { CallPulse } from '../../shard/protocol.ts';
import type { Leg, LegState, RingingState, StoredDialog } from '../../sip/telephony.ts';

export type TransferPhase = 'referring' | 'opening' | 'ringing' | 'announcing' | 'bridged' | 'done';

export interface TransferContinuation {
  /** E.164, or `sip:USERNAME` for a softphone. */
  target: string;
  state: { phase: TransferPhase };
  /** Of the wait for a REFER's result, ms; null unless it runs. */
  referLeftMs: number | null;
  /** The books have the referral. */
  isReferralCounted: boolean;
  person: PersonContinuation | null;
  /** To one of the destinations; absent: to `transferNumber`, or an earlier release wrote it. */
  hunt?: HuntContinuation;
}

/** A hunt whose REFER is out, or in which somebody has the caller. In every other phase nobody could go on with it. */
export interface HuntContinuation {
  wish: HandoverWish;
  rounds: TransferDestination[][];
  /** In which it is, and who of it has the caller. */
  round: number;
  index: number;
  accepted: TransferAccept;
  /** How long the caller has waited, ms. */
  waitedMs: number;
}

/** The person's leg. */
export interface PersonContinuation {
  /** Null before the answer. */
  leg: LegState | null;
  /** Its INVITE; null unless that is out and unanswered. */
  ringing: RingingState | null;
  /** The local RTP port. */
  port: number;
  /** The trunk on which it has a place; null: it is a softphone's. */
  trunkId: string | null;
  /** Wall clock, ms; null before the answer. */
  answeredAtMs: number | null;
  /** Zero of the clock of its audio, by the clock that processes of a machine share; null before the answer. */
  beganAtMs: number | null;
  /** The newest reply on its line. */
  lastEpoch: number;
  /** Of its audio in the shard; absent: `personIdOf`. */
  audioId?: string;
}

/** A transfer that this process goes on with. */
export interface TakenTransfer {
  from: TransferContinuation;
  /** How old the description is, ms. */
  elapsedMs: number;
  /** The last of the person's audio before its process died; null: nothing is known. */
  pulse: (CallPulse & { atMs: number }) | null;
  /** The person's, where it was asked to send its audio here; absent: it is as it was described. */
  leg?: Leg;
}

/** Under which the dialog of a person who has the caller, or of the only one, is stored. */
export const PERSON_LEG = 'human';

/** In the shard, the person's audio is a call of its own. */
export const personIdOf = (callId: string): string => `${callId}:${PERSON_LEG}`;

/**
 * Whether the description is as the wire was. `stored`: the person's dialog in the database, which is stored before
 * each INVITE leaves, and again at the answer.
 */
export function isWhole({ state, person }: TransferContinuation, stored: StoredDialog | null): boolean {
  switch (state.phase) {
    case 'referring':
      return true;
    case 'ringing': {
      const { dialog } = person?.ringing ?? {};
      return dialog !== undefined && stored?.state === 'inviting' && stored.inviteVia === dialog.inviteVia;
    }
    case 'announcing':
    case 'bridged': {
      const { dialog } = person?.leg ?? {};
      return dialog !== undefined && (stored === null || stored.callId === dialog.callId);
    }
    // Nobody was called yet, or nobody is on the line any more.
    case 'opening':
    case 'done':
      return false;
  }
}
