// Which destination a caller means, by words: those of its name, and those of its description, where the business says
// what it is for. In any language, since both are the business's own.
import type { TransferDestination } from '../../../db/domain/numbers/transfer-destinations.ts';
import { reachablePersons } from '../persons.ts';
import type { Context } from './context.ts';

/** A shorter word says nothing. */
const CHARS_MIN = 3;
/** Forms of a word share so many letters: "invoice", "invoices". */
const STEM_CHARS = 5;
/** One word of a name counts like so many of a description. */
const NAME_WEIGHT = 4;
/** Wants somebody. */
const ASKS_FOR_SOMEBODY = /\b(speak|talk|connect|put me|put through|transfer|reach|get me)\b/i;
/** Wants something, and names whom by all of the name. */
const WISH = /\b(call|need|want|would like|i'd like|give me)\b/i;
/** They say nothing of whom a name means. */
const FUNCTION_WORDS = new Set(
  (
    'the and for with from our your all any new fur und der die das mit den dem des von zum zur les des pour avec aux para con ' +
    'los las del por per gli delle alla voor het met van een com dos das'
  ).split(' '),
);

interface Choice {
  destination: TransferDestination;
  /** How much of its name was said, and not only what it is for. */
  named: 'all' | 'some' | 'none';
}

/** Null: none, or two that fit equally well. */
function choiceIn(text: string, destinations: readonly TransferDestination[]): Choice | null {
  const said = wordsOf(text);
  let best: (Choice & { score: number }) | null = null;
  let isTie = false;
  for (const destination of destinations) {
    const names = hits(said, destination.name);
    const score = NAME_WEIGHT * names + hits(said, destination.description);
    if (score === 0) continue;
    if (best !== null && score === best.score) isTie = true;
    if (best !== null && score <= best.score) continue;
    const named = names === 0 ? 'none' : names === contentOf(destination.name).length ? 'all' : 'some';
    best = { destination, named, score };
    isTie = false;
  }
  return isTie ? null : best;
}

/** Whom of those who can be reached now; null: whoever is first. */
export function personWanted({ business, request }: Context, text: string): string | null {
  return choiceIn(text, reachablePersons(business, request.nowMs))?.destination.name ?? null;
}

/** Asked for by name; `isReachable`: at this hour. Null: nobody is. */
export function personAskedFor(
  { business, request }: Context,
  text: string,
): { name: string; isReachable: boolean } | null {
  const choice = choiceIn(text, business.destinations ?? []);
  if (choice === null || choice.named === 'none') return null;
  if (!ASKS_FOR_SOMEBODY.test(text) && !(choice.named === 'all' && WISH.test(text))) return null;
  const { name } = choice.destination;
  return { name, isReachable: reachablePersons(business, request.nowMs).some((each) => each.name === name) };
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(({ length }) => length >= CHARS_MIN);

/** Each once. */
const contentOf = (text: string): string[] => [
  ...new Set(wordsOf(text).filter((word) => !FUNCTION_WORDS.has(word.normalize('NFD').replace(/\p{M}/gu, '')))),
];

const hits = (said: readonly string[], text: string): number =>
  contentOf(text).filter((word) => said.some((one) => isAkin(one, word))).length;

const isAkin = (one: string, other: string): boolean =>
  one === other ||
  (one.length >= STEM_CHARS && other.length >= STEM_CHARS && one.slice(0, STEM_CHARS) === other.slice(0, STEM_CHARS));
