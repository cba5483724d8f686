// No regular expression of the service may cost more than linear time, whatever a tenant, a caller, a peer or a vendor
// writes. Each one in the sources runs against texts that make a backtracking engine try again and again: a repeated
// character or pair, with and without the beginning of a match before it, and an end that does not match.
//
// Judged by a time limit that linear work stays a thousand times below: 60,000 characters (no field takes more) are
// less than a millisecond of linear work, and seconds of quadratic work.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { parseSync } from '@swc/core';

const LENGTH = 60_000;
const LIMIT_MS = 1_000;
/** Characters that a class such as `\s` or `[^x]` stands for. */
const USUAL = [' ', '\n', 'a', 'A', '1', '.', '-', ',', '_', '{', '!'];

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

/** What the expression itself names: its plain characters, and a text that begins as it does. */
function alphabetOf({ pattern }: Found): { characters: string[]; beginnings: string[] } {
  const plain = pattern.replace(/\\[a-zA-Z]|\\u\w{4}|\\p\{\w+\}/g, ' ').replace(/[\\^$()[\]|?*+]/g, ' ');
  const characters = [...new Set([...USUAL, ...plain.replace(/\w{2,}/g, '')])].slice(0, 24);
  const words = plain.split(/\s+/).filter((word) => word.length > 0);
  return { characters, beginnings: ['', ...words.slice(0, 2)] };
}

function* attacks(found: Found): Generator<string> {
  const { characters, beginnings } = alphabetOf(found);
  const units = [...characters, ...characters.slice(0, 4).flatMap((one) => characters.map((other) => one + other))];
  for (const unit of new Set(units)) {
    const body = unit.repeat(LENGTH / unit.length);
    for (const beginning of beginnings) yield `${beginning}${body}\u0001`;
  }
}

const context = vm.createContext({ text: '', pattern: '', flags: '' });
const script = new vm.Script('text.replace(new RegExp(pattern, flags), ""); undefined;');

function slowest(found: Found): string | null {
  for (const text of attacks(found)) {
    Object.assign(context, {
      text,
      pattern: found.pattern,
      flags: found.flags.includes('g') ? found.flags : `${found.flags}g`,
    });
    try {
      script.runInContext(context, { timeout: LIMIT_MS });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return JSON.stringify(text.slice(0, 12));
    }
  }
  return null;
}

const files = globSync('{engine,api,media,models,db}/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] });
const expressions = files.flatMap(expressionsIn).filter(isRepeating);

test('the sources were read', () => {
  assert.ok(expressions.length > 200, `${expressions.length} expressions`);
});

test('a probe finds what costs quadratic time', () => {
  for (const pattern of ['\\s+$', '(a|a)*b', '\\{\\s*([\\w.\\s]+?)\\s*\\}', '\\s+([,.])'])
    assert.ok(slowest({ where: 'here', pattern, flags: 'g' }), pattern);
});

test('no expression takes more than linear time', () => {
  const slow = expressions.flatMap((found) => {
    const text = slowest(found);
    return text === null ? [] : [`${found.where}: /${found.pattern}/${found.flags} on ${text}…`];
  });
  assert.deepEqual(slow, []);
});
