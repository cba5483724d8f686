// Refuses comments that begin with a relative clause without its noun ("What the call knows of …", "Who speaks as …"),
// or with "So many" and "So long": a reader learns only at the end of the sentence what it is about. Name the thing
// first. Refuses, too, a comment right above another one: the code that it was written for has moved away from it.
import { globSync, readFileSync } from 'node:fs';

const OPENING = /^(?:What|Who|Whoever|Those|So many|So long)\b(?!['’])/;
/** A line that is a comment, or ends in one: the text of the comment, and whether an earlier line began it. */
function commentOf(line: string, before: string): { text: string; isBeginning: boolean } | null {
  const slashes = /^\s*\/\/\s?(.*)$/.exec(line);
  if (slashes) return { text: slashes[1] ?? '', isBeginning: !/^\s*\/\//.test(before) };
  const block = /^\s*\/\*\*?\s*(.*)$/.exec(line);
  if (block) return { text: block[1] ?? '', isBeginning: true };
  const star = /^\s*\*\s?(.*)$/.exec(line);
  if (star) return { text: star[1] ?? '', isBeginning: /^\s*\/\*\*?\s*$/.test(before) };
  const trailing = /[;,{})\]]\s+\/[/*]\*?\s+(.*)$/.exec(line);
  return trailing ? { text: trailing[1] ?? '', isBeginning: true } : null;
}

function openingsOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const comment = commentOf(line, lines[index - 1] ?? '');
    const isOne = comment?.isBeginning === true && OPENING.test(comment.text);
    return isOne ? [`${file}:${index + 1}: ${line.trim()}`] : [];
  });
}

/** Comments of declarations that stand above another one in place of a declaration. */
function strayOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    /^\s*\/\*\*.*\*\/$|^\s*\*\/$/.test(line) && /^\s*\/\*\*/.test(lines[index + 1] ?? '')
      ? [`${file}:${index + 1}: ${line.trim()}`]
      : [],
  );
}

const files = globSync('{engine,api,media,models,db,bench,test}/**/*.{ts,tsx,mjs,cjs}', {
  exclude: ['**/node_modules/**'],
}).concat(globSync('*.{mjs,cjs}'));
const found = files.flatMap(openingsOf);
const stray = files.flatMap(strayOf);
if (stray.length > 0) {
  process.stdout.write(`comments that stand above another comment, and not above their code:\n${stray.join('\n')}\n`);
}
if (found.length > 0) {
  const said = 'comments begin with What, Who, Whoever, Those, So many or So long; name the thing first:';
  process.stdout.write(`${found.length} ${said}\n${found.join('\n')}\n`);
}
process.exit(found.length + stray.length === 0 ? 0 : 1);
