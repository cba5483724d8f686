// The speaker on a call beside its agent, as a pure machine: one of those who listen, or a person at a telephone that
// we call. They whisper to the agent, or talk to the caller in its place. One at a time: a second one is refused.
//
//           asked                     audio opens (a listener), answers (a telephone)
//   none ─────────► coming ─────────────────────────────────────► whispering ◄──► talking
//     ▲               │ fails, goes away                              │              │
//     └───────────────┴───────────────────────────────────────────────┴──────────────┘ leaves: the agent is back
import type { ControlRefusal } from '../../../db/domain/calls/control.ts';
import type { LocalAudio, NegotiatedAudio } from '../../sip/telephony.ts';

/** Named by the id of a listener, or by what is dialled. */
export type Supervisor = { by: 'socket'; listenerId: string } | { by: 'phone'; target: string };

export type Wants = 'whisper' | 'talk';

export type SupervisionState =
  | { phase: 'none' }
  | { phase: 'coming'; who: Supervisor; wants: Wants; isDialled: boolean }
  | { phase: 'whispering'; who: Supervisor }
  | { phase: 'talking'; who: Supervisor };

export type SupervisionEvent =
  | { type: 'asked'; who: Supervisor; wants: Wants }
  | { type: 'audio-opened'; audio: LocalAudio }
  | { type: 'answered'; audio: NegotiatedAudio }
  | { type: 'audio-changed'; audio: NegotiatedAudio }
  /** Their audio failed, their telephone is hung up or was not answered, or their socket is closed. */
  | { type: 'gone' }
  /** By themselves, or by another client. */
  | { type: 'handed-back' }
  | { type: 'call-over' };

export type SupervisionEffect =
  | { type: 'open-audio'; who: Supervisor }
  | { type: 'dial'; target: string; audio: LocalAudio }
  | { type: 'connect'; audio: NegotiatedAudio }
  /** Their words are recognised from now on. */
  | { type: 'hear' }
  | { type: 'take' }
  | { type: 'give-back' }
  | { type: 'hang-up' }
  | { type: 'close-audio' }
  /** Of the request that waits: it is done, or their telephone rings. */
  | { type: 'answer'; state: 'done' | 'ringing' }
  | { type: 'refuse'; code: ControlRefusal };

export const NOBODY: SupervisionState = { phase: 'none' };

/** Null: they may come. */
export function obstacleTo(state: SupervisionState, who: Supervisor): ControlRefusal | null {
  return state.phase === 'none' || isSame(state.who, who) ? null : 'CALL_TAKEN_OVER';
}

export const isSame = (one: Supervisor, other: Supervisor): boolean =>
  one.by === 'socket'
    ? other.by === 'socket' && one.listenerId === other.listenerId
    : other.by === 'phone' && one.target === other.target;

export function stepSupervision(
  state: SupervisionState,
  event: SupervisionEvent,
): [SupervisionState, SupervisionEffect[]] {
  if (event.type === 'call-over') return [NOBODY, leave(state).filter(({ type }) => type !== 'give-back')];
  switch (state.phase) {
    case 'none':
      if (event.type !== 'asked') return late(state, event);
      return [
        { phase: 'coming', who: event.who, wants: event.wants, isDialled: false },
        [{ type: 'open-audio', who: event.who }],
      ];
    case 'coming':
      return coming(state, event);
    case 'whispering':
      if (event.type === 'asked') {
        if (event.wants === 'whisper') return [state, [{ type: 'answer', state: 'done' }]];
        return [{ phase: 'talking', who: state.who }, [{ type: 'take' }, { type: 'answer', state: 'done' }]];
      }
      return present(state, event);
    case 'talking':
      if (event.type === 'asked') {
        if (event.wants === 'talk') return [state, [{ type: 'answer', state: 'done' }]];
        return [{ phase: 'whispering', who: state.who }, [{ type: 'give-back' }, { type: 'answer', state: 'done' }]];
      }
      return present(state, event);
  }
}

/** The event crossed their leaving: a telephone that is picked up now is hung up. */
function late(state: SupervisionState, event: SupervisionEvent): [SupervisionState, SupervisionEffect[]] {
  return [state, event.type === 'answered' ? [{ type: 'hang-up' }] : []];
}

function coming(
  state: Extract<SupervisionState, { phase: 'coming' }>,
  event: SupervisionEvent,
): [SupervisionState, SupervisionEffect[]] {
  const { who } = state;
  switch (event.type) {
    case 'asked':
      return [{ ...state, wants: event.wants }, state.isDialled ? [{ type: 'answer', state: 'ringing' }] : []];
    case 'audio-opened':
      if (who.by === 'phone') {
        const dial: SupervisionEffect = { type: 'dial', target: who.target, audio: event.audio };
        return [{ ...state, isDialled: true }, [dial]];
      }
      return arrived(state, []);
    case 'answered':
      return arrived(state, [{ type: 'connect', audio: event.audio }]);
    case 'gone':
    case 'handed-back':
      return [NOBODY, [...leave(state), { type: 'refuse', code: 'TAKE_OVER_REFUSED' }]];
    default:
      return [state, []];
  }
}

function arrived(
  { who, wants }: Extract<SupervisionState, { phase: 'coming' }>,
  effects: SupervisionEffect[],
): [SupervisionState, SupervisionEffect[]] {
  const isTalking = wants === 'talk';
  return [
    { phase: isTalking ? 'talking' : 'whispering', who },
    [
      ...effects,
      { type: 'hear' },
      ...(isTalking ? [{ type: 'take' } as const] : []),
      { type: 'answer', state: 'done' },
    ],
  ];
}

function present(
  state: Extract<SupervisionState, { phase: 'whispering' | 'talking' }>,
  event: SupervisionEvent,
): [SupervisionState, SupervisionEffect[]] {
  switch (event.type) {
    case 'audio-changed':
      return [state, [{ type: 'connect', audio: event.audio }]];
    case 'gone':
    case 'handed-back':
      return [NOBODY, leave(state)];
    default:
      return [state, []];
  }
}

/** Releases what they have in this state. */
function leave(state: SupervisionState): SupervisionEffect[] {
  if (state.phase === 'none') return [];
  return [
    ...(state.phase === 'talking' ? [{ type: 'give-back' } as const] : []),
    ...(state.who.by === 'phone' ? [{ type: 'hang-up' } as const] : []),
    { type: 'close-audio' },
  ];
}
