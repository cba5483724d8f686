// The caller goes on with a turn that the agent took to be over. Its reply is withdrawn, even if the first moments of
// it were heard, and both halves of the turn are answered once.
import { type InterruptionNeed, LONGEST_BACKCHANNEL_MS } from './barge-in.ts';
import { type Heard, joinHeard, voicedMsOf } from './heard.ts';
import { isInterruption, isWordless, PHRASE_WORDS, understoodText } from './interruption.ts';
import { speechWords, startsWith } from './spoken.ts';
import { type Move, startHearing, startPause } from './transitions.ts';
import {
  type AgentReply,
  disarm,
  dropReply,
  type InPhase,
  isProtected,
  lexiconOf,
  type ReplyStart,
  type Step,
  yields,
} from './turn-context.ts';

/** A caller who speaks this soon after the agent has begun had not finished: later, they answer what it says. */
const FALSE_START_MS = 1_500;
/** A voice is found that long after its first sound, at most: it may have begun just before the agent did. */
const FOUND_AFTER_MS = 200;
/** The same for a sound of which no word is known: later, most of it encourages or answers. */
const WORDLESS_START_MS = 1_000;
/** After a turn that was surely over. */
const SURE_START_MS = 500;
/** One real word continues the turn; with a recogniser that gives no text meanwhile, a clear sound of this length. */
const GOES_ON: InterruptionNeed = { voicedMs: 300, words: 1, graceMs: 0 };
/** Bounds a caller who keeps going on: then the reply is spoken. */
const MAX_RETRACTIONS = 2;
/** The same for false starts that were heard: the caller knows that they are listened to. */
const MAX_TAKEN_BACK = 4;
/** More of it makes the agent no more patient. */
const MAX_WENT_ON = 2;
/** A voice that goes on after a false start silences the agent: it may go on again where it stopped. */
const FALSE_START_VOICED_MS = 90;

/** Nothing of the reply was heard yet, and the caller goes on. */
export function continuesTurn(step: Step, state: InPhase<'thinking'>, heard: Heard): boolean {
  if (isProtected(state.reply) || step.context.retractions >= MAX_RETRACTIONS) return false;
  const goesOn = state.reply.cause.kind === 'turn';
  return isInterruption(step, state.reply, heard, GOES_ON, { phraseWords: PHRASE_WORDS, goesOn });
}

/** The agent has just begun, and the caller goes on as if it had not. */
export function continuesPast<S extends InPhase<'speaking'> | InPhase<'doubting'>>(
  step: Step,
  state: S,
  heard: Heard,
  isWaitOver = false,
): state is S & { start: ReplyStart } {
  if (state.start === null || !isTooSoon(step, state, heard)) return false;
  if (!isWaitOver && awaitsWords(step, heard)) return false;
  if (step.context.retractions >= MAX_TAKEN_BACK) return false;
  if (beginsAnew(step, heard)) return false;
  return isInterruption(step, state.reply, heard, GOES_ON, { phraseWords: PHRASE_WORDS, goesOn: true });
}

/** The agent is silent meanwhile, and the words may be "no, wait". */
function awaitsWords(step: Step, { segments }: Heard): boolean {
  const latest = segments.at(-1);
  if (latest === undefined || latest.result !== null || voicedMsOf(latest) >= LONGEST_BACKCHANNEL_MS) return false;
  // The first words of a recogniser of phrases are chance: "I" and "I see" are no reason to take the reply back.
  return latest.partial === '' || (step.config.knowsPhrases === true && isWordless(step, latest));
}

/** "No, wait" is said to the agent, and "sorry, I meant" in place of what was said. */
function beginsAnew({ config }: Step, { segments }: Heard): boolean {
  const { takeovers, negations, restarts } = lexiconOf(config).words;
  const said = speechWords(segments.map(understoodText).join(' '));
  return [takeovers, negations, restarts].some((list) => startsWith(said, list));
}

/** The newest voice began in the reply's first moments, and nothing forbids to stop it. */
function isTooSoon(step: Step, { reply, start }: InPhase<'speaking'> | InPhase<'doubting'>, heard: Heard): boolean {
  const latest = heard.segments.at(-1);
  if (start === null || latest === undefined || isProtected(reply) || reply.cause.kind !== 'turn') return false;
  return yields(step, reply) && isFalseStart(start, latest.startedAtMs);
}

/** The caller goes on over the agent's first moments, or seems to: it waits for a moment. */
export function goesOnAlone(step: Step, state: InPhase<'doubting'>): boolean {
  const { overheard } = state;
  const latest = overheard.segments.at(-1);
  if (latest === undefined || overheard.isNear === false || latest.partial !== '' || overheard.dismissed) return false;
  if (state.start === null || !isTooSoon(step, state, overheard)) return false;
  return isLikelyFalseStart(state.start, latest.startedAtMs) && voicedMsOf(latest) >= FALSE_START_VOICED_MS;
}

/** A voice that began so soon after the reply goes on with the turn before it. */
const isFalseStart = ({ openedAtMs }: ReplyStart, voiceAtMs: number): boolean =>
  voiceAtMs >= openedAtMs - FOUND_AFTER_MS && voiceAtMs <= openedAtMs + FALSE_START_MS;

/** So does a sound without a word. */
const isLikelyFalseStart = ({ wasSure, openedAtMs }: ReplyStart, voiceAtMs: number): boolean =>
  voiceAtMs <= openedAtMs + (wasSure ? SURE_START_MS : WORDLESS_START_MS);

/** The caller goes on before any of the reply was heard, so both utterances become one turn. */
export function retract(step: Step, thinking: InPhase<'thinking'>, overheard: Heard): Move {
  dropReply(step, thinking.reply);
  return continueTurn(step, thinking.turn, overheard);
}

/**
 * The agent has begun too soon: the caller goes on with the turn that it answers. What was heard of the reply is
 * withdrawn with it, and both halves become one turn.
 */
export function takeBack(step: Step, reply: AgentReply, { turn }: ReplyStart, overheard: Heard): Move {
  dropReply(step, reply);
  return continueTurn(step, turn, overheard);
}

function continueTurn(step: Step, turn: Heard | null, overheard: Heard): Move {
  disarm(step, 'reply-deadline', 'doubt');
  step.context.retractions++;
  step.context.wentOn = Math.min(MAX_WENT_ON, step.context.wentOn + 1);
  step.context.prompts = 0;
  const heard = { ...joinHeard(turn, overheard), cannotInterrupt: false };
  return heard.talking ? startHearing(step, heard) : startPause(step, heard);
}
