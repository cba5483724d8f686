// Refuses an export that only its own file uses: a reader takes it for part of what other files rely on, and looks for
// its users in vain. Use by a test counts. The format makes declarations and imports plain enough to be read by line.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
/** An import or a passing on of names in braces: the names and the file. */
const NAMED = /^(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from '([.#][^']+)'/gm;
/** Any other mention of a file: an import of all of it, one that waits, a worker, the program of a process. */
const MENTION = /['"`](?:#\/|\.{1,2}\/)[^'"`\s]+['"`]/g;
const APP = 'api/dashboard/app';

/** A program makes these as a whole. */
const GENERATED =
  /^api\/(?:dashboard\/app\/api-(?:limits|operations|types)|clients\/typescript\/(?:operations|operation-table|types))\.ts$/;
/** Only files that a program writes while it runs use these. */
const WRITTEN_USERS = new Set(['test/lanes.ts runLane']);

const texts = new Map<string, string>();
for (const file of globSync('{engine,api,media,models,db,bench,test}/**/*.{ts,tsx,mjs}', {
  exclude: ['**/node_modules/**', 'bench/results/**'],
}).concat(globSync('*.mjs'))) {
  texts.set(normalize(file), readFileSync(file, 'utf8'));
}

function targetOf(file: string, name: string): string {
  const path = name.startsWith('#') ? join(APP, name.slice(1)) : normalize(join(dirname(file), name));
  return texts.has(path) ? path : (['.ts', '.tsx'].map((end) => path + end).find((each) => texts.has(each)) ?? path);
}

const used = new Map<string, Set<string>>();
const use = (file: string, names: Iterable<string>): void => {
  const known = used.get(file) ?? new Set();
  for (const name of names) known.add(name);
  used.set(file, known);
};
for (const [file, text] of texts) {
  const rest = text.replace(NAMED, (_, names: string, from: string) => {
    use(
      targetOf(file, from),
      names.split(',').map((name) => name.trim().replace(/^type | as .*$/g, '')),
    );
    return '';
  });
  let words: string[] | null = null;
  for (const [mention] of rest.matchAll(MENTION)) {
    const target = targetOf(file, mention.slice(1, -1));
    if (target === file || !texts.has(target)) continue;
    words ??= rest.match(/\w+/g) ?? [];
    use(target, words);
  }
}

const faults: string[] = [];
for (const [file, text] of texts) {
  if (GENERATED.test(file)) continue;
  for (const match of text.matchAll(EXPORT)) {
    const [, name = ''] = match;
    if (used.get(file)?.has(name) || WRITTEN_USERS.has(`${file} ${name}`)) continue;
    faults.push(`${file}:${text.slice(0, match.index).split('\n').length}: only its own file uses ${name}`);
  }
}
if (faults.length > 0) {
  process.stdout.write(`${faults.length} exports that no other file uses; leave out the word export:\n`);
  process.stdout.write(`${faults.sort().join('\n')}\n`);
  process.exit(1);
}
