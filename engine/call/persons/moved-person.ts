// The audio of a person who talks to a caller, in a call of a lost machine: beside the caller's, on this machine.
import type { ConductorDeps, ConductorOptions } from '../context.ts';
import type { MovedAudio, MovedPerson } from '../going-on/moved.ts';
import { personIdOf } from '../going-on/transfer-continuation.ts';
import { askedOpening, lineOpening } from './line-opening.ts';
import { openPersonAudio } from './person-audio.ts';

/** After the caller's, since they share a shard. `isAsked`: they took the caller. @throws if there is no port */
export function openMovedPerson(
  deps: ConductorDeps,
  { call, setup, isAsked }: Pick<ConductorOptions, 'call' | 'setup'> & { isAsked: boolean },
  person: MovedPerson,
): Promise<MovedAudio> {
  const { telephony, shards } = deps;
  const audioId = person.audioId ?? personIdOf(call.id);
  const open = (isAsked ? askedOpening : lineOpening)(deps, setup);
  return openPersonAudio({ callId: call.id, audioId, telephony, shards, open }, person);
}
