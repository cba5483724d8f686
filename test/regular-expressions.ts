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
/** A busy machine makes one measurement longer, hardly so many in a row, and never shorter. */
const MEASUREMENTS = 3;
/** Cubic work, or worse. */
const GIVE_UP_MS = 3_000;
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

function* attacks(found: Found): Generator<(length: number) => string> {
  const { characters, beginnings } = alphabetOf(found);
  const units = [...characters, ...characters.slice(0, 4).flatMap((one) => characters.map((other) => one + other))];
  for (const unit of new Set(units)) {
    for (const beginning of beginnings) yield (length) => `${beginning}${unit.repeat(length / unit.length)}\u0001`;
  }
  for (const beginning of beginningsOf(found.pattern, found.flags).slice(0, BEGINNINGS)) {
    for (const unit of characters) {
      yield (length) => `${beginning}a${unit.repeat(length)}b`;
      yield (length) => `${beginning}${unit.repeat(length)}b`;
    }
  }
}

const context = vm.createContext({ text: '', pattern: '', flags: '' });
const script = new vm.Script('text.replace(new RegExp(pattern, flags), ""); undefined;');

/** Processor time, ms: others on the same cores do not count. Infinite where it was given up. */
function costMs({ pattern, flags }: Found, text: string): number {
  Object.assign(context, { text, pattern, flags: flags.includes('g') ? flags : `${flags}g` });
  const before = process.cpuUsage();
  try {
    script.runInContext(context, { timeout: GIVE_UP_MS });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return Number.POSITIVE_INFINITY;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const leastMs = (found: Found, text: string): number =>
  Math.min(...Array.from({ length: MEASUREMENTS }, () => costMs(found, text)));

/** The beginning of a text on which the expression takes more than linear time. */
function slowest(found: Found): string | null {
  for (const text of attacks(found)) {
    const first = costMs(found, text(LENGTH));
    if (first < SUSPECT_MS) continue;
    if (first === Number.POSITIVE_INFINITY) return JSON.stringify(text(12).slice(0, 12));
    // Again: the first time it was compiled too, and garbage may have been collected.
    const once = leastMs(found, text(LENGTH));
    if (once < SUSPECT_MS) continue;
    if (leastMs(found, text(LENGTH * LONGER)) > once * GROWTH_MAX) return JSON.stringify(text(12).slice(0, 12));
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
