// Whether a recogniser of whole utterances hears names better where it is told them: each turn in which one of them is
// said is asked for without a prompt, with the names, and with names that nobody says.

import { errorShare, wordErrors } from '../../db/domain/tests/word-errors.ts';
import { table } from '../rig/measure/statistics.ts';
import { transcribeWhole } from './counted-server.ts';
import type { CallerTurn } from './recordings.ts';

interface Heard {
  prompt: string;
  turns: number;
  /** Names said, and those of them written. */
  said: number;
  heard: number;
  /** Turns whose text has a name of the prompt that nobody said. */
  invented: number;
  errors: number;
}

/** As a business tells its own: its name, then its services. */
const OTHERS = [
  'Miller & Sons Dental',
  'teeth whitening',
  'root canal',
  'Doctor Abernathy',
  'Invisalign',
  'night guard',
];

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const has = (text: string, name: string): boolean => lettersOf(text).includes(lettersOf(name));

interface Server {
  base: string;
  apiKey: string;
  /** The sound of a turn, from its first to its last word. */
  soundOf(turn: CallerTurn): Int16Array;
}

/** @param names one of which is said in each of the turns that count */
export async function namesHeard(turns: readonly CallerTurn[], names: readonly string[], server: Server) {
  const said = turns.filter(({ text }) => names.some((name) => has(text, name)));
  const prompts: Array<[prompt: string, told: readonly string[]]> = [
    ['none', []],
    ['the names', names],
    ['names, others before them', [...OTHERS, ...names]],
    ['others alone', OTHERS],
  ];
  const rows: Heard[] = [];
  for (const [prompt, told] of prompts) {
    const texts: Array<[turn: CallerTurn, text: string]> = [];
    for (const turn of said) {
      texts.push([turn, await transcribeWhole(server.base, server.apiKey, server.soundOf(turn), told.join(', '))]);
      process.stderr.write(`\rprompt ${prompt}: ${texts.length} of ${said.length} turns `);
    }
    const pairs = texts.flatMap(([turn, text]) =>
      names.filter((name) => has(turn.text, name)).map((name) => has(text, name)),
    );
    rows.push({
      prompt,
      turns: said.length,
      said: pairs.length,
      heard: pairs.filter(Boolean).length,
      invented: texts.filter(([turn, text]) => told.some((name) => has(text, name) && !has(turn.text, name))).length,
      errors: errorShare(texts.map(([turn, text]) => wordErrors(turn.text, text))),
    });
  }
  process.stderr.write('\n');
  return rows;
}

export function namesTable(set: string, rows: readonly Heard[]): string[] {
  return table(
    [`${set}: prompt`, 'turns', 'names heard', 'turns with a name that was not said', 'word errors'],
    rows.map(({ prompt, turns, said, heard, invented, errors }) => [
      prompt,
      turns,
      `${heard} of ${said}`,
      invented,
      `${(errors * 100).toFixed(1)} %`,
    ]),
  );
}
