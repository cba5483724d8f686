// Counts after which words callers' turns end, in dialogues that others have written down, and writes
// engine/turn/words/ends-en.ts. Run it by hand with the folders of the corpora:
//   node supervise.mjs run bench/callers/count-ends.ts SGD TASKMASTER
// SGD: a checkout of google-research-datasets/dstc8-schema-guided-dialogue; TASKMASTER: of google-research-
// datasets/Taskmaster, for its TM-4-2024. The written file is then read by a person, who names here what is odd.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EN } from '../../engine/turn/words/en.ts';
import { EN_ENDS } from '../../engine/turn/words/ends-en.ts';

/** Trades are counted in that many groups, of which three must agree. */
const GROUPS = 6;
const AGREE = 3;
const AGREE_ON_PAIRS = 2;
/** A group counts a word that it has seen so often. */
const LEAST_SEEN = 5;
/** More of them in one group tell no more. */
const MOST_SEEN = 40;
/** A word that is written with a capital letter inside of sentences so often is a name. */
const NAME_SHARE = 0.5;
/** Answers, which mean something else by themselves, and what only the trades of the corpora say. */
const LEFT_OUT = new Set(
  (
    'yes no yeah oh hi ok okay sure sorry actually years afforadable album arrival bags bed catch cast comic curse ' +
    'drama entrance expected exact fiction forecast games gets garden imax intermediate kitchen liquor match moving ' +
    'pasta pet pleasant pool salon sedan second shows spot standard star stadium starring suspense third unisex year'
  ).split(' '),
);
/** Weight of what is known before counting. */
const PRIOR = 4;
const LEAST = -3;
const MOST = 1.5;
/** A pair stands beside its last word if it differs by this. */
const DIFFERS = 1;
const LINE = 100;

interface Count {
  seen: number;
  ended: number;
}

interface Turn {
  trade: string;
  text: string;
}

const { positionals } = parseArgs({ allowPositionals: true });
const [sgd, taskmaster] = positionals;
if (sgd === undefined || taskmaster === undefined)
  throw new Error('name the folders of both corpora: count-ends.ts SGD TASKMASTER');

const counts = Array.from({ length: GROUPS }, () => new Map<string, Count>());
/** By word: how often it was seen inside of a sentence, and with a capital letter. */
const capitals = new Map<string, Count>();
for (const [group, turns] of inGroups([...readSgd(sgd), ...readTaskmaster(taskmaster)]).entries()) {
  for (const { text } of turns) countTurn(text, counts[group] as Map<string, Count>);
}
const unknown = shareOfRareWords();
const words = new Map<string, number>();
const pairs = new Map<string, number>();
for (const entry of new Set(counts.flatMap((each) => [...each.keys()]))) {
  const [first = '', second] = entry.split(' ');
  if (second === undefined) keep(words, first, oddsOf(entry, unknown), 0);
}
for (const entry of new Set(counts.flatMap((each) => [...each.keys()]))) {
  const [, second] = entry.split(' ');
  if (second === undefined) continue;
  const alone = words.get(second) ?? 0;
  keep(pairs, entry, oddsOf(entry, sigmoid(alone + logit(unknown))), alone, DIFFERS);
}
const path = new URL('../../engine/turn/words/ends-en.ts', import.meta.url);
const header = readFileSync(path, 'utf8').split('export const')[0] ?? '';
writeFileSync(
  path,
  `${header}export const EN_ENDS: TurnEnds = {\n  words: [\n${rows(words, ' ')}\n  ],\n  // "0" is any number.\n  pairs: [\n${rows(pairs, ', ')}\n  ],\n};\n`,
);
const before = EN_ENDS.words.reduce((sum, [, entries]) => sum + entries.split(' ').length, 0);
process.stdout.write(`${words.size} words (${before} before), ${pairs.size} pairs; read them, then npm run format\n`);

function* readSgd(folder: string): Generator<Turn> {
  for (const part of ['train', 'dev', 'test']) {
    for (const file of readdirSync(join(folder, part)).filter((name) => name.startsWith('dialogues_'))) {
      for (const { services, turns } of JSON.parse(readFileSync(join(folder, part, file), 'utf8'))) {
        const trade = String(services.toSorted()[0]).split('_')[0] ?? '';
        for (const { speaker, utterance } of turns) if (speaker === 'USER') yield { trade, text: utterance };
      }
    }
  }
}

function* readTaskmaster(folder: string): Generator<Turn> {
  const data = join(folder, 'TM-4-2024', 'data');
  for (const file of readdirSync(data)) {
    for (const { utterances } of JSON.parse(readFileSync(join(data, file), 'utf8'))) {
      for (const { speaker, text } of utterances) if (speaker === 'user') yield { trade: 'coffee', text };
    }
  }
}

/** The largest trades first, each to the smallest group; a turn that was said before counts once. */
function inGroups(turns: readonly Turn[]): Turn[][] {
  const byTrade = Map.groupBy(
    new Map(turns.map((turn) => [turn.text.toLowerCase(), turn] as const)).values(),
    ({ trade }) => trade,
  );
  const groups: Turn[][] = Array.from({ length: GROUPS }, () => []);
  for (const [, all] of [...byTrade].toSorted(([, a], [, b]) => b.length - a.length)) {
    const smallest = groups.reduce((least, group) => (group.length < least.length ? group : least));
    smallest.push(...all);
  }
  return groups;
}

/** The end of a sentence within a turn, and a word before a comma, are neither an end nor the middle. */
function countTurn(text: string, into: Map<string, Count>): void {
  const sentences = text.trim().split(/(?<=[.!?])\s+/);
  for (const [at, sentence] of sentences.entries()) {
    const said = [...sentence.replaceAll('’', "'").matchAll(/([A-Za-z][A-Za-z']*|[\d:$.,-]*\d\w*)([,;:—–-]?)/g)];
    for (const [, word = ''] of said.slice(1)) note(capitals, word.toLowerCase(), /^[A-Z]/.test(word));
    for (const [index, [, word = '', mark]] of said.entries()) {
      const isLast = index === said.length - 1;
      if (isLast ? at < sentences.length - 1 : mark !== '') continue;
      const entry = plain(word);
      if (entry === '0') continue;
      note(into, entry, isLast);
      if (index > 0) note(into, `${plain(said[index - 1]?.[1] ?? '')} ${entry}`, isLast);
    }
  }
}

function note(into: Map<string, Count>, entry: string, ended: boolean): void {
  const count = into.get(entry) ?? { seen: 0, ended: 0 };
  into.set(entry, { seen: count.seen + 1, ended: count.ended + (ended ? 1 : 0) });
}

function plain(word: string): string {
  const lower = word.toLowerCase();
  const isNumber = /\d/.test(lower) || Object.hasOwn(EN.digits, lower) || EN.numbers.includes(lower);
  return isNumber ? '0' : lower;
}

function shareOfRareWords(): number {
  const rare = counts.flatMap((each) => [...each].filter(([entry, { seen }]) => !entry.includes(' ') && seen <= 3));
  const [seen, ended] = rare.reduce(([a, b], [, count]) => [a + count.seen, b + count.ended], [0, 0]);
  return ended / seen;
}

/** Of the groups that have seen it often enough, each with as much weight as the others; 0 where too few have. */
function oddsOf(entry: string, prior: number): number {
  const each = counts.flatMap((group) => {
    const count = group.get(entry);
    return count === undefined || count.seen < LEAST_SEEN ? [] : [count];
  });
  if (each.length < (entry.includes(' ') ? AGREE_ON_PAIRS : AGREE)) return 0;
  const seen = each.reduce((sum, count) => sum + Math.min(MOST_SEEN, count.seen), 0);
  const ended = each.reduce((sum, count) => sum + (count.ended * Math.min(MOST_SEEN, count.seen)) / count.seen, 0);
  const odds = logit((ended + PRIOR * prior) / (seen + PRIOR)) - logit(unknown);
  return Math.max(LEAST, Math.min(MOST, Math.round(odds * 2) / 2));
}

function keep(into: Map<string, number>, entry: string, odds: number, beside: number, differs = 0.5): void {
  if (
    !entry.split(' ').some((word) => isName(word) || LEFT_OUT.has(word)) &&
    odds !== 0 &&
    Math.abs(odds - beside) >= differs
  )
    into.set(entry, odds);
}

/** "I" is none. */
function isName(word: string): boolean {
  const { seen, ended: capital } = capitals.get(word) ?? { seen: 0, ended: 0 };
  const isDate = EN.weekdays.includes(word) || EN.months.includes(word);
  return isDate || (!/^i\b/.test(word) && capital > NAME_SHARE * seen);
}

function rows(table: ReadonlyMap<string, number>, separator: string): string {
  const byOdds = [...Map.groupBy(table, ([, odds]) => odds)].toSorted(([a], [b]) => a - b);
  return byOdds
    .map(
      ([odds, entries]) =>
        `    [${odds}, ${wrapped(
          entries.map(([entry]) => entry),
          separator,
        )}],`,
    )
    .join('\n');
}

function wrapped(entries: readonly string[], separator: string): string {
  const lines: string[] = [];
  for (const entry of entries.toSorted()) {
    const last = lines.at(-1);
    if (last === undefined || last.length + entry.length > LINE) lines.push(entry);
    else lines[lines.length - 1] = `${last}${separator}${entry}`;
  }
  return lines.map((line, index) => JSON.stringify(index < lines.length - 1 ? line + separator : line)).join(' +\n');
}

function logit(share: number): number {
  return Math.log(share / (1 - share));
}

function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}
