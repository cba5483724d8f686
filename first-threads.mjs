// Loaded first in an engine's process. Where calls of a dead process wait for it, its media threads begin to load their
// code at once, beside the control thread's own code: without them no packet leaves, and they take as long as that.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

function callsWait({ DATA_DIR, RESUME_CALLS, STANDBY }) {
  // An engine that stands by has them before it gets any call.
  if (STANDBY === '1' || RESUME_CALLS === 'off') return false;
  try {
    return readdirSync(join(DATA_DIR || 'data', 'journal')).some((name) => name.endsWith('.call'));
  } catch {
    return false;
  }
}

if (isMainThread && callsWait(process.env)) {
  const { beginShardThreads } = await import('./engine/shard/shard-thread.ts');
  beginShardThreads(Number(process.env.SHARDS) || undefined);
}
