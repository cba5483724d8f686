// The thread of one shard: how it is made, and when it is ready.
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Clock } from '../clock.ts';

const READY_TIMEOUT_MS = 10_000;

export class ShardError extends Error {
  readonly code = 'SHARD_UNAVAILABLE';
}

/** A running shard; after its loss another one has its index. */
export interface ShardSlot {
  index: number;
  pool: Piscina;
  control: MessagePort;
  done: Promise<void>;
  ready: Promise<void>;
}

/** Begun before anybody knew how many there will be (first-threads.mjs). */
const begun: Piscina[] = [];
/** As many as a small machine has (engine/load/sizing.ts). */
const FIRST = 2;

export function beginShardThreads(count = FIRST): void {
  for (let n = 0; n < count; n++) begun.push(newThread());
}

export const shardThread = (): Piscina => begun.shift() ?? newThread();

function newThread(): Piscina {
  return new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    // The thread runs on sockets and timers, so it must never block while waiting for the next task.
    atomics: 'disabled',
  });
}

/** @throws {ShardError} if it ends before, or takes too long */
export async function becomeReady(control: MessagePort, running: Promise<unknown>, clock: Clock): Promise<void> {
  let cancelLimit = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      cancelLimit = clock.after(READY_TIMEOUT_MS, () => reject(new ShardError('a shard did not start')));
      control.once('message', () => resolve());
      running.then(() => reject(new ShardError('a shard ended before it was ready')), reject);
    });
  } finally {
    cancelLimit();
  }
}
