// A call that the product under test has placed, from the answer on: which of its sounds came before and after the
// beep, and what it took the other side for. All of it comes from packets at this end.

/** Ms from the answer. */
export interface HeardSpan {
  fromMs: number;
  toMs: number;
}

export interface AnsweredCall {
  /** Of the greeting; of a machine, of its beep. */
  greetedMs: number;
  /** Its talk, pauses of less than 400 ms among it. */
  talk: readonly HeardSpan[];
  endMs: number;
  /** It hung up by itself. */
  isEndedByIt: boolean;
}

export const OUTCOMES = ['left a message', 'cut message', 'talked on', 'hung up', 'silent'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A breath, or a word that was begun, is no message. */
const TALK_MS = 1_000;
/** A message that begins while the beep ends is not cut off. */
const EARLY_MS = 150;

const lengthOf = (spans: readonly HeardSpan[]): number =>
  spans.reduce((all, { fromMs, toMs }) => all + toMs - fromMs, 0);

/**
 * Its conduct at a machine. `left a message`: it began after the beep, and then hung up. `cut message`: it began before
 * the beep and hung up, so that a machine kept a part of it. `talked on`: it talked, and did not hang up. `hung up`: it
 * said nothing after the beep. `silent`: neither.
 */
export function outcomeAtMachine({ greetedMs, talk, isEndedByIt }: AnsweredCall): Outcome {
  const begun = talk.filter(({ toMs }) => toMs > greetedMs - EARLY_MS);
  const [first] = begun;
  if (first === undefined || lengthOf(begun) < TALK_MS) return isEndedByIt ? 'hung up' : 'silent';
  if (!isEndedByIt) return 'talked on';
  return first.fromMs >= greetedMs - EARLY_MS ? 'left a message' : 'cut message';
}

/** Its conduct when a person answered: that it talks is right, and a person on whom it hangs up is lost. */
export function outcomeAtPerson({ talk, isEndedByIt }: AnsweredCall): Outcome {
  if (lengthOf(talk) >= TALK_MS) return 'talked on';
  return isEndedByIt ? 'hung up' : 'silent';
}

/** From the end of the greeting, or of the beep, to its first sound that follows; null: none did. */
export function waitedMs({ greetedMs, talk }: AnsweredCall): number | null {
  const after = talk.find(({ fromMs }) => fromMs >= greetedMs - EARLY_MS);
  return after === undefined ? null : Math.round(Math.max(0, after.fromMs - greetedMs));
}
