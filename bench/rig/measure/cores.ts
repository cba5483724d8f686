// Pins processes to processor cores, so that a bench and the measured process do not share one.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { processesOf } from '../service/engine-threads.ts';
import { type Service, startService } from '../service/service.ts';

export const ENGINE_CORE = 0;
export const CALLERS_CORE = 1;

/** Pins a process and its later children to one core. @returns whether this worked */
export function pinTo(core: number, pid: number = process.pid): boolean {
  if (cpus().length < 2) return false;
  return spawnSync('taskset', ['-acp', `${core}`, `${pid}`], { stdio: 'ignore' }).status === 0;
}

/**
 * Runs the service with its engine on one core from the start; the API and this process are on the other.
 * `isPinned` is false if the machine has one core or no taskset.
 */
export async function withPinnedEngine<T>(
  environment: Record<string, string>,
  run: (service: Service, enginePid: number, isPinned: boolean) => Promise<T>,
): Promise<T> {
  const isPinned = pinTo(ENGINE_CORE);
  const service = await startService({ LOG_LEVEL: 'warn', ...environment });
  try {
    const { engine, api } = processesOf(service.process.pid ?? 0);
    if (isPinned) for (const pid of [api, process.pid]) pinTo(CALLERS_CORE, pid);
    return await run(service, engine, isPinned);
  } finally {
    await service.stop();
  }
}
