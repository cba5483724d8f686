// Looks for a person who takes the caller, as a pure machine: round by round, those of a round at once
// (person-machine.ts). The first who accepts has the caller; nobody does: the caller is back with the agent.
//
//   referring ──2xx NOTIFY──► done (referred)
//      │ refused, or silent
//      ▼
//   calling ──accepted──► bridged ──the person hangs up──► done
//      └── nobody of the last round, or a message for the caller: failed ──► done

import type {
  TransferAccept,
  TransferDestination,
  TransferMode,
  TransferResult,
} from '../../../db/domain/numbers/transfer-destinations.ts';
import type { TransferPhase } from '../going-on/transfer-continuation.ts';
import {
  askPerson,
  type PersonEffect,
  type PersonEvent,
  type PersonManner,
  type PersonState,
  personAs,
  stepPerson,
} from './person-machine.ts';

/** `accepted`: the peer is working on it; another outcome follows, or the peer hangs up. */
export type TransferOutcome = 'accepted' | 'referred' | 'bridged' | 'failed';

/** A peer that accepts a REFER and reports nothing for this long will not connect anybody. */
const REFER_TIMEOUT_MS = 20_000;

/** A person to ask, and how. */
export interface Wanted {
  name: string;
  mode: TransferMode;
  manner: PersonManner;
  /** The caller's side can call them (REFER), if nobody else is of the round. */
  isReferable: boolean;
}

export interface Tried {
  name: string;
  result: TransferResult;
  message: string | null;
}

export interface HuntState {
  phase: 'referring' | 'calling' | 'bridged' | 'done';
  plan: readonly (readonly Wanted[])[];
  round: number;
  /** Of the round, in its order. */
  persons: readonly PersonState[];
  /** The person who has the caller; null: nobody. */
  joined: number | null;
  tried: readonly Tried[];
}

export type HuntEvent =
  | { type: 'refer-progress'; status: number }
  | { type: 'refer-timeout' }
  | { type: 'person'; index: number; event: PersonEvent }
  /** The call is over, or it took too long. */
  | { type: 'abandoned' };

export type HuntEffect =
  | { type: 'refer'; wanted: Wanted }
  | { type: 'arm-refer'; delayMs: number }
  | { type: 'cancel-refer' }
  /** The caller hears music until somebody speaks. */
  | { type: 'hold-music'; isOn: boolean }
  /** Of the round `round`. */
  | { type: 'person'; round: number; index: number; effect: Exclude<PersonEffect, { type: 'result' | 'gone' }> }
  | { type: 'tried'; round: number; index: number; result: TransferResult }
  | { type: 'bridge'; index: number; accepted: TransferAccept }
  | { type: 'unbridge' }
  | { type: 'report'; outcome: TransferOutcome }
  | { type: 'report-person-gone' };

type Step = [HuntState, HuntEffect[]];

export function startHunt(plan: HuntState['plan']): Step {
  const state: HuntState = { phase: 'done', plan, round: -1, persons: [], joined: null, tried: [] };
  return nextRound(state);
}

/** As another process has left it: a REFER is out, `index` of the round is being told who calls, or has the caller. */
export function resumedHunt(
  plan: HuntState['plan'],
  { phase, round, index }: { phase: TransferPhase; round: number; index: number },
): HuntState {
  const state: HuntState = { phase: 'done', plan, round, persons: [], joined: null, tried: [] };
  if (phase === 'referring') return { ...state, phase };
  if (phase !== 'ringing' && phase !== 'announcing' && phase !== 'bridged') return state;
  const own = phase === 'bridged' ? 'joined' : phase;
  const persons = (plan[round] ?? []).map(({ manner }, nth) => personAs(nth === index ? own : 'over', manner));
  return phase === 'bridged' ? { ...state, phase, persons, joined: index } : { ...state, phase: 'calling', persons };
}

export function stepHunt(state: HuntState, event: HuntEvent): Step {
  if (event.type === 'abandoned') return abandon(state);
  if (event.type === 'person') return onPerson(state, event.index, event.event);
  if (state.phase !== 'referring') return [state, []];
  if (event.type === 'refer-timeout') return callRound(state, [{ type: 'cancel-refer' }]);
  if (event.status < 200) return [state, [{ type: 'report', outcome: 'accepted' }]];
  if (event.status >= 300) return callRound(state, [{ type: 'cancel-refer' }]);
  return [
    { ...state, phase: 'done' },
    [
      { type: 'cancel-refer' },
      { type: 'tried', round: state.round, index: 0, result: 'accepted' },
      { type: 'report', outcome: 'referred' },
    ],
  ];
}

function nextRound(before: HuntState): Step {
  const state = { ...before, round: before.round + 1, persons: [] };
  const wanted = state.plan[state.round];
  if (wanted === undefined || wanted.length === 0)
    return [
      { ...state, phase: 'done' },
      [
        { type: 'hold-music', isOn: false },
        { type: 'report', outcome: 'failed' },
      ],
    ];
  const [first] = wanted;
  if (wanted.length > 1 || first === undefined || !first.isReferable) return callRound(state, []);
  return [
    { ...state, phase: 'referring' },
    [
      { type: 'hold-music', isOn: false },
      { type: 'arm-refer', delayMs: REFER_TIMEOUT_MS },
      { type: 'refer', wanted: first },
    ],
  ];
}

function callRound(state: HuntState, before: readonly HuntEffect[]): Step {
  const begun = (state.plan[state.round] ?? []).map(({ manner }) => askPerson(manner));
  const persons = begun.map(([person]) => person);
  const effects = begun.flatMap(([, effects], index) => personEffects(state.round, index, effects));
  return [{ ...state, phase: 'calling', persons }, [...before, { type: 'hold-music', isOn: true }, ...effects]];
}

function onPerson(before: HuntState, index: number, event: PersonEvent): Step {
  const person = before.persons[index];
  if (person === undefined) return [before, []];
  const [next, effects] = stepPerson(person, event);
  const state = { ...before, persons: before.persons.with(index, next) };
  const out = personEffects(state.round, index, effects);
  const result = effects.find((effect) => effect.type === 'result');
  if (result !== undefined) return onResult(state, index, result, out);
  if (!effects.some(({ type }) => type === 'gone') || state.phase !== 'bridged') return [state, out];
  return [{ ...state, phase: 'done' }, [{ type: 'unbridge' }, ...out, { type: 'report-person-gone' }]];
}

function onResult(
  before: HuntState,
  index: number,
  { result, accepted, message }: Extract<PersonEffect, { type: 'result' }>,
  out: readonly HuntEffect[],
): Step {
  const name = before.plan[before.round]?.[index]?.name ?? '';
  const tried: HuntEffect = { type: 'tried', round: before.round, index, result };
  const state = { ...before, tried: [...before.tried, { name, result, message }] };
  if (before.phase !== 'calling') return [state, [...out, tried]];
  if (accepted !== null) {
    const [alone, others] = withdrawn({ ...state, phase: 'bridged', joined: index }, index);
    return [
      alone,
      [
        ...out,
        // Before anything else: they have pressed the key, and wait.
        { type: 'hold-music', isOn: false },
        { type: 'bridge', index, accepted },
        tried,
        ...others,
        { type: 'report', outcome: 'bridged' },
      ],
    ];
  }
  if (message !== null) {
    const [alone, others] = withdrawn({ ...state, phase: 'done' }, index);
    return [
      alone,
      [...out, tried, ...others, { type: 'hold-music', isOn: false }, { type: 'report', outcome: 'failed' }],
    ];
  }
  if (state.persons.some(({ phase }) => phase !== 'over')) return [state, [...out, tried]];
  const [next, more] = nextRound(state);
  return [next, [...out, tried, ...more]];
}

/** All but one of the round are let go. */
function withdrawn(before: HuntState, except: number | null): Step {
  let state = before;
  const effects: HuntEffect[] = [];
  for (const [index, person] of before.persons.entries()) {
    if (index === except || person.phase === 'over') continue;
    const [next, more] = stepPerson(person, { type: 'withdrawn' });
    state = { ...state, persons: state.persons.with(index, next) };
    effects.push(...personEffects(state.round, index, more));
    if (person.phase !== 'joined') effects.push({ type: 'tried', round: state.round, index, result: 'withdrawn' });
  }
  return [state, effects];
}

function abandon(state: HuntState): Step {
  const [next, effects] = withdrawn({ ...state, phase: 'done' }, null);
  switch (state.phase) {
    case 'referring':
      return [next, [{ type: 'cancel-refer' }, { type: 'tried', round: state.round, index: 0, result: 'withdrawn' }]];
    case 'calling':
      return [next, [...effects, { type: 'hold-music', isOn: false }]];
    case 'bridged':
      return [next, [{ type: 'unbridge' }, ...effects]];
    case 'done':
      return [next, effects];
  }
}

function personEffects(round: number, index: number, effects: readonly PersonEffect[]): HuntEffect[] {
  return effects.flatMap((effect): HuntEffect[] =>
    effect.type === 'result' || effect.type === 'gone' ? [] : [{ type: 'person', round, index, effect }],
  );
}

/** Of a key with its pause, and of a `w`; then the system may still be greeting. */
const KEY_MS = 250;
const WAIT_MS = 500;
const SYSTEM_MS = 2_000;

const extensionMs = (digits: string): number =>
  [...digits].reduce((sum, digit) => sum + (digit === 'w' ? WAIT_MS : KEY_MS), SYSTEM_MS);

export function wantedOf(
  { name, mode, accept, extensionDigits, target }: TransferDestination,
  canRefer: boolean,
  isAnnounced: boolean,
): Wanted {
  const isBlind = isAnnounced || mode === 'blind';
  return {
    name,
    mode,
    manner: {
      ...{ accept, extensionMs: extensionDigits === null ? null : extensionMs(extensionDigits) },
      ...(isAnnounced ? { isAnnounced } : {}),
    },
    // A REFER makes the caller's side call the target. It does not know our softphones.
    isReferable: canRefer && isBlind && !target.startsWith('sip:'),
  };
}

/** The longest that a person needs once their line was answered: told, asked again, answered, with a message. */
const PERSON_MS = 150_000;
const HUNT_MS_MAX = 15 * 60_000;

/** When a hunt that has reported nothing has failed, ms. */
export const huntLimitMs = (rounds: ReadonlyArray<ReadonlyArray<{ ringSeconds: number }>>): number =>
  Math.min(
    HUNT_MS_MAX,
    rounds.reduce(
      (sum, round) =>
        sum + REFER_TIMEOUT_MS + PERSON_MS + 1_000 * Math.max(0, ...round.map((each) => each.ringSeconds)),
      0,
    ),
  );
