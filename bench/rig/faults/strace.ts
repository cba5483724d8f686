// Simulates a faulty disk with strace: while it is attached, chosen system calls of a process are delayed or fail. It
// needs no compiler, no extra file system and no mount, so it also works in a plain container.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { pause } from '../conversation/scenario.ts';
import type { Obstacle } from './fault.ts';

const ATTACH_TIMEOUT_MS = 10_000;

/** Why strace cannot attach to processes here, or null. */
export function straceObstacle(): Obstacle | null {
  if (spawnSync('strace', ['-V']).error) {
    return { reason: 'strace is not installed (apt-get install strace)', isPackage: true };
  }
  const probe = spawn('sleep', ['5'], { stdio: 'ignore' });
  const { stderr } = spawnSync('timeout', ['1', 'strace', '-e', 'trace=none', '-p', String(probe.pid)]);
  probe.kill();
  const words = String(stderr).trim();
  return words.includes('attached') ? null : { reason: `strace cannot attach here: ${words}`, isPackage: false };
}

interface Tampering {
  pids: readonly number[];
  calls: readonly string[];
  /** strace's injection: `delay_enter=2000000` (µs), `error=EROFS`. */
  inject: string;
  /** Only calls on these files; default: all files. */
  paths?: readonly string[];
}

/** Attaches for `forMs`. @throws Error with strace's words if it could not */
export async function tamper({ pids, calls, inject, paths = [] }: Tampering, forMs: number): Promise<void> {
  const names = calls.join(',');
  const tracer = spawn(
    'strace',
    [
      ['-f', '-o', '/dev/null', '-e', `trace=${names}`, '-e', `inject=${names}:${inject}`],
      paths.flatMap((path) => ['-P', path]),
      pids.flatMap((pid) => ['-p', String(pid)]),
    ].flat(),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let words = '';
  tracer.stderr.on('data', (data: Buffer) => {
    words = (words + data.toString()).slice(-10_000);
  });
  const exited = once(tracer, 'exit');
  const until = performance.now() + ATTACH_TIMEOUT_MS;
  while (!pids.every((pid) => words.includes(`Process ${pid} attached`))) {
    if (tracer.exitCode !== null || performance.now() > until) throw new Error(`strace could not attach: ${words}`);
    await pause(50);
  }
  await pause(forMs);
  tracer.kill('SIGINT');
  await exited;
}
