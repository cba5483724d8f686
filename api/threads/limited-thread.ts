// Work on data that strangers made, on a thread of its own with limited time and memory: a page or a document can be
// crafted so that reading it takes minutes, all memory, or runs out of stack.
import { Worker } from 'node:worker_threads';

interface ThreadLimits {
  withinMs: number;
  heapMib: number;
  /** Of buffers, which a thread has outside of its heap. */
  bufferMib: number;
}

type ThreadResult<T> = { value: T } | { stopped: 'time' | 'memory' | 'fault' };

const WATCH_EVERY_MS = 50;
const MIB = 1024 * 1024;

/** Starts `file` with `workerData: task`, and returns the one message that it posts. Never throws. */
export function onLimitedThread<T>(file: URL, task: unknown, limits: ThreadLimits): Promise<ThreadResult<T>> {
  return new Promise((resolve) => {
    const worker = new Worker(file, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMib },
    });
    const settle = (result: ThreadResult<T>): void => {
      clearTimeout(timer);
      clearInterval(watch);
      resolve(result);
      void worker.terminate();
    };
    const timer = setTimeout(() => settle({ stopped: 'time' }), limits.withinMs);
    // The limits of a thread do not count its buffers.
    const watch = setInterval(() => {
      worker.getHeapStatistics().then(
        ({ external_memory }) => {
          if (external_memory > limits.bufferMib * MIB) settle({ stopped: 'memory' });
        },
        () => {},
      );
    }, WATCH_EVERY_MS);
    worker.once('message', (value: T) => settle({ value }));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      settle({ stopped: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'fault' }),
    );
    worker.once('exit', () => settle({ stopped: 'fault' }));
  });
}
