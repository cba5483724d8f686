// Which destination a caller means, by words: those of its name, and those of its description, where the business says
// what it is for. In any language, since both are the business's own.
import type { TransferDestination } from '../../../db/domain/transfer-destinations.ts';
import { reachablePersons } from '../persons.ts';
import type { Context } from './context.ts';

/** A shorter word says nothing. */
const CHARS_MIN = 3;
/** Forms of a word share so many letters: "invoice", "invoices". */
const STEM_CHARS = 5;
/** One word of a name counts like so many of a description. */
const NAME_WEIGHT = 4;
const WISH =
  /\b(speak|talk|connect|put me|put through|transfer|reach|get me|call|need|want|would like|i'd like|give me)\b/i;

export interface Choice {
  destination: TransferDestination;
  /** Its name was said, and not only what it is for. */
  isNamed: boolean;
}

/** Null: none, or two that fit equally well. */
export function choiceIn(text: string, destinations: readonly TransferDestination[]): Choice | null {
  const said = wordsOf(text);
  let best: (Choice & { score: number }) | null = null;
  let isTie = false;
  for (const destination of destinations) {
    const names = hits(said, destination.name);
    const score = NAME_WEIGHT * names + hits(said, destination.description);
    if (score === 0) continue;
    if (best !== null && score === best.score) isTie = true;
    if (best !== null && score <= best.score) continue;
    best = { destination, isNamed: names > 0, score };
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
  if (choice === null || !choice.isNamed || !WISH.test(text)) return null;
  const { name } = choice.destination;
  return { name, isReachable: reachablePersons(business, request.nowMs).some((each) => each.name === name) };
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(({ length }) => length >= CHARS_MIN);

const hits = (said: readonly string[], text: string): number =>
  new Set(wordsOf(text).filter((word) => said.some((one) => isAkin(one, word)))).size;

const isAkin = (one: string, other: string): boolean =>
  one === other ||
  (one.length >= STEM_CHARS && other.length >= STEM_CHARS && one.slice(0, STEM_CHARS) === other.slice(0, STEM_CHARS));
