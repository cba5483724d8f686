// A grammar as the smallest automaton of its sentences. soundswallower makes one of JSGF itself, with a state for each
// place in the text (2,621 for an ordinary business), and goes through all of them in every frame
// (fsg_history_end_frame in its src/fsg_history.c), besides words that begin several phrases and are decoded once for
// each. This one has a tenth of the states, and the same sentences with the same weights:
//
//   rules ─► states of the text ─► one way for each beginning (determinise) ─► one state for equal ends (minimise)
import { type Alternative, type ParsedGrammar, type Part, parseJsgf } from './jsgf.ts';

interface Arc {
  from: number;
  to: number;
  /** Null: leads on without a word; only to the final state. */
  word: string | null;
  /** Negative logarithm of its probability. */
  cost: number;
}

export interface Automaton {
  states: number;
  start: number;
  final: number;
  arcs: readonly Arc[];
}

/** Costs that differ less are equal: the decoder's own step is 0.1. */
const COST_STEP = 1e-3;
const rounded = (cost: number): number => Math.round(cost / COST_STEP);

/** @throws SyntaxError as `parseJsgf`; RangeError when the grammar refers to a rule that it has not */
export function automatonOf(jsgf: string): Automaton {
  return minimised(determinised(new TextStates(parseJsgf(jsgf))));
}

interface Step {
  word: string | null;
  to: number;
  cost: number;
}

/** The states between the words of the text, and the empty steps between them. */
class TextStates {
  readonly steps: Step[][] = [];
  readonly start: number;
  readonly final: number;
  readonly #grammar: ParsedGrammar;

  constructor(grammar: ParsedGrammar) {
    this.#grammar = grammar;
    this.start = this.#state();
    this.final = this.#state();
    this.#addRule(grammar.start, this.start, this.final);
  }

  #state(): number {
    return this.steps.push([]) - 1;
  }

  #step(from: number, to: number, word: string | null, cost: number): void {
    this.steps[from]?.push({ word, to, cost });
  }

  #addRule(name: string, from: number, to: number): void {
    const alternatives = this.#grammar.rules.get(name);
    if (!alternatives) throw new RangeError(`the grammar has no rule <${name}>`);
    this.#addChoice(alternatives, from, to);
  }

  #addChoice(alternatives: readonly Alternative[], from: number, to: number): void {
    for (const { share, parts } of alternatives) {
      let at = this.#state();
      this.#step(from, at, null, -Math.log(share));
      for (const part of parts) {
        const next = this.#state();
        this.#addPart(part, at, next);
        at = next;
      }
      this.#step(at, to, null, 0);
    }
  }

  #addPart(part: Part, from: number, to: number): void {
    switch (part.type) {
      case 'word':
        return this.#step(from, to, part.word, 0);
      case 'rule':
        return this.#addRule(part.name, from, to);
      case 'choice':
        return this.#addChoice(part.alternatives, from, to);
      case 'repeat': {
        // soundswallower reads x+ as "x, or x and x+": either is half as likely.
        const [entry, exit] = [this.#state(), this.#state()];
        this.#step(from, entry, null, Math.LN2);
        this.#addPart(part.part, entry, exit);
        this.#step(exit, entry, null, Math.LN2);
        return this.#step(exit, to, null, 0);
      }
    }
  }
}

/** States of the text in which a sentence may be after the same words, each with what it costs beyond the cheapest. */
type Places = Map<number, number>;

interface Deterministic {
  arcs: Arc[];
  /** By state: what it costs to end there; absent where no sentence ends. */
  ends: Map<number, number>;
  states: number;
}

/** One state for each set of places that some words lead to. */
function determinised(text: TextStates): Deterministic {
  const known = new Map<string, number>();
  const waiting: Places[] = [];
  const found: Deterministic = { arcs: [], ends: new Map(), states: 0 };
  const stateOf = (places: Places): number => {
    const key = [...places]
      .sort(([a], [b]) => a - b)
      .map(([place, cost]) => `${place}:${rounded(cost)}`)
      .join(' ');
    const old = known.get(key);
    if (old !== undefined) return old;
    known.set(key, waiting.length);
    return waiting.push(places) - 1;
  };
  stateOf(reached(text, new Map([[text.start, 0]])));
  for (let from = 0; from < waiting.length; from++) {
    const places = waiting[from] ?? new Map();
    const end = places.get(text.final);
    if (end !== undefined) found.ends.set(from, end);
    for (const [word, next] of nextByWord(text, places)) {
      const cost = Math.min(...next.values());
      for (const [place, each] of next) next.set(place, each - cost);
      found.arcs.push({ from, to: stateOf(reached(text, next)), word, cost });
    }
  }
  found.states = waiting.length;
  return found;
}

function nextByWord(text: TextStates, places: Places): Map<string, Places> {
  const next = new Map<string, Places>();
  for (const [place, before] of places) {
    for (const { word, to, cost } of text.steps[place] ?? []) {
      if (word === null) continue;
      const reachedByIt = next.get(word) ?? new Map<number, number>();
      next.set(word, reachedByIt);
      reachedByIt.set(to, Math.min(reachedByIt.get(to) ?? Number.POSITIVE_INFINITY, before + cost));
    }
  }
  return next;
}

/** The places with those that empty steps lead to, as far as a word or the end follows there. */
function reached(text: TextStates, from: Places): Places {
  const costs = new Map(from);
  const waiting = [...from.keys()];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const before = costs.get(place) ?? 0;
    for (const { word, to, cost } of text.steps[place] ?? []) {
      if (word !== null || before + cost >= (costs.get(to) ?? Number.POSITIVE_INFINITY)) continue;
      costs.set(to, before + cost);
      waiting.push(to);
    }
  }
  const isPlace = (place: number) => place === text.final || text.steps[place]?.some(({ word }) => word !== null);
  return new Map([...costs].filter(([place]) => isPlace(place)));
}

/** States with the same ends become one (Moore). All in which a sentence may end lead to one final state. */
function minimised({ arcs, ends, states }: Deterministic): Automaton {
  const outgoing: Arc[][] = Array.from({ length: states }, () => []);
  for (const arc of arcs) outgoing[arc.from]?.push(arc);
  let classOf = Array.from({ length: states }, (_, state) => (ends.has(state) ? rounded(ends.get(state) ?? 0) : -1));
  for (let classes = -1; ; ) {
    const numbers = new Map<string, number>();
    classOf = classOf.map((before, state) => {
      const onward = (outgoing[state] ?? []).map(({ word, to, cost }) => `${word}/${rounded(cost)}/${classOf[to]}`);
      const key = `${before} ${onward.sort().join(' ')}`;
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      return number;
    });
    if (numbers.size === classes) break;
    classes = numbers.size;
  }
  const final = Math.max(...classOf) + 1;
  const merged = new Map<string, Arc>();
  for (const { from, to, word, cost } of arcs) {
    const arc = { from: classOf[from] ?? 0, to: classOf[to] ?? 0, word, cost };
    merged.set(`${arc.from} ${arc.word}`, arc);
  }
  for (const [state, cost] of ends)
    merged.set(`${classOf[state]} `, { from: classOf[state] ?? 0, to: final, word: null, cost });
  return { states: final + 1, start: classOf[0] ?? 0, final, arcs: [...merged.values()] };
}
