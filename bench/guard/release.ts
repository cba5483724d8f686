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

/** The newest tag that this version descends from; null: there is none. */
export function lastRelease(): string | null {
  const { status, stdout } = spawnSync('git', ['-C', ROOT, 'describe', '--tags', '--abbrev=0', 'HEAD'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
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
