// The version that the guard of the figures measures beside this one, in a small repository.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lastRelease } from '../../../bench/guard/release.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const folder = temporaryFolder('voice-last-release');

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', [...AUTHOR, '-C', folder, ...args], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

function commit(version: string, scripts: object = {}): string {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'voice', version, scripts }, null, 2));
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '-m', `At ${version}`);
  return git('rev-parse', '--short', 'HEAD');
}

test('the guard compares with the newest tag, else with the commit that last changed the version', () => {
  git('init', '--quiet');
  commit('1.0.0');
  commit('1.0.0', { test: 'node' });
  assert.equal(lastRelease(folder), null, 'the first commit is no release');
  const second = commit('1.1.0');
  commit('1.1.0', { test: 'node' });
  assert.equal(lastRelease(folder), second);
  git('tag', 'v1.1.0');
  commit('1.1.0');
  assert.equal(lastRelease(folder), 'v1.1.0');
});
