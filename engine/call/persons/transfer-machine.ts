// Transfers the caller to a person, as a pure machine. First a blind transfer: REFER, and the peer connects them. If
// the peer refuses or does not support REFER, an attended one: the engine calls the person, announces the caller, and
// joins both.
//
//   referring ──2xx NOTIFY──► done (referred)
//      │ refused, or silent for REFER_TIMEOUT_MS
//      ▼
//   opening ──► ringing ──answered──► announcing ──heard──► bridged ──person hangs up──► done
//      └───────────┴──────────────────────┴── failed: back to the caller ──► done
import type { LocalAudio, NegotiatedAudio } from '../../sip/telephony.ts';

export type TransferState = {
  phase: 'referring' | 'opening' | 'ringing' | 'announcing' | 'bridged' | 'done';
};

export type TransferEvent =
  /** Status of the REFER itself, or from its NOTIFY (RFC 3515 2.4.5). */
  | { type: 'refer-progress'; status: number }
  /** The peer accepted the REFER and has reported nothing since. */
  | { type: 'refer-timeout' }
  | { type: 'audio-opened'; audio: LocalAudio }
  | { type: 'audio-failed' }
  | { type: 'person-answered'; audio: NegotiatedAudio }
  | { type: 'person-audio-changed'; audio: NegotiatedAudio }
  /** Busy, no answer, could not be dialled, or hung up. */
  | { type: 'person-ended' }
  | { type: 'announcement-heard' }
  /** The call is over, or the transfer took too long. */
  | { type: 'abandoned' };

export type TransferEffect =
  | { type: 'refer' }
  | { type: 'arm-timer'; delayMs: number }
  | { type: 'cancel-timer' }
  | { type: 'open-audio' }
  | { type: 'close-audio' }
  | { type: 'dial-person'; audio: LocalAudio }
  | { type: 'connect-person'; audio: NegotiatedAudio }
  | { type: 'announce' }
  | { type: 'hang-up-person' }
  | { type: 'bridge' }
  | { type: 'unbridge' }
  | { type: 'report'; outcome: TransferOutcome }
  /** Both were joined, and then the person hung up. */
  | { type: 'report-person-gone' };

/** `accepted`: the peer is working on it; another outcome follows, or the peer hangs up. */
export type TransferOutcome = 'accepted' | 'referred' | 'bridged' | 'failed';

/** A peer that accepts a REFER and reports nothing for this long will not connect anybody. */
export const REFER_TIMEOUT_MS = 20_000;

/** @param canRefer true for a SIP leg, false for a browser */
export function startTransfer(canRefer: boolean): [TransferState, TransferEffect[]] {
  if (!canRefer) return callPerson();
  return [{ phase: 'referring' }, [{ type: 'arm-timer', delayMs: REFER_TIMEOUT_MS }, { type: 'refer' }]];
}

export function stepTransfer(state: TransferState, event: TransferEvent): [TransferState, TransferEffect[]] {
  if (event.type === 'abandoned') return [{ phase: 'done' }, cleanUp(state)];
  switch (state.phase) {
    case 'referring':
      return referring(state, event);
    case 'opening':
      if (event.type === 'audio-opened') return [{ phase: 'ringing' }, [{ type: 'dial-person', audio: event.audio }]];
      return event.type === 'audio-failed' ? failed(state) : [state, []];
    case 'ringing':
      if (event.type === 'person-answered') {
        return [{ phase: 'announcing' }, [{ type: 'connect-person', audio: event.audio }, { type: 'announce' }]];
      }
      return personsLeg(state, event);
    case 'announcing':
      if (event.type === 'announcement-heard') {
        return [{ phase: 'bridged' }, [{ type: 'bridge' }, { type: 'report', outcome: 'bridged' }]];
      }
      return personsLeg(state, event);
    case 'bridged':
      if (event.type === 'person-ended' || event.type === 'audio-failed') {
        return [{ phase: 'done' }, [...cleanUp(state), { type: 'report-person-gone' }]];
      }
      return personsLeg(state, event);
    case 'done':
      // An answer that crossed our CANCEL is hung up at once; the person hears nothing.
      return [state, event.type === 'person-answered' ? [{ type: 'hang-up-person' }] : []];
  }
}

function referring(state: TransferState, event: TransferEvent): [TransferState, TransferEffect[]] {
  if (event.type === 'refer-timeout') return callPerson();
  if (event.type !== 'refer-progress') return [state, []];
  if (event.status < 200) return [state, [{ type: 'report', outcome: 'accepted' }]];
  if (event.status < 300) {
    return [{ phase: 'done' }, [{ type: 'cancel-timer' }, { type: 'report', outcome: 'referred' }]];
  }
  return callPerson();
}

function callPerson(): [TransferState, TransferEffect[]] {
  return [{ phase: 'opening' }, [{ type: 'cancel-timer' }, { type: 'open-audio' }]];
}

/** Events of the person's leg that may come in any state. */
function personsLeg(state: TransferState, event: TransferEvent): [TransferState, TransferEffect[]] {
  switch (event.type) {
    case 'person-audio-changed':
      return [state, [{ type: 'connect-person', audio: event.audio }]];
    case 'person-ended':
    case 'audio-failed':
      return failed(state);
    default:
      return [state, []];
  }
}

function failed(state: TransferState): [TransferState, TransferEffect[]] {
  return [{ phase: 'done' }, [...cleanUp(state), { type: 'report', outcome: 'failed' }]];
}

/** Releases the transfer's resources in this state. */
function cleanUp({ phase }: TransferState): TransferEffect[] {
  switch (phase) {
    case 'referring':
      return [{ type: 'cancel-timer' }];
    case 'opening':
      return [{ type: 'close-audio' }];
    case 'ringing':
    case 'announcing':
      return [{ type: 'hang-up-person' }, { type: 'close-audio' }];
    case 'bridged':
      return [{ type: 'unbridge' }, { type: 'hang-up-person' }, { type: 'close-audio' }];
    case 'done':
      return [];
  }
}
