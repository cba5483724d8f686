// Another version of the project beside this one, for as long as it is measured: a work tree of git in a temporary
// folder. Its packages are links to ours where the lock file is the same; else npm installs them.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../rig/temporary-folder.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/**
 * The newest tag that this version descends from, else the commit that last changed the version in package.json; null:
 * there is none, as before a first release.
 */
export function lastRelease(root = ROOT): string | null {
  const ask = (...args: string[]): string => {
    const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
    return status === 0 ? stdout.trim() : '';
  };
  const tag = ask('describe', '--tags', '--abbrev=0', 'HEAD');
  if (tag !== '') return tag;
  const [commit = '', parents = ''] = ask(
    'log',
    '-1',
    '--format=%h %p',
    '-G^  "version": ',
    '--',
    'package.json',
  ).split(' ');
  // The first commit is no release.
  return parents === '' ? null : commit;
}

interface OtherVersion {
  root: string;
  /** As git abbreviates its commit. */
  commit: string;
  remove(): void;
}

/** @throws Error where git knows no such revision, or npm cannot install its packages */
export function checkOut(revision: string): OtherVersion {
  const commit = git('rev-parse', '--short', '--verify', '--end-of-options', `${revision}^{commit}`);
  const root = join(temporaryFolder('voice-release'), 'tree');
  git('worktree', 'add', '--quiet', '--detach', root, commit);
  const remove = (): void => {
    rmSync(root, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  try {
    installInto(root);
    return { root, commit, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function installInto(root: string): void {
  const lock = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const [ours, theirs] = [join(ROOT, 'node_modules'), join(root, 'node_modules')];
  // As links to the same files where the folders are on one file system.
  const isCopied = lock(ROOT) === lock(root) && copied('-al', ours, theirs);
  if (!isCopied) {
    rmSync(theirs, { recursive: true, force: true });
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  // Each version keeps its own for the next start.
  rmSync(join(theirs, '.cache'), { recursive: true, force: true });
}

const copied = (how: string, from: string, to: string): boolean =>
  spawnSync('cp', [how, from, to], { stdio: 'ignore' }).status === 0;
