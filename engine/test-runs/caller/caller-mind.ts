// Decides what a simulated caller says next, by what the agent has said: sentences of a script, each once the agent has
// said what it waits for, or a goal with facts that answer the agent's questions. Pure, and the same each time.
import { saysPattern } from '../../../db/domain/tests/checks.ts';
import type { SimulationDefinition } from '../../../db/domain/tests/definitions.ts';
import { askedFor } from '../../turn/expectation.ts';
import { callerPhrases } from './caller-phrases.ts';

type CallerWish = Pick<SimulationDefinition['caller'], 'script' | 'goal' | 'facts'>;

export type NextStep =
  | { type: 'say'; text: string /** Of the script; null: of its own accord. */; cue: number | null }
  /** The agent is to say more first. */
  | { type: 'wait' }
  | { type: 'hang-up' };

export interface MindState {
  /** Cues that were said. */
  said: number;
  /** Replies of the agent since the caller spoke. */
  replies: number;
  /** Facts that were told, by name. */
  told: readonly string[];
  hasSaidGoodbye: boolean;
  /** The sentence that was said last, and how often again. */
  last: { text: string; cue: number | null; repeated: number } | null;
}

export const NEW_MIND: MindState = { said: 0, replies: 0, told: [], hasSaidGoodbye: false, last: null };

/** A cue that waits for other words than those that came: so many replies it waits. */
const PATIENT_REPLIES = 3;
/** An agent that asks again and again is told so often. */
const MOST_REPEATED = 2;
const QUESTION = 'question:';

/** @param heard the agent's words since the caller spoke, as one text */
export function nextStep(wish: CallerWish, before: MindState, heard: string, language: string): [MindState, NextStep] {
  const { last } = before;
  if (last !== null && last.repeated < MOST_REPEATED && asksAgain(heard, language)) {
    const { text, cue, repeated } = last;
    return [
      { ...before, replies: 0, last: { ...last, repeated: repeated + 1 } },
      { type: 'say', text, cue },
    ];
  }
  const counted = { ...before, replies: before.replies + 1 };
  const [state, step] =
    wish.script === undefined
      ? byFacts(wish, counted, heard, language)
      : byScript(wish.script, counted, heard, language);
  if (step.type !== 'say') return [state, step];
  return [{ ...state, last: { text: step.text, cue: step.cue, repeated: 0 } }, step];
}

/** Whether the agent wants to hear the same once more. */
const asksAgain = (heard: string, language: string): boolean =>
  callerPhrases(language).again.some((words) => saysPattern(heard, words));

/** `question:date` waits for a question for a date, in whatever words; else the words of a pattern. */
export function isCue(after: string, heard: string, language: string): boolean {
  if (!after.startsWith(QUESTION)) return saysPattern(heard, after);
  const wanted = after.slice(QUESTION.length).trim();
  const { expects } = askedFor(heard, language);
  return expects === wanted || (expects === 'date-time' && (wanted === 'date' || wanted === 'time'));
}

/** The words may be others: it counts what is asked for. Where then nothing special was asked for, any words do. */
function asksForTheSame(then: string, now: string, language: string): boolean {
  const wanted = askedFor(then, language).expects;
  return wanted === 'anything' || wanted === 'yes-no' || isCue(`${QUESTION}${wanted}`, now, language);
}

function byScript(
  script: NonNullable<CallerWish['script']>,
  state: MindState,
  heard: string,
  language: string,
): [MindState, NextStep] {
  const cue = script[state.said];
  if (cue === undefined) return [state, { type: 'hang-up' }];
  const isHeard =
    (cue.after === undefined || isCue(cue.after, heard, language)) &&
    (cue.heard === undefined || asksForTheSame(cue.heard, heard, language));
  if (!isHeard) return [state, state.replies < PATIENT_REPLIES ? { type: 'wait' } : { type: 'hang-up' }];
  return [
    { ...state, said: state.said + 1, replies: 0 },
    { type: 'say', text: cue.say, cue: state.said },
  ];
}

function byFacts(
  { goal = '', facts = {} }: CallerWish,
  state: MindState,
  heard: string,
  language: string,
): [MindState, NextStep] {
  const say = (text: string, change: Partial<MindState> = {}): [MindState, NextStep] => [
    { ...state, replies: 0, ...change },
    { type: 'say', text, cue: null },
  ];
  if (state.said === 0) return say(goal, { said: 1 });
  if (state.hasSaidGoodbye) return [state, { type: 'hang-up' }];
  const phrases = callerPhrases(language);
  const fact = factFor(facts, state.told, heard, language);
  if (fact !== null) return say(fact[1], { told: [...state.told, fact[0]] });
  const { expects } = askedFor(heard, language);
  if (expects === 'yes-no') return say(phrases.yes);
  const isAsked = heard.trim().endsWith('?');
  const hasMore = Object.keys(facts).some((name) => !state.told.includes(name));
  if (isAsked && expects !== 'anything' && hasMore) return say(phrases.unknown);
  return say(phrases.goodbye, { hasSaidGoodbye: true });
}

/** The agent names what the fact says: "We have haircut, shave or colour" to "A haircut." */
function isOffered(value: string, heard: string): boolean {
  const words = value.match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return words.length > 0 && words.every((word) => saysPattern(heard, word));
}

/**
 * The fact that the agent's question asks for: by what it expects, by what it offers, or by the fact's name among its
 * words.
 */
function factFor(
  facts: Readonly<Record<string, string>>,
  told: readonly string[],
  heard: string,
  language: string,
): [name: string, value: string] | null {
  const question = (heard.match(/[^.!?…]+[.!?…]*/g) ?? []).at(-1) ?? '';
  const { expects } = askedFor(heard, language);
  const names = [...(callerPhrases(language).facts[expects] ?? []), ...(callerPhrases('en').facts[expects] ?? [])];
  const open = Object.entries(facts).filter(([name]) => !told.includes(name));
  const all = [...open, ...Object.entries(facts)];
  const byKind = all.find(([name]) => names.includes(name.toLowerCase()));
  if (byKind !== undefined) return byKind;
  const offered = heard.includes('?') ? open.find(([, value]) => isOffered(value, heard)) : undefined;
  if (offered !== undefined) return offered;
  return question.endsWith('?') ? (open.find(([name]) => saysPattern(question, name)) ?? null) : null;
}
