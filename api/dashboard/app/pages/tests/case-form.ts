// A case as somebody who is no engineer writes it: what the caller says and what the agent must and must not say. What
// else there is in a definition is written as JSON.
import type { TestCase } from '../../api-types.ts';

type Definition = TestCase['definition'];

export interface TurnValues {
  say: string;
  said: string;
  notSaid: string;
}

/** One text, or several of which one is enough, are lines of a field. */
const textOf = (texts: string | readonly string[] | undefined): string => [texts ?? []].flat().join('\n');

function textsOf(text: string): string | string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length === 1 ? (lines[0] ?? '') : lines;
}

/** Null: the definition has more than the fields can show. */
export function turnsOf(definition: Definition): TurnValues[] | null {
  const { turns, checks = [], ...more } = definition;
  if (turns === undefined || checks.length > 0 || Object.keys(more).length > 0) return null;
  const values: TurnValues[] = [];
  for (const { say, checks: ofTurn = [], hint } of turns) {
    const said = ofTurn.filter((check) => check.said !== undefined);
    const notSaid = ofTurn.filter((check) => check.notSaid !== undefined);
    if (hint !== undefined || said.length > 1 || notSaid.length > 1) return null;
    if (said.length + notSaid.length < ofTurn.length) return null;
    values.push({ say, said: textOf(said[0]?.said), notSaid: textOf(notSaid[0]?.notSaid) });
  }
  return values;
}

export const definitionOf = (turns: readonly TurnValues[]): Definition => ({
  turns: turns.map(({ say, said, notSaid }) => ({
    say,
    checks: [
      ...(said.trim() === '' ? [] : [{ said: textsOf(said) }]),
      ...(notSaid.trim() === '' ? [] : [{ notSaid: textsOf(notSaid) }]),
    ],
  })),
  checks: [],
});
