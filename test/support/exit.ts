// Preloaded into the process of every test file. A scenario that failed may leave sockets open, and they must not hold
// up the rest; Node's own `forceExit` drops results that are still in the pipe to the runner (nodejs/node#64833).
import { isMainThread } from 'node:worker_threads';

// Whole services are stopped in the hooks that run after this one, and may drain.
const EXIT_AFTER_MS = 30_000;

// Workers, and processes that a test forks, are started with the same flags.
if (isMainThread && /\.test\.(ts|mjs)$/.test(process.argv[1] ?? '')) {
  const { after } = await import('node:test');
  after(() => {
    setTimeout(() => process.exit(), EXIT_AFTER_MS).unref();
  });
}
