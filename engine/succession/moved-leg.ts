// Asks the peers of a lost machine's call to send their audio here: the caller's, and the person's who talks to them.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { Continuation } from '../call/going-on/continuation.ts';
import { type MovedPerson, personOf } from '../call/going-on/moved.ts';
import type { Clock } from '../clock.ts';
import type { Leg, LegState, LocalAudio, StoredDialog, Telephony } from '../sip/telephony.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';

/** A peer that has not answered by then is gone, or cannot be reached from here. */
const MOVE_WITHIN_MS = 8_000;

interface MovedLegDeps {
  telephony: Pick<Telephony, 'move'>;
  switchboard: Pick<Switchboard, 'openMovedPerson'>;
  clock: Clock;
  log: Logger;
}

export interface MovedLeg {
  leg: Leg;
  /** As it is now. */
  state: LegState;
}

/** @throws the reason why the peer cannot be had; then it has been hung up on */
export function moveLeg(
  from: LegState,
  elapsedMs: number,
  { address, port }: LocalAudio,
  { telephony, clock }: Pick<MovedLegDeps, 'telephony' | 'clock'>,
): Promise<MovedLeg> {
  const leg = telephony.move?.(from, elapsedMs, { address, port });
  if (leg === undefined) throw new Error('calls of this telephony end with their engine');
  return new Promise((resolve, reject) => {
    const cancel = clock.after(MOVE_WITHIN_MS, () => {
      reject(new Error('its peer does not answer'));
      leg.hangUp();
    });
    leg.onEvent((event) => {
      if (event.type !== 'ended' && event.type !== 'audio-changed') return;
      cancel();
      if (event.type === 'ended') reject(new Error(event.end.reason));
      else if (leg.state) resolve({ leg, state: leg.state });
    });
  });
}

export interface MovedPersonLeg extends MovedLeg {
  was: MovedPerson;
  port: number;
  /** The caller could not be had. */
  letGo(): void;
}

/** Null where nobody talks to the caller, or the person cannot be had; who was asked in vain has been hung up on. */
export async function movePerson(
  from: Continuation,
  setup: CallSetup,
  elapsedMs: number,
  deps: MovedLegDeps,
  onAsked: (dialog: StoredDialog) => void,
): Promise<MovedPersonLeg | null> {
  const was = personOf(from);
  if (was === null) return null;
  try {
    const audio = await deps.switchboard.openMovedPerson(from, was, setup);
    onAsked(was.leg.dialog);
    try {
      const { leg, state } = await moveLeg(was.leg, elapsedMs, audio, deps);
      const letGo = () => {
        leg.hangUp();
        audio.close();
      };
      return { was, leg, state, port: audio.port, letGo };
    } catch (error) {
      audio.close();
      throw error;
    }
  } catch (error) {
    deps.log.warn({ callId: from.call.id, error: messageOf(error) }, 'the person who had the caller cannot be had');
    return null;
  }
}
