// A commit's subject has at most 75 characters: longer ones are cut off wherever commits are listed, and the figures in
// them belong into the body. CI looks at the commits since the one that introduced this file; a clone without them (a
// shallow one) has fewer to look at. As a hook: `--message FILE` looks at the message of the commit that is being made.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MAX_CHARS = 75;
const OWN_PATH = 'test/commit-subjects.ts';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    .split('\n')
    .filter((line) => line !== '');

/** In a shallow clone the oldest commit appears to add every file. */
function subjectsSinceIntroduction(): string[] {
  const introduction = git('log', '--diff-filter=A', '--format=%H', '--', OWN_PATH).at(-1);
  if (introduction === undefined) return [];
  return git('log', '--ancestry-path', '--format=%h %s', `${introduction}..HEAD`);
}

/** The first line that is no comment of git's, as git takes it. */
const subjectOf = (message: string): string =>
  message.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';

const [option, path = ''] = process.argv.slice(2);
const subjects =
  option === '--message' ? [`this ${subjectOf(readFileSync(path, 'utf8'))}`] : subjectsSinceIntroduction();
const long = subjects.filter((line) => line.slice(line.indexOf(' ') + 1).length > MAX_CHARS);
if (long.length > 0) {
  process.stdout.write(`subjects of more than ${MAX_CHARS} characters:\n${long.join('\n')}\n`);
  process.exit(1);
}
