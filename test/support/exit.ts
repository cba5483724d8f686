// Preloaded into the process of every test file. A failed scenario may leave sockets open, and they must not delay the
// other tests; Node's own `forceExit` drops results that are still in the pipe to the runner (nodejs/node#64833).
import { isMainThread } from 'node:worker_threads';

// Hooks that run after this one stop whole services, which may drain.
const EXIT_AFTER_MS = 30_000;

// Workers and forked processes of a test have the same flags.
if (isMainThread && /\.test\.(ts|mjs)$/.test(process.argv[1] ?? '')) {
  await import('./owners.ts');
  const { noteCost, processorSeconds } = await import('../costs.ts');
  const { isLane } = await import('../lanes.ts');
  const { closeAll } = await import('./at-end.ts');
  const { after } = await import('node:test');
  after(async () => {
    await closeAll();
    setTimeout(() => process.exit(), EXIT_AFTER_MS).unref();
  });
  // A lane notes what each of its files has cost.
  const [, file = ''] = process.argv;
  if (!isLane(file)) {
    process.on('exit', () => {
      noteCost(file, { seconds: performance.now() / 1_000, processorSeconds: processorSeconds() });
    });
  }
}
