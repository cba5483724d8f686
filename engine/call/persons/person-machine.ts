// One person who is asked to take a caller, as a pure machine: called, told who calls and why, and heard until they
// have decided. A machine that answers decides nothing. Time comes as timers, which are effects.
//
// A person who is only told who calls has the caller once they have heard it, whatever they say meanwhile.
//
//   opening ──► ringing ──answered──► listening ──a person──► briefing ──heard──► deciding ──1, yes──► joined
//                  │        dialling ► extension ──a voice──►    ▲                   │ a question ──► answering
//                  │                                             └─── asked again ◄──┴───────────────────┘
//                  │                                                                 │ 2, no ──► message ──► closing
//                  └── busy, no answer, machine, hung up, silent: over ◄─────────────┴─────────────────────────┘
import type { TransferAccept, TransferResult } from '../../../db/domain/numbers/transfer-destinations.ts';
import type { AmdVerdict } from '../../../models/amd/amd.ts';
import type { LocalAudio, NegotiatedAudio } from '../../sip/telephony.ts';
import type { PersonMeaning } from './person-words.ts';

/** How one person is asked. */
export interface PersonManner {
  accept: TransferAccept;
  /** They hear an announcement, and are asked nothing. */
  isAnnounced?: true;
  /** Digits lead from the line that answers to the person: how long they take, and the system's greeting, ms. */
  extensionMs: number | null;
}

type PersonPhase =
  | 'opening'
  | 'ringing'
  /** The digits of an extension are sent: what is said is the system's. */
  | 'dialling'
  /** It rings: whoever speaks next is the person. */
  | 'extension'
  /** Nothing that they say or press counts. */
  | 'announcing'
  /** A person or a machine? */
  | 'listening'
  /** We speak; a decision may come meanwhile. */
  | 'briefing'
  | 'deciding'
  /** An answer to their question is being made. */
  | 'answering'
  /** They declined, and may say what the caller is to be told. */
  | 'message'
  /** Our last words to them. */
  | 'closing'
  | 'joined'
  | 'over';

export interface PersonState {
  phase: PersonPhase;
  manner: PersonManner;
  /** Questions of theirs so far. */
  questions: number;
  /** How often the agent has asked again. */
  repeats: number;
  /** Of the newest timer. */
  serial: number;
  /** For the caller; null: none. */
  message: string | null;
}

export type PersonEvent =
  | { type: 'audio-opened'; audio: LocalAudio }
  | { type: 'audio-failed' }
  | { type: 'answered'; audio: NegotiatedAudio }
  | { type: 'audio-changed'; audio: NegotiatedAudio }
  /** Their line is over, or could not be dialled; `result` is why, for one that was never answered. */
  | { type: 'ended'; result: 'busy' | 'no_answer' | 'failed' }
  | { type: 'verdict'; verdict: AmdVerdict }
  | { type: 'said'; meaning: PersonMeaning }
  | { type: 'key'; digit: string }
  /** Our words were heard, to their end or to the person's interruption. */
  | { type: 'heard' }
  /** The answer to their question; null: nothing is known. */
  | { type: 'answer'; text: string | null }
  | { type: 'timer'; serial: number }
  /** Nobody waits for them any more. */
  | { type: 'withdrawn' };

export type PersonEffect =
  | { type: 'open-audio' }
  | { type: 'close-audio' }
  | { type: 'dial'; audio: LocalAudio }
  | { type: 'connect'; audio: NegotiatedAudio }
  /** They hear us from now on. */
  | { type: 'begin' }
  | { type: 'send-extension' }
  /** `question`: whether they take the call, once more; `opening`: who calls, and the question. */
  | { type: 'say'; what: 'opening' | 'question' | 'ask-message' | 'say-again' | 'noted' }
  /** The known facts, or that there are none; and the question again. */
  | { type: 'say-answer'; text: string | null }
  | { type: 'find-answer'; question: string }
  | { type: 'hang-up' }
  | { type: 'arm-timer'; serial: number; delayMs: number }
  | { type: 'result'; result: TransferResult; accepted: TransferAccept | null; message: string | null }
  /** They hung up after they were joined with the caller. */
  | { type: 'gone' };

type Step = [PersonState, PersonEffect[]];

/** A detector that has not decided by then is not waited for: whoever is there is asked. */
const VERDICT_MS = 8_000;
/** An extension rings so long at most. */
const EXTENSION_MS = 40_000;
/** Our longest speech; one that nobody reports the end of is over then. */
const SPEECH_MS = 60_000;
const DECIDE_MS = 8_000;
/** A model's answer that takes longer is not waited for. */
const ANSWER_MS = 7_000;
const MESSAGE_MS = 8_000;
const CLOSING_MS = 6_000;
const REPEATS_MAX = 1;
const QUESTIONS_MAX = 1;
const MESSAGE_CHARS_MAX = 300;

export function askPerson(manner: PersonManner): Step {
  const state: PersonState = { phase: 'opening', manner, questions: 0, repeats: 0, serial: 0, message: null };
  return [state, [{ type: 'open-audio' }]];
}

/** As another process has left them. */
export const personAs = (phase: PersonPhase, manner: PersonManner): PersonState => ({ ...askPerson(manner)[0], phase });

export function stepPerson(state: PersonState, event: PersonEvent): Step {
  const { phase } = state;
  // An answer that crossed our CANCEL is hung up at once; the person hears nothing.
  if (phase === 'over') return [state, event.type === 'answered' ? [{ type: 'hang-up' }] : []];
  switch (event.type) {
    case 'withdrawn':
      return over(state, 'withdrawn');
    case 'audio-failed':
      return phase === 'joined' ? gone(state) : over(state, 'failed');
    case 'ended':
      return phase === 'joined' ? gone(state) : over(state, endedBy(state, event.result));
    case 'audio-changed':
      return phase === 'opening' || phase === 'ringing'
        ? [state, []]
        : [state, [{ type: 'connect', audio: event.audio }]];
    case 'timer':
      return event.serial === state.serial ? timeIsUp(state) : [state, []];
    case 'audio-opened':
      return phase === 'opening'
        ? [{ ...state, phase: 'ringing' }, [{ type: 'dial', audio: event.audio }]]
        : [state, []];
    case 'answered':
      return phase === 'ringing' ? answered(state, event.audio) : [state, []];
    case 'verdict':
      return judged(state, event.verdict);
    case 'key':
      return pressed(state, event.digit);
    case 'said':
      return said(state, event.meaning);
    case 'heard':
      return heard(state);
    case 'answer':
      return phase === 'answering' ? speak(state, 'briefing', { type: 'say-answer', text: event.text }) : [state, []];
  }
}

function answered(state: PersonState, audio: NegotiatedAudio): Step {
  const begun: PersonEffect[] = [{ type: 'connect', audio }, { type: 'begin' }];
  const { extensionMs, isAnnounced } = state.manner;
  if (isAnnounced) return [{ ...state, phase: 'announcing' }, begun];
  if (extensionMs === null) return armed({ ...state, phase: 'listening' }, VERDICT_MS, begun);
  return armed({ ...state, phase: 'dialling' }, extensionMs, [...begun, { type: 'send-extension' }]);
}

/** Of a line with an extension a machine answers first, whatever comes after it. */
function judged(state: PersonState, verdict: AmdVerdict): Step {
  const { phase, manner } = state;
  if (
    manner.isAnnounced ||
    manner.extensionMs !== null ||
    phase === 'joined' ||
    phase === 'ringing' ||
    phase === 'opening'
  )
    return [state, []];
  if (phase === 'closing' || phase === 'message') return [state, []];
  // A person who has heard the question speaks of themselves: "I can't take the call" is a machine's sentence, too.
  if ((phase === 'deciding' || phase === 'answering') && verdict !== 'machine-beep') return [state, []];
  if (verdict === 'machine' || verdict === 'machine-beep') return over(state, 'machine');
  // A service that screens calls passes one on to somebody who decides; without a decision it would be taken for
  // somebody.
  if (verdict === 'screening' && manner.accept === 'none') return over(state, 'machine');
  return phase === 'listening' ? open(state) : [state, []];
}

/** Keys count once we speak: one that was pressed with the answer is no decision. */
function pressed(state: PersonState, digit: string): Step {
  switch (state.phase) {
    case 'briefing':
    case 'deciding':
    case 'answering':
      if (digit === '1') return accepted(state, state.manner.accept === 'none' ? 'none' : 'key');
      return digit === '2' ? askMessage(state) : [state, []];
    case 'message':
      return digit === '2' || digit === '#' ? over(state, 'declined') : [state, []];
    default:
      return [state, []];
  }
}

function said(state: PersonState, meaning: PersonMeaning): Step {
  switch (state.phase) {
    case 'extension':
      return open(state);
    case 'briefing':
    case 'deciding':
      return decided(state, meaning);
    case 'answering':
      return meaning.kind === 'yes' || meaning.kind === 'no' ? decided(state, meaning) : [state, []];
    case 'message':
      if (meaning.text === '') return sayAgain(state);
      if (meaning.kind === 'no' && meaning.rest === '') return over(state, 'declined');
      return close(state, meaning.text);
    default:
      return [state, []];
  }
}

function decided(state: PersonState, meaning: PersonMeaning): Step {
  const { accept } = state.manner;
  switch (meaning.kind) {
    case 'yes':
      // A word is no key: a recording says words, too.
      if (accept === 'key') return askAgain(state);
      return accepted(state, accept);
    case 'no':
      return meaning.rest === '' ? askMessage(state) : close(state, meaning.rest);
    case 'question':
      if (state.questions >= QUESTIONS_MAX) return askAgain(state);
      return armed({ ...state, phase: 'answering', questions: state.questions + 1 }, ANSWER_MS, [
        { type: 'find-answer', question: meaning.text },
      ]);
    case 'other':
      return [state, []];
  }
}

function heard(state: PersonState): Step {
  switch (state.phase) {
    case 'briefing':
      return state.manner.accept === 'none'
        ? accepted(state, 'none')
        : armed({ ...state, phase: 'deciding' }, DECIDE_MS);
    case 'announcing':
      return accepted(state, 'none');
    case 'message':
      return armed(state, MESSAGE_MS);
    case 'closing':
      return over(state, 'declined');
    default:
      return [state, []];
  }
}

function timeIsUp(state: PersonState): Step {
  switch (state.phase) {
    case 'dialling':
      return armed({ ...state, phase: 'extension' }, EXTENSION_MS);
    case 'extension':
      return over(state, 'no_answer');
    case 'listening':
      return open(state);
    case 'briefing':
      return heard(state);
    case 'deciding':
      return askAgain(state);
    case 'answering':
      return speak(state, 'briefing', { type: 'say-answer', text: null });
    case 'message':
    case 'closing':
      return over(state, 'declined');
    default:
      return [state, []];
  }
}

const open = (state: PersonState): Step => speak(state, 'briefing', { type: 'say', what: 'opening' });

function askAgain(state: PersonState): Step {
  if (state.repeats >= REPEATS_MAX) return over(state, 'silent');
  return speak({ ...state, repeats: state.repeats + 1 }, 'briefing', { type: 'say', what: 'question' });
}

/** Nothing of the message was understood. */
function sayAgain(state: PersonState): Step {
  if (state.repeats >= REPEATS_MAX) return over(state, 'declined');
  return speak({ ...state, repeats: state.repeats + 1 }, 'message', { type: 'say', what: 'say-again' });
}

const askMessage = (state: PersonState): Step => speak(state, 'message', { type: 'say', what: 'ask-message' });

function close(state: PersonState, message: string): Step {
  const kept = { ...state, phase: 'closing' as const, message: message.slice(0, MESSAGE_CHARS_MAX) };
  return armed(kept, CLOSING_MS, [{ type: 'say', what: 'noted' }]);
}

const speak = (state: PersonState, phase: PersonPhase, effect: PersonEffect): Step =>
  armed({ ...state, phase }, SPEECH_MS, [effect]);

function armed(state: PersonState, delayMs: number, effects: PersonEffect[] = []): Step {
  const serial = state.serial + 1;
  return [{ ...state, serial }, [...effects, { type: 'arm-timer', serial, delayMs }]];
}

function accepted(state: PersonState, by: TransferAccept): Step {
  const joined = { ...state, phase: 'joined' as const, serial: state.serial + 1 };
  return [joined, [{ type: 'result', result: 'accepted', accepted: by, message: null }]];
}

function endedBy({ phase }: PersonState, result: 'busy' | 'no_answer' | 'failed'): TransferResult {
  if (phase === 'opening' || phase === 'ringing') return result;
  return phase === 'message' || phase === 'closing' ? 'declined' : 'hung_up';
}

function over(state: PersonState, result: TransferResult): Step {
  const { message } = state;
  const isDialled = state.phase !== 'opening';
  return [
    { ...state, phase: 'over', serial: state.serial + 1 },
    [
      ...(isDialled ? [{ type: 'hang-up' } as const] : []),
      { type: 'close-audio' },
      { type: 'result', result, accepted: null, message: result === 'declined' ? message : null },
    ],
  ];
}

function gone(state: PersonState): Step {
  return [{ ...state, phase: 'over' }, [{ type: 'hang-up' }, { type: 'close-audio' }, { type: 'gone' }]];
}
