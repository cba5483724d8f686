// Prints comments wider than the code: the formatter wraps code but not comments.
import { globSync, readFileSync } from 'node:fs';

const MAX_CHARS = 120;
const isComment = (line: string): boolean => /^\s*(\/\/|\/\*|\*)/.test(line);

const wide = globSync('{engine,api,media,models,db,bench,test}/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] })
  .concat(globSync('*.{mjs,cjs}'))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        isComment(line) && line.length > MAX_CHARS ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
if (wide.length > 0) {
  process.stdout.write(`comments of more than ${MAX_CHARS} characters:\n${wide.join('\n')}\n`);
  process.exit(1);
}
