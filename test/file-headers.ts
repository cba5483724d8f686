// A product file opens with a sentence that says what it is: a reader who looks for something goes by these.
import { globSync, readFileSync } from 'node:fs';

const LEAST_CHARS = 20;
const isDirective = (line: string): boolean => /^(biome-ignore|@ts-|@jsx|\/ ?<)/.test(line);

/** The comment that a file opens with; empty where it opens with code. */
function header(source: string): string {
  const words: string[] = [];
  for (const line of source.replace(/^#!.*\n/, '').split('\n')) {
    const text = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))(.*?)(?:\*\/)?\s*$/.exec(line)?.[1]?.trim();
    if (text === undefined) break;
    if (!isDirective(text)) words.push(text);
  }
  return words.join(' ').trim();
}

const bare = globSync('{engine,api,media,models,db,bench}/**/*.{ts,tsx,mjs,cjs}', {
  exclude: ['**/node_modules/**', 'bench/results/**'],
}).filter((file) => header(readFileSync(file, 'utf8')).length < LEAST_CHARS);
if (bare.length > 0) {
  process.stdout.write(`files that do not open with a sentence of what they are:\n${bare.sort().join('\n')}\n`);
  process.exit(1);
}
