// The vocabulary of turn-taking: the machine's events (`TurnEvent`), its effects (`TurnEffect`) and its settings.
//
// An epoch is the number of one reply. At most one epoch is current (may be heard) and at most one is a candidate
// (prepared while the caller's silence is not yet a turn end). Text and audio of any other epoch are stale.
import type { CallNote } from '../../models/llm/call-note.ts';
import type { Expectation, SttResult } from '../../models/stt/stt.ts';

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
  /** BCP 47; selects the word tables that judge a sentence. */
  language: string;
  /** Silence that ends a turn if nothing tells whether the turn is complete (business setting). */
  silenceThresholdMs: number;
  /** `fixed`: the business has set its threshold, and no rule waits less; `adaptive`: the words decide. */
  endpointing: 'adaptive' | 'fixed';
  /** Stretches (over 1) or shortens the silences of `adaptive`. */
  patience: number;
  /** Time that the other side gets to speak first; 0: the agent begins at once. */
  openingDelayMs: number;
  /**
   * How a group of a number or a spelling is acknowledged, while more of it is to come: by a word, by the group itself,
   * or not at all.
   */
  groupAcknowledgement: 'word' | 'repeat' | 'none';
  /** A reply of which something was heard is never withdrawn: who goes on over it interrupts. */
  keepsHeardReplies?: boolean;
  /** Allows preparing replies before the end of a turn is certain. */
  guessing: boolean;
  /** Further backchannels, besides those of the language. */
  backchannels: readonly string[];
  /** 0 never yields, 0.5 about 350 ms of voice or two words, 1 about 120 ms. */
  interruptionSensitivity: number;
  /** Silence on both sides after which the agent prompts ("are you there?"). */
  idleMs: number;
  /** Prompts before the agent says goodbye. */
  idlePrompts: number;
  /** Longest wait for the recogniser's final result after the request; then the partial is used. */
  sttDeadlineMs: number;
  /** Longest wait for a reply's first audio; then the fallback is requested. */
  replyDeadlineMs: number;
  /** The same, once its first clause is there: then only its speech is missing. */
  speechDeadlineMs: number;
  /**
   * The recogniser gives the words of free speech while they are spoken, so a voice without words does not want the
   * floor.
   */
  hearsWords: boolean;
  /** The same, but only for the phrases that it knows. */
  knowsPhrases?: boolean;
  /** The recogniser of whole utterances tells the words so far when it is asked (`ask-words`). */
  asksWords?: boolean;
  /**
   * The recogniser hears more in a whole turn than in its pieces: after a pause it gets all since the turn began again
   * (`since`), and its earlier results are provisional.
   */
  hearsTurns?: boolean;
  /** A caller who does not stop is answered after this time. */
  maxUtteranceMs: number;
}

/**
 * A reply that the call requests outside a caller's turn: the model's response to a fact, a fixed text, or the answer
 * to the caller's last words, which another process or a lost model owed them; words that they say first take its
 * place. `note`: what else there is to say of it.
 */
export type AgentRequest =
  | { kind: 'note'; note: CallNote }
  /** `by`: a client of the API wants it said. */
  | { kind: 'say'; text: string; by?: 'client' }
  | { kind: 'answer'; note?: CallNote };

/** Why a reply is wanted. `opening` is the greeting, `idle` the silence prompt number `count`. */
export type ReplyCause =
  | { kind: 'opening' }
  | {
      kind: 'turn';
      text: string;
      understood: boolean;
      confidence: number;
      startedAtMs: number;
      /** Whether the turn was over is not certain: the caller may go on. */
      unsure?: true;
      /** The caller asked for patience and nothing else. */
      asksToWait?: true;
      /** The caller asked for silence and nothing else. */
      asksToStop?: true;
    }
  | { kind: 'digits'; digits: string }
  | { kind: 'idle'; count: number; last: boolean }
  | { kind: 'fallback'; reason: 'reply-deadline' | 'stt-failed' | 'reply-failed' }
  /** The call requested it: a transfer failed, the time limit is near, a machine waits for its message. */
  | { kind: 'requested'; request: AgentRequest };

/** All times in ms on the call's clock (0 = answer, equal to the position in the recording). */
export type TurnEvent =
  | { type: 'answered'; nowMs: number }
  /** First VAD window over the threshold. `speechAtMs` is when the speech began, `nowMs` when the VAD noticed. */
  | { type: 'speech-started'; nowMs: number; speechAtMs: number; faint?: boolean }
  /**
   * Speech continues. `voicedMs`: voiced time since it started. `faint`: so far, far below this caller's own level.
   * `distance`: set unless near: softer on the whole than anybody on a phone (`far`), or the caller's level is still
   * unknown, and perhaps as loud as a turn that was not understood (`likely`); `other`: it differs from a caller who is
   * known.
   * `pressMs`: for how long it has sounded as if it wanted the floor: without a pause, unlike this caller's
   * encouragement; left out while it does not. `hums`: so far through closed lips.
   */
  | {
      type: 'speech-continued';
      nowMs: number;
      voicedMs: number;
      faint?: boolean;
      distance?: 'far' | 'likely' | 'unknown' | 'other';
      pressMs?: number;
      hums?: boolean;
    }
  /** No voice in the newest window: the end of a turn, or a gap between two words. */
  | { type: 'speech-paused'; nowMs: number }
  /**
   * `lastSpeechAtMs`: the end of the last voiced sample, with VAD hangover and jitter delay subtracted. `finality`:
   * intonation at its end, -1 (goes on) to 1 (final fall), if known.
   */
  | { type: 'speech-stopped'; nowMs: number; lastSpeechAtMs: number; voicedMs: number; finality?: number }
  /**
   * Probability, 0..1, that the turn is over, judged in the silence after the newest speech by a turn-end model or the
   * recogniser itself.
   */
  | { type: 'turn-judged'; nowMs: number; likelihood: number }
  /** The peer's packets stopped during speech: the following silence is not the caller's. */
  | { type: 'line-lost'; nowMs: number }
  /**
   * Packets arrive again after `missingMs`. After 2 s the event comes without them: the caller then counts as silent.
   */
  | { type: 'line-back'; nowMs: number; missingMs: number }
  /** `asked`: the number of the `ask-words` that it answers. */
  | { type: 'stt-partial'; nowMs: number; utterance: number; text: string; asked?: number }
  | { type: 'stt-final'; nowMs: number; utterance: number; result: SttResult }
  | { type: 'stt-failed'; nowMs: number; utterance: number }
  | { type: 'digit'; nowMs: number; digit: string }
  /** A key of which nothing is known here but that it was pressed. */
  | { type: 'secret-key'; nowMs: number }
  /**
   * Control sent a clause for this epoch; its audio may not be rendered yet. `isFiller`: words that bridge the caller's
   * wait for the reply; they do not move its deadline.
   */
  | { type: 'clause-queued'; nowMs: number; epoch: number; interruptible: boolean; isFiller?: true }
  /** The first audio of this epoch is in the playout queue. */
  | { type: 'audio-ready'; nowMs: number; epoch: number }
  /** No further clause will follow. */
  | { type: 'reply-complete'; nowMs: number; epoch: number }
  | { type: 'reply-failed'; nowMs: number; epoch: number }
  /** The audio of every clause queued so far for this epoch was rendered and sent; more clauses may follow. */
  | { type: 'playout-drained'; nowMs: number; epoch: number }
  /** The kind of answer that the agent has asked for; `digitCount` if the question says how many digits. */
  | { type: 'expects'; nowMs: number; expects: Expectation; digitCount?: number | null }
  /** `isUrgent`: in place of what the agent is saying; before other requests. */
  | { type: 'reply-requested'; nowMs: number; request: AgentRequest; isUrgent?: true }
  /** The agent stops speaking, and what was being prepared is not said. */
  | { type: 'silenced'; nowMs: number }
  | { type: 'held'; nowMs: number; held: boolean }
  | { type: 'timer-fired'; nowMs: number; timer: TurnTimer; serial: number }
  | { type: 'ended'; nowMs: number };

export type TurnTimer =
  | 'acknowledge'
  | 'finish'
  | 'endpoint'
  | 'stt-deadline'
  | 'reply-deadline'
  | 'idle'
  | 'digits'
  | 'max-utterance'
  | 'doubt'
  | 'opening'
  | 'line';

export type TurnEffect =
  /** `since`: its sound begins where that of this earlier utterance began. */
  | { type: 'begin-utterance'; utterance: number; expects: Expectation; fromMs: number; since?: number }
  /** Ask for the words of the open utterance so far. Numbers count from 1 in each utterance. */
  | { type: 'ask-words'; utterance: number; number: number }
  /** `asked`: nothing was said since this `ask-words`. */
  | { type: 'finish-utterance'; utterance: number; asked?: number }
  | { type: 'cancel-utterance'; utterance: number }
  /**
   * Say that a group of a number was heard, without taking the turn; it ends with the caller's next sound. `text`: the
   * group, to be repeated; null: a word will do.
   */
  | { type: 'acknowledge'; text: string | null }
  /** Replaces an armed timer of the same name. */
  | { type: 'arm-timer'; timer: TurnTimer; serial: number; atMs: number }
  | { type: 'cancel-timer'; timer: TurnTimer }
  /** Lower the agent's voice: the caller may want the floor. */
  | { type: 'duck-playout' }
  | { type: 'unduck-playout' }
  /** Fall silent at the next gap between words and keep the position. */
  | { type: 'pause-playout' }
  /** Continue where it paused, at full volume. */
  | { type: 'resume-playout' }
  /** Drop all audio of this epoch and report what was heard. */
  | { type: 'flush-playout'; epoch: number; interrupted: boolean }
  /** Send this epoch's audio from now on. Lifts a pause left by an earlier epoch. */
  | { type: 'open-playout'; epoch: number }
  /** Prepare a reply. Until it is committed it runs no tools and enters no history. */
  | { type: 'want-reply'; epoch: number; cause: ReplyCause; committed: boolean }
  /** The candidate, wanted with `committed: false`, has become the current reply; `cause` is final. */
  | { type: 'commit-reply'; epoch: number; cause: ReplyCause }
  /**
   * Discard a reply of which nothing was heard. If it was committed for a caller's turn, that turn is withdrawn too:
   * its text comes again, joined with the caller's later words. Digits and requests are not withdrawn.
   */
  | { type: 'drop-reply'; epoch: number }
  /**
   * Words of the caller that get no reply of their own: the last words if the call ended while they had the floor, and
   * a callee's words before the agent's opening.
   */
  | { type: 'unanswered-turn'; text: string; understood: boolean; confidence: number; startedAtMs: number }
  /** The caller took the floor. Reply `epoch` was cut, and its generation should stop. */
  | { type: 'barge-in'; epoch: number; atMs: number }
  | { type: 'false-interruption'; epoch: number }
  /** The caller's words over the agent that began at `atMs` only encouraged. */
  | { type: 'note-encouragement'; atMs: number }
  | { type: 'phase-changed'; phase: TurnPhase };
