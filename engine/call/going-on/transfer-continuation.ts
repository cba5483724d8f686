// A transfer under way as JSON: what another process needs to go on with it, beside the caller's leg.
import type { CallPulse } from '../../shard/protocol.ts';
import type { Leg, LegState, RingingState, StoredDialog } from '../../sip/telephony.ts';
import type { TransferState } from '../persons/transfer-machine.ts';

export interface TransferContinuation {
  /** E.164, or `sip:USERNAME` for a softphone. */
  target: string;
  state: TransferState;
  /** Of the wait for a REFER's result, ms; null unless it runs. */
  referLeftMs: number | null;
  /** The books have the referral. */
  isReferralCounted: boolean;
  person: PersonContinuation | null;
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

/** A transfer or a hunt, as the call sees it. */
export interface RunningTransfer {
  readonly continuation: TransferContinuation;
  /** In the shard, of the person who has the caller; null: nobody has. */
  readonly personAudioId: string | null;
  onReferProgress(status: number): void;
  close(): void;
  leave(): void;
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
