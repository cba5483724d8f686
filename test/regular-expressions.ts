// No regular expression of the service may cost more than linear time, whatever a tenant, a caller, a peer or a vendor
// writes. Each one in the sources, and each that they put together, runs against texts that make a backtracking engine
// try again and again: a repeated character or pair, with and without the beginning of a match before it, and an end
// that does not match; and, behind each beginning that leads into one of its repetitions, a letter, many of a character
// and a letter. Prints those whose processor time grows faster than the text, whatever else the machine does.
import { globSync, readFileSync } from 'node:fs';
import vm from 'node:vm';
import { parseSync } from '@swc/core';
import { constructedIn } from './constructed-expressions.ts';
import { beginningsOf } from './expression-beginnings.ts';

const LENGTH = 12_000;
/** Linear work on so many characters is well below it, quadratic work above. */
const SUSPECT_MS = 4;
/** A text four times as long takes four times as long, or sixteen times where the work is quadratic. */
const LONGER = 4;
const GROWTH_MAX = 9;
/** A busy machine, and the host of a virtual one, make a measurement longer and never shorter: the least counts. */
const MEASUREMENTS = 20;
/** No linear work takes so long three times. */
const SURELY_MS = 100;
/** Cubic work, or worse. */
const GIVE_UP_MS = 700;
/** Characters that a class such as `\s` or `[^x]` stands for. */
const USUAL = [' ', '\n', 'a', 'A', '1', '.', '-', ',', '_', '{', '!'];
/** Quadratic and worse: the check itself is checked by them. */
const SLOW = [
  '\\s+$',
  '(a|a)*b',
  '\\{\\s*([\\w.\\s]+?)\\s*\\}',
  '\\s+([,.])',
  '^(content-length|l)[ \\t]*:[ \\t]*([^\\r]*?)[ \\t\\r]*$',
  '^(#{1,6})\\s+(.+?)\\s*#*$',
  '^<?([^;>]+?) *;',
];
/** Long repetitions of one expression that are tried from behind their beginnings. */
const BEGINNINGS = 12;

interface Found {
  where: string;
  pattern: string;
  flags: string;
}

/** The literals, the string patterns given to `RegExp`, and the `pattern`s of the schemas. */
function expressionsIn(file: string): Found[] {
  const found: Found[] = [];
  const add = (pattern: string, flags: string) => found.push({ where: file, pattern, flags });
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, pattern, flags, callee, key, value } = node as Record<string, unknown>;
    const named = (what: unknown, name: string) => (what as { value?: unknown } | undefined)?.value === name;
    if (type === 'RegExpLiteral') add(String(pattern), String(flags));
    if (type === 'NewExpression' && named(callee, 'RegExp')) {
      const [first] = (node as { arguments: Array<{ expression: { type: string; value?: string } }> }).arguments;
      if (first?.expression.type === 'StringLiteral') add(first.expression.value ?? '', 'u');
    }
    const text = (value as { type?: string; value?: string } | undefined) ?? {};
    if (type === 'KeyValueProperty' && named(key, 'pattern') && text.type === 'StringLiteral')
      add(text.value ?? '', 'u');
    for (const [name, child] of Object.entries(node)) if (name !== 'span') visit(child);
  };
  visit(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2024' }));
  return found;
}

const isRepeating = ({ pattern }: Found): boolean => /[*+]|\{\d+,/.test(pattern.replace(/\\[*+{]/g, ''));

/** The alphabet that the expression itself names: its plain characters, and a text that begins as it does. */
function alphabetOf({ pattern }: Found): { characters: string[]; beginnings: string[] } {
  const plain = pattern.replace(/\\[a-zA-Z]|\\u\w{4}|\\p\{\w+\}/g, ' ').replace(/[\\^$()[\]|?*+]/g, ' ');
  const characters = [...new Set([...USUAL, ...plain.replace(/\w{2,}/g, '')])].slice(0, 24);
  const words = plain.split(/\s+/).filter((word) => word.length > 0);
  return { characters, beginnings: ['', ...words.slice(0, 2)] };
}

/** `unit` over and over, between a beginning and an end. */
interface Attack {
  beginning: string;
  unit: string;
  end: string;
}

function* attacks(found: Found): Generator<Attack> {
  const { characters, beginnings } = alphabetOf(found);
  const units = [...characters, ...characters.slice(0, 4).flatMap((one) => characters.map((other) => one + other))];
  for (const unit of new Set(units)) {
    for (const beginning of beginnings) yield { beginning, unit, end: '\u0001' };
  }
  for (const beginning of beginningsOf(found.pattern, found.flags).slice(0, BEGINNINGS)) {
    for (const unit of characters) {
      yield { beginning: `${beginning}a`, unit, end: 'b' };
      yield { beginning, unit, end: 'b' };
    }
  }
}

/** Repeated once for all expressions, and flat: a text put together anew is copied before it is searched. */
const repeated = new Map<string, string>();
function textOf(attack: Attack, length: number): string {
  const key = JSON.stringify([attack, length]);
  const known = repeated.get(key);
  if (known !== undefined) return known;
  const { beginning, unit, end } = attack;
  const text = Buffer.from(`${beginning}${unit.repeat(length / unit.length)}${end}`).toString();
  repeated.set(key, text);
  return text;
}

const context = vm.createContext({ texts: [], pattern: '', flags: '', now: () => performance.now() });
const script = new vm.Script(`{
  const expression = new RegExp(pattern, flags);
  texts.map((text) => {
    const before = now();
    text.replace(expression, '');
    return now() - before;
  });
}`);

/** How long each of the texts takes, ms; null where they were given up together. */
function timesMs({ pattern, flags }: Found, texts: readonly string[]): number[] | null {
  Object.assign(context, { texts, pattern, flags: flags.includes('g') ? flags : `${flags}g` });
  try {
    return script.runInContext(context, { timeout: GIVE_UP_MS });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return null;
  }
}

/** Processor time, ms: others on the same cores do not count. Infinite where it was given up. */
function costMs(found: Found, text: string): number {
  for (;;) {
    const before = process.cpuUsage();
    const times = timesMs(found, [text]);
    const { user, system } = process.cpuUsage(before);
    const cost = (user + system) / 1_000;
    if (times !== null) return cost;
    // Given up although it had hardly run: the machine was elsewhere.
    if (cost > GIVE_UP_MS / 2) return Number.POSITIVE_INFINITY;
  }
}

/** The least of several measurements, or the first that is below `enoughMs`. */
function leastMs(found: Found, text: string, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < (least > SURELY_MS ? 3 : MEASUREMENTS) && least >= enoughMs; n++)
    least = Math.min(least, costMs(found, text));
  return least;
}

/** The beginning of a text on which the expression takes more than linear time. */
function slowest(found: Found): string | null {
  const tried = [...attacks(found)];
  const times = timesMs(
    found,
    tried.map((attack) => textOf(attack, LENGTH)),
  );
  for (const [n, attack] of tried.entries()) {
    if ((times?.[n] ?? SUSPECT_MS) < SUSPECT_MS) continue;
    const once = leastMs(found, textOf(attack, LENGTH), SUSPECT_MS);
    if (once < SUSPECT_MS) continue;
    const most = once * GROWTH_MAX;
    const isSlow = once > SURELY_MS || leastMs(found, textOf(attack, LENGTH * LONGER), most) >= most;
    if (isSlow) return JSON.stringify(textOf(attack, 12));
  }
  return null;
}

const files = globSync('{engine,api,media,models,db}/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] });
const isConstructing = (file: string): boolean => /\bRegExp\(\s*[^'\s)]/.test(readFileSync(file, 'utf8'));
const constructed = await constructedIn(files.filter(isConstructing), process.cwd());
const expressions = [...files.flatMap(expressionsIn), ...constructed.expressions].filter(isRepeating);
const faults = [
  ...constructed.without.map(
    (file) => `${file}: its expressions were not seen; test/constructed-expressions.ts uses it`,
  ),
  ...(expressions.length > 200 ? [] : [`only ${expressions.length} expressions were found in ${files.length} files`]),
  ...SLOW.flatMap((pattern) =>
    slowest({ where: 'here', pattern, flags: 'g' }) ? [] : [`/${pattern}/ is slow, and was not found to be`],
  ),
  ...expressions.flatMap((found) => {
    const text = slowest(found);
    return text === null ? [] : [`${found.where}: /${found.pattern}/${found.flags} on ${text}…`];
  }),
];
if (faults.length > 0) {
  process.stdout.write(`regular expressions that may take more than linear time:\n${faults.join('\n')}\n`);
  process.exit(1);
}
