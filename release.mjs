// Makes a release from this clone: tests what is committed in a clone of its own, sets the version wherever it stands,
// moves the changes of CHANGELOG.md below it, commits, tags with the notes, and writes what is handed out into dist/.
// Nothing leaves the machine: the last lines say what to push.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `usage: npm run release -- VERSION [--dry-run] [--tested] [--no-image]
Tests and tags a release of what is committed on main, and writes dist/VERSION: source, Helm chart, client packages, the
OpenAPI document, notes and sums; also the image where docker is.
  --dry-run    says what would be done, and changes nothing
  --tested     this commit has passed .ci/run: it is not run again
  --no-image   no image, even where docker is`;

const CHANGES = 'CHANGELOG.md';
const CHART = 'docs/examples/helm';
const CLIENTS = 'api/clients';
const MIGRATIONS = 'db/sqlite/migrations';
const UNRELEASED = '## Unreleased';
const VERSION = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

class Refused extends Error {}

/** The output of a command, without the last line break. @throws {Refused} with its own words */
function output(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error !== undefined) throw new Refused(`${command} cannot be run: ${error.message}`);
  if (status !== 0)
    throw new Refused(`${command} ${args.join(' ')} ended with ${status}: ${stderr.trim() || stdout.trim()}`);
  return stdout.trimEnd();
}

/** Runs a command whose output belongs to the reader. @throws {Refused} */
function run(cwd, command, ...args) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Refused(`${command} ${args.join(' ')} failed: nothing was tagged`);
}

const git = (...args) => output('git', ...args);

function compared(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  return a.map((part, at) => part - b[at]).find((difference) => difference !== 0) ?? 0;
}

/** The newest tag of a release that the commit has before it; null: none. */
function lastTag() {
  const tags = git('tag', '--merged', 'HEAD', '--list', 'v*').split('\n');
  const versions = tags.map((tag) => tag.slice(1)).filter((version) => VERSION.test(version));
  const [newest] = versions.sort(compared).reverse();
  return newest === undefined ? null : `v${newest}`;
}

/** The text below the heading of changes that nobody has yet. */
function unreleased(text) {
  const lines = text.split('\n');
  const at = lines.indexOf(UNRELEASED);
  if (at < 0) throw new Refused(`${CHANGES} has no heading "${UNRELEASED}"`);
  const length = lines.slice(at + 1).findIndex((line) => line.startsWith('## '));
  const end = length < 0 ? lines.length : at + 1 + length;
  return {
    before: lines.slice(0, at),
    notes: lines
      .slice(at + 1, end)
      .join('\n')
      .trim(),
    after: lines.slice(end),
  };
}

/** Nothing in the way of the release, or an error. @throws {Refused} with all of it */
function check(version, notes, last) {
  const wrong = [];
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (git('status', '--porcelain') !== '')
    wrong.push('there are changes that are not committed: commit or remove them');
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') wrong.push(`this is the branch ${branch}: releases are made of main`);
  if (compared(version, current) < (last === null ? 0 : 1)) wrong.push(`${version} is not above ${current}`);
  if (git('tag', '--list', `v${version}`) !== '') wrong.push(`v${version} is tagged already`);
  if (notes === '') wrong.push(`${CHANGES} says nothing below "${UNRELEASED}": what does an operator notice?`);
  for (const what of last === null ? [] : changedFor(last)) {
    if (!/^### Upgrading$/m.test(notes)) wrong.push(`${what} changed since ${last}: ${CHANGES} needs "### Upgrading"`);
  }
  if (wrong.length > 0) throw new Refused(wrong.join('\n'));
}

/** Changes of which an operator has to be told, since that tag. */
function changedFor(last) {
  const migrations = git('diff', '--name-only', '--diff-filter=A', last, 'HEAD', '--', MIGRATIONS) !== '';
  const { dependencies } = JSON.parse(git('show', `${last}:package.json`));
  const now = JSON.parse(readFileSync('package.json', 'utf8')).dependencies;
  const packages = Object.keys(now).some((name) => dependencies[name] === undefined);
  return [...(migrations ? ['the schema of the database'] : []), ...(packages ? ['the list of packages'] : [])];
}

/** Packages for programs of others, each in a folder with a package.json or a pyproject.toml. */
const clients = () => (existsSync(CLIENTS) ? readdirSync(CLIENTS).map((name) => join(CLIENTS, name)) : []);

/** By path, what each file that names the version becomes. */
function withVersion(version, changes) {
  const files = new Map([[CHANGES, changes]]);
  const replace = (path, pattern, value) => {
    if (!existsSync(path)) return;
    const text = files.get(path) ?? readFileSync(path, 'utf8');
    if (!pattern.test(text)) throw new Refused(`${path} has no line for its version`);
    files.set(path, text.replace(pattern, value));
  };
  replace('package.json', /^ {2}"version": "[^"]*"/m, `  "version": "${version}"`);
  replace('package-lock.json', /^ {2}"version": "[^"]*"/m, `  "version": "${version}"`);
  replace('package-lock.json', /^ {6}"version": "[^"]*"/m, `      "version": "${version}"`);
  replace(join(CHART, 'Chart.yaml'), /^version: .*$/m, `version: ${version}`);
  replace(join(CHART, 'Chart.yaml'), /^appVersion: .*$/m, `appVersion: '${version}'`);
  for (const folder of clients()) {
    replace(join(folder, 'package.json'), /^ {2}"version": "[^"]*"/m, `  "version": "${version}"`);
    replace(join(folder, 'pyproject.toml'), /^version = "[^"]*"/m, `version = "${version}"`);
  }
  return files;
}

/** Tests the commit as a stranger's clone has it. @throws {Refused} */
function test() {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    run('.', 'git', 'clone', '--quiet', '--no-hardlinks', '.', folder);
    run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
    run(folder, '.ci/run');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes what is handed out. @returns its folder */
function build(version, notes, withImage) {
  const folder = join('dist', version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const name = `voice-calling-service-${version}`;
  git('archive', '--format=tar.gz', `--prefix=${name}/`, '-o', join(folder, `${name}.tar.gz`), `v${version}`);
  const chart = join(folder, `voice-calling-chart-${version}.tgz`);
  git('archive', '--format=tar.gz', '--prefix=voice-calling/', '-o', chart, `v${version}:${CHART}`);
  writeFileSync(join(folder, 'openapi.json'), readFileSync('docs/openapi.json'));
  writeFileSync(join(folder, 'NOTES.md'), `# ${version}\n\n${notes}\n`);
  for (const client of clients().filter((each) => existsSync(join(each, 'package.json')))) {
    output('npm', 'pack', '--silent', '--pack-destination', folder, `./${client}`);
  }
  const sums = readdirSync(folder)
    .sort()
    .map((file) => `${sha256(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  if (withImage) run('.', 'docker', 'build', '-t', `voice-calling-service:${version}`, '.');
  return folder;
}

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function release(version, { 'dry-run': isRehearsal, tested, 'no-image': noImage }) {
  const { before, notes, after } = unreleased(readFileSync(CHANGES, 'utf8'));
  const last = lastTag();
  check(version, notes, last);
  const day = new Date().toISOString().slice(0, 10);
  const changes = [...before, UNRELEASED, '', `## ${version} - ${day}`, '', notes, '', ...after].join('\n');
  const files = withVersion(version, changes);
  const hasDocker = !noImage && spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;
  const image = hasDocker ? ', the image' : '';
  process.stdout.write(
    `v${version} after ${last ?? 'nothing'}: ${[...files.keys()].join(', ')}; dist/${version}${image}\n`,
  );
  if (isRehearsal) return process.stdout.write(`\n${notes}\n`);
  if (!tested) test();
  for (const [path, text] of files) writeFileSync(path, text);
  git('commit', '--quiet', '-m', `Release ${version}`, '--', ...files.keys());
  git('tag', '--annotate', '--cleanup=verbatim', `v${version}`, '-m', `${version}\n\n${notes}`);
  const folder = build(version, notes, hasDocker);
  process.stdout.write(`${folder}: ${readdirSync(folder).join(', ')}\nnow: git push origin main v${version}\n`);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean' },
      tested: { type: 'boolean' },
      'no-image': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [version = '', ...more] = positionals;
  if (values.help) process.stdout.write(`${USAGE}\n`);
  else if (!VERSION.test(version) || more.length > 0)
    throw new Refused(`VERSION is three numbers, such as 1.4.0\n${USAGE}`);
  else release(version, values);
} catch (error) {
  if (!(error instanceof Refused) && error?.code?.startsWith?.('ERR_PARSE_ARGS') !== true) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
