// Preloaded into every process and thread of the tests: keeps what Node makes of a TypeScript file. Node 22's own
// compile cache keeps compiled code only, so each process and each thread would strip the types of the product again.
// Plain JavaScript: a process that finds everything kept never loads Node's stripper.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { threadId } from 'node:worker_threads';

const ROOT = new URL('../../', import.meta.url).href;
const MODULES = `${ROOT}node_modules/`;
const FOLDER = new URL(`node_modules/.cache/stripped/${process.version}/`, ROOT);

mkdirSync(FOLDER, { recursive: true });

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(ROOT) || !url.endsWith('.ts') || url.startsWith(MODULES)) return nextLoad(url, context);
    return { format: 'module', source: stripped(readFileSync(new URL(url), 'utf8')), shortCircuit: true };
  },
});

/** The source without its types, every line and column where it was. */
function stripped(source) {
  const kept = new URL(createHash('sha256').update(source).digest('hex'), FOLDER);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const text = stripTypeScriptTypes(source);
    // Others may write the same file at the same time: a reader finds all of it or nothing.
    const draft = new URL(`${kept.href}.${process.pid}.${threadId}`);
    writeFileSync(draft, text);
    renameSync(draft, kept);
    return text;
  }
}
