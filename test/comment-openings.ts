// Refuses comments that begin with a relative clause without its noun ("What the call knows of …", "Who speaks as …"),
// or with "So many" and "So long": a reader learns only at the end of the sentence what it is about. Name the thing
// first. The ceilings are the numbers of today and only fall: a room at 0 stays at 0.
import { globSync, readFileSync } from 'node:fs';

const OPENING = /^(?:What|Who|Whoever|Those|So many|So long)\b(?!['’])/;
const CEILINGS: Readonly<Record<string, number>> = {
  '.': 0,
  media: 0,
  models: 0,
  db: 2,
  engine: 42,
  api: 0,
  bench: 0,
  test: 33,
};

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

const roomOf = (file: string): string => (file.includes('/') ? (file.split('/', 1)[0] ?? '.') : '.');
const found = globSync('{engine,api,media,models,db,bench,test}/**/*.{ts,tsx,mjs,cjs}', {
  exclude: ['**/node_modules/**'],
})
  .concat(globSync('*.{mjs,cjs}'))
  .flatMap((file) => openingsOf(file).map((line) => ({ room: roomOf(file), line })));

let isWrong = false;
for (const [room, ceiling] of Object.entries(CEILINGS)) {
  const lines = found.filter((each) => each.room === room).map(({ line }) => line);
  if (lines.length === ceiling) continue;
  isWrong = true;
  process.stdout.write(
    lines.length > ceiling
      ? `${room}: ${lines.length} comments begin with What, Who, Whoever, Those, So many or So long; ${ceiling} may:\n${lines.join('\n')}\n`
      : `${room}: ${lines.length} such comments are left: lower its ceiling in test/comment-openings.ts from ${ceiling}\n`,
  );
}
if (isWrong) process.exit(1);
