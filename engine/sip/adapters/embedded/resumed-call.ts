// An answered call that another process has begun: its leg as that process described it, on the same ports, or on
// another machine, to which the peer is asked to send its audio. From here on it is an established call like any other.
import { LegEvents } from '../../dialog/leg-events.ts';
import { MAX_REASON_CHARS, plainHeaderText } from '../../stack/wire/plain-text.ts';
import type { HangUpReason, Leg, LegEvent, LegState, LocalAudio } from '../../telephony.ts';
import { EstablishedCall, type EstablishedState } from './established-call.ts';
import type { UserAgentCore } from './user-agent-core.ts';

/** Numbers that the other process may have used after it said how far it was. */
const CSEQ_RESERVE = 16;
/** The same where it said that seconds ago, and may still be there: its own requests must come too late. */
const MOVED_CSEQ_RESERVE = 1_000;

export class ResumedCall implements Leg {
  readonly sipCallId: string;
  readonly direction: 'inbound' | 'outbound';
  readonly #events: LegEvents;
  #call: EstablishedCall;

  /** `moveTo`: where the audio is on this machine; absent: where it was. */
  constructor(core: UserAgentCore, state: LegState, elapsedMs: number, moveTo?: LocalAudio) {
    const rest = state.rest as EstablishedState;
    this.sipCallId = plainHeaderText(state.sipCallId, MAX_REASON_CHARS);
    this.direction = rest.role === 'uas' ? 'inbound' : 'outbound';
    this.#events = new LegEvents((error) => {
      core.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.#call.abandon();
    });
    this.#call = new EstablishedCall(core, {
      ...rest,
      dialog: { ...rest.dialog, localCSeq: rest.dialog.localCSeq + (moveTo ? MOVED_CSEQ_RESERVE : CSEQ_RESERVE) },
      resumedAfterMs: rest.resumedAfterMs + elapsedMs,
      events: this.#events,
      replaced: (by) => {
        this.#call = by;
      },
      opening: { type: 'resume', ...(moveTo && { moveTo }) },
    });
    this.#call.begin();
  }

  get state(): LegState | null {
    return this.#call.state;
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  hangUp(reason?: HangUpReason): void {
    this.#call.hangUp(reason);
  }

  refresh(): void {
    this.#call.refresh();
  }

  refer(target: string): void {
    this.#call.refer(target);
  }

  sendInfoDigits(digits: string): void {
    this.#call.sendInfoDigits(digits);
  }
}
