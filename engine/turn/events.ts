// The words of turn-taking: what a turn machine is told (`TurnEvent`), what it asks for (`TurnEffect`) and how it is set.
//
// An epoch is the number of one reply. At most one epoch is current (may be heard) and at most one is a candidate
// (prepared while the caller's silence is not yet a turn end). Audio, text or thought of any other epoch is stale.
import type { CallNote } from '../../models/llm/call-note.ts';
import type { Expectation, SttResult } from '../../models/stt/stt.ts';

/** Keys pressed with a longer pause between them are two entries. */
export const DIGIT_PAUSE_MS = 2_000;

export type TurnPhase =
  | 'waiting'
  | 'listening'
  | 'hearing'
  | 'pausing'
  | 'thinking'
  | 'speaking'
  | 'doubting'
  | 'ended';

export interface TurnConfig {
  /** Silence that ends a turn after an ordinary sentence (business setting). */
  silenceThresholdMs: number;
  /** 0 never yields, 0.5 about 350 ms of voice or two words, 1 about 120 ms. */
  interruptionSensitivity: number;
  /** The agent's silence prompts: after so long without speech on either side ("are you there?"). */
  idleMs: number;
  /** How many prompts before `idle` says goodbye. */
  idlePrompts: number;
  /** Longest wait for the STT's final result after it was asked for; past it the partial is taken. */
  sttDeadlineMs: number;
  /** Longest wait for a reply's first audio before the fallback is asked for. */
  replyDeadlineMs: number;
  /** A caller who never stops is answered after so long. */
  maxUtteranceMs: number;
}

/** What the call wants said outside a caller's turn: an answer of the model to a fact, or words as they stand. */
export type AgentRequest = { kind: 'note'; note: CallNote } | { kind: 'say'; text: string };

/** Why a reply is wanted. `opening` is the greeting, `idle` the silence prompt number `count`. */
export type ReplyCause =
  | { kind: 'opening' }
  | { kind: 'turn'; text: string; understood: boolean; confidence: number; startedAtMs: number }
  | { kind: 'digits'; digits: string }
  | { kind: 'idle'; count: number; last: boolean }
  | { kind: 'fallback'; reason: 'reply-deadline' | 'stt-failed' | 'reply-failed' }
  /** The call asked for it: a transfer has failed, the time limit is near, a machine waits for its message. */
  | { kind: 'requested'; request: AgentRequest };

/** All times in ms on the call's clock (0 = answer, equal to the position in the recording). */
export type TurnEvent =
  | { type: 'answered'; nowMs: number }
  /** First VAD window over the threshold. `speechAtMs` is where the speech began, `nowMs` when we learned of it. */
  | { type: 'speech-started'; nowMs: number; speechAtMs: number }
  /** Speech goes on: so much voiced time since it started. */
  | { type: 'speech-continued'; nowMs: number; voicedMs: number }
  /** `lastSpeechAtMs`: end of the last voiced sample, less the VAD's hangover and the jitter delay. */
  | { type: 'speech-stopped'; nowMs: number; lastSpeechAtMs: number; voicedMs: number }
  | { type: 'stt-partial'; nowMs: number; utterance: number; text: string }
  | { type: 'stt-final'; nowMs: number; utterance: number; result: SttResult }
  | { type: 'stt-failed'; nowMs: number; utterance: number }
  | { type: 'digit'; nowMs: number; digit: string }
  /** Control sent a clause for this epoch (its audio may still be in the making). */
  | { type: 'clause-queued'; nowMs: number; epoch: number; interruptible: boolean }
  /** The first audio of this epoch lies in the playout queue. */
  | { type: 'audio-ready'; nowMs: number; epoch: number }
  /** The reply is whole: no clause will follow. */
  | { type: 'reply-complete'; nowMs: number; epoch: number }
  | { type: 'reply-failed'; nowMs: number; epoch: number }
  /** The audio of every clause queued so far for this epoch was made and sent; further clauses may follow. */
  | { type: 'playout-drained'; nowMs: number; epoch: number }
  | { type: 'expects'; nowMs: number; expects: Expectation }
  | { type: 'reply-requested'; nowMs: number; request: AgentRequest }
  | { type: 'held'; nowMs: number; held: boolean }
  | { type: 'timer-fired'; nowMs: number; timer: TurnTimer; serial: number }
  | { type: 'ended'; nowMs: number };

export type TurnTimer =
  | 'finish'
  | 'endpoint'
  | 'stt-deadline'
  | 'reply-deadline'
  | 'idle'
  | 'digits'
  | 'max-utterance'
  | 'doubt';

export type TurnEffect =
  | { type: 'begin-utterance'; utterance: number; expects: Expectation; fromMs: number }
  | { type: 'finish-utterance'; utterance: number }
  | { type: 'cancel-utterance'; utterance: number }
  /** Replaces an armed timer of the same name. */
  | { type: 'arm-timer'; timer: TurnTimer; serial: number; atMs: number }
  | { type: 'cancel-timer'; timer: TurnTimer }
  | { type: 'pause-playout' }
  | { type: 'resume-playout' }
  /** Drop all audio of this epoch; report what was heard. */
  | { type: 'flush-playout'; epoch: number; interrupted: boolean }
  /** This epoch's audio may now be sent; lifts a pause that an earlier epoch left. */
  | { type: 'open-playout'; epoch: number }
  /** Prepare a reply. `committed: false` = speculation: no tools, no history yet. */
  | { type: 'want-reply'; epoch: number; cause: ReplyCause; committed: boolean }
  /** The candidate that was wanted with `committed: false` has become the current reply; `cause` is final. */
  | { type: 'commit-reply'; epoch: number; cause: ReplyCause }
  /**
   * Forget a reply of which nothing was heard. Where it was committed for a caller's turn, that turn is withdrawn with it:
   * its text comes again, joined with what the caller said since. (Digits and requests are not withdrawn.)
   */
  | { type: 'drop-reply'; epoch: number }
  /** The call ended while the caller had the floor: their last words, for the transcript. No reply is wanted. */
  | { type: 'unanswered-turn'; text: string; understood: boolean; confidence: number; startedAtMs: number }
  /** The caller took the floor: reply `epoch` was cut where it stood, and no thought on it is wanted any more. */
  | { type: 'barge-in'; epoch: number; atMs: number }
  | { type: 'false-interruption'; epoch: number }
  | { type: 'phase-changed'; phase: TurnPhase };
