// The disk: full, slow to sync, read-only, or held by another program.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from '../conversation/scenario.ts';
import type { Fault } from './fault.ts';
import type { Scene } from './fault-run.ts';
import { straceObstacle, tamper } from './strace.ts';

const LOCK_HOLDER = fileURLToPath(new URL('./lock-holder.ts', import.meta.url));

/** @throws Error unless the engine met the fault: an unnoticed fault proves nothing */
function expectFelt({ engine }: Scene, code: string): void {
  if (!engine.output().includes(code)) throw new Error(`the engine has not met ${code}`);
}

/** Another process holds the write lock. Resolves after its release. */
async function holdLock(dataDir: string, forMs: number): Promise<void> {
  const holder = spawn(process.execPath, ['--no-warnings', LOCK_HOLDER, join(dataDir, 'voice.db'), String(forMs)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(holder, 'exit');
  if (code !== 0) throw new Error(`the lock holder ended with ${code}`);
}

const locked: Fault = {
  name: 'write lock held',
  shortMs: 17_000,
  longMs: 20_000,
  obstacle: () => null,
  prepare: () => ({
    async strike(scene, forMs) {
      await holdLock(scene.dataDir, forMs);
      expectFelt(scene, 'SQLITE_BUSY');
    },
  }),
};

function mount(...args: string[]): boolean {
  return spawnSync('mount', args).status === 0;
}

function fill(folder: string, file: string): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize));
  } catch (error) {
    // The service has used some of the space in the meantime.
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  }
}

const full: Fault = {
  name: 'disk full',
  shortMs: 7_000,
  longMs: 30_000,
  losesAudio: true,
  obstacle() {
    const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
    return status === 0 ? null : { reason: 'no small disk can be mounted here', isPackage: false };
  },
  prepare(folder) {
    if (!mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder)) throw new Error('tmpfs cannot be mounted');
    const ballast = join(folder, 'ballast');
    return {
      dataDir: join(folder, 'data'),
      async strike(scene, forMs) {
        fill(folder, ballast);
        await pause(forMs);
        rmSync(ballast);
        expectFelt(scene, 'SQLITE_FULL');
      },
      release: () => spawnSync('umount', [folder]),
    };
  },
};

const SYNCS = ['fsync', 'fdatasync'];

const slow: Fault = {
  name: 'every fsync takes 2 s',
  shortMs: 8_000,
  longMs: 40_000,
  obstacle: straceObstacle,
  prepare: () => ({
    strike: ({ engine, api }, forMs) =>
      tamper({ pids: [engine.pid, api.pid], calls: SYNCS, inject: 'delay_enter=2000000' }, forMs),
  }),
};

const WRITES = ['write', 'pwrite64', 'pwritev', 'ftruncate', 'fallocate', ...SYNCS];

/** If this process may mount, new recordings cannot be opened either. */
async function readOnlyFolder(folder: string, work: () => Promise<void>): Promise<void> {
  const isMounted = mount('--bind', folder, folder) && mount('-o', 'remount,bind,ro', folder);
  try {
    await work();
  } finally {
    if (isMounted) spawnSync('umount', ['-l', folder]);
  }
}

const readOnly: Fault = {
  name: 'disk read-only',
  shortMs: 7_000,
  longMs: 30_000,
  losesAudio: true,
  obstacle: straceObstacle,
  prepare: () => ({
    async strike(scene, forMs) {
      const { engine, api, dataDir } = scene;
      const recordings = join(dataDir, 'recordings');
      const paths = [
        ...['voice.db', 'voice.db-wal'].map((name) => join(dataDir, name)),
        ...readdirSync(recordings).map((name) => join(recordings, name)),
      ];
      await readOnlyFolder(recordings, () =>
        tamper({ pids: [engine.pid, api.pid], calls: WRITES, inject: 'error=EROFS', paths }, forMs),
      );
      expectFelt(scene, 'SQLITE_IOERR');
    },
  }),
};

export const DISK_FAULTS: readonly Fault[] = [locked, full, slow, readOnly];
/** The disk faults of the test suite: a write that waits, and one that fails. */
export const DISK_FAULTS_SHORT: readonly Fault[] = [locked, full];
