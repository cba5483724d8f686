// `npm run release`: in a clone of this repository, what a release changes, tags and writes, and when it is refused.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const folder = join(temporaryFolder('voice-release'), 'clone');

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', [...AUTHOR, ...args], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

spawnSync('git', ['clone', '--quiet', '--shared', ROOT, folder]);
git('checkout', '--quiet', '-B', 'main');
// As it stands in this folder, which may not be committed yet.
for (const file of ['.gitignore', 'release.mjs', 'CHANGELOG.md', 'package.json', 'package-lock.json']) {
  cpSync(join(ROOT, file), join(folder, file));
}
commit('As it stands');

function commit(subject: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--no-verify', '-m', subject);
}

function release(...args: string[]): { status: number | null; said: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['release.mjs', ...args, '--no-image'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    },
  });
  return { status, said: stdout, error: stderr };
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

function change(path: string, before: string | RegExp, after: string): void {
  writeFileSync(join(folder, path), read(path).replace(before, after));
}

test('a rehearsal says what would be done, and changes nothing', () => {
  const before = git('rev-parse', 'HEAD');
  const { status, said, error } = release('1.4.0', '--dry-run');
  assert.equal(status, 0, error);
  assert.match(said, /v1\.4\.0 after nothing: CHANGELOG\.md, package\.json, package-lock\.json, .*Chart\.yaml/);
  assert.deepEqual([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')], [before, '', '']);
});

test('a release sets the version wherever it stands, tags with the notes, and writes what is handed out', () => {
  const { status, said, error } = release('1.4.0', '--tested');
  assert.equal(status, 0, error);
  assert.match(said, /now: git push origin main v1\.4\.0/);
  const { version } = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual([version, lock.version, lock.packages[''].version], ['1.4.0', '1.4.0', '1.4.0']);
  assert.match(read('docs/examples/helm/Chart.yaml'), /^version: 1\.4\.0$[\s\S]*^appVersion: '1\.4\.0'$/m);
  assert.match(read('CHANGELOG.md'), /^## Unreleased\n\n## 1\.4\.0 - \d{4}-\d\d-\d\d\n\n### /m);
  assert.equal(git('log', '-1', '--format=%s'), 'Release 1.4.0');
  assert.equal(git('status', '--porcelain'), '');
  const tag = git('tag', '--list', '--format=%(contents)', 'v1.4.0');
  assert.match(tag, /^### Added$[\s\S]*^### Upgrading$/m);
  const dist = join(folder, 'dist/1.4.0');
  const sums = readFileSync(join(dist, 'SHA256SUMS'), 'utf8').trim().split('\n');
  assert.deepEqual(
    sums
      .map((line) => line.split('  ')[1])
      .concat('SHA256SUMS')
      .sort(),
    readdirSync(dist).sort(),
  );
  for (const line of sums) {
    const [sum, file = ''] = line.split('  ');
    assert.equal(
      createHash('sha256')
        .update(readFileSync(join(dist, file)))
        .digest('hex'),
      sum,
    );
  }
  const listed = (file: string): string => spawnSync('tar', ['tzf', join(dist, file)], { encoding: 'utf8' }).stdout;
  assert.match(listed('voice-calling-service-1.4.0.tar.gz'), /^voice-calling-service-1\.4\.0\/supervise\.mjs$/m);
  assert.match(listed('voice-calling-chart-1.4.0.tgz'), /^voice-calling\/Chart\.yaml$/m);
});

test('a release is refused with all that is in its way', () => {
  writeFileSync(join(folder, 'left.txt'), 'left over');
  const { status, error } = release('1.4.0', '--tested');
  assert.equal(status, 2);
  for (const line of [
    'there are changes that are not committed: commit or remove them',
    '1.4.0 is not above 1.4.0',
    'v1.4.0 is tagged already',
    'CHANGELOG.md says nothing below "## Unreleased": what does an operator notice?',
  ]) {
    assert.ok(error.includes(line), `${line}\n${error}`);
  }
  git('clean', '--quiet', '--force', 'left.txt');
  assert.match(release('1.4', '--tested').error, /^VERSION is three numbers/);
  assert.match(release('1.5.0', '--now').error, /'--now'/);
});

test('a new schema or package needs a word on upgrading', () => {
  change('CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n### Added\n\n- Something.\n');
  change('package.json', '"dependencies": {', '"dependencies": {\n    "aardvark": "1.0.0",');
  writeFileSync(join(folder, 'db/sqlite/migrations/9999-more.ts'), '');
  commit('More');
  const { status, error } = release('1.5.0', '--tested');
  assert.equal(status, 2);
  assert.match(error, /the schema of the database changed since v1\.4\.0: CHANGELOG\.md needs "### Upgrading"/);
  assert.match(error, /the list of packages changed since v1\.4\.0/);
  change('CHANGELOG.md', '- Something.\n', '- Something.\n\n### Upgrading\n\n- `npm ci`.\n');
  commit('Say how');
  assert.equal(release('1.5.0', '--tested', '--dry-run').status, 0);
});
